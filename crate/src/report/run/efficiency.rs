//! How well a run uses its threads, in words and printed numbers.

use serde::Serialize;

use super::Figure;
use crate::glance::{Colour, CoreTime, Efficiency, Factor, Glance, Measure};
use crate::paint::HUES_OF_LOSS;
use crate::quantity::{NONE, core_time_unit, count, duration, number, percent};
use crate::report::regions::four_figures;

/// The table of efficiencies, and what stands beside it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct EfficiencySummary {
    /// What is lost: a bold begin, and the rest; or why nobody can tell.
    pub sentence: (String, String),
    /// What the columns are of: the run, and its iterations if it has any.
    pub heads: Vec<String>,
    pub lines: Vec<EfficiencyLine>,
    /// Where the time of all threads goes: lines that add up to the last one.
    pub parts: Vec<PartLine>,
    /// The unit of their times.
    pub unit: String,
    /// What the picture of the threads shows; empty where there is none.
    pub threads: String,
    /// What is missing, and why: sentences.
    pub remarks: Vec<String>,
}

/// One of the factors of the use of threads.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct EfficiencyLine {
    /// As links know it.
    pub key: String,
    /// With its unit where that is not per cent.
    pub name: String,
    pub depth: u32,
    /// Whether it is a share of the ideal, and whether one run could tell it, if only with a replay.
    pub is_share: bool,
    pub is_of_one: bool,
    /// One of each column, shares in per cent.
    pub figures: Vec<Figure>,
    /// The same with more digits, and how much colour their cells have, of 1.
    pub full: Vec<String>,
    pub tints: Vec<f64>,
    /// What it is, with the numbers of this run that it is made of.
    pub words: Vec<String>,
    /// What the colours of the time line would tell of it.
    pub by: Option<Colour>,
}

/// Some of the time of all threads.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct PartLine {
    pub name: String,
    /// Of what is lost, its hue among the routines'.
    pub hue: Option<u32>,
    /// One of each column.
    pub figures: Vec<Figure>,
    /// Of the time of all threads, in per cent.
    pub shares: Vec<Figure>,
}

/// All of it.
pub fn efficiency(glance: &Glance) -> EfficiencySummary {
    let of = &glance.efficiency;
    if of.factors.is_empty() {
        let why = of.remarks.first().map_or("", String::as_str);
        let (bold, rest) = why.split_at(why.find(": ").map_or(0, |at| at + 1));
        let sentence = (bold.to_owned(), rest.trim_start().to_owned());
        return EfficiencySummary { sentence, ..EfficiencySummary::default() };
    }
    let columns = columns(of);
    let parts = parts(&columns);
    EfficiencySummary {
        sentence: sentence(of),
        heads: columns.iter().map(|(head, _)| (*head).to_owned()).collect(),
        lines: lines(glance, columns.len()),
        unit: unit(&columns).0.to_owned(),
        parts,
        threads: threads(glance),
        remarks: of.remarks.clone(),
    }
}

/// What there is a column of.
fn columns(of: &Efficiency) -> Vec<(&'static str, Option<&CoreTime>)> {
    let of_loop = of.of_loop.as_ref().map(|time| ("iterations", Some(time)));
    [("run", of.of_run.as_ref())].into_iter().chain(of_loop).collect()
}

fn sentence(of: &Efficiency) -> (String, String) {
    let (Some(time), words) = (match &of.of_run {
        Some(time) => (Some(time), "of the threads\u{2019} time is computed."),
        None => (of.of_loop.as_ref(), "of the iterations\u{2019} time is computed."),
    }) else {
        return (String::new(), String::new());
    };
    let share = |ns: f64| percent(ns / time.all_ns().max(1.0), 1);
    let [useful, imbalance, communication] = time.parts_ns();
    let (balance, calls) = (share(imbalance), share(communication));
    let rest = match imbalance > communication {
        true => format!("Load imbalance takes {balance}, communication {calls}."),
        false => format!("Communication takes {calls}, load imbalance {balance}."),
    };
    (format!("{} {words}", share(useful)), rest)
}

/// Of what more than this is lost has a colour, which deepens by so much of the whole for each part
/// that is lost, up to a depth on which text can be read.
const IDEAL: f64 = 0.97;
const DEEPENS: f64 = 1.15;
const DEEPEST: f64 = 0.5;

