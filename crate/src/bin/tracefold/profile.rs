use tracefold::export::{self, ProfileFormat};
use tracefold::hybrid::{self, Choices, Unwind};
use tracefold::paint::Pictured;
use tracefold::profile::{Asked, Measure, NodeKind, Profile, Share, Weights};
use tracefold::report;

use crate::arguments::{self, ProfileAs, Reading, UnwindAs};
use crate::failure::Failure;
use crate::profiles_beside::beside;
use crate::read::{Read, read_either};
use crate::tables;

/// A node is listed for people if it has at least this share of the whole; files have all.
const LEAST_SHARE: f64 = 0.005;

/// `tracefold profile`: who spends time and counts, by probes and samples, for people or as files.
pub fn profile(asked: &arguments::Profile) -> Result<String, Failure> {
    let choices = Choices {
        weights: if asked.whole_weights { Weights::Whole } else { Weights::Clipped },
        unwind: match asked.unwind {
            UnwindAs::Sites => Unwind::Sites,
            UnwindAs::Routines => Unwind::Routines,
            UnwindAs::None => Unwind::Flat,
        },
        depth: asked.depth,
        trimmed: !asked.untrimmed,
        call_sites: asked.call_sites,
    };
    let profile = of(&asked.reading, choices)?;
    if !asked.with.is_empty() {
        let with = Reading { files: asked.with.clone(), trace: None, ..asked.reading.clone() };
        return beside(&profile, &of(&with, choices)?, asked);
    }
    let profile = profile.summarised();
    if profile.threads.is_empty() || profile.metrics.is_empty() {
        let message = "nothing is known of any thread: there is no profile".to_owned();
        return Err(Failure::Nothing(message));
    }
    let measure = match &asked.metric {
        Some(text) => {
            let found = profile.measure(text);
            Some(found.map_err(|error| Failure::Usage(format!("--metric: {error}")))?)
        }
        None => None,
    };
    if asked.json {
        return Ok(export::profile_json(&profile));
    }
    let measures = measure.clone().map_or_else(|| profile.measures(), |measure| vec![measure]);
    if let Some(cost) = asked.overhead.filter(|cost| !(cost.is_finite() && *cost > 0.0)) {
        return Err(Failure::Usage(format!(
            "--overhead: found {cost}, expected nanoseconds above 0"
        )));
    }
    let formats = asked.formats.iter();
    let formats = formats.map(|format| checked(*format, measure.as_ref(), asked.overhead));
    let formats = formats.collect::<Result<Vec<_>, _>>()?;
    let files = formats.iter().flat_map(|format| export::profile(&profile, &measures, *format));
    match (&asked.out, formats.as_slice()) {
        (Some(folder), []) => {
            let files = export::profile(&profile, &measures, ProfileFormat::Csv);
            tables::write_files(folder, &files).map(|()| String::new())
        }
        (Some(folder), _) => {
            tables::write_files(folder, &files.collect::<Vec<_>>()).map(|()| String::new())
        }
        (None, []) => {
            let tree = as_tree(&profile, &measure.unwrap_or(Measure::Metric(0)));
            Ok(tree + &advice(&profile, asked.overhead))
        }
        (None, [ProfileFormat::Tau]) => Err(Failure::Usage(
            "--format: tau is a file for each thread and metric; expected --out DIR for them"
                .to_owned(),
        )),
        (None, [_]) => {
            let first = files.take(1).map(|file| String::from_utf8_lossy(&file.bytes).into_owned());
            Ok(first.collect())
        }
        (None, _) => Err(Failure::Usage(
            "--format: only one format can be printed; expected --out DIR for several".to_owned(),
        )),
    }
}

/// The profile that files are, or that is made of the trace that they are.
fn of(reading: &Reading, choices: Choices) -> Result<Profile, Failure> {
    match read_either(reading)? {
        Read::Trace(trace) => Ok(hybrid::profile(&trace, choices)),
        Read::Profile(profile) if choices == Choices::default() => Ok(*profile),
        Read::Profile(_) => Err(Failure::Usage(
            "--unwind, --depth, --untrimmed, --call-sites and --whole-weights are about how a profile is \
             made of a trace; found a profile"
                .to_owned(),
        )),
    }
}

