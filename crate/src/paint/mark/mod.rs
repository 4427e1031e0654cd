//! What stands for values: marks, curves on the grid of folded time and their names, and what is left
//! of very many points.

mod sampled;
mod label;
mod look;
mod plotted;
mod thin;

pub use label::{Label, Room, Track, on_break};
pub use look::Mark;
pub use plotted::Plotted;
pub use sampled::Sampled;
pub use thin::{MANY, Thin};