fn lines(glance: &Glance, columns: usize) -> Vec<EfficiencyLine> {
    let mut lines = Vec::new();
    let any = |factor: &&Factor| factor.of_run.or(factor.of_loop).is_some();
    let is_shown = |factor: &&Factor| factor.measure == Measure::Share && factor.depth > 0;
    // What wants a reference, or a replay, stands there without a number, so that nobody looks for it.
    let factors = &glance.efficiency.factors;
    for factor in factors.iter().filter(|of| any(of) || is_shown(of) || of.key == GLOBAL) {
        let values = [factor.of_run, factor.of_loop];
        let values = &values[..columns.min(2)];
        let words = words(&factor.key, glance);
        let Factor { key, name, depth, measure, .. } = factor;
        lines.push(line((key, name), *depth, *measure, values, words));
        if key == COMMUNICATION {
            lines.extend(replayed(depth + 1, values.len()));
        }
    }
    lines
}

/// A factor of this key and name, with a value of each column.
pub(super) fn line(
    (key, name): (&str, &str),
    depth: u32,
    measure: Measure,
    values: &[Option<f64>],
    words: Vec<String>,
) -> EfficiencyLine {
    let tint = |value: &Option<f64>| match measure {
        Measure::Share => value.map_or(0.0, |of| (DEEPENS * (IDEAL - of)).clamp(0.0, DEEPEST)),
        _ => 0.0,
    };
    EfficiencyLine {
        key: key.to_owned(),
        name: format!("{name}{}", unit_of(measure)),
        depth,
        is_share: measure == Measure::Share,
        is_of_one: !wants_reference(key),
        figures: values.iter().map(|of| figure(*of, measure)).collect(),
        full: values.iter().map(|of| full(*of, measure)).collect(),
        tints: values.iter().map(tint).collect(),
        words,
        by: by(key),
    }
}

/// What a replay would tell, of so many columns.
pub(super) fn replayed(depth: u32, columns: usize) -> [EfficiencyLine; 2] {
    let names = [("serialisation", "Serialisation"), ("transfer", "Transfer")];
    let none = vec![None; columns];
    names.map(|name| {
        let own = line(name, depth, Measure::Share, &none, vec![REPLAY.to_owned()]);
        EfficiencyLine { by: None, ..own }
    })
}

pub(super) const GLOBAL: &str = "global_efficiency";
pub(super) const COMMUNICATION: &str = "communication_efficiency";

const REPLAY: &str = "Communication efficiency is serialisation \u{d7} transfer. To tell one from the \
                      other, the run has to be replayed on an ideal network: they are not guessed.";

const REFERENCE: &str = "It wants runs to compare with: add them, or `tracefold efficiency \
                         REFERENCE RUN` tells it.";

fn unit_of(measure: Measure) -> &'static str {
    match measure {
        Measure::Time => ", ms",
        Measure::Frequency => ", GHz",
        Measure::Share | Measure::Ratio | Measure::Count => "",
    }
}

fn figure(value: Option<f64>, measure: Measure) -> Figure {
    Figure::of(value, |value| match measure {
        Measure::Share => number(100.0 * value, 1),
        Measure::Ratio | Measure::Frequency => number(value, 2),
        Measure::Count => count(value),
        Measure::Time => four_figures(value / 1e6),
    })
}

/// With the digits that show that what is multiplied gives its product.
fn full(value: Option<f64>, measure: Measure) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else { return NONE.to_owned() };
    match measure {
        Measure::Share => percent(value, 4),
        Measure::Ratio => number(value, 4),
        Measure::Frequency => format!("{} GHz", number(value, 4)),
        Measure::Count => number(value, 0),
        Measure::Time => format!("{} ns", number(value, 0)),
    }
}

/// Of what wants one, the picture that shows where it is lost.
fn by(key: &str) -> Option<Colour> {
    match key {
        "load_balance" => Some(Colour::Duration),
        COMMUNICATION | "parallel_efficiency" => Some(Colour::Activity),
        _ => None,
    }
}

pub(super) fn wants_reference(key: &str) -> bool {
    key == GLOBAL || key.ends_with("_scalability")
}

