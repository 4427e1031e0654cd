//! The command line: reads arguments and files, calls the library, writes files.

#[path = "tracefold/file.rs"]
mod file;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tracefold::export::{self, Format};
use tracefold::instance::CatalogueRow;
use tracefold::model::{self, Model};
use tracefold::open::{Candidates, Watch};
use tracefold::pipeline::{self, FoldError};
use tracefold::settings::{Settings, nearest, only, schema};
use tracefold::text::ParseError;
use tracefold::trace::{Builder, Notice, Trace};

const USAGE: &str = "\
usage: tracefold regions FILE... [READING] [--json]
       tracefold fold FILE... [READING] --out DIR [--region R] [--set KEY=VALUE]...
                      [--settings FILE] [--model FILE]... [--format csv,json,svg,gnuplot,paraver,extract]
       tracefold settings
READING: [--trace NAME] [--merge FILE]... [--threads N] [--memory MB] [--only KEY=VALUE]...

--model names a file of models as XML.
paraver feeds the first kept instance of each group, paraver:N the N-th.
FILE is a .prv with its .pcf and .row, an .extract with its .pcf, or the text of perf script; each
may be packed with gzip or bzip2, and all of them may lie in a .zip, .tar, .tar.gz or .tar.bz2.
Without .pcf and .row among
the files, those beside the .prv are read too. --trace says which is meant where there are several,
--threads how many read it (all processors), --memory what may be kept of it (no limit): what was
read by then is folded, and said to be a part. --only objects=, counters=, from= or to= as in the
settings: no more is read, and nothing kept of the rest.
A text of perf script that begins with memory samples (perf mem) is merged with the trace beside it;
--merge names one that does not.
Exit status: 0 done, 1 output cannot be written, 2 usage, 3 wrong input, 4 nothing to fold.
";

/// Options on how a trace is read.
const READING: [&str; 5] = ["--trace", "--merge", "--threads", "--memory", "--only"];

/// Why the program ends early: exit status and message.
enum Failure {
    Output(String),
    Usage(String),
    Input(String),
    Nothing(String),
}

fn main() -> ExitCode {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    let done = match arguments.split_first() {
        Some((command, rest)) => match command.as_str() {
            "regions" => regions(rest),
            "fold" => fold(rest),
            "settings" => print(&settings_help()),
            "help" | "--help" | "-h" => print(USAGE),
            "--version" => print(concat!("tracefold ", env!("CARGO_PKG_VERSION"), "\n")),
            other => Err(Failure::Usage(format!("unknown command {other:?}\n\n{USAGE}"))),
        },
        None => Err(Failure::Usage(USAGE.to_owned())),
    };
    let (status, message) = match done {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Output(message)) => (1, message),
        Err(Failure::Usage(message)) => (2, message),
        Err(Failure::Input(message)) => (3, message),
        Err(Failure::Nothing(message)) => (4, message),
    };
    eprintln!("tracefold: {}", message.trim_end());
    ExitCode::from(status)
}

/// `tracefold regions FILE... [READING] [--json]`
fn regions(arguments: &[String]) -> Result<(), Failure> {
    let arguments = Arguments::parse(arguments, &["--json"], &READING)?;
    let trace = read(&arguments)?;
    let (rows, first) = pipeline::catalogue(&trace, &Settings::default());
    if rows.is_empty() {
        return Err(Failure::Nothing(FoldError::NoRegion.to_string()));
    }
    if arguments.has("--json") {
        return print(&as_json(&rows, first));
    }
    let sentences = trace.provenance.sentences();
    print(&(as_table(&rows) + "\n" + &sentences.join("\n") + "\n"))
}

/// `tracefold fold FILE... [READING] --out DIR [--region R] [--set KEY=VALUE]... [--format F,...]`
fn fold(arguments: &[String]) -> Result<(), Failure> {
    let known = ["--out", "--region", "--set", "--settings", "--model", "--format"];
    let known = known.into_iter().chain(READING).collect::<Vec<_>>();
    let arguments = Arguments::parse(arguments, &[], &known)?;
    let settings = settings(&arguments)?;
    let formats = arguments.last("--format").unwrap_or("csv").split(',').map(|name| {
        let names = || Format::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        Format::parse(name).ok_or_else(|| {
            Failure::Usage(format!("unknown format {name:?}; there are {}", names()))
        })
    });
    let formats = formats.collect::<Result<Vec<_>, _>>()?;
    let out =
        arguments.last("--out").ok_or_else(|| Failure::Usage("--out DIR is missing".into()))?;

    let models = models(&arguments)?;
    let trace = read(&arguments)?;
    let foldings = pipeline::run_each(&trace, &settings, &models).map_err(|error| {
        let of_kind = if error.is_usage() { Failure::Usage } else { Failure::Nothing };
        of_kind(error.to_string())
    })?;
    let failed =
        |path: &Path, error: io::Error| Failure::Output(format!("{}: {error}", path.display()));
    let out = PathBuf::from(out);
    fs::create_dir_all(&out).map_err(|error| failed(&out, error))?;
    for format in formats {
        let files = export::export(&trace, &foldings, format);
        for file in files.map_err(|error| Failure::Usage(error.to_string()))? {
            let path = out.join(&file.name);
            fs::write(&path, &file.bytes).map_err(|error| failed(&path, error))?;
        }
    }
    Ok(())
}

