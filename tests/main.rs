//! Every test that goes across modules, in one program: what they share is compiled and linked once.
//!
//! `cargo test --test all NAME` runs those of the module NAME. `corpus.rs` is a program of its own, as
//! it counts its cases.

#[path = "fuzz/checks/mod.rs"]
mod checks;
mod traces;

mod activity;
mod bursts;
mod clusters;
mod computing;
mod course;
mod command_line;
mod compare;
mod drift;
mod ebs;
mod efficiency;
mod energy;
mod following;
mod glance;
mod gauges;
mod groups;
mod halves;
mod identities;
mod iterations;
mod links;
mod memory;
mod messages;
mod models;
mod only;
mod oracles;
mod oracles_clusters;
mod oracles_compare;
mod otf2;
mod overview;
mod parts;
mod profile;
mod properties;
mod quality;
mod refold;
mod ranks;
mod records;
mod references;
mod repeated;
mod regions;
mod seeds;
mod segments;
mod semantic;
mod spmd;
mod stacks;
mod study;
mod threads;
mod tau;
mod tidy;
mod units;
mod wrappings;
mod writers;
