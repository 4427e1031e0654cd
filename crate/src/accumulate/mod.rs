//! Parts of folds are made and put together: see [`crate::partial`] for what they are.
//!
//! [`accumulate`] reads a part of a trace and keeps what the fold of one region looks at; [`merge`] puts parts
//! together, in any order; [`Partial::trace`] is what [`crate::pipeline`] folds, to the same bytes as the
//! trace. What a part of a trace cannot know is found out when its neighbour is there, or is refused in
//! words: nothing is folded that may be something else in the whole.

mod merge;
mod named;
mod plan;
#[cfg(not(target_arch = "wasm32"))]
mod online;
mod reduce;
mod thin;

use std::fmt;

use crate::instance::Ends;
use crate::open::{Opening, ReadPart, Watch};
use crate::partial::{End, Partial, Piece, Split};
use crate::performance::EnergyCounters;
use crate::text::ParseError;
use crate::trace::{Builder, Kind, Only, Share};
pub use merge::{Refusal, merge};
use named::named;
#[cfg(not(target_arch = "wasm32"))]
pub use online::Online;
pub use plan::{Keep, NoPlan, OfGroup, Plan};
use reduce::reduce;
pub use thin::thin;

/// What is held of a part before it is made smaller, in bytes: little beside what reading takes, and so
/// much that what stays is looked at few times.
const HELD_BYTES: u64 = 48 << 20;

/// More samples than this a part does not keep: eight times as many as a fold shows. With eight counters
/// they take some 150 MB.
const MOST_SAMPLES: u64 = 1 << 22;

/// Which part of a trace is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Bytes,
    Tasks,
}

/// Why a part was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccumulateError {
    Read(ParseError),
    /// No such region, with those that are like it; or several.
    Region(String),
    /// What adds up only as a whole, in words.
    Whole(String),
    /// The plan is of another part, in words.
    Unlike(String),
    /// So many samples.
    TooLarge {
        samples: u64,
        parts: u32,
    },
}

impl From<ParseError> for AccumulateError {
    fn from(error: ParseError) -> Self {
        Self::Read(error)
    }
}

impl fmt::Display for AccumulateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(out, "{error:#}"),
            Self::Region(words) | Self::Whole(words) | Self::Unlike(words) => out.write_str(words),
            Self::TooLarge { samples, parts } => {
                let times = samples.div_ceil(MOST_SAMPLES);
                write!(
                    out,
                    "the part has some {:.1} million samples of the region, and more than {:.1} million do not \
                     fit: make {} parts or more, or keep durations alone, and plan of them which samples to keep",
                    *samples as f64 / 1e6,
                    MOST_SAMPLES as f64 / 1e6,
                    u64::from(*parts).saturating_mul(times),
                )
            }
        }
    }
}

/// A part that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Whose fold it is for, by name.
    pub region: &'a str,
    pub by: By,
    pub share: Share,
    /// What is read; of all parts the same.
    pub only: &'a Only,
    pub keep: &'a Keep,
}

