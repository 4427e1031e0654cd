//! A run as a whole, which nobody need have prepared for folding: its bursts, how well it uses its
//! threads ([`efficiency`]), and what repeats in it: iterations, from the calls that each thread makes
//! of a runtime, and clusters of what it computes between them.
//!
//! A *site* is a call with the path that leads to it; a *rank* is the master thread of a task. Sites
//! that a rank calls equally often, one after the other in the same order in every pass, are a
//! *cycle*: a loop. It is believed where so much order is no accident, or, where one site has no
//! order to show, where the stretches between its calls are alike. A period that the trace cuts off
//! at its begin or end belongs to its loop.
//!
//! Where a pass begins nobody says: of all sites, entered or left, the one that leaves most passes
//! whole. Ranks may begin at different sites. A *level* is a loop that at least half of the ranks
//! have. The outer one covers much of the run and has the most evidence; inner ones lie inside its
//! passes, and what crosses from one pass to the next is none of theirs. Passes of unlike durations
//! are told, and are never the first choice.
//!
//! [`repeats`] takes the calls from a trace. What finds loops in them knows no trace: sites and
//! their labels are numbers, times are nanoseconds. Any input has an answer, the same everywhere.
//! Where nothing repeats, the reason is a value ([`NoIteration`]). The cost is O(calls), but for
//! sorting durations, sites and loops.
//!
//! A *burst* is a stretch in which a thread computes, between calls; [`places`] names it by the call
//! beside it. Bursts that do alike work are a *cluster* ([`clusters`]): they lie together in a
//! [`Plane`] that means the same in every run.
//!
//! A loop passed twice inside another makes the same calls as one of which every second pass calls
//! something more: the one with more evidence is taken for the outer one.

#[cfg(test)]
mod made_up;
mod stretch;
mod calls;
mod cycles;
mod rotation;
mod ranks;
mod inner;
mod levels;
mod sites;
mod repeats;
mod computing;
mod bursts;
mod regions;
mod inside;
mod places;
mod work;
mod plane;
mod cluster;
mod clusters;
mod parallel;
mod efficiency;
mod doing;
mod cells;
mod activity;
mod while_computing;
mod gauge;
mod seen;
mod timeline;
mod raster;
mod pyramid;
mod lifelines;
mod rates;
mod passed;
mod rows;
mod uses;
mod glance;

pub use crate::instance::EPS;
pub use activity::{activity, balances};
pub use bursts::{Burst, Bursts, bursts, bursts_from};
pub use calls::{Call, Rank};
pub use cluster::{Cluster, OneCall};
pub use clusters::{Clusters, clusters};
pub use efficiency::{NoEfficiency, efficiency};
pub use gauge::{bandwidth, bandwidth_in, gauges, is_read_beside};
pub use glance::glance;
pub use inside::{Common, common};
pub use levels::{Level, NoIteration, iterations};
pub use passed::efficiency_of_iterations;
pub use places::{Place, Places, places};
pub use plane::{Axes, Plane};
pub use regions::{Regions, regions};
pub use repeats::{Repeats, repeats, repeats_from};
pub use rotation::{Boundary, Edge, Passes};
pub use seen::Seen;
pub use sites::{Alphabet, Sites};
pub use timeline::Timeline;
pub use uses::run_use;
pub use while_computing::WhileComputing;
pub use work::{Work, work};