/// What formulas say does not add up, so no stack has a share of it.
fn checked(
    format: ProfileAs,
    measure: Option<&Measure>,
    cost_ns: Option<f64>,
) -> Result<ProfileFormat, Failure> {
    let format = match format {
        ProfileAs::Csv => ProfileFormat::Csv,
        ProfileAs::Json => ProfileFormat::Json,
        ProfileAs::Speedscope => ProfileFormat::Speedscope,
        ProfileAs::Folded => ProfileFormat::Folded,
        ProfileAs::Tau => ProfileFormat::Tau,
        ProfileAs::Select => ProfileFormat::Select { cost_ns },
    };
    let of_stacks = matches!(format, ProfileFormat::Speedscope | ProfileFormat::Folded);
    if of_stacks && let Some(Measure::Formula { name, .. }) = measure {
        return Err(Failure::Usage(format!(
            "--metric: what the formula “{name}” says of stacks does not add up to a whole; expected a \
             metric for --format speedscope or folded"
        )));
    }
    Ok(format)
}

/// The tree of all threads together, for people.
fn as_tree(profile: &Profile, measure: &Measure) -> String {
    let total = profile.total();
    let depths = profile.depths();
    let times = &total.inclusive[0];
    let whole = times.first().copied().unwrap_or(0.0).max(f64::MIN_POSITIVE);
    let is_time = profile.time().is_some_and(|time| *measure == Measure::Metric(time));
    let unit = match profile.unit_of(measure) {
        "ns" => "ms",
        unit => unit,
    };
    let named = |what: &str| {
        let name = if is_time { "" } else { profile.name_of(measure) };
        [what, name, unit]
            .iter()
            .filter(|word| !word.is_empty())
            .copied()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let [inclusive, exclusive] = [named("inclusive"), named("exclusive")];
    let [wide, narrow] = [&inclusive, &exclusive].map(|head| head.chars().count().max(14));
    let mut text = format!(
        "{:>7} {inclusive:>wide$} {exclusive:>narrow$} {:>10} {:>9}  region or routine\n",
        "share %", "calls", "samples"
    );
    let whole_of = if profile.time().is_some() { "the time" } else { &profile.metrics[0].name };
    let mut left_out = 0;
    for node in profile.in_order(|node| times[node]) {
        let at = node as usize;
        let share = times[at] / whole;
        if share < LEAST_SHARE {
            left_out += 1;
            continue;
        }
        let value = |share| match total.value(measure, share, at) {
            Some(value) if is_time => format!("{:.3}", value / 1e6),
            Some(value) if matches!(measure, Measure::Formula { .. }) => format!("{value:.3}"),
            Some(value) => format!("{value:.0}"),
            None => "–".to_owned(),
        };
        let of = &profile.nodes[at];
        let count =
            |shown: bool| if shown { format!("{:.0}", total.counts[at]) } else { String::new() };
        let is_sampled = of.kind.is_sampled();
        text += &format!(
            "{:>7.2} {:>wide$} {:>narrow$} {:>10} {:>9}  {}{}\n",
            100.0 * share,
            value(Share::Inclusive),
            value(Share::Exclusive),
            count(!is_sampled),
            count(is_sampled),
            "  ".repeat(depths[at] as usize),
            label(of),
        );
    }
    if left_out > 0 {
        let least = 100.0 * LEAST_SHARE;
        text += &format!("{left_out} more, each with less than {least} % of {whole_of}\n");
    }
    text.push('\n');
    for sentence in profile.quality.sentences() {
        text += &(sentence + "\n");
    }
    text
}

/// Which regions can be folded, and which probes cost more than they tell.
fn advice(profile: &Profile, cost_ns: Option<f64>) -> String {
    let overview = profile.overview(&Asked::default()).ok().and_then(|of| Pictured::of(of).ok());
    let room = overview.map_or_else(Vec::new, |pictured| report::room_to_fold(&pictured));
    let mut text = String::new();
    for (_, sentence) in room {
        text += &format!("Room to fold: {sentence}\n");
    }
    for line in report::costly(&profile.costly(cost_ns)) {
        text += &format!("Costs more than it tells: {}\n", line.words);
    }
    text
}

/// A node in words: what samples say of it is in brackets, as TAU has it.
fn label(node: &tracefold::profile::Node) -> String {
    let name = node.name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let name = name.collect::<String>();
    let place = match (node.file.as_str(), node.line) {
        ("", _) => String::new(),
        (file, 0) => format!(" ({file})"),
        (file, line) => format!(" ({file}:{line})"),
    };
    match node.kind != NodeKind::Probe {
        true => format!("[{}] {name}{place}", node.kind.name()),
        false => name + &place,
    }
}