/// What a factor is.
pub(super) fn definition(key: &str) -> &'static str {
    match key {
        GLOBAL => "Parallel efficiency \u{d7} computation scalability: what is left of the ideal.",
        "parallel_efficiency" => {
            "Load balance \u{d7} communication efficiency: the share of the time of all threads that is computed."
        }
        "load_balance" => {
            "Useful time of a thread, on average / that of the thread that has most. Below 100 the others wait for it."
        }
        COMMUNICATION => {
            "Useful time of the thread that has most / the time that there is. Below 100 even that thread does not compute all the time: it communicates, waits, or does what no state tells."
        }
        "computation_scalability" => {
            "Useful time of all threads in the reference / here. Below 100 the same work takes longer."
        }
        "instruction_scalability" => {
            "Useful instructions of the reference / here. Below 100 there is more to do."
        }
        "ipc_scalability" => {
            "Useful instructions per cycle here / in the reference. Below 100 the same work stalls more."
        }
        "frequency_scalability" => {
            "Cycles per second of useful code here / in the reference. Below 100 the processors are slower."
        }
        "omp_region_efficiency" => {
            "1 \u{2212} what threads do not compute inside parallel regions / run time."
        }
        "serial_region_efficiency" => {
            "1 \u{2212} what the other threads could compute while the master does so alone / run time."
        }
        "runtime_ns" => {
            "From the begin of the trace to its end; of iterations, what those of a rank take together, on average."
        }
        "ipc" => "Instructions per cycle, in bursts.",
        "frequency_ghz" => "Cycles per nanosecond, in bursts.",
        "instructions" | "cycles" => "Counted in bursts, on all threads.",
        _ => "Useful is the time in bursts: outside calls of a runtime.",
    }
}

/// What a factor is, and what it is made of here.
fn words(key: &str, glance: &Glance) -> Vec<String> {
    let made_of = match key {
        "parallel_efficiency" | "load_balance" | COMMUNICATION => made_of(key, glance),
        _ => None,
    };
    let mut words = vec![definition(key).to_owned()];
    words.extend(made_of);
    words.extend(wants_reference(key).then(|| REFERENCE.to_owned()));
    words
}

/// The numbers of the run, else of its iterations.
fn made_of(key: &str, glance: &Glance) -> Option<String> {
    let of = &glance.efficiency;
    let time = of.of_run.as_ref().or(of.of_loop.as_ref())?;
    let (at, longest_ns) = time.longest()?;
    let name = &glance.lifelines.get(*time.lifelines.get(at)? as usize)?.name;
    let (mean, all) = (duration(time.mean_useful_ns()), duration(time.elapsed_ns));
    let longest = duration(longest_ns);
    Some(match key {
        "load_balance" => format!("A thread computes {mean} on average; {name} most, {longest}."),
        COMMUNICATION => format!("The one with most, {name}, computes {longest} of {all}."),
        _ => format!("A thread computes {mean} of {all}, on average."),
    })
}

/// A unit for times of all threads, and how many nanoseconds it has.
fn unit(columns: &[(&str, Option<&CoreTime>)]) -> (&'static str, f64) {
    let all = columns.iter().filter_map(|(_, time)| *time).map(CoreTime::all_ns);
    core_time_unit(all.fold(0.0, f64::max))
}

/// What the time of all threads is made of. What is printed adds up, too.
fn parts(columns: &[(&str, Option<&CoreTime>)]) -> Vec<PartLine> {
    let scale = unit(columns).1;
    let [imbalance, communication] = HUES_OF_LOSS.map(Some);
    let names = [
        ("computing", None),
        ("load imbalance", imbalance),
        ("communication", communication),
        ("all", None),
    ];
    let mut lines =
        names.map(|(name, hue)| PartLine { name: name.to_owned(), hue, ..PartLine::default() });
    for (_, time) in columns {
        let Some(time) = time else {
            for line in &mut lines {
                line.figures.push(Figure::of(None, |_| String::new()));
                line.shares.push(Figure::of(None, |_| String::new()));
            }
            continue;
        };
        let parts = time.parts_ns();
        let all = time.all_ns();
        let values = parts.map(|ns| ns / scale).into_iter().chain([all / scale]);
        let shares = parts.map(|ns| 100.0 * ns / all.max(1.0)).into_iter().chain([100.0]);
        let (figures, shares) = (adding_up(values.collect(), 4), adding_up(shares.collect(), 4));
        for ((line, figure), share) in lines.iter_mut().zip(figures).zip(shares) {
            line.figures.push(figure);
            line.shares.push(share);
        }
    }
    lines.into()
}

