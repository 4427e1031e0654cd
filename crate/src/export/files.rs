use std::fmt;

use super::code::code;
use super::each_instance::each_instance;
use super::figure::{Drawn, figure_of};
use super::folded::folded;
use super::html::report_html;
use super::paraver::Done;
use super::{configuration, csv, extract, gnuplot, memory, paraver};
use crate::folding::{Axis, Folding, Points};
use crate::outline::SourceFile;
use crate::paint::{self, Figure, View};
use crate::trace::Trace;

/// A file format that a folding can be exported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Csv,
    Json,
    Svg,
    /// A report: figure, tables and doubts in one page.
    Html,
    Gnuplot,
    /// A folded trace; the number says which kept instance of each group is fed, from 1.
    Paraver(u32),
    Extract,
}

impl Format {
    /// Every format with its name.
    pub const ALL: [(&'static str, Format); 7] = [
        ("csv", Format::Csv),
        ("json", Format::Json),
        ("svg", Format::Svg),
        ("html", Format::Html),
        ("gnuplot", Format::Gnuplot),
        ("paraver", Format::Paraver(1)),
        ("extract", Format::Extract),
    ];

    /// The format of this name, if there is one; `paraver:N` feeds the N-th kept instance.
    pub fn parse(name: &str) -> Option<Self> {
        if let Some(nth) = name.strip_prefix("paraver:") {
            return nth.parse().ok().filter(|nth| *nth > 0).map(Format::Paraver);
        }
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }
}

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Takes files part by part: the name of one, and what comes next in it.
pub type Put<'a> = dyn FnMut(&str, Vec<u8>) + 'a;

/// Why a folding has no files of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportError {
    /// The folding came without its trace, as from a link.
    NeedsTrace,
    /// A folded trace is written at moments of time, and this folding has another axis.
    NeedsTime,
    /// No group has so many kept instances; `most` is what the largest has.
    NoInstance { asked: u32, most: u32 },
    /// A Paraver trace lists every task and thread up to the largest number in use.
    TooManyObjects,
}

impl fmt::Display for ExportError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeedsTrace => write!(out, "this format needs the trace: open it and fold again"),
            Self::NeedsTime => write!(
                out,
                "a folded trace runs over time, and this is folded along a counter: fold with x=time"
            ),
            Self::TooManyObjects => write!(
                out,
                "this trace numbers its tasks or threads beyond a million, and a Paraver trace \
                 would list them all"
            ),
            Self::NoInstance { asked, most } => write!(
                out,
                "paraver:{asked}: no group has so many kept instances; the largest has {most}"
            ),
        }
    }
}

impl std::error::Error for ExportError {}

/// The files of one format for these foldings, all of `trace`. The page and the command line write
/// the same bytes.
///
/// An error if no group has the instance asked for, if a folded trace is asked for of a folding along
/// a counter, or if the trace numbers more tasks and threads
/// than can be listed.
#[inline(never)]
pub fn export(
    trace: &Trace,
    foldings: &[(Folding, Points)],
    format: Format,
) -> Result<Vec<Exported>, ExportError> {
    let over_time = |(folding, _): &(Folding, Points)| {
        folding.groups.iter().all(|group| group.axis == Axis::Time)
    };
    match format {
        Format::Paraver(_) if !foldings.iter().all(over_time) => Err(ExportError::NeedsTime),
        Format::Paraver(nth) => folded_traces(trace, foldings, nth),
        Format::Extract => Ok(each_region(foldings, "instances", |name, folding| {
            let [extract, pcf] = extract::extract(trace, folding);
            let named = |ending: &str, bytes| Exported { name: name.to_owned() + ending, bytes };
            vec![named(".extract", extract), named(".pcf", pcf)]
        })),
        _ => export_without_trace(foldings, format),
    }
}

