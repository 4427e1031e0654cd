//! The address lane: which data were referenced when, and what that cost.

mod lane;
mod gutter;
mod objects;
mod cost;
mod raster;
mod nearest;
mod bytes;

pub use bytes::bytes;
pub use cost::{AddressKey, Costs, LevelKey, address_key};
pub use lane::{AddressLayout, ObjectRow, Sampled, address, has_address, kind};
pub use nearest::{Nearest, nearest, routine_at};
pub use raster::Raster;
