//! What can be written after `tracefold`; its documentation is what `--help` says.

use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use tracefold::export::Format;
use tracefold::settings::{nearest, schema};

use crate::compare_arguments::Compare;
use crate::part_arguments::{Accumulate, Merge};

const EXIT_STATUS: &str = "\
Exit status: 0 done, 1 output cannot be written, 2 usage, 3 wrong input, 4 nothing to fold.";

const COMPARE_STATUS: &str = "\
Exit status: 0 done, 1 output cannot be written, 2 usage, 3 wrong input, 4 nothing comparable, 5 a \
--fail-on holds.";

const MERGE_STATUS: &str = "\
Exit status: 0 done, 1 output cannot be written, 2 usage, 3 wrong input or parts that do not add up, 4 parts \
are missing (see --incomplete), or nothing to fold.";

/// The widest line of help; beyond it lines are hard to read.
const WIDEST: usize = 100;

/// Folds performance traces: many sampled instances of a region become one detailed picture.
#[derive(Parser)]
#[command(name = "tracefold", version, after_help = EXIT_STATUS, args_override_self = true)]
#[command(max_term_width = WIDEST)]
pub struct CommandLine {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// List what can be folded: regions, their groups, and how long and how often they run
    #[command(after_help = EXIT_STATUS)]
    Regions(Regions),
    /// List the loops that the run is made of, found in the order of its calls
    #[command(after_help = EXIT_STATUS)]
    Iterations(Iterations),
    /// List what the computation between the calls of a run is made of: bursts that are alike
    #[command(after_help = EXIT_STATUS)]
    Clusters(Clusters),
    /// Tell how well runs use their threads, and what they lose beside the first one
    #[command(after_help = EXIT_STATUS)]
    Efficiency(Efficiency),
    /// Tell what changed between two programs, or two ways to run one: phases, ratios, structure, lines
    #[command(after_help = COMPARE_STATUS)]
    Compare(Compare),
    /// Tell who spends time and counts, as a tree of what probes and samples say together: of a trace, or
    /// of profiles of TAU
    #[command(after_help = EXIT_STATUS)]
    Profile(Profile),
    /// Fold a region and write curves, phases, routines and more into files
    #[command(after_help = format!("{}\n\n{EXIT_STATUS}", keys()))]
    Fold(Fold),
    /// Read a part of a trace for the fold of one region, into a file that `merge` puts together with the
    /// others: traces of any size, by any number of processes
    #[command(after_help = EXIT_STATUS)]
    Accumulate(Accumulate),
    /// Put parts of a trace together, in any order, and fold them: the same bytes as of the whole trace
    #[command(after_help = MERGE_STATUS)]
    Merge(Merge),
    /// List every setting of --set: its key, its default and what it does
    Settings,
    /// Print what a shell needs to complete these commands
    #[command(after_help = "In ~/.bashrc: source <(tracefold completions bash)")]
    Completions { shell: Shell },
}

#[derive(Args)]
pub struct Regions {
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub changed: Changed,
    /// Print the list as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub tables: Tables,
}

#[derive(Args)]
pub struct Iterations {
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub changed: Changed,
    /// Print the list as JSON, with begin and end of every pass
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub files: Files,
}

#[derive(Args)]
pub struct Clusters {
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub changed: Changed,
    /// How far apart bursts that are alike may be: the same as --set eps=E
    #[arg(long, value_name = "E")]
    pub eps: Option<String>,
    /// Print the list as JSON, with the sequence of clusters of every thread
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub files: Files,
    /// In JSON, list every burst too: its thread, begin and end in nanoseconds, and its cluster
    #[arg(long, requires = "json")]
    pub bursts: bool,
}

#[derive(Args)]
pub struct Efficiency {
    /// Traces, each of a run of its own; labels that lie beside one are read too, named or not. The
    /// first run is the reference of the others
    #[arg(value_name = "TRACE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Threads that read [default: one for each processor]
    #[arg(long, value_name = "N", help_heading = READING, value_parser = count)]
    pub threads: Option<u64>,
    /// The run, by its place, that the others are laid beside [default: 1]
    #[arg(long, value_name = "N", value_parser = count)]
    pub reference: Option<u64>,
    /// Expect so much more work, by the number of threads, than that of the reference
    #[arg(long)]
    pub weak: bool,
    /// Print the list as JSON, with raw numbers
    #[arg(long)]
    pub json: bool,
    /// Folder that files are written into, instead of the list; made where there is none
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "json")]
    pub out: Option<PathBuf>,
    /// What to write: csv, svg, or several, with commas between them
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "csv",
        requires = "out",
        value_delimiter = ','
    )]
    pub format: Vec<EfficiencyFormat>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EfficiencyFormat {
    Csv,
    Svg,
}

