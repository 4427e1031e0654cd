//! The rows of the tree, in the order in which they stand.

use serde::{Deserialize, Serialize};

use super::{between, count_text, ratio_metrics, ratios};
use crate::order;
use crate::paint::Pictured;
use crate::profile::{Measure, NodeKind, Share};
use crate::quantity::{number, printable, short, significant};
use crate::report::Figure;

/// A node is open at first if it has at least this share of the whole: below that, rows tell little and
/// there are thousands.
const OPEN_SHARE: f64 = 0.02;

/// What rows are put in order by, among those of one parent; the largest first, but for names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub enum By {
    #[default]
    Inclusive,
    Exclusive,
    Calls,
    Samples,
    Rate,
    Misses,
    /// Largest over mean.
    Imbalance,
    Name,
}

/// Which rows there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(default, rename_all = "camelCase")]
pub struct RowsAsked {
    pub by: By,
    /// Nodes that a person opened or closed.
    pub turned: Vec<u32>,
    /// Only those whose name or file has it, in any case of letters, and those above them.
    pub search: String,
    /// Only those of a kind or group, as [`super::ProfileSummary::kinds`] has them, and those above them.
    pub kind: String,
    /// The node without which nothing is shown.
    pub picked: Option<u32>,
}

/// The rows, each a node; computed anew when what is asked changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    pub nodes: Vec<u32>,
    /// By place: whether what lies below is shown; `None` of what has nothing below.
    pub open: Vec<Option<bool>>,
    /// Nodes that are searched for, of all.
    pub matches: usize,
}

/// A row as it is printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ProfileRow {
    pub node: u32,
    pub depth: u32,
    pub name: String,
    /// `lulesh.cc:812`, empty if nothing tells.
    pub place: String,
    #[cfg_attr(
        target_arch = "wasm32",
        tsify(type = "'probe' | 'part' | 'unwind' | 'summary' | 'sample' | 'unresolved'")
    )]
    pub kind: &'static str,
    pub open: Option<bool>,
    /// Inclusive, exclusive, share of the exclusive in per cent, calls, samples, and, where they are
    /// counted, MIPS and misses.
    pub figures: Vec<Figure>,
    /// Least, mean and largest over the threads, as shares of twice the mean.
    pub spread: Option<[f64; 3]>,
    /// What the bar and the marks tell.
    pub words: String,
}

impl Rows {
    #[inline(never)]
    pub fn of(pictured: &Pictured, asked: &RowsAsked) -> Self {
        let nodes = &pictured.overview.whole.nodes;
        let search = asked.search.trim().to_lowercase();
        let filters = !search.is_empty() || !asked.kind.is_empty();
        let group = asked.kind.strip_prefix("group:");
        let is_asked = |at: u32| {
            let node = &nodes[at as usize];
            let is_kind = match (group, &*asked.kind) {
                (Some(group), _) => node.group.split('|').any(|own| own == group),
                (None, "") => true,
                (None, "sample") => node.kind.is_leaf(),
                (None, kind) => node.kind.name() == kind,
            };
            is_kind
                && (node.name.to_lowercase().contains(&search)
                    || node.file.to_lowercase().contains(&search))
        };
        let mut kept = vec![!filters; nodes.len()];
        let mut matches = 0;
        if filters {
            for at in (0..nodes.len() as u32)
                .filter(|at| nodes[*at as usize].kind != NodeKind::Context && is_asked(*at))
            {
                matches += 1;
                // What is above one that is kept is kept already.
                for above in pictured.shown.upwards(at) {
                    if std::mem::replace(&mut kept[above as usize], true) {
                        break;
                    }
                }
            }
        }
        // Turned from how it is at first; and what the picked node lies in.
        let (mut turned, mut is_on_way) = (vec![false; nodes.len()], vec![false; nodes.len()]);
        for at in &asked.turned {
            turned.get_mut(*at as usize).into_iter().for_each(|turned| *turned = !*turned);
        }
        if let Some(picked) = asked.picked.filter(|at| (*at as usize) < nodes.len()) {
            pictured.shown.upwards(picked).skip(1).for_each(|at| is_on_way[at as usize] = true);
        }
        let least = OPEN_SHARE * pictured.whole();
        let is_open = |at: u32| {
            let at_first = filters || pictured.inclusive(at) >= least || is_on_way[at as usize];
            at_first != turned[at as usize]
        };
        let mut rows = Self { matches, ..Self::default() };
        let in_order = |list: &[u32]| {
            let mut list = list.iter().copied().filter(|at| kept[*at as usize]).collect::<Vec<_>>();
            put_in_order(pictured, &mut list, asked.by);
            // The last one is taken first.
            list.reverse();
            list
        };
        let mut open = in_order(&pictured.shown.roots);
        while let Some(at) = open.pop() {
            let children = &pictured.shown.children[at as usize];
            let has_some = children.iter().any(|child| kept[*child as usize]);
            let shows = is_open(at);
            rows.nodes.push(at);
            rows.open.push(has_some.then_some(shows));
            if has_some && shows {
                open.append(&mut in_order(children));
            }
        }
        rows
    }
}