/// The same handed to `put` part by part, so that a table with a line for each sample is never in
/// memory as a whole; with what `sources` of the program say, if they are at hand: phases have their
/// loop, and loops their time. Pictures are as `figure` says.
pub fn export_in_parts(
    trace: &Trace,
    foldings: &[(Folding, Points)],
    sources: Option<&[SourceFile]>,
    format: Format,
    figure: &Figure,
    put: &mut Put<'_>,
) -> Result<(), ExportError> {
    match format {
        Format::Csv => tables(foldings, sources, put),
        Format::Svg | Format::Html => without_trace(foldings, format, figure)?
            .into_iter()
            .for_each(|Exported { name, bytes }| put(&name, bytes)),
        _ => export(trace, foldings, format)?
            .into_iter()
            .for_each(|Exported { name, bytes }| put(&name, bytes)),
    }
    Ok(())
}

/// The tables of a folding, in the order of their files: each is `NAME.csv`.
pub const TABLES: [&str; 15] = [
    "curves",
    "phases",
    "models",
    "activity",
    "bandwidth",
    "gauges",
    "groups",
    "instances",
    "points",
    "lines",
    "routines",
    "code",
    "references",
    "objects",
    "streams",
];

/// Every table of the foldings.
fn tables(foldings: &[(Folding, Points)], sources: Option<&[SourceFile]>, put: &mut Put<'_>) {
    for name in TABLES {
        table(name, foldings, sources, &mut |part| put(&format!("{name}.csv"), part.into()));
    }
}

/// One of the [`TABLES`], handed on part by part; nothing of a name that is none of them.
pub fn table(
    name: &str,
    foldings: &[(Folding, Points)],
    sources: Option<&[SourceFile]>,
    put: &mut dyn FnMut(String),
) {
    let all = || foldings.iter().map(|(folding, points)| (folding, points));
    let each = || foldings.iter().map(|(folding, _)| folding);
    match name {
        "curves" => put(csv::curves(each())),
        "phases" => put(csv::phases(each(), sources)),
        "models" => put(csv::models(each())),
        "activity" => put(csv::activity(each())),
        "bandwidth" => put(csv::bandwidth(each())),
        "gauges" => put(csv::gauges(each())),
        "groups" => put(csv::groups(each())),
        "instances" => each_instance(all(), put),
        "points" => csv::points(all(), put),
        "lines" => csv::lines(each(), put),
        "routines" => put(csv::routines(each())),
        "code" => put(code(each(), sources)),
        "references" => memory::references(all(), put),
        "objects" => put(memory::objects(each())),
        "streams" => put(memory::streams(each())),
        _ => {}
    }
}

/// The same for foldings whose trace is not at hand, as those of a link.
///
/// [`ExportError::NeedsTrace`] if the format needs one.
#[inline(never)]
pub fn export_without_trace(
    foldings: &[(Folding, Points)],
    format: Format,
) -> Result<Vec<Exported>, ExportError> {
    without_trace(foldings, format, &Figure::default())
}

fn without_trace(
    foldings: &[(Folding, Points)],
    format: Format,
    figure: &Figure,
) -> Result<Vec<Exported>, ExportError> {
    let each = || foldings.iter().map(|(folding, _)| folding);
    Ok(match format {
        Format::Csv => {
            let mut files: Vec<Exported> = vec![];
            tables(foldings, None, &mut |name, part| match files.last_mut() {
                Some(file) if file.name == name => file.bytes.extend(part),
                _ => files.push(Exported { name: name.to_owned(), bytes: part }),
            });
            files
        }
        Format::Json => {
            let mut all = "[".to_owned();
            for folding in each() {
                all += if all.len() > 1 { "," } else { "" };
                all += &folding.to_json();
            }
            all.push(']');
            vec![file("folding.json", all)]
        }
        // The page has its engine write these, so that its painter is small.
        Format::Gnuplot if cfg!(not(feature = "engine")) => vec![],
        // The page's engine cannot paint: its painter writes pictures.
        Format::Svg | Format::Html if cfg!(not(feature = "painter")) => vec![],
        Format::Svg if foldings.len() > 1 && each().all(|folding| !folding.kind.is_of_events()) => {
            let foldings = each().collect::<Vec<_>>();
            vec![file("folding.svg", paint::multiples_figure(&foldings, figure))]
        }
        Format::Svg | Format::Html => {
            each_group(foldings, figure.view.group, |name, folding, points, group| {
                let view = View { group, ..figure.view.clone() };
                let figure = Figure { view, ..figure.clone() };
                let (ending, draw): (_, Drawn) = match format {
                    Format::Html => ("html", report_html),
                    _ => ("svg", paint::figure_svg),
                };
                vec![file(&format!("{name}.{ending}"), figure_of(folding, points, &figure, draw))]
            })
        }
        Format::Gnuplot => each_group(foldings, 0, |name, folding, points, number| {
            let Some(group) = folding.group(number) else { return vec![] };
            let clouds = gnuplot::clouds(group, points);
            vec![
                file(&format!("{name}.gnuplot"), gnuplot::script(name, folding, group, &clouds)),
                file(&format!("{name}-curves.dat"), gnuplot::curves(group)),
                file(&format!("{name}-samples.dat"), gnuplot::samples(group, &clouds)),
            ]
        }),
        Format::Paraver(_) | Format::Extract => return Err(ExportError::NeedsTrace),
    })
}