#[derive(Args)]
pub struct Profile {
    #[command(flatten)]
    pub reading: Reading,
    /// Another profile or trace, laid beside the first: what each region and routine has on both sides, over
    /// their threads
    #[arg(long = "with", value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath)]
    pub with: Vec<PathBuf>,
    /// What is told of each node: TIME, a counter, or a formula of counters as in
    /// PAPI_TOT_INS/PAPI_TOT_CYC, with NAME= before it or without [default: TIME; in tables, TIME and
    /// every counter]
    #[arg(long, value_name = "M")]
    pub metric: Option<String>,
    /// What is told of the calls between a context and what was sampled in it: sites, by line;
    /// routines; none
    #[arg(long, value_name = "HOW", default_value = "sites", hide_possible_values = true)]
    pub unwind: UnwindAs,
    /// Most calls between a context and a sample; those nearest to the sample are kept
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Keep the frames outside of the context too
    #[arg(long)]
    pub untrimmed: bool,
    /// Tell calls of runtimes by the place they come from, too, where the trace says that
    #[arg(long)]
    pub call_sites: bool,
    /// Let a sample stand for all since the one before, as TAU does, wherever that was
    #[arg(long)]
    pub whole_weights: bool,
    /// Print the profile as JSON
    #[arg(long)]
    pub json: bool,
    /// Folder that files are written into; made where there is none
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "json")]
    pub out: Option<PathBuf>,
    /// What one call of a probe costs, begin and end, in nanoseconds: decides which probes cost more than they
    /// tell [default: those called more than 100 000 times on a thread, in less than 10 µs each]
    #[arg(long, value_name = "NS")]
    pub overhead: Option<f64>,
    /// What to write, between commas: csv, json, speedscope, folded, tau (text profiles, a file for each
    /// thread and metric), select (the probes that cost more than they tell, for TAU to leave out); one of them
    /// is printed where there is no --out [default with --out: csv]
    #[arg(long = "format", value_name = "FORMATS", value_delimiter = ',', conflicts_with = "json")]
    #[arg(hide_possible_values = true)]
    pub formats: Vec<ProfileAs>,
}

/// How a profile is written.
#[derive(Clone, Copy, ValueEnum)]
pub enum ProfileAs {
    Csv,
    Json,
    Speedscope,
    Folded,
    Tau,
    Select,
}

/// What is told of the calls between a context and a sample.
#[derive(Clone, Copy, ValueEnum)]
pub enum UnwindAs {
    Sites,
    Routines,
    None,
}

#[derive(Args)]
pub struct Fold {
    #[command(flatten)]
    pub reading: Reading,
    /// Folder that files are written into; made where there is none
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    /// Region to fold: TYPE:VALUE, TYPE:* for any value of a type, TYPE for every value in turn, or
    /// what repeats: Iteration:N, Cluster:N, Burst:*; Cluster:* and Iteration:* for all of them in
    /// one set of files
    /// [default: the one that can show most]
    #[arg(long)]
    pub region: Option<String>,
    #[command(flatten)]
    pub folded: Folded,
}

/// How what is read is folded, and what is written of it.
#[derive(Args)]
pub struct Folded {
    #[command(flatten)]
    pub changed: Changed,
    /// Models as XML, beside those that are built in
    #[arg(long = "model", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub models: Vec<PathBuf>,
    /// Source file of the program, or a folder of them: phases.csv and code.csv tell loops then
    #[arg(long = "source", value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub sources: Vec<PathBuf>,
    /// What to write, between commas: csv, json, svg, html, gnuplot, paraver, extract; paraver feeds the
    /// first kept instance of each group, paraver:N the N-th
    #[arg(long = "format", value_name = "FORMATS", default_value = "csv")]
    #[arg(value_delimiter = ',', value_parser = format)]
    pub formats: Vec<Format>,
    /// What a picture shows, as the address of the page says it: shown=2, range=0.1_0.4, counter=C,
    /// curves=C,D, model=M; and how it is drawn: width=85mm, lanes=source,performance, ink=grey
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    pub view: Vec<(String, String)>,
}

#[derive(Args)]
pub struct Tables {
    /// Folder that tables are written into, instead of the list; made where there is none
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "json")]
    pub out: Option<PathBuf>,
    /// What to write: csv
    #[arg(long, value_name = "FORMAT", default_value = "csv", requires = "out")]
    pub format: Table,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Table {
    Csv,
}

