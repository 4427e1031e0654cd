//! `tracefold profile A... --with B...`: two profiles side by side.

use tracefold::export::{self, Exported};
use tracefold::profile::{Beside, Measure, NodeKind, OverThreads, Profile, Share};
use tracefold::quantity::{OfMetric, percent};

use crate::arguments::{self, ProfileAs};
use crate::failure::Failure;
use crate::tables;

/// Nodes that are listed for people: those that differ most.
const MOST: usize = 25;

/// Below this share of its time in nodes that the other has too, a side is likely another program.
const LEAST_SHARED: f64 = 0.5;

/// The comparison, for people or as a table.
pub fn beside(a: &Profile, b: &Profile, asked: &arguments::Profile) -> Result<String, Failure> {
    let measures = measures(a, b, asked.metric.as_deref())?;
    let both = Beside::of(a, b);
    let table = || export::profiles_beside(&both, &measures);
    let only_csv = asked.formats.iter().all(|format| matches!(format, ProfileAs::Csv));
    match &asked.out {
        _ if !only_csv || asked.json => Err(Failure::Usage(
            "--with: two profiles side by side are a table; expected --format csv".to_owned(),
        )),
        Some(folder) => {
            let (name, bytes) = ("profiles_beside.csv".to_owned(), table().into());
            tables::write_files(folder, &[Exported { name, bytes }]).map(|()| String::new())
        }
        None if !asked.formats.is_empty() => Ok(table()),
        None => Ok(for_people(&both, &measures[0])),
    }
}

/// What is looked at of both: what is asked for, or every metric that both have.
fn measures(a: &Profile, b: &Profile, asked: Option<&str>) -> Result<Vec<[Measure; 2]>, Failure> {
    let of = |profile: &Profile, name: &str| {
        let found = profile.measure(name);
        found.map_err(|error| Failure::Usage(format!("--metric: {error} (of {})", profile.name)))
    };
    if let Some(asked) = asked {
        return Ok(vec![[of(a, asked)?, of(b, asked)?]]);
    }
    let both = a.metrics.iter().enumerate();
    let both = both.filter_map(|(at, metric)| Some([at, b.metric(&metric.name)?]));
    let both = both.map(|pair| pair.map(Measure::Metric)).collect::<Vec<_>>();
    match both.is_empty() {
        true => Err(Failure::Nothing("the profiles have no metric in common".to_owned())),
        false => Ok(both),
    }
}

/// Whose time by itself differs most on average, with its largest thread, what only one side has, and what
/// the numbers do not say.
fn for_people(both: &Beside, measures: &[Measure; 2]) -> String {
    let [a, b] = &both.sides;
    let is_told = |at: &u32| {
        let kind = a.nodes[*at as usize].kind;
        !matches!(kind, NodeKind::Context | NodeKind::Summary | NodeKind::Unwind)
    };
    let nodes = (0..a.nodes.len() as u32).filter(is_told);
    let pairs = nodes.map(|at| (at, both.over_threads(at, measures, Share::Exclusive)));
    let mean = |of: &Option<OverThreads>| of.map_or(0.0, |of| of.mean);
    let change = |pair: &[Option<OverThreads>; 2]| mean(&pair[1]) - mean(&pair[0]);
    let mut pairs = pairs.filter(|(_, pair)| change(pair) != 0.0).collect::<Vec<_>>();
    pairs.sort_by(|(_, a), (_, b)| change(b).abs().total_cmp(&change(a).abs()));
    let largest = pairs.iter().flat_map(|(_, pair)| [mean(&pair[0]), mean(&pair[1])]);
    let written = match &measures[0] {
        Measure::Metric(_) => OfMetric::of(a.unit_of(&measures[0]), largest.fold(0.0, f64::max)),
        Measure::Formula { .. } => OfMetric::of_formula(),
    };
    let name = format!("{} {}", a.name_of(&measures[0]), written.unit);
    let mut text = format!(
        "{}, exclusive, over the threads\n{:>12} {:>12} {:>12} {:>8} {:>12} {:>12}  region or routine\n",
        name.trim_end(),
        "A mean",
        "B mean",
        "B - A",
        "B / A",
        "A largest",
        "B largest"
    );
    for (at, pair) in pairs.iter().take(MOST) {
        let number = |of: Option<f64>| of.map_or_else(|| "–".to_owned(), |of| written.number(of));
        let ratio = pair[0].zip(pair[1]).filter(|(a, _)| a.mean != 0.0);
        let ratio =
            ratio.map_or_else(|| "–".to_owned(), |(a, b)| format!("{:.3}", b.mean / a.mean));
        let node = &a.nodes[*at as usize];
        let only = match pair {
            [Some(_), None] => " (only A)",
            [None, Some(_)] => " (only B)",
            _ => "",
        };
        let kind = if node.kind == NodeKind::Probe {
            String::new()
        } else {
            format!("[{}] ", node.kind.name())
        };
        text += &format!(
            "{:>12} {:>12} {:>12} {ratio:>8} {:>12} {:>12}  {kind}{}{only}\n",
            number(pair[0].map(|of| of.mean)),
            number(pair[1].map(|of| of.mean)),
            number(Some(change(pair))),
            number(pair[0].map(|of| of.largest)),
            number(pair[1].map(|of| of.largest)),
            node.name.replace(char::is_control, "\u{fffd}"),
        );
    }
    if pairs.len() > MOST {
        text += &format!("{} more differ by less\n", pairs.len() - MOST);
    }
    text + "\n" + &doubts(both, [a.threads.len(), b.threads.len()])
}

/// What must be known to read the numbers.
fn doubts(both: &Beside, threads: [usize; 2]) -> String {
    let mut text =
        "One run each: nothing here tells how much runs of one program differ.\n".to_owned();
    if threads[0] != threads[1] {
        text += &format!(
            "A has {} threads, B {}: means are of a thread; totals, which the table has, are of all.\n",
            threads[0], threads[1]
        );
    }
    for (name, shared) in ["A", "B"].into_iter().zip(both.shared()) {
        if shared < LEAST_SHARED {
            text += &format!(
                "Only {} of what {name} spent is in regions and routines that the other has too: are they the \
                 same program?\n",
                percent(shared, 1)
            );
        }
    }
    text
}