fn put_in_order(pictured: &Pictured, nodes: &mut [u32], by: By) {
    let total = pictured.overview.total();
    let own = |at: &u32| &pictured.overview.whole.nodes[*at as usize];
    if by == By::Name {
        order::by(nodes, |a, b| own(a).name.cmp(&own(b).name).then(own(a).line.cmp(&own(b).line)));
        return;
    }
    let count = |at: &u32, sampled: bool| {
        if own(at).kind.is_sampled() == sampled { total.counts[*at as usize] } else { -1.0 }
    };
    let value = |at: &u32| match by {
        By::Exclusive if own(at).kind != NodeKind::Summary => pictured.exclusive(*at),
        By::Calls => count(at, false),
        By::Samples => count(at, true),
        By::Rate => ratios(pictured, *at, Share::Inclusive)[0].unwrap_or(-1.0),
        By::Misses => ratios(pictured, *at, Share::Inclusive)[1].unwrap_or(-1.0),
        By::Imbalance => pictured.overview.spread[1]
            .balance(*at as usize)
            .map_or(-1.0, |balance| 1.0 / balance.max(f64::MIN_POSITIVE)),
        By::Inclusive | By::Exclusive | By::Name => pictured.inclusive(*at),
    };
    order::by_number(nodes, |at| order::of_float(-value(at)));
}

/// Heads of the figures, as keys of [`By`] and their words.
pub fn heads(pictured: &Pictured) -> Vec<(&'static str, String)> {
    let unit = pictured.written().unit;
    let with = |words: &str| format!("{words} {unit}").trim_end().to_owned();
    let mut heads = vec![
        ("inclusive", with("incl.")),
        ("exclusive", with("excl.")),
        ("exclusive", "excl. %".to_owned()),
        ("calls", "calls".to_owned()),
        ("samples", "samples".to_owned()),
    ];
    let (instructions, misses) = ratio_metrics(pictured);
    if instructions.is_some() && pictured.overview.whole.time().is_some() {
        heads.push(("rate", "MIPS".to_owned()));
    }
    if let Some(misses) = misses.filter(|_| instructions.is_some()) {
        let name = short(&pictured.overview.whole.metrics[misses].name);
        heads.push(("misses", format!("{} / 1000", name.trim_end_matches(" misses"))));
    }
    heads
}

/// The rows of some places, printed.
#[inline(never)]
pub fn rows(
    pictured: &Pictured,
    rows: &Rows,
    share: Share,
    places: std::ops::Range<usize>,
) -> Vec<ProfileRow> {
    let end = places.end.min(rows.nodes.len());
    let heads = heads(pictured);
    let print = |place: usize| print(pictured, rows.nodes[place], rows.open[place], share, &heads);
    (places.start.min(end)..end).map(print).collect()
}

