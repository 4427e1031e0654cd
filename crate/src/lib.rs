//! Tracefold folds performance traces.
//!
//! A parallel program repeats itself: a routine, an iteration, a burst between two MPI calls. A
//! tracer marks where each *instance* of such a *region* begins and ends, and takes a *sample*
//! now and then: counters, call-stack, memory address. One instance has a handful of samples and
//! shows nothing. *Folding* places the samples of all instances in one synthetic instance, each at
//! the share of its instance's time at which it was taken, and fits a curve through each counter:
//!
//! ```text
//!   instance 1   ├──•─────────•──────────•─────┤
//!   instance 2   ├───────•─────────•─────────•─┤      coarse samples, taken cheaply
//!   instance 3   ├─•─────────•──────────•──────┤
//!        …
//!   folded       ├•••─•──•••─•─••─•─••••─••──••┤      fine detail
//! ```
//!
//! The slope of the curve is the instantaneous rate: MIPS, misses per instruction, at every moment
//! of the region, beside the code line that ran.
//!
//! # From files to an answer
//!
//! ```text
//!  files ─ input ─▶ bytes ─ text ─▶ lines ─ paraver │ extract_file │ perf_script ─▶ trace::Trace
//!                      └─▶ chunks ─ otf2 ─────────────────────────────────────────▶ trace::Trace
//!                                                                                       │
//!      instance: regions, instances with their samples, groups, outliers, folded counters
//!                    ├─ performance ◀─ fit: curves and rates
//!                    ├─ source: routines and code lines
//!                    └─ address: data objects and streams
//!                                     │
//!                    folding::Folding, what every view needs, and Points, the clouds
//!                     ┌───────────────┼───────────────┐
//!                   paint           export           web
//! ```
//!
//! [`open::open`] is the left half, [`pipeline::run`] the right one. Both are pure: the command
//! line and the page call them with the same bytes and get the same bytes.
//!
//! ```
//! use tracefold::{input::NamedFile, open, pipeline, settings::Settings};
//!
//! // Two instances of function 3, with a sample at 40 % of each: 600, then 660 of 1000
//! // instructions have been counted by then.
//! let trace = "#Paraver (01/02/2025 at 10:00):4000_ns:1(1):1:1(1:1)
//! 2:1:1:1:1:1000:60000019:3:42000050:800
//! 2:1:1:1:1:1400:42000050:600
//! 2:1:1:1:1:2000:60000019:0:42000050:400
//! 2:1:1:1:1:2500:60000019:3:42000050:300
//! 2:1:1:1:1:2900:42000050:660
//! 2:1:1:1:1:3500:60000019:0:42000050:340
//! ";
//! let file = NamedFile::new("mini.prv", trace);
//! let trace = open::open(vec![file], &mut |_progress| {})?;
//! let (folding, _points) = pipeline::run(&trace, &Settings::default())?;
//!
//! assert_eq!(folding.region, "User function:3");
//! let group = &folding.groups[0];
//! assert_eq!((group.instances, group.mean_duration_ns), (2, 1000.0));
//! let instructions = group.instructions().ok_or("no instructions")?;
//! let at_40_percent = instructions.fitted[400];
//! assert!((at_40_percent - 0.63).abs() < 0.02, "{at_40_percent}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Design constraints
//!
//! * Runs in a browser: no file, clock, random number or log outside `disk`, `web` and the command line.
//! * The same numbers everywhere: what may differ in the last bit (`exp`, `ln`, `powf` …) comes
//!   from `libm`; no order of a hash map reaches a result.
//! * Any bytes may come in: an error is a value with a place and words, what is odd but harmless is
//!   a [`trace::Notice`], and nothing panics.
//! * A stage turns a value into a value; only [`pipeline`] judges.
//!
//! `ARCHITECTURE.md` has the table of modules and what must not happen; tests enforce it. What an
//! analyst must know to trust a number is in `static/guide/methods.html`; each module's rules are
//! in its first lines.
//!
//! # Sources
//!
//! * Servat 2015: *Towards instantaneous performance analysis using coarse-grain sampled and
//!   instrumented data*, doctoral thesis, Universitat Politècnica de Catalunya.
//! * Folding user guide and Folding 1.4.2: the reference tool of the Barcelona Supercomputing
//!   Center, as it behaves.
//! * Malony and Huck 2014: *General hybrid parallel profiling*, PDP 2014.
//! * Durbin and Koopman 2012: *Time Series Analysis by State Space Methods*, 2nd edition.
//! * Wahba 1985: *A comparison of GCV and GML for choosing the smoothing parameter in the
//!   generalized spline smoothing problem*, Annals of Statistics 13.
//! * Yasin 2014: *A Top-Down method for performance analysis and counters architecture*, ISPASS;
//!   further sources of models stand in `static/models`.
//! * Theil 1950: *A rank-invariant method of linear and polynomial regression analysis*,
//!   Indagationes Mathematicae 12.
//! * Ester et al. 1996: *A density-based algorithm for discovering clusters*, KDD-96.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

// In reading order, which is the order of the data.
mod order;
pub mod text;
pub mod outline;
pub mod input;
pub mod trace;
pub mod paraver;
pub mod extract_file;
pub mod fold_record;
pub mod ebs_trace;
pub mod perf_script;
pub mod otf2;
pub mod merge;
pub mod semantic;
pub mod model;
pub mod profile;
pub mod tau;
#[cfg(not(target_arch = "wasm32"))]
pub mod disk;
pub mod partial;
pub mod open;
pub mod fit;
pub mod folding;
pub mod quantity;
pub mod glance;
pub mod instance;
pub mod run;
pub mod performance;
pub mod source;
pub mod hybrid;
pub mod address;
pub mod settings;
pub mod result;
pub mod compare;
pub mod pipeline;
pub mod accumulate;
pub mod paint;
pub mod report;
pub mod export;
#[cfg(target_arch = "wasm32")]
mod web;
