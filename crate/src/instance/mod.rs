//! A trace to the instances of a region, their samples, their groups, and the folded instance.
//!
//! *Regions.* Nested different regions are both instances, and samples belong to both; of a region
//! inside itself only the outermost is one. What crosses the border of the part that was read has
//! no begin or no end, and is none. Shares are of the time that the chosen threads spend in the
//! window.
//!
//! *Counters.* Instances in which a counter can be trusted ([`Readings::total`]) give its samples;
//! in the others samples still place code lines. One in which it stayed at zero counts for its rate
//! and gives no samples.
//!
//! *Groups* are numbered from 1 by increasing duration; outliers are left out inside each; what is
//! apart from every mode, or noise to DBSCAN, is in none. Objects, times, durations and numbers
//! choose before instances are grouped; an instance keeps its number in the whole trace. Of a group
//! with more samples than are asked for (half a million) some instances give theirs, and all count
//! for the totals.
//!
//! Sources: Servat 2015, §4.2 and §4.3; where the reference tool does otherwise, the guide says so
//! (`static/guide/methods.html#reference`).

mod execution;
mod region;
mod repeated;
mod repeating;
mod offered;
mod catalogue;
mod reading;
mod gather;
mod group;
mod axis;
mod line;
mod register;
mod select;
mod wanted;
mod sampling;
mod giving;
mod looked_at;
mod folded;
mod choice;
mod duration;

pub use axis::{Ruler, Rulers, fold_time};
pub use catalogue::{
    CatalogueRow, ENOUGH_INSTANCES, ENOUGH_SAMPLES, First, catalogue, chosen_first,
};
pub use choice::{Eps, Grouping, Holds, Outliers, Select, float};
pub use duration::duration_half_width_ns;
pub use execution::{Execution, closing_cut, executions, types_that_close};
pub use folded::{fold_counter, totals};
pub use gather::{Counting, Inside, Instance, instances, is_sample, samples_inside};
pub use giving::{Giving, key};
pub use group::{Group, Groups, MOST_SAMPLES, families, group, usual};
pub use looked_at::{Ends, looked_at};
pub use offered::levels;
pub use reading::{ABSURD, Readings, Sets, is_absurd, is_instructions, readings_inside};
pub use region::{Region, RegionNames, resolve};
pub use register::{How, Register, fold_register, refresh_ns};
pub use repeated::Repeated;
pub use repeating::{BurstsFrom, EPS, PassBegin, Repeating};
pub use sampling::{Sampling, sampling};
pub use select::select;
pub use wanted::{DurationRange, InstanceNumbers, Wanted};

pub use crate::trace::{ChoiceError, Objects};
