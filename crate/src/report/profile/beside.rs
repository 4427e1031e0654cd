//! Two profiles side by side, in words and printed numbers: Malony, Huck 2014, Table II, of every node.

use serde::{Deserialize, Serialize};

use super::beside_pair::{BesidePair, pair_of};
use super::counted;
use crate::order;
use crate::profile::{Beside, BesideError, Measure, Node, NodeKind, OverThreads, Share};
use crate::quantity::{OfMetric, number, percent, printable, short, significant};
use crate::report::Figure;

/// Rows that are listed: those that differ most. More than a person reads; the rest is found by name.
const MOST: usize = 100;

/// Below this share of its time in nodes that the other has too, a side is likely another program.
const LEAST_SHARED: f64 = 0.5;

/// Changes below this share of A hardly matter: that of the comparison of foldings.
const LEAST: f64 = 0.01;

/// What of the threads stands for a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub enum Over {
    #[default]
    Mean,
    Total,
    Least,
    Largest,
    Deviation,
}

/// In the order in which one node tells them.
pub const OVER: [(Over, &str); 5] = [
    (Over::Mean, "mean"),
    (Over::Largest, "largest"),
    (Over::Least, "least"),
    (Over::Deviation, "deviation"),
    (Over::Total, "total"),
];

/// What rows are put in order by; the largest first, but for names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub enum BesideBy {
    /// However they differ.
    #[default]
    Difference,
    Ratio,
    A,
    B,
    LargestA,
    LargestB,
    Name,
}

/// Which rows there are, and what they tell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default, rename_all = "camelCase")]
pub struct BesideAsked {
    /// A metric or a formula that both have; empty: the first metric of both.
    pub measure: String,
    pub inclusive: bool,
    pub over: Over,
    pub by: BesideBy,
    /// Only those whose name has it, in any case of letters.
    pub search: String,
    /// The node of A that is picked, as it is numbered there.
    pub picked: Option<u32>,
    /// The node of both that is picked, if that is another.
    pub pair: Option<u32>,
    /// Most rows that are listed; `None`: 100.
    pub most: Option<u32>,
}

/// What both profiles have.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct BesideTable {
    pub names: [String; 2],
    /// Each a value and what it is of.
    pub facts: Vec<(String, String)>,
    /// What must be known to read the numbers, a sentence each.
    pub doubts: Vec<String>,
    /// Over the figures of each row: what rows are put in order by there, and words.
    pub heads: Vec<(String, String)>,
    pub rows: Vec<BesideRow>,
    /// Rows that are not listed, in a sentence; empty if all are.
    pub rest: String,
    /// Of the picked node every metric that both have.
    pub pair: Option<BesidePair>,
}

/// A node of both, as it is printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct BesideRow {
    pub pair: u32,
    pub name: String,
    /// The region that it lies in; empty of one that lies in none.
    pub above: String,
    #[cfg_attr(target_arch = "wasm32", tsify(type = "'probe' | 'part' | 'sample' | 'unresolved'"))]
    pub kind: &'static str,
    /// `only A`, `only B`; empty of what both have.
    pub only: String,
    /// A, B, B − A, B / A, and the largest thread of A and of B.
    pub figures: Vec<Figure>,
    /// B − A, as a share of the largest one.
    pub bar: f64,
    /// Whether B has more or less; `open` if samples do not say, `slight` if it hardly matters.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "'more' | 'less' | 'slight' | 'open'"))]
    pub change: &'static str,
}