#[derive(Args)]
pub struct Files {
    /// Folder that files are written into, instead of the list; made where there is none
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "json")]
    pub out: Option<PathBuf>,
    /// What to write, between commas: csv; over time, semantic as text, which is read beside the
    /// trace as regions, and paraver as a trace to be opened beside it; svg, the picture of the run
    #[arg(long = "format", value_name = "FORMATS", default_value = "csv", requires = "out")]
    #[arg(value_delimiter = ',', hide_possible_values = true)]
    pub formats: Vec<FoundFormat>,
}

/// How what a run repeats is written.
#[derive(Clone, Copy, ValueEnum)]
pub enum FoundFormat {
    Csv,
    Semantic,
    Paraver,
    Svg,
}

#[derive(Args)]
pub struct Changed {
    /// Change a setting, such as eps=0.05; `tracefold settings` lists them
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = pair)]
    pub settings: Vec<(String, String)>,
    /// Settings as JSON, an object of texts; --set comes after them
    #[arg(long = "settings", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub settings_file: Option<PathBuf>,
}

#[derive(Args, Clone)]
pub struct Reading {
    /// A .prv with its .pcf and .row, an .extract with its .pcf, the NAME.otf2 of an archive, or the
    /// text of perf script; each may be packed with gzip or bzip2, and all may lie in a folder, a
    /// .zip, .tar, .tar.gz or .tar.bz2. Of a single trace, labels that lie beside it are read too. A .csv of a timeline, as Paraver saves
    /// it as text, adds its rows as regions
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Trace that is meant, where there are several
    #[arg(long, value_name = "NAME", help_heading = READING)]
    pub trace: Option<String>,
    /// What several traces are: `ranks` of one run, whose tasks are numbered file by file
    #[arg(long = "as", value_name = "WHAT", help_heading = READING, conflicts_with = "trace")]
    pub several_are: Option<Several>,
    /// Text of perf script to merge with the trace; those that begin with memory samples (perf mem)
    /// are merged without being asked for
    #[arg(long, value_name = "FILE", help_heading = READING, value_hint = ValueHint::FilePath)]
    pub merge: Vec<PathBuf>,
    /// Threads that read and fold [default: one for each processor]
    #[arg(long, value_name = "N", help_heading = READING, value_parser = count)]
    pub threads: Option<u64>,
    /// Megabytes of the trace that may be kept; what was read by then is folded, and said to be a
    /// part [default: no limit]
    #[arg(long, value_name = "MB", help_heading = READING, value_parser = count)]
    pub memory: Option<u64>,
    /// Read no more of the trace, and keep nothing of the rest: objects=, counters=, from= or to= as
    /// in the settings. Of an archive of OTF2 the files of other threads are not opened
    #[arg(long, value_name = "KEY=VALUE", help_heading = READING, value_parser = pair)]
    pub only: Vec<(String, String)>,
}

/// What several traces are together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Several {
    Ranks,
}

/// Heading of what is said of reading.
pub const READING: &str = "What is read";

impl CommandLine {
    /// What was typed; of an option that does not exist the error names the three nearest of the
    /// command.
    pub fn read() -> Result<Self, clap::Error> {
        let typed = std::env::args_os().collect::<Vec<_>>();
        Self::try_parse_from(&typed).map_err(|mut error| {
            let command =
                typed.get(1).and_then(|name| Self::command().find_subcommand(name).cloned());
            let unknown = error.get(ContextKind::InvalidArg).map(ToString::to_string);
            if let (ErrorKind::UnknownArgument, Some(command), Some(unknown)) =
                (error.kind(), command, unknown.filter(|unknown| unknown.starts_with("--")))
            {
                let names = command.get_arguments().filter_map(|option| option.get_long());
                let names = names.map(|name| format!("--{name}")).collect::<Vec<_>>();
                let nearest = nearest(&unknown, names.iter().map(String::as_str));
                error.insert(ContextKind::SuggestedArg, ContextValue::Strings(nearest));
                error.remove(ContextKind::Suggested);
            }
            error
        })
    }
}

fn keys() -> String {
    let keys = schema().into_iter().map(|key| key.key).collect::<Vec<_>>().join(", ");
    format!("Keys of --set: {keys}.\n`tracefold settings` says what each does.")
}

/// What stands before and after the first `=`.
pub fn pair(text: &str) -> Result<(String, String), &'static str> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

/// A number from 1 on.
pub fn count(text: &str) -> Result<u64, &'static str> {
    let number = text.parse().ok().filter(|number| (1..=1_000_000).contains(number));
    number.ok_or("expected a number from 1 to 1000000")
}

fn format(name: &str) -> Result<Format, String> {
    let names = || Format::ALL.map(|(name, _)| name).join(", ");
    Format::parse(name).ok_or_else(|| format!("there are {}", names()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        CommandLine::command().debug_assert();
    }
}