fn file(name: &str, text: String) -> Exported {
    Exported { name: name.to_owned(), bytes: text.into() }
}

fn folded_traces(
    trace: &Trace,
    foldings: &[(Folding, Points)],
    nth: u32,
) -> Result<Vec<Exported>, ExportError> {
    let groups = foldings.iter().flat_map(|(folding, _)| &folding.groups);
    let most = groups.map(|group| group.kept).max().unwrap_or(0);
    if nth > most {
        return Err(ExportError::NoInstance { asked: nth, most });
    }
    let threads = paraver::threads(trace).ok_or(ExportError::TooManyObjects)?;
    Ok(each_region(foldings, "folded", |name, folding| {
        let folded = folded(trace, folding, nth);
        let configurations = configuration::configurations(&folded).into_iter();
        let configurations =
            configurations.map(|(known, text)| file(&of_region(name, known), text));
        let mut files = configurations.collect::<Vec<_>>();
        files.push(file(
            &format!("{name}.prv"),
            paraver::prv(trace, &threads, Done::Folded, &folded.fed, &folded.events),
        ));
        files.push(file(&format!("{name}.row"), paraver::row(&threads)));
        files.push(file(&format!("{name}.pcf"), paraver::pcf(folded.used)));
        files
    }))
}

/// `stem`, or `stem-REGION` by number if there are several regions: those inside one another
/// cannot share a trace.
fn each_region(
    foldings: &[(Folding, Points)],
    stem: &str,
    of: impl Fn(&str, &Folding) -> Vec<Exported>,
) -> Vec<Exported> {
    let alone = foldings.len() == 1;
    let name = |region: usize| if alone { stem.to_owned() } else { format!("{stem}-{region}") };
    let regions = foldings.iter().zip(1..);
    regions.flat_map(|((folding, _), region)| of(&name(region), folding)).collect()
}

/// `folding`, or `folding-REGION-GROUP` by number if there are several groups; of all groups, or of those
/// with one number if it is not 0.
fn each_group(
    foldings: &[(Folding, Points)],
    only: u32,
    of: impl Fn(&str, &Folding, &Points, u32) -> Vec<Exported>,
) -> Vec<Exported> {
    let wanted = |folding: &'_ Folding| {
        let numbers = folding.groups.iter().map(|group| group.number);
        numbers.filter(|number| only == 0 || *number == only).collect::<Vec<_>>()
    };
    let count = foldings.iter().map(|(folding, _)| wanted(folding).len()).sum::<usize>();
    let mut files = Vec::new();
    for ((folding, points), region) in foldings.iter().zip(1..) {
        for number in wanted(folding) {
            let several = || format!("folding-{region}-{number}");
            let name = if count == 1 { "folding".to_owned() } else { several() };
            files.extend(of(&name, folding, points, number));
        }
    }
    files
}

/// The name of a configuration, of the region that `name` says.
fn of_region(name: &str, known: &str) -> String {
    match (name.split_once('-'), known.split_once('.')) {
        (Some((_, region)), Some((stem, ending))) => format!("{stem}-{region}.{ending}"),
        _ => known.to_owned(),
    }
}