/// A part of a trace, as far as the fold of a region looks at it. By bytes no more than `watch` allows is held, or
/// 48 MB, before it is made smaller; the part is the same.
///
/// # Errors
///
/// If the trace cannot be read, or not in such parts; if it has no such region, or several; if the plan of what is
/// kept is of another; or if what is kept would be too large.
pub fn accumulate(
    opening: Opening<'_>,
    wanted: &Wanted<'_>,
    watch: &mut Watch<'_>,
) -> Result<Partial, AccumulateError> {
    let &Wanted { region: asked, by, share, only, keep } = wanted;
    let Share { number, of } = share;
    match by {
        By::Bytes => {
            let Some(bytes) = opening.bytes() else {
                let words = "only a .prv that is not packed is read by bytes: unpack it, or accumulate by \
                             tasks (--by objects)";
                return Err(AccumulateError::Whole(words.to_owned()));
            };
            let border = |at: u32| {
                let share = u128::from(at.min(of)) * u128::from(bytes);
                (share / u128::from(of.max(1))) as u64
            };
            let range = border(number.saturating_sub(1))..border(number);
            let ends = Ends { is_first: range.start == 0, is_last: range.end == bytes };
            let least_held_bytes = HELD_BYTES.min(watch.most_bytes);
            let (mut region, mut held_bytes) = (None, least_held_bytes);
            let mut shrink = |trace: &mut Builder, done_bytes: u64| {
                if trace.held_bytes() < held_bytes {
                    return Ok(());
                }
                let code = match region {
                    Some(code) => code,
                    None => named(trace, asked).map_err(AccumulateError::Region)?.code,
                };
                region = Some(code);
                // More of the part follows.
                reduce(trace, code, Ends { is_last: false, ..ends });
                keep.thin(trace, code);
                held_bytes = least_held_bytes + trace.held_bytes();
                // As many more for what is not read yet.
                let all_bytes = (range.end - range.start) as f64;
                fits(trace, of, all_bytes / done_bytes as f64)
            };
            let opening = opening.only(only.clone());
            let read = opening.read_bytes(range.clone(), watch, &mut shrink)?;
            in_order(&read.trace)?;
            within(partial(read, asked, Split::Bytes(bytes), range, ends, keep)?, of)
        }
        By::Tasks => {
            let shared = Only { share: Some(share), ..only.clone() };
            let read = opening.read_tasks(shared, watch)?;
            let range = u64::from(number.saturating_sub(1))..u64::from(number);
            within(partial(read, asked, Split::Tasks(u64::from(of)), range, Ends::WHOLE, keep)?, of)
        }
    }
}

fn partial(
    read: ReadPart,
    asked: &str,
    split: Split,
    range: std::ops::Range<u64>,
    ends: Ends,
    keep: &Keep,
) -> Result<Partial, AccumulateError> {
    let ReadPart { format, header, common, reader, mut trace } = read;
    let named = named(&trace, asked).map_err(AccumulateError::Region)?;
    refuse_registers(&trace)?;
    reduce(&mut trace, named.code, ends);
    keep.thin(&mut trace, named.code);
    // A part of no byte says nothing.
    let is_empty = range.is_empty();
    let pieces = if is_empty { vec![] } else { vec![Piece { range, reader, trace }] };
    let (region, region_code) = (named.name, named.code);
    let end = End::Reached;
    let part = Partial { region, region_code, split, end, format, header, common, pieces };
    let unlike = match keep {
        Keep::Planned(plan) => plan.unlike(&part),
        _ => None,
    };
    unlike.map_or(Ok(part), |words| Err(AccumulateError::Unlike(words)))
}

/// One of so many parts, if it does not keep more than it may.
fn within(part: Partial, parts: u32) -> Result<Partial, AccumulateError> {
    part.pieces.iter().try_for_each(|piece| fits(&piece.trace, parts, 1.0))?;
    Ok(part)
}

/// An error if more samples are kept than a part has; the whole part is so many times as long.
fn fits(trace: &Builder, parts: u32, times: f64) -> Result<(), AccumulateError> {
    let samples = reduce::samples(trace);
    match samples > MOST_SAMPLES {
        true => Err(AccumulateError::TooLarge { samples: (samples as f64 * times) as u64, parts }),
        false => Ok(()),
    }
}

/// An error if times of a thread go back.
fn in_order(trace: &Builder) -> Result<(), AccumulateError> {
    match trace.unsorted() {
        None => Ok(()),
        Some(object) => Err(AccumulateError::Whole(format!(
            "times of the thread {object} go back, which no part of the file can tell alone: \
             accumulate by tasks (--by objects), or fold the trace whole"
        ))),
    }
}

/// Registers of energy are told by readings between instances, too.
fn refuse_registers(trace: &Builder) -> Result<(), AccumulateError> {
    let energy = EnergyCounters::default();
    let registers = trace
        .codes()
        .map(|code| trace.meaning(code))
        .filter(|of| of.kind == Kind::Counter && energy.of(&of.name, &of.description).is_some());
    let kept = |name: &String| trace.only().counters.as_ref().is_none_or(|of| of.contains(name));
    match registers.map(|of| of.name).find(kept) {
        None => Ok(()),
        Some(name) => Err(AccumulateError::Whole(format!(
            "{name} is a register of energy, which is told by readings between instances, too, and does not \
             add up: choose other counters (--only counters=…), or fold the trace whole"
        ))),
    }
}