/// Parts, and what they add up to at the end, printed with so many digits of the latter, so that what is
/// printed adds up as well: each ends where the sum up to it does, rounded.
pub(super) fn adding_up(values: Vec<f64>, digits: i32) -> Vec<Figure> {
    let all = values.last().copied().unwrap_or(0.0);
    let whole = if all >= 1.0 { libm::floor(libm::log10(all)) as i32 + 1 } else { 1 };
    let decimals = (digits - whole).max(0);
    let unit = libm::pow(10.0, f64::from(decimals));
    let rounded = |value: f64| libm::round(value * unit) / unit;
    let count = values.len().saturating_sub(1);
    let mut before = 0.0;
    let figures = values.into_iter().enumerate().map(|(at, value)| {
        let printed = if at == count {
            rounded(all)
        } else {
            let from = rounded(before);
            before += value;
            rounded(before) - from
        };
        Figure {
            value: Some(value),
            text: number(printed, decimals as usize),
            within: String::new(),
        }
    });
    figures.collect()
}

/// What the thread at a place of [`CoreTime::useful_ns`] does; empty of none.
#[inline(never)]
pub fn thread(glance: &Glance, at: usize) -> String {
    let Some(time) = &glance.efficiency.of_run else { return String::new() };
    let (Some(useful), Some((_, most))) = (time.useful_ns.get(at).copied(), time.longest()) else {
        return String::new();
    };
    let lifeline = time.lifelines.get(at).and_then(|at| glance.lifelines.get(*at as usize));
    let name = lifeline.map_or("", |lifeline| &*lifeline.name);
    let share = percent(useful / time.elapsed_ns.max(1.0), 1);
    let beside = match most - useful {
        0.0 => "most of all".to_owned(),
        lacks => format!("{} less than the one that has most", duration(lacks)),
    };
    format!("{name}: {}, {share} of the run, {beside}", duration(useful))
}

