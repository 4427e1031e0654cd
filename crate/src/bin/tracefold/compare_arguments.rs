//! What `tracefold compare` is asked.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use tracefold::compare::{Along, ByHand};

use crate::arguments::{Changed, READING, count, pair};

#[derive(Args)]
pub struct Compare {
    /// Runs before and after, two files: each a trace, a folding.json or a .txt with a link; with --with
    /// the runs before. Labels that lie beside a trace are read too, named or not
    #[arg(value_name = "RUN", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Runs after
    #[arg(long = "with", value_name = "RUN", num_args = 1.., value_hint = ValueHint::FilePath)]
    pub with: Vec<PathBuf>,
    /// Region to compare [default: the one that can show most]
    #[arg(long)]
    pub region: Option<String>,
    #[command(flatten)]
    pub changed: Changed,
    /// Change a setting of B alone, such as objects=1.2.* or from=2000000: ranks or windows of one trace stand as both
    /// runs then; comes after --set
    #[arg(long = "set-with", value_name = "KEY=VALUE", value_parser = pair, conflicts_with = "series")]
    pub settings_with: Vec<(String, String)>,
    /// Group of instances to compare, by its number [default: the one of most instances]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub group: Option<u32>,
    /// That of B, if it is another one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "group", conflicts_with = "series")]
    pub group_with: Option<u32>,
    /// Threads that read [default: one for each processor]
    #[arg(long, value_name = "N", help_heading = READING, value_parser = count)]
    pub threads: Option<u64>,
    /// Least change of a time that matters
    #[arg(long, value_name = "P%", default_value = "1%", value_parser = share)]
    pub least: f64,
    /// Least change of events per instruction that matters
    #[arg(long, value_name = "P%", default_value = "5%", value_parser = share)]
    pub least_ratio: f64,
    /// How much runs of one program differ, where that is not measured: of all phases together, and of each by
    /// itself; none: only these runs are compared
    #[arg(long, value_name = "P%,P%", default_value = "1%,1%", value_parser = between)]
    pub between: [f64; 2],
    /// Compare cycles in place of times, as if both sides ran at one clock: a bound, as memory does not follow it
    #[arg(long)]
    pub equal_clock: bool,
    /// Compare the runs as a whole too: what their time is made of, and clusters of bursts
    #[arg(long)]
    pub run: bool,
    /// Compare all regions of the runs too: which of them make the runs longer or shorter, because an instance lasts
    /// longer or because there are more
    #[arg(long)]
    pub regions: bool,
    /// Compare three to forty runs of one program under a value that changes, one for each run: which phases
    /// follow it, and how (freq=1.2,2.0,2.6; a text beside which each other run is told: flags=-O0,-O2,-O3; the
    /// name alone takes what differs in the names of the files)
    #[arg(long, value_name = "KEY[=V,V,...]", value_parser = series)]
    #[arg(conflicts_with_all = ["with", "fail_on", "run", "regions", "equal_clock", "axis"])]
    pub series: Option<(String, Vec<String>)>,
    /// Phases that are the same, as the folding of each side numbers them, in place of what is found: 2-2.3 if phase
    /// 2 of A is phases 2 and 3 of B; several between commas. Of several runs a side those of the first
    #[arg(long, value_name = "A-B,...", value_delimiter = ',', conflicts_with = "series")]
    pub pairs: Vec<ByHand>,
    /// Source of A: a file, or a folder that is searched for those that the samples name; its lines stand under
    /// those that change. May be given several times
    #[arg(long = "source", value_name = "PATH", value_hint = ValueHint::AnyPath, conflicts_with = "series")]
    pub sources: Vec<PathBuf>,
    /// Source of B, if it is another one
    #[arg(long = "source-with", value_name = "PATH", value_hint = ValueHint::AnyPath, requires = "sources")]
    pub sources_with: Vec<PathBuf>,
    /// Axis of the picture: phase by phase, shares of the region, or time [default: phase, if most is matched]
    #[arg(long, value_name = "AXIS")]
    pub axis: Option<ComparedAxis>,
    /// Exit with 5 if this holds: slower[:P%], total[:P%], ratio:COUNTER[:P%], structure, lines,
    /// undecided[:P%]; may be given several times
    #[arg(long, value_name = "WHAT", value_parser = condition)]
    pub fail_on: Vec<Condition>,
    /// Print all of it as JSON
    #[arg(long)]
    pub json: bool,
    /// Folder that files are written into, instead of the list; made where there is none
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// What to write, between commas: csv, json, svg
    #[arg(long = "format", value_name = "FORMATS", default_value = "csv", requires = "out")]
    #[arg(value_delimiter = ',', hide_possible_values = true)]
    pub formats: Vec<ComparedFormat>,
}

/// `freq=1.2,2.0,2.6`; `freq` has no values.
fn series(text: &str) -> Result<(String, Vec<String>), String> {
    let expected =
        || "expected a name and a value for each run, such as freq=1.2,2.0,2.6".to_owned();
    let (key, values) = match text.split_once('=') {
        Some((key, values)) => {
            (key, values.split(',').map(|value| value.trim().to_owned()).collect::<Vec<_>>())
        }
        None => (text, vec![]),
    };
    if key.trim().is_empty() || values.iter().any(String::is_empty) {
        return Err(expected());
    }
    Ok((key.trim().to_owned(), values))
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ComparedFormat {
    Csv,
    Json,
    Svg,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ComparedAxis {
    Phase,
    Share,
    Time,
}

impl From<ComparedAxis> for Along {
    fn from(axis: ComparedAxis) -> Self {
        match axis {
            ComparedAxis::Phase => Along::Phase,
            ComparedAxis::Share => Along::Share,
            ComparedAxis::Time => Along::Time,
        }
    }
}

/// What a comparison can be failed on, each with the least change that it asks of.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    Slower(Option<f64>),
    Total(Option<f64>),
    Ratio(String, Option<f64>),
    Structure,
    Lines,
    Undecided(Option<f64>),
}

/// A share, as `5%` or `.05`.
fn share(text: &str) -> Result<f64, String> {
    let number = text
        .strip_suffix('%')
        .map_or_else(|| text.parse(), |of| of.trim().parse().map(|of: f64| of / 100.0));
    let share = number.ok().filter(|share: &f64| (0.0..10.0).contains(share));
    share.ok_or_else(|| "expected a share, such as 5% or .05".to_owned())
}

fn between(text: &str) -> Result<[f64; 2], String> {
    if text == "none" {
        return Ok([0.0; 2]);
    }
    let (clock, phase) = text.split_once(',').unwrap_or((text, text));
    Ok([share(clock)?, share(phase)?])
}

fn condition(text: &str) -> Result<Condition, String> {
    let mut parts = text.split(':');
    let kind = parts.next().unwrap_or_default();
    let counter = if kind == "ratio" { parts.next() } else { None };
    let least = parts.next().map(share).transpose()?;
    if parts.next().is_none() {
        match (kind, counter) {
            ("slower", _) => return Ok(Condition::Slower(least)),
            ("total", _) => return Ok(Condition::Total(least)),
            ("undecided", _) => return Ok(Condition::Undecided(least)),
            ("ratio", Some(counter)) => return Ok(Condition::Ratio(counter.to_owned(), least)),
            ("structure", _) if least.is_none() => return Ok(Condition::Structure),
            ("lines", _) if least.is_none() => return Ok(Condition::Lines),
            _ => {}
        }
    }
    Err("expected slower[:P%], total[:P%], ratio:COUNTER[:P%], structure, lines or undecided[:P%]"
        .to_owned())
}