/// Both, as it is asked for. O(threads × nodes · log nodes).
pub fn beside(both: &Beside, asked: &BesideAsked) -> Result<BesideTable, BesideError> {
    let asked_measure = (!asked.measure.is_empty()).then_some(asked.measure.as_str());
    let measures = both.measures(asked_measure)?;
    let share = if asked.inclusive { Share::Inclusive } else { Share::Exclusive };
    let sides = &both.sides;
    let of_over = |of: &OverThreads| asked.over.of(of);
    let samples = both.samples();
    let search = asked.search.trim().to_lowercase();
    let is_told = |at: &u32| {
        let node = &sides[0].nodes[*at as usize];
        // Samples of a context are told by their routines, and so are calls on the way to them.
        let is_row = !matches!(node.kind, NodeKind::Context | NodeKind::Unwind);
        is_row && (search.is_empty() || node.name.to_lowercase().contains(&search))
    };
    let nodes = (0..sides[0].nodes.len() as u32).filter(is_told);
    let mut pairs = nodes
        .map(|at| (at, both.over_threads(at, &measures[0], share)))
        .filter(|(_, pair)| pair.iter().any(Option::is_some))
        .collect::<Vec<_>>();
    let difference = |pair: &[Option<OverThreads>; 2]| {
        let [a, b] = pair.map(|of| of.as_ref().map_or(0.0, of_over));
        b - a
    };
    let all = pairs.len();
    if search.is_empty() {
        pairs.retain(|(_, pair)| difference(pair) != 0.0);
    }
    let alike = all - pairs.len();
    put_in_order(&mut pairs, asked, &sides[0].nodes);
    let largest = pairs.iter().flat_map(|(_, pair)| pair).flatten().map(|of| of_over(of).abs());
    let written = match &measures[0][0] {
        Measure::Metric(_) => {
            OfMetric::of(sides[0].unit_of(&measures[0][0]), largest.fold(0.0, f64::max))
        }
        Measure::Formula { .. } => OfMetric::of_formula(),
    };
    let most = pairs.iter().map(|(_, pair)| difference(pair).abs()).fold(0.0, f64::max);
    // What samples leave open is known of sums, and so of means.
    let is_sum = matches!(asked.over, Over::Mean | Over::Total)
        && matches!(measures[0][0], Measure::Metric(_));
    let row = |(at, pair): &(u32, [Option<OverThreads>; 2])| {
        let node = &sides[0].nodes[*at as usize];
        let doubts = if is_sum { both.doubts(*at, &samples) } else { [None, None] };
        let figures = figures(pair, doubts, of_over, &written);
        let largest = pair.map(|of| Figure::of(of.map(|of| of.largest), |of| written.number(of)));
        let change = difference(pair);
        let within = [0, 1].map(|side: usize| {
            let doubt = doubts[side].zip(pair[side].as_ref());
            doubt.map_or(0.0, |(doubt, of)| doubt * of_over(of).abs())
        });
        let within = libm::hypot(within[0], within[1]);
        BesideRow {
            pair: *at,
            name: name_of(node),
            above: above(&sides[0].nodes, node),
            kind: node.kind.name(),
            only: only(pair).to_owned(),
            figures: figures.into_iter().chain(largest).collect(),
            bar: if most > 0.0 { change / most } else { 0.0 },
            change: match change {
                _ if within > 0.0 && change.abs() <= within => "open",
                _ if ratio(pair, asked).is_some_and(|of| (of - 1.0).abs() < LEAST) => "slight",
                change if change > 0.0 => "more",
                _ => "less",
            },
        }
    };
    let listed = asked.most.map_or(MOST, |most| most as usize);
    let rows = pairs.iter().take(listed).map(row).collect::<Vec<_>>();
    let picked = asked.pair.or_else(|| both.place(0, asked.picked?));
    let picked = picked.filter(|at| (*at as usize) < sides[0].nodes.len());
    let picked = picked.or_else(|| rows.first().map(|row| row.pair));
    let name = format!("{} {}", metric_name(both, &measures[0][0]), written.unit);
    Ok(BesideTable {
        names: sides.each_ref().map(|side| printable(&side.name)),
        facts: facts(both, name.trim_end(), asked),
        doubts: doubts(both),
        heads: heads(asked.over),
        rest: rest(pairs.len().saturating_sub(listed), alike, asked),
        rows,
        pair: picked.map(|at| pair_of(both, at, share)).transpose()?,
    })
}

impl Over {
    /// What of the threads it is.
    pub fn of(self, of: &OverThreads) -> f64 {
        match self {
            Self::Mean => of.mean,
            Self::Total => of.total,
            Self::Least => of.least,
            Self::Largest => of.largest,
            Self::Deviation => of.deviation,
        }
    }

    fn name(self) -> &'static str {
        OVER.iter().find(|(over, _)| *over == self).map_or("", |(_, name)| name)
    }
}

/// A, B, B − A and B / A; a side without a value has had nothing.
pub fn figures(
    pair: &[Option<OverThreads>; 2],
    doubts: [Option<f64>; 2],
    of: impl Fn(&OverThreads) -> f64,
    written: &OfMetric,
) -> Vec<Figure> {
    let values = pair.each_ref().map(|side| side.as_ref().map(&of));
    let within = [0, 1].map(|side: usize| Some(doubts[side]? * values[side]?));
    let doubted = |figure: Figure, within: Option<f64>| Figure {
        within: within.map_or_else(String::new, |within| format!("±{}", written.number(within))),
        ..figure
    };
    let number = |value: Option<f64>| Figure::of(value, |value| written.number(value));
    let change = values[1].unwrap_or(0.0) - values[0].unwrap_or(0.0);
    let more = if change > 0.0 { "+" } else { "" };
    let difference = Figure::of(Some(change), |of| format!("{more}{}", written.number(of)));
    let of_both = within.iter().flatten().copied().reduce(libm::hypot);
    let ratio = values[0].zip(values[1]).filter(|(a, _)| *a != 0.0).map(|(a, b)| b / a);
    vec![
        doubted(number(values[0]), within[0]),
        doubted(number(values[1]), within[1]),
        doubted(difference, of_both),
        Figure::of(ratio, |ratio| significant(ratio, 3)),
    ]
}

