//! A trace to the instances of a region, their samples, their groups, and the folded instance.
//!
//! Sources: Servat 2015, §4.1-4.2.

mod burst;
mod region;
mod catalogue;
mod reading;
mod gather;
mod group;
mod axis;
mod register;
mod select;
mod wanted;
mod sampling;
mod folded;
mod choice;

pub use axis::{Ruler, Rulers, fold_time};
pub use burst::{Burst, bursts, types_that_close};
pub use catalogue::{CatalogueRow, catalogue, chosen_first};
pub use choice::{Eps, Grouping, Outliers, Select, float};
pub use folded::{FoldedCounter, FoldedSample, fold_counter};
pub use gather::{Instance, instances, is_sample, samples_inside};
pub use group::{Group, MOST_SAMPLES, group, one_in};
pub use reading::{Readings, Sets, is_instructions, readings_inside};
pub use region::{Region, RegionNames, resolve};
pub use register::{How, Register, fold_register, refresh_ns};
pub use sampling::{Sampling, sampling};
pub use select::select;
pub use wanted::{DurationRange, InstanceNumbers, Wanted};

pub use crate::trace::{ChoiceError, Objects};
