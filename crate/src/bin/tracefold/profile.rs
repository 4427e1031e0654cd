use tracefold::export::{self, ProfileFormat};
use tracefold::hybrid::{self, Choices, Unwind};
use tracefold::profile::{Measure, NodeKind, Profile, Share, Weights};

use crate::arguments::{self, ProfileAs, UnwindAs};
use crate::failure::Failure;
use crate::read::{Read, read_either};
use crate::tables;

/// A node is listed for people if it has at least this share of the whole; files have all.
const LEAST_SHARE: f64 = 0.005;

/// `tracefold profile`: who spends time and counts, by probes and samples, for people or as files.
pub fn profile(asked: &arguments::Profile) -> Result<String, Failure> {
    let read = read_either(&asked.reading)?;
    let choices = Choices {
        weights: if asked.whole_weights { Weights::Whole } else { Weights::Clipped },
        unwind: match asked.unwind {
            UnwindAs::Sites => Unwind::Sites,
            UnwindAs::Routines => Unwind::Routines,
            UnwindAs::None => Unwind::Flat,
        },
        depth: asked.depth,
        trimmed: !asked.untrimmed,
    };
    let profile = match read {
        Read::Trace(trace) => hybrid::profile(&trace, choices),
        Read::Profile(profile) if choices == Choices::default() => *profile,
        Read::Profile(_) => {
            return Err(Failure::Usage(
                "--unwind, --depth, --untrimmed and --whole-weights are about how a profile is made of a \
                 trace; found a profile"
                    .to_owned(),
            ));
        }
    };
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
    let formats = asked.formats.iter().map(|format| checked(*format, measure.as_ref()));
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
        (None, []) => Ok(as_tree(&profile, &measure.unwrap_or(Measure::Metric(0)))),
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

/// What formulas say does not add up, so no stack has a share of it.
fn checked(format: ProfileAs, measure: Option<&Measure>) -> Result<ProfileFormat, Failure> {
    let format = match format {
        ProfileAs::Csv => ProfileFormat::Csv,
        ProfileAs::Json => ProfileFormat::Json,
        ProfileAs::Speedscope => ProfileFormat::Speedscope,
        ProfileAs::Folded => ProfileFormat::Folded,
        ProfileAs::Tau => ProfileFormat::Tau,
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