fn put_in_order(
    pairs: &mut [(u32, [Option<OverThreads>; 2])],
    asked: &BesideAsked,
    nodes: &[Node],
) {
    if asked.by == BesideBy::Name {
        let name = |at: u32| &nodes[at as usize].name;
        order::by(pairs, |a, b| name(a.0).cmp(name(b.0)));
        return;
    }
    let value = |pair: &[Option<OverThreads>; 2]| {
        let of = |side: usize| pair[side].map(|of| asked.over.of(&of));
        let [a, b] = [of(0), of(1)];
        match asked.by {
            BesideBy::A => a,
            BesideBy::B => b,
            BesideBy::LargestA => pair[0].map(|of| of.largest),
            BesideBy::LargestB => pair[1].map(|of| of.largest),
            BesideBy::Ratio => ratio(pair, asked),
            BesideBy::Difference | BesideBy::Name => {
                Some((b.unwrap_or(0.0) - a.unwrap_or(0.0)).abs())
            }
        }
    };
    order::by_number(pairs, |(_, pair)| order::of_float(-value(pair).unwrap_or(f64::NEG_INFINITY)));
}

/// B over A.
fn ratio(pair: &[Option<OverThreads>; 2], asked: &BesideAsked) -> Option<f64> {
    let [a, b] = pair.map(|side| side.map(|of| asked.over.of(&of)));
    a.zip(b).filter(|(a, _)| *a != 0.0).map(|(a, b)| b / a)
}

fn heads(over: Over) -> Vec<(String, String)> {
    let of = |side: &str| format!("{side} {}", over.name());
    let heads = [
        ("a", of("A")),
        ("b", of("B")),
        ("difference", "B − A".to_owned()),
        ("ratio", "B / A".to_owned()),
        ("largestA", "A largest".to_owned()),
        ("largestB", "B largest".to_owned()),
    ];
    heads.map(|(key, words)| (key.to_owned(), words)).into()
}

/// What the numbers are of.
fn facts(both: &Beside, measure: &str, asked: &BesideAsked) -> Vec<(String, String)> {
    let share = if asked.inclusive { "inclusive" } else { "exclusive" };
    let threads = both.sides.each_ref().map(|side| side.threads.len());
    let [a, b] = threads.map(|count| counted(count as f64, "thread", "threads"));
    let mut facts = vec![(measure.to_owned(), format!("{share}, over the threads"))];
    match threads[0] == threads[1] {
        true => facts.push((a, "on each side".to_owned())),
        false => facts.push((a, format!("beside {b}"))),
    }
    facts
}

/// What must be known to read the numbers.
fn doubts(both: &Beside) -> Vec<String> {
    let mut sentences =
        vec!["One run each: nothing here tells how much runs of one program differ.".to_owned()];
    let threads = both.sides.each_ref().map(|side| side.threads.len());
    if threads[0] != threads[1] {
        sentences.push(format!(
            "A has {} threads, B {}: means are of a thread, totals of all.",
            threads[0], threads[1]
        ));
    }
    for (name, shared) in ["A", "B"].into_iter().zip(both.shared()) {
        if shared < LEAST_SHARED {
            sentences.push(format!(
                "Only {} of what {name} spent is in regions and routines that the other has too: are they the \
                 same program?",
                percent(shared, 1)
            ));
        }
    }
    sentences
}

fn rest(more: usize, alike: usize, asked: &BesideAsked) -> String {
    let less = match asked.by {
        BesideBy::Difference => " differ by less",
        _ => " are not listed",
    };
    let mut parts = vec![];
    if more > 0 {
        parts.push(format!("{} more{less}", number(more as f64, 0)));
    }
    if alike > 0 {
        let words = if alike == 1 { "does" } else { "do" };
        parts.push(format!("{} {words} not differ", number(alike as f64, 0)));
    }
    if parts.is_empty() { String::new() } else { parts.join("; ") + "." }
}

/// As tables have it.
pub fn metric_name(both: &Beside, measure: &Measure) -> String {
    let a = &both.sides[0];
    match measure {
        Measure::Metric(metric) if a.time() == Some(*metric) => "Time".to_owned(),
        Measure::Metric(metric) => printable(short(&a.metrics[*metric].name)),
        Measure::Formula { name, .. } => printable(name),
    }
}

/// As it can be printed.
pub fn name_of(node: &Node) -> String {
    match node.kind {
        NodeKind::Unresolved if node.name.is_empty() => "unresolved".to_owned(),
        _ => printable(&node.name),
    }
}

/// The nearest probe that a node lies in.
fn above(nodes: &[Node], node: &Node) -> String {
    let up = |of: &&Node| of.parent.and_then(|parent| nodes.get(parent as usize));
    let mut above = std::iter::successors(up(&node), up);
    above.find(|of| of.kind == NodeKind::Probe).map_or_else(String::new, |of| printable(&of.name))
}

fn only(pair: &[Option<OverThreads>; 2]) -> &'static str {
    match pair {
        [Some(_), None] => "only A",
        [None, Some(_)] => "only B",
        _ => "",
    }
}
