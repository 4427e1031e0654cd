//! Makes up traces of which every truth is known.
//!
//! The same shape, seed and options give the same bytes on every machine: no clock, no hash map,
//! no function of the system's mathematics library. Nothing is shared with the crate that these
//! traces test.

#![forbid(unsafe_code)]

use std::str::FromStr;

pub mod big;
pub mod drift;
pub mod otf2;
pub mod perf_mem;

mod calls;
mod codes;
mod example;
mod labels;
mod many;
mod nested;
mod path;
mod phases;
mod plain;
mod program;
mod random;
mod repeat;
mod sets;
mod spmd;
mod study;
mod trace;
mod truth;

pub use phases::Jitter;
pub use random::Random;

/// The three files of a trace, and what is known of it as JSON.
pub struct Generated {
    pub prv: Vec<u8>,
    pub pcf: Vec<u8>,
    pub row: Vec<u8>,
    pub truth: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The modified Stream benchmark on four ranks: the bundled trace.
    Example,
    /// The same with more references, and their truth.
    References,
    /// Four phases as in the Stream benchmark.
    Stream4,
    /// Five phases of very different rates.
    Contrast5,
    /// Seven phases, three of them short.
    Short7,
    /// A rate without jumps.
    Smooth,
    /// A rate with jumps in its first half only.
    Mixed,
    /// Stream with two loops of little more than a millisecond.
    Fig418,
    /// Four counters that do not all change where one does.
    Joint4,
    /// Ten phases on which 28 counters are read.
    Many,
    /// An energy register that is refreshed each millisecond.
    Rapl,
    /// Functions inside functions and inside themselves.
    Nested,
    /// Three counter sets that take turns.
    Sets,
    /// The calls of a solver, of whose stacks some frames are captured.
    Bt,
    /// Calls of one routine from several callers at several depths.
    Deep,
    /// Ranks that pass a loop of five calls and five kinds of bursts.
    Spmd,
    /// Pairs and series of the thesis, before and after: a solver whose loops are merged.
    Cgpop,
    /// Forces whose roots are calculated ahead.
    Pmemd,
    /// Divisions that become multiplications.
    ArtsCf,
    /// Buckets that are filled at several clock frequencies.
    Isc,
    /// Sweeps that transpose, or do not.
    Genesis,
    /// Megabytes, mostly of records that folding skips.
    Big,
}

/// What a shape may vary; absent values are the shape's own.
#[derive(Clone, Default)]
pub struct Options {
    /// Instances of each thread.
    pub instances: Option<usize>,
    /// Samples inside instances, after which a loop ends; instead of `instances`.
    pub samples: Option<usize>,
    pub jitter: Option<Jitter>,
    /// Sampling period as a share of an instance; `spmd` is sampled only if it is given.
    pub period: Option<f64>,
    /// Counter sets of a loop that take turns from instance to instance.
    pub sets: Option<usize>,
    /// Length of an instance of `rapl`, in milliseconds.
    pub ms: Option<f64>,
    /// A phase of a loop, from 0, that takes so many times as long for the same counts.
    pub slower: Option<(usize, f64)>,
    /// Whether a program of the thesis is the one after its change.
    pub modified: bool,
    /// Clock frequency of `isc`.
    pub mhz: Option<f64>,
    /// Whether a loop reads no counter where its region begins and ends.
    pub unread_borders: bool,
    /// Innermost frames that `bt` and `deep` capture.
    pub depth: Option<usize>,
    /// Size of the `.prv` of `big`.
    pub size_mb: Option<u64>,
    /// Threads of `big`, ranks of `spmd`.
    pub threads: Option<u32>,
}

impl Shape {
    pub const ALL: [(&'static str, Shape); 22] = [
        ("example", Shape::Example),
        ("references", Shape::References),
        ("stream4", Shape::Stream4),
        ("contrast5", Shape::Contrast5),
        ("short7", Shape::Short7),
        ("smooth", Shape::Smooth),
        ("mixed", Shape::Mixed),
        ("fig418", Shape::Fig418),
        ("joint4", Shape::Joint4),
        ("many", Shape::Many),
        ("rapl", Shape::Rapl),
        ("nested", Shape::Nested),
        ("sets", Shape::Sets),
        ("bt", Shape::Bt),
        ("deep", Shape::Deep),
        ("spmd", Shape::Spmd),
        ("cgpop", Shape::Cgpop),
        ("pmemd", Shape::Pmemd),
        ("arts_cf", Shape::ArtsCf),
        ("isc", Shape::Isc),
        ("genesis", Shape::Genesis),
        ("big", Shape::Big),
    ];
}

impl FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Shape, String> {
        let found = Shape::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, shape)| *shape).ok_or_else(|| {
            let names: Vec<&str> = Shape::ALL.iter().map(|(name, _)| *name).collect();
            format!("no shape {text}; there are {}", names.join(" "))
        })
    }
}

/// The trace of a shape and a seed.
pub fn generate(shape: Shape, seed: u64) -> Generated {
    generate_with(shape, seed, &Options::default())
}

pub fn generate_with(shape: Shape, seed: u64, options: &Options) -> Generated {
    match shape {
        Shape::Example => example::generate(seed, options),
        Shape::References => example::references(seed, options),
        Shape::Stream4 => plain::stream4(seed, options),
        Shape::Contrast5 => plain::contrast5(seed, options),
        Shape::Short7 => plain::short7(seed, options),
        Shape::Smooth => plain::smooth(seed, options),
        Shape::Mixed => plain::mixed(seed, options),
        Shape::Fig418 => plain::fig418(seed, options),
        Shape::Joint4 => plain::joint4(seed, options),
        Shape::Many => many::generate(seed, options),
        Shape::Rapl => plain::rapl(seed, options),
        Shape::Nested => nested::generate(seed, options),
        Shape::Sets => sets::generate(seed, options),
        Shape::Bt => calls::bt(seed, options),
        Shape::Deep => calls::deep(seed, options),
        Shape::Spmd => spmd::generate(seed, options),
        Shape::Cgpop => study::cgpop(seed, options),
        Shape::Pmemd => study::pmemd(seed, options),
        Shape::ArtsCf => study::arts_cf(seed, options),
        Shape::Isc => study::isc(seed, options),
        Shape::Genesis => study::genesis(seed, options),
        Shape::Big => big::in_memory(seed, options),
    }
}