fn print(
    pictured: &Pictured,
    at: u32,
    open: Option<bool>,
    share: Share,
    heads: &[(&str, String)],
) -> ProfileRow {
    let overview = &pictured.overview;
    let (total, node) = (overview.total(), &overview.whole.nodes[at as usize]);
    let threads = overview.threads_meant().max(1) as f64;
    let written = pictured.written();
    let is_sampled = node.kind.is_sampled();
    let value = |share: Share| {
        let value = total.value(&pictured.measure, share, at as usize);
        value.map(|value| {
            if matches!(pictured.measure, Measure::Metric(_)) { value / threads } else { value }
        })
    };
    let figure = |share: Share| Figure::of(value(share), |value| written.number(value));
    let [mut inclusive, mut exclusive] = [figure(Share::Inclusive), figure(Share::Exclusive)];
    let is_metric = matches!(pictured.measure, Measure::Metric(_));
    if let Some([low, high]) = between(pictured, at).filter(|_| is_metric) {
        let within = format!("±{}", written.number((high - low) / 2.0 / threads));
        match node.kind.is_leaf() {
            true => exclusive.within = within,
            false => inclusive.within = within,
        }
    }
    // A summary has nothing of its own that its lines have not.
    let is_grouping = node.kind == NodeKind::Summary;
    if is_grouping {
        exclusive = Figure::default();
    }
    let whole = pictured.whole().max(f64::MIN_POSITIVE);
    let own_share = (!is_grouping).then(|| 100.0 * pictured.exclusive(at) / whole);
    let count = |sampled: bool| match is_sampled == sampled {
        true => Figure::of(Some(total.counts[at as usize]), count_text),
        false => Figure::default(),
    };
    let mut figures = vec![
        inclusive,
        exclusive,
        Figure::of(own_share, |share| number(share, 1)),
        count(false),
        count(true),
    ];
    let [rate, misses] = ratios(pictured, at, Share::Inclusive);
    for (key, _) in heads {
        match *key {
            "rate" => figures.push(Figure::of(rate, |rate| number(rate, 0))),
            "misses" => figures.push(Figure::of(misses, |misses| significant(misses, 2))),
            _ => {}
        }
    }
    let file = node.file.rsplit('/').next().unwrap_or_default();
    let place = match (file, node.line) {
        ("", 0) => String::new(),
        ("", line) => format!("[{line}]"),
        (file, 0) => printable(file),
        (file, line) => format!("{}:{line}", printable(file)),
    };
    let name = match node.kind {
        NodeKind::Unresolved if node.name.is_empty() => "unresolved".to_owned(),
        _ => printable(&node.name),
    };
    ProfileRow {
        node: at,
        depth: pictured.shown.depths[at as usize],
        name,
        place,
        kind: node.kind.name(),
        open,
        figures,
        spread: spread(pictured, at, share),
        words: words(pictured, at, share),
    }
}

/// On a scale of 0 to twice the mean.
fn spread(pictured: &Pictured, at: u32, share: Share) -> Option<[f64; 3]> {
    let spread = &pictured.overview.spread[usize::from(share == Share::Inclusive)];
    let [least, mean, largest] =
        [&spread.least, &spread.mean, &spread.largest].map(|column| column[at as usize]);
    let is_told = mean > 0.0 && pictured.overview.threads_meant() > 1;
    is_told.then(|| [least, mean, largest].map(|value| (value / (2.0 * mean)).clamp(0.0, 1.0)))
}

/// What stands behind the marks of a row.
fn words(pictured: &Pictured, at: u32, share: Share) -> String {
    let overview = &pictured.overview;
    let node = &overview.whole.nodes[at as usize];
    let evidence = match node.kind {
        NodeKind::Probe => "measured by a probe",
        NodeKind::Part => "calls with one value or from one site, told once more",
        NodeKind::Unwind => "a call on the way to samples",
        NodeKind::Summary => "sampled lines of one routine",
        NodeKind::Sample | NodeKind::Context => "estimated by samples",
        NodeKind::Unresolved => "samples of which the routine is not known",
    };
    let name = share_words(share);
    let spread = &overview.spread[usize::from(share == Share::Inclusive)];
    let [least, mean, largest] =
        [&spread.least, &spread.mean, &spread.largest].map(|column| column[at as usize]);
    let over = if overview.threads_meant() > 1 && mean.is_finite() {
        let written = pictured.written();
        let [least, mean, largest] = [least, mean, largest].map(|value| written.text(value));
        let met = overview.met[at as usize];
        format!(
            "; {name} over {} threads: least {least}, mean {mean}, largest {largest}; {} met it",
            overview.threads.len(),
            number(met, 0)
        )
    } else {
        String::new()
    };
    format!("{}: {evidence}{over}", printable(&node.name))
}

fn share_words(share: Share) -> &'static str {
    if share == Share::Exclusive { "exclusive" } else { "inclusive" }
}