fn settings(arguments: &Arguments) -> Result<Settings, Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let mut settings = match arguments.last("--settings") {
        None => Settings::default(),
        Some(path) => {
            let text = fs::read_to_string(path).map_err(|e| usage(&format!("{path}: {e}")))?;
            serde_json::from_str(&text).map_err(|e| usage(&format!("{path}: {e}")))?
        }
    };
    for (key, value) in arguments.pairs("--set")? {
        settings.set(key, value).map_err(|e| usage(&e))?;
    }
    if let Some(region) = arguments.last("--region") {
        settings.set("region", region).map_err(|e| usage(&e))?;
    }
    Ok(settings)
}

/// The models of the files named.
fn models(arguments: &Arguments) -> Result<Vec<Model>, Failure> {
    let mut models = Vec::new();
    for path in arguments.all("--model") {
        let bytes = fs::read(path).map_err(|error| Failure::Input(format!("{path}: {error}")))?;
        let name = Path::new(path).file_name().unwrap_or(path.as_ref()).to_string_lossy();
        let found = model::read(&name, &bytes);
        models.extend(found.map_err(|error| Failure::Input(format!("{error:#}")))?);
    }
    Ok(models)
}

fn read(arguments: &Arguments) -> Result<Trace, Failure> {
    if arguments.files.is_empty() {
        return Err(Failure::Usage(format!("no file is named\n\n{USAGE}")));
    }
    let only = only(arguments.pairs("--only")?);
    let only = only.map_err(|error| Failure::Usage(format!("--only: {error}")))?;
    let mut named = Vec::new();
    let merged = arguments.all("--merge").map(PathBuf::from).collect::<Vec<_>>();
    for path in with_neighbours(&arguments.files).into_iter().chain(merged.iter().cloned()) {
        let file = file::open(&path)
            .map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
        named.push(file);
    }
    let wrong = |error: ParseError| Failure::Input(format!("{error:#}"));
    let mut found = tracefold::open::candidates(named, &mut |_| {}).map_err(wrong)?;
    for path in &merged {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        if !found.merge(&name) {
            let message = format!("--merge: {} is no text of perf script", path.display());
            return Err(Failure::Input(message));
        }
    }
    let which = arguments.last("--trace");
    which_trace(&found, which)?;
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
    let (report, early) = (&mut |_| {}, &mut |_, _: &Builder| {});
    let mut watch = Watch::new(report, early);
    watch.threads = number(arguments, "--threads")?.map_or(processors, |count| count as usize);
    watch.most_bytes = number(arguments, "--memory")?.map_or(u64::MAX, |mb| mb * 1_000_000);
    let opening = found.opening(which, watch.report).map_err(wrong)?;
    let trace = opening.only(only).whole(&mut watch).map_err(wrong)?;
    if let Some(partial) = &trace.partial {
        eprintln!("tracefold: notice: {}", partial.sentence());
    }
    for Notice { text, count, first } in trace.notices.iter() {
        let first =
            if first.of.is_empty() { String::new() } else { format!(" (first at {first})") };
        eprintln!("tracefold: notice: {text} ×{count}{first}");
    }
    Ok(trace)
}

/// The number after an option, at least 1.
fn number(arguments: &Arguments, option: &str) -> Result<Option<u64>, Failure> {
    let Some(text) = arguments.last(option) else { return Ok(None) };
    let number = text.parse().ok().filter(|number| (1..=1_000_000).contains(number));
    number.map(Some).ok_or_else(|| {
        Failure::Usage(format!("{option}: found {text:?}, expected a number from 1 to 1000000"))
    })
}

/// Refuses a choice that names no trace, and no choice where there are several.
fn which_trace(found: &Candidates<'_>, which: Option<&str>) -> Result<(), Failure> {
    let names = || found.traces.iter().map(|trace| trace.name.as_str());
    match which {
        Some(which) if found.find(Some(which)).is_err() => {
            let nearest = nearest(which, names()).join(", ");
            Err(Failure::Usage(format!(
                "--trace: unknown trace {which:?}; the nearest are {nearest}"
            )))
        }
        None if found.traces.len() > 1 => {
            let names = names().map(|name| format!("\n  {name}")).collect::<String>();
            let count = found.traces.len();
            let message = format!("there are {count} traces; name one with --trace NAME:{names}");
            Err(Failure::Usage(message))
        }
        _ => Ok(()),
    }
}