fn threads(glance: &Glance) -> String {
    let Some(time) = &glance.efficiency.of_run else { return String::new() };
    let name = |at: usize| {
        let lifeline = time.lifelines.get(at).and_then(|at| glance.lifelines.get(*at as usize));
        lifeline.map_or("", |lifeline| &*lifeline.name)
    };
    let share = |ns: f64| percent(ns / time.elapsed_ns.max(1.0), 1);
    let all = time.useful_ns.iter().copied().enumerate();
    let least = all.reduce(|least, one| if one.1 < least.1 { one } else { least });
    let (Some((first, least_ns)), Some((last, most_ns))) = (least, time.longest()) else {
        return String::new();
    };
    match time.useful_ns.len() {
        1 => format!("Of the run {} computes {}.", name(last), share(most_ns)),
        _ => format!(
            "Of the run {} computes least, {}, and {} most, {}.",
            name(first),
            share(least_ns),
            name(last),
            share(most_ns)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glance::Lifeline;

    /// Two ranks of which one computes 80 of 100 ms, the other 40.
    fn unequal() -> Glance {
        let factor = |key: &str, depth, of_run| Factor {
            key: key.to_owned(),
            name: key.to_owned(),
            depth,
            of_run,
            ..Factor::default()
        };
        let lifelines = ["rank 1", "rank 2"]
            .map(|name| Lifeline { name: name.to_owned(), ..Lifeline::default() });
        let of_run =
            CoreTime { elapsed_ns: 100e6, useful_ns: vec![80e6, 40e6], lifelines: vec![0, 1] };
        let factors = vec![
            factor("global_efficiency", 0, None),
            factor("parallel_efficiency", 1, Some(0.6)),
            factor("load_balance", 2, Some(0.75)),
            factor("communication_efficiency", 2, Some(0.8)),
            factor("omp_region_efficiency", 0, None),
            Factor { measure: Measure::Time, ..factor("runtime_ns", 0, Some(100e6)) },
            Factor { measure: Measure::Count, ..factor("cycles", 0, None) },
        ];
        Glance {
            efficiency: Efficiency { factors, of_run: Some(of_run), ..Efficiency::default() },
            lifelines: lifelines.into(),
            ..Glance::default()
        }
    }

    fn texts(figures: &[Figure]) -> Vec<&str> {
        figures.iter().map(|figure| figure.text.as_str()).collect()
    }

    #[test]
    fn the_table_has_what_is_known_and_what_would_want_a_reference_or_a_replay() {
        let told = efficiency(&unequal());
        let rows = told.lines.iter().map(|line| (&*line.key, line.depth, texts(&line.figures)[0]));
        let expected = [
            ("global_efficiency", 0, NONE),
            ("parallel_efficiency", 1, "60.0"),
            ("load_balance", 2, "75.0"),
            ("communication_efficiency", 2, "80.0"),
            ("serialisation", 3, NONE),
            ("transfer", 3, NONE),
            ("runtime_ns", 0, "100.0"),
        ];
        assert_eq!(rows.collect::<Vec<_>>(), expected);
        assert_eq!(told.lines[1].full, ["60.0000\u{202f}%"]);
        assert_eq!(told.heads, ["run"]);
        let (bold, rest) = told.sentence;
        assert_eq!(bold, "60.0\u{202f}% of the threads\u{2019} time is computed.");
        assert_eq!(rest, "Communication takes 20.0\u{202f}%, load imbalance 20.0\u{202f}%.");
        assert_eq!(
            told.threads,
            "Of the run rank 2 computes least, 40.0\u{202f}%, and rank 1 most, 80.0\u{202f}%."
        );
    }

    #[test]
    fn a_factor_is_told_with_the_numbers_that_it_is_made_of() {
        let told = efficiency(&unequal());
        let of =
            |key: &str| told.lines.iter().find(|line| line.key == key).unwrap().words.join(" ");
        assert!(
            of("load_balance").contains("60.0\u{202f}ms on average; rank 1 most, 80.0\u{202f}ms")
        );
        assert!(
            of("communication_efficiency").contains("rank 1, computes 80.0\u{202f}ms of 100.0")
        );
        assert!(of("global_efficiency").contains("tracefold efficiency REFERENCE RUN"));
        assert!(of("transfer").contains("not guessed"));
        let lacks = "rank 2: 40.0\u{202f}ms, 40.0\u{202f}% of the run, 40.0\u{202f}ms less than the one \
                     that has most";
        assert_eq!(thread(&unequal(), 1), lacks);
        assert_eq!(
            thread(&unequal(), 0),
            "rank 1: 80.0\u{202f}ms, 80.0\u{202f}% of the run, most of all"
        );
        assert_eq!(thread(&unequal(), 2), "");
    }

    #[test]
    fn the_more_is_lost_the_deeper_is_the_colour() {
        let told = efficiency(&unequal());
        let tint = |at: usize| told.lines[at].tints[0];
        assert!(tint(1) > tint(2) && tint(2) > tint(3) && tint(3) > 0.0);
        assert_eq!((tint(0), tint(4), tint(6)), (0.0, 0.0, 0.0));
        // Nobody looks for what the best runs lose, and all else has some colour.
        let of = |share: f64| {
            let mut glance = unequal();
            glance.efficiency.factors[1].of_run = Some(share);
            efficiency(&glance).lines[1].tints[0]
        };
        assert_eq!((of(0.98), of(0.0)), (0.0, DEEPEST));
        assert!(of(0.96) > 0.0);
    }

    #[test]
    fn what_is_printed_of_the_core_seconds_adds_up_to_what_is_printed_of_all() {
        let told = efficiency(&unequal());
        assert_eq!(told.unit, "ms");
        let names = told.parts.iter().map(|part| &*part.name).collect::<Vec<_>>();
        assert_eq!(names, ["computing", "load imbalance", "communication", "all"]);
        let column = |of: fn(&PartLine) -> &Vec<Figure>| {
            told.parts.iter().map(|part| of(part)[0].text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(column(|part| &part.figures), ["120.0", "40.0", "40.0", "200.0"]);
        assert_eq!(column(|part| &part.shares), ["60.0", "20.0", "20.0", "100.0"]);
        // Rounded one by one the first would be 0.33, 0.33, 0.33 and 1.00.
        let third = 1.0 / 3.0;
        for values in
            [[third; 3], [1.0, 1.0, 1.0], [0.05, 0.05, 2.9], [2.96, -0.06, 0.0], [1e-9, 0.0, 0.0]]
        {
            let all = values.iter().sum::<f64>();
            let printed = adding_up([&values[..], &[all]].concat(), 3);
            let value =
                |figure: &Figure| figure.text.replace('\u{2212}', "-").parse::<f64>().unwrap();
            let sum = printed[..3].iter().map(value).sum::<f64>();
            assert!((sum - value(&printed[3])).abs() < 1e-9, "{printed:?}");
        }
    }

    #[test]
    fn a_run_without_efficiencies_says_why() {
        let mut none = Glance::default();
        none.efficiency.remarks = vec!["No efficiencies: nothing tells when.".to_owned()];
        let told = efficiency(&none);
        assert_eq!(
            told.sentence,
            ("No efficiencies:".to_owned(), "nothing tells when.".to_owned())
        );
        assert_eq!((told.lines.len(), told.parts.len(), told.threads.as_str()), (0, 0, ""));
        assert_eq!(thread(&none, 0), "");
    }
}
