//! What can be written after `tracefold accumulate` and `tracefold merge`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use tracefold::trace::Share;

use crate::arguments::{Folded, Reading, count};

/// Heading of what is said of a trace that grows.
const COMES: &str = "A trace that comes";

/// Heading of what is said of parts that are made in two passes.
const PASSES: &str = "Two passes, where a part would be too large";

#[derive(Args)]
pub struct Accumulate {
    #[command(flatten)]
    pub reading: Reading,
    /// Region whose fold the part is for: TYPE:VALUE, or a value that one type alone has
    #[arg(long)]
    pub region: String,
    /// Which part of how many: 1/8 to 8/8
    #[arg(long, value_name = "K/N", default_value = "1/1", value_parser = share)]
    pub part: Share,
    /// Go on reading a .prv or a text of perf script as it grows, until this is interrupted (Ctrl+C, or a
    /// signal); `-` as FILE is what a pipe brings, until that ends
    #[arg(long, help_heading = COMES)]
    pub follow: bool,
    /// How often the part of a trace that comes is written, in seconds [default: 10]
    #[arg(long, value_name = "SECONDS", help_heading = COMES, value_parser = count)]
    pub every: Option<u64>,
    /// What the trace of a pipe is called [default: stdin]
    #[arg(long, value_name = "NAME", help_heading = COMES)]
    pub name: Option<String>,
    /// What the trace is split by: bytes, of a .prv that is not packed, each part reads its own; objects, of
    /// any trace, each part has its tasks, and reads the whole file (of OTF2 the files of its tasks) [default:
    /// bytes where that can be]
    #[arg(long, value_name = "WHAT", hide_possible_values = true)]
    pub by: Option<SplitBy>,
    /// Keep no samples, but how long instances are and what they count: of all such parts `tracefold merge --plan`
    /// plans which samples a fold shows
    #[arg(long, help_heading = PASSES, conflicts_with = "plan")]
    pub durations: bool,
    /// Keep the samples that this plan says (of `tracefold merge --plan`), however many the trace has
    #[arg(long, value_name = "FILE", help_heading = PASSES, value_hint = ValueHint::FilePath)]
    pub plan: Option<PathBuf>,
    /// File that the part is written into
    #[arg(short, long = "out", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SplitBy {
    Bytes,
    Objects,
}

#[derive(Args)]
pub struct Merge {
    /// Parts, in any order
    #[arg(value_name = "PART", required = true, value_hint = ValueHint::FilePath)]
    pub parts: Vec<PathBuf>,
    /// File that they are written into as one part
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present_any = ["out", "plan"])]
    pub partial: Option<PathBuf>,
    /// File that a plan is written into: which samples a fold with these settings shows, of parts made with
    /// `tracefold accumulate --durations`, for a second pass with `--plan`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["partial", "out"])]
    pub plan: Option<PathBuf>,
    /// Folder that the fold is written into; made where there is none
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Fold what is there though parts are missing: the fold says so
    #[arg(long, requires = "out")]
    pub incomplete: bool,
    #[command(flatten)]
    pub folded: Folded,
}

/// One of several, from 1: `3/8`.
fn share(text: &str) -> Result<Share, &'static str> {
    let share = || {
        let (number, of) = text.split_once('/')?;
        let (number, of) = (number.parse().ok()?, of.parse().ok()?);
        (1 <= number && number <= of && of <= MOST_PARTS).then_some(Share { number, of })
    };
    share().ok_or("expected K/N, a part from 1 to N of at most 1000000, such as 3/8")
}

/// More parts than anybody makes.
const MOST_PARTS: u32 = 1_000_000;