/// The files named; a single trace brings the labels that lie beside it.
fn with_neighbours(files: &[String]) -> Vec<PathBuf> {
    let mut paths = files.iter().map(PathBuf::from).collect::<Vec<_>>();
    if let [only] = files {
        let stem = [".gz", ".bz2"].iter().find_map(|end| only.strip_suffix(end)).unwrap_or(only);
        if let Some(stem) = stem.strip_suffix(".prv").or(stem.strip_suffix(".extract")) {
            let beside = ["pcf", "row", "pcf.gz", "row.gz", "pcf.bz2", "row.bz2"]
                .map(|ending| PathBuf::from(format!("{stem}.{ending}")));
            paths.extend(beside.into_iter().filter(|path| path.is_file()));
        }
    }
    paths
}

struct Arguments {
    files: Vec<String>,
    options: Vec<(String, String)>,
}

impl Arguments {
    fn parse(arguments: &[String], flags: &[&str], values: &[&str]) -> Result<Self, Failure> {
        let mut parsed = Self { files: vec![], options: vec![] };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if flags.contains(&argument.as_str()) {
                parsed.options.push((argument.clone(), String::new()));
            } else if values.contains(&argument.as_str()) {
                let value = rest
                    .next()
                    .ok_or_else(|| Failure::Usage(format!("{argument} needs a value after it")))?;
                parsed.options.push((argument.clone(), value.clone()));
            } else if argument.starts_with("--") {
                let known = flags.iter().chain(values).copied();
                let nearest = nearest(argument, known).join(", ");
                return Err(Failure::Usage(format!(
                    "unknown option {argument:?}; the nearest are {nearest}"
                )));
            } else {
                parsed.files.push(argument.clone());
            }
        }
        Ok(parsed)
    }

    fn all<'a>(&'a self, option: &'a str) -> impl DoubleEndedIterator<Item = &'a str> {
        let given = self.options.iter().filter(move |(name, _)| name == option);
        given.map(|(_, value)| value.as_str())
    }

    /// What stands before and after the `=`.
    fn pairs<'a>(&'a self, option: &'a str) -> Result<Vec<(&'a str, &'a str)>, Failure> {
        let pair = |text: &'a str| {
            let expected =
                || Failure::Usage(format!("{option}: found {text:?}, expected KEY=VALUE"));
            text.split_once('=').ok_or_else(expected)
        };
        self.all(option).map(pair).collect()
    }

    fn last<'a>(&'a self, option: &'a str) -> Option<&'a str> {
        self.all(option).next_back()
    }

    fn has(&self, option: &str) -> bool {
        self.all(option).next().is_some()
    }
}

fn as_table(rows: &[CatalogueRow]) -> String {
    let mut table = format!(
        "{:>7} {:>10} {:>9} {:>12} {:>8} {:>5}  region\n",
        "share %", "instances", "samples", "mean ms", "MIPS", "group"
    );
    for row in rows {
        let mips = row.mips.map_or("–".to_owned(), |mips| format!("{mips:.0}"));
        let region = row.region.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
        table += &format!(
            "{:>7.2} {:>10} {:>9} {:>12.3} {:>8} {:>5}  {}\n",
            100.0 * row.share,
            row.instances,
            row.samples,
            row.mean_ms,
            mips,
            row.group,
            region.collect::<String>()
        );
    }
    table
}

fn as_json(rows: &[CatalogueRow], first: Option<String>) -> String {
    let row = |row: &CatalogueRow| {
        serde_json::json!({
            "region": row.region, "group": row.group, "instances": row.instances,
            "samples": row.samples, "mean_ms": row.mean_ms, "mips": row.mips, "share": row.share,
            "first": first.as_deref() == Some(&row.region),
        })
    };
    let rows = rows.iter().map(row).collect::<Vec<_>>();
    serde_json::to_string_pretty(&rows).unwrap_or_default() + "\n"
}

fn settings_help() -> String {
    let describe = |key: tracefold::settings::Key| {
        let default = if key.default.is_empty() { "–" } else { &key.default };
        format!("{:<10} {default:<12} {}\n", key.key, key.help)
    };
    schema().into_iter().map(describe).collect()
}

fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().write_all(text.as_bytes()) {
        // A reader such as `head` may have seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| Failure::Output(error.to_string())),
    }
}
