//! What a comparison found, in sentences: of verdicts alone, and never why.

use super::clusters::ClusterRow;
use super::comparison::{Comparison, PhaseRow, Row, StructureRow, Verdict};
use super::effects::Between;
use super::objects::ObjectRow;
use super::series::Series;
use super::structure::Kind;
use crate::order;
use crate::quantity::{change as percent, printable, short};

/// At most so many phases are told of, those first of which most time is won or lost.
const MOST: usize = 3;

/// What is told, and the index of the phase that it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    pub text: String,
    pub phase: Option<usize>,
}

/// Sentences, with intervals.
pub fn sentences(comparison: &Comparison, between: Between) -> Vec<String> {
    told(comparison, between).0.into_iter().map(|sentence| sentence.text).collect()
}

/// The same with their phases, and whether nothing differs at all.
pub fn told(comparison: &Comparison, between: Between) -> (Vec<Sentence>, bool) {
    let whole = |text: String| Sentence { text, phase: None };
    let changes = comparison.phases.iter().map(|phase| phase.row.change);
    let is_equal = changes.chain([comparison.total.change]).all(|change| change == 0.0);
    let is_equal = is_equal && comparison.parts.as_ref().is_none_or(|of| of.time.change == 0.0);
    let mut regions = comparison.regions.iter().flat_map(|of| &of.rows);
    let is_equal = is_equal && regions.all(|row| row.change_ms() == 0.0);
    let is_equal = is_equal && comparison.objects.iter().all(|of| of.shares[0] == of.shares[1]);
    let is_code_equal = comparison.lines.is_empty() && comparison.appeared.is_empty();
    if is_equal && comparison.structure.is_empty() && is_code_equal {
        return (vec![whole("The same result.".to_owned())], true);
    }
    let mut all = Vec::new();
    let is_change = |row: &Row| matches!(row.verdict, Verdict::Slower | Verdict::Faster);
    let phases = comparison.phases.iter().enumerate();
    let mut flagged = phases.filter(|(_, phase)| is_change(&phase.row)).collect::<Vec<_>>();
    order::by_number(&mut flagged, |(_, of)| !order::of_float((of.b_ms - of.a_ms).abs()));
    all.extend(
        flagged.iter().take(MOST).map(|(at, phase)| Sentence {
            text: of_phase(comparison, *at, phase),
            phase: Some(*at),
        }),
    );
    if flagged.len() > MOST {
        all.push(whole(format!("{} more phases take longer or shorter.", flagged.len() - MOST)));
    }
    if is_change(&comparison.total) {
        all.push(whole(format!(
            "All of it takes {}.",
            times(comparison.a_ms, comparison.b_ms, &comparison.total)
        )));
    }
    all.extend(comparison.structure.iter().map(of_structure).map(whole));
    all.extend(comparison.lines.iter().map(|moved| {
        let way = if moved.by > 0 { "down" } else { "up" };
        whole(format!("{} moved {} lines {way}.", moved.routine, moved.by.abs()))
    }));
    // That of a whole phase is told already.
    let is_of_phase = |routine: &String| {
        comparison.structure.iter().any(|row| {
            matches!(row.kind, Kind::Lost | Kind::New) && row.routine.as_ref() == Some(routine)
        })
    };
    all.extend(not_compared(comparison).map(whole));
    let routines = comparison.appeared.iter().filter(|of| !is_of_phase(&of.routine));
    all.extend(routines.take(MOST).map(|of| {
        let what = if of.is_new { "is new" } else { "is gone" };
        whole(format!("Routine {} {what}: {} ms.", of.routine, figures(of.ms)))
    }));
    let objects = comparison.objects.iter().filter_map(of_object);
    all.extend(objects.take(MOST).map(whole));
    all.extend(of_run(comparison).into_iter().map(whole));
    if flagged.is_empty() && !is_change(&comparison.total) {
        let [low, high] = comparison.total.interval.map(percent);
        all.push(whole(format!("No change of time seen; changes of all of it beyond {low}\u{2026}{high} % are ruled out.")));
    }
    if comparison.is_bent {
        let left_out = if comparison.pairs_left_out > 0 { NO_PAIRS } else { "" };
        all.push(whole(format!("{BENT}{left_out}")));
    }
    all.extend(one_run_each(comparison, between).map(whole));
    (all, false)
}

/// Why there is one phase.
const BENT: &str = "Rates bend and do not jump, so all of it is one phase; borders that you put (phases) are compared.";

/// What that means for pairs that are named by hand: their borders are those that segments put on a slope.
const NO_PAIRS: &str = " The pairs that you named are left out.";

/// Phases that no row is of.
fn not_compared(comparison: &Comparison) -> Option<String> {
    let named = comparison.not_compared.iter().map(|of| {
        let routine = of.routine.as_deref().unwrap_or("a phase");
        format!("{routine}, {} ms of A", figures(of.ms))
    });
    let named = named.collect::<Vec<_>>().join("; ");
    (!named.is_empty()).then(|| format!("Not in every run, so not compared: {named}."))
}

/// Whether it is assumed, not measured, how much runs of one program differ.
fn one_run_each(comparison: &Comparison, between: Between) -> Option<String> {
    let assumed = 100.0 * f64::max(between.clock, between.phase);
    let known = match assumed > 0.0 {
        true => format!("{assumed} % between runs is assumed, not measured"),
        false => "of other runs of the same programs nothing is said".to_owned(),
    };
    (comparison.runs == [1, 1]).then(|| format!("One run each: {known}."))
}

fn of_phase(comparison: &Comparison, at: usize, phase: &PhaseRow) -> String {
    let mut sentence =
        format!("{} takes {}", named(at, phase), times(phase.a_ms, phase.b_ms, &phase.row));
    for (_, ratio) in comparison.sure_ratios().filter(|(phase, _)| *phase == at) {
        let [low, high] = ratio.interval.map(percent);
        let change = percent(ratio.change);
        sentence +=
            &format!("; {} per instruction {change} % [{low}, {high}]", short(&ratio.counter));
    }
    sentence + "."
}

/// What of a data object changed beyond doubt: whether it is there, else what a load costs, else its share.
fn of_object(row: &ObjectRow) -> Option<String> {
    let [a, b] = row.shares.map(|share| figures(100.0 * share));
    let words = match (row.is_new(), row.costs, row.cost_change) {
        (Some(true), ..) if row.is_share_sure => format!("is new: {b} % of the references"),
        (Some(false), ..) if row.is_share_sure => format!("is gone: {a} % of the references"),
        (None, [Some(from), Some(to)], Some((change, within))) if row.is_cost_sure => {
            let [change, low, high] = [change, within[0], within[1]].map(percent);
            let [from, to] = [from, to].map(figures);
            format!("costs {from} \u{2192} {to} cycles a load, {change} % [{low}, {high}]")
        }
        (None, ..) if row.is_share_sure => {
            format!("has {a} \u{2192} {b} % of the references")
        }
        _ => return None,
    };
    Some(format!("Data object {} {words}.", printable(&row.name)))
}

/// What of the run changed beyond doubt: its time with the parts that did, clusters, and regions.
fn of_run(comparison: &Comparison) -> Vec<String> {
    let is_change = |verdict: Verdict| matches!(verdict, Verdict::Slower | Verdict::Faster);
    let mut all = vec![];
    if let Some(of) = &comparison.parts
        && is_change(of.time.verdict)
    {
        let [low, high] = of.time.interval.map(percent);
        let mut sentence = format!(
            "The run takes {} \u{2192} {} ms, {} % [{low}, {high}]",
            figures(of.time.a),
            figures(of.time.b),
            percent(of.time.change)
        );
        for part in of.parts.iter().filter(|part| is_change(part.verdict)) {
            let ms = format!("{:+.1}", part.ms).replace('-', "\u{2212}");
            let name = part.name.split(',').next().unwrap_or_default();
            sentence += &format!("; {name} {ms} ms");
        }
        all.push(sentence + ".");
    }
    let mut sure = comparison.clusters.iter().filter(|row| row.is_sure).collect::<Vec<_>>();
    let ms = |row: &ClusterRow| row.a.as_ref().map_or(0.0, |of| of.ms);
    order::by_number(&mut sure, |row| !order::of_float(ms(row)));
    for row in sure.into_iter().take(MOST) {
        let Some((a, b)) = row.a.as_ref().zip(row.b.as_ref()) else { continue };
        let (Some([change, low, high]), Some([from, _]), Some([to, _])) = (row.ipc, a.ipc, b.ipc)
        else {
            continue;
        };
        let [change, low, high] = [change, low, high].map(percent);
        all.push(format!(
            "{} has {:.2} \u{2192} {:.2} instructions per cycle, {change} % [{low}, {high}].",
            a.name,
            libm::exp(from),
            libm::exp(to)
        ));
    }
    let told = comparison.regions.iter().flat_map(|of| of.rows.iter().take(of.told));
    let sure = told.filter(|row| row.verdict.is_some_and(is_change));
    for (row, [change, low, high]) in sure.filter_map(|row| Some((row, row.change?))).take(MOST) {
        let ([a, b], [change, low, high]) = (row.ms.map(figures), [change, low, high].map(percent));
        all.push(format!(
            "Region {} takes {a} \u{2192} {b} ms a thread, {change} % [{low}, {high}].",
            row.name
        ));
    }
    all
}

/// What of a series is beyond doubt: how times follow the value, or which runs differ from the first.
pub fn series_sentences(series: &Series, key: &str) -> Vec<String> {
    let mut all = vec![];
    for (at, row) in series.rows.iter().enumerate() {
        let name = match (at, &row.routine) {
            (0, _) => "All of it".to_owned(),
            (_, Some(routine)) => format!("Phase {at} ({routine})"),
            _ => format!("Phase {at}"),
        };
        if let Some(of) = row.trend.as_ref().filter(|of| of.is_sure) {
            let [low, high] = of.interval.map(|end| minus(&format!("{end:.2}")));
            let exponent = minus(&format!("{:.2}", of.exponent));
            all.push(match of.is_power {
                true => format!("{name}: time \u{221d} {key}^{exponent} [{low}, {high}]."),
                false => format!("{name}: time \u{221d} exp({exponent} {key}) [{low}, {high}]."),
            });
        }
        let texts = &series.values.texts;
        for (text, of) in texts.iter().skip(1).zip(&row.beside) {
            if matches!(of.verdict, Verdict::Slower | Verdict::Faster) {
                let [low, high] = of.interval.map(percent);
                let change = percent(of.change);
                all.push(format!(
                    "{name}, {key} {text} beside {}: {change} % [{low}, {high}].",
                    texts[0]
                ));
            }
        }
    }
    if all.is_empty() {
        all.push(match series.values.numbers {
            Some(_) => format!("No time follows {key} beyond doubt."),
            None => "No run differs from the first beyond doubt.".to_owned(),
        });
    }
    all
}

fn minus(number: &str) -> String {
    number.replace('-', "\u{2212}")
}

impl PhaseRow {
    /// The routine that it is most in, and what that is called in B, if otherwise; empty of none.
    pub fn routines(&self) -> String {
        match (&self.routine, &self.routine_b) {
            (Some(a), Some(b)) if a != b => format!("{a} \u{2192} {b}"),
            (a, b) => a.clone().or_else(|| b.clone()).unwrap_or_default(),
        }
    }
}

impl Comparison {
    /// What became of a phase of both in B, in a word or two.
    pub fn became(&self, phase: &PhaseRow) -> Option<String> {
        let meets = |spans: &[[f64; 2]], own: [f64; 2]| {
            spans.iter().any(|span| span[0] < own[1] - NOTHING && span[1] > own[0] + NOTHING)
        };
        let mut notes = self.structure.iter();
        let note = notes.find(|note| meets(&note.a, phase.a) && meets(&note.b, phase.b))?;
        match note.kind {
            Kind::Split => Some(format!("split in {}", note.b.len())),
            Kind::Merged => Some(format!("{} in one", note.a.len())),
            _ => None,
        }
    }
}

/// Folded times that differ by less are the same.
const NOTHING: f64 = 1e-9;

/// By its number, and by its routine where that is known.
fn named(at: usize, phase: &PhaseRow) -> String {
    match &phase.routine {
        Some(routine) => format!("Phase {} ({routine})", at + 1),
        None => format!("Phase {}", at + 1),
    }
}

fn times(a_ms: f64, b_ms: f64, row: &Row) -> String {
    let [low, high] = row.interval.map(percent);
    format!(
        "{} \u{2192} {} ms, {} % [{low}, {high}]",
        figures(a_ms),
        figures(b_ms),
        percent(row.change)
    )
}

fn of_structure(row: &StructureRow) -> String {
    let name = row.routine.as_deref().unwrap_or("A phase");
    match row.kind {
        Kind::Split => format!("{name} is {} phases now.", row.b.len()),
        Kind::Merged => format!("{} phases are one now, {name}.", row.a.len()),
        Kind::Reordered => format!("{name} comes at another place."),
        Kind::Lost => format!("{name} is gone."),
        Kind::New => format!("{name} is new."),
    }
}

/// Three figures of a time.
fn figures(ms: f64) -> String {
    let before = libm::floor(libm::log10(ms.abs().max(1e-9))) as i32 + 1;
    let digits = (3 - before).clamp(0, 9) as usize;
    format!("{ms:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Appeared;

    #[test]
    fn a_routine_of_a_phase_that_is_new_is_told_once() {
        let structure = |routine: &str| StructureRow {
            kind: Kind::New,
            routine: Some(routine.to_owned()),
            a: vec![],
            b: vec![[0.1, 0.4]],
        };
        let routine = |routine: &str| Appeared {
            routine: routine.to_owned(),
            is_new: true,
            ms: 12.0,
            p: 1e-9,
        };
        let comparison = Comparison {
            structure: vec![structure("scale")],
            appeared: vec![routine("scale"), routine("check")],
            ..Comparison::default()
        };
        let told = sentences(&comparison, Between::default());
        assert_eq!(told[..2], ["scale is new.", "Routine check is new: 12.0 ms."]);
    }

    #[test]
    fn of_data_objects_what_changed_beyond_doubt_is_told() {
        let object = |name: &str, bytes, shares, is_share_sure, is_cost_sure| ObjectRow {
            name: name.to_owned(),
            bytes,
            shares,
            costs: [Some(240.0), Some(58.0)],
            cost_change: Some((-0.76, [-0.78, -0.73])),
            is_share_sure,
            is_cost_sure,
            ..ObjectRow::default()
        };
        let both = [Some(4096); 2];
        let comparison = Comparison {
            objects: vec![
                object("x", both, [0.4, 0.4], false, true),
                object("quiet", both, [0.3, 0.35], false, false),
                object("new", [None, Some(64)], [0.0, 0.2], true, false),
                object("less", both, [0.3, 0.05], true, false),
            ],
            ..Comparison::default()
        };
        let told = sentences(&comparison, Between::default());
        assert_eq!(
            told[..3],
            [
                "Data object x costs 240 \u{2192} 58.0 cycles a load, \u{2212}76 % [\u{2212}78, \u{2212}73].",
                "Data object new is new: 20.0 % of the references.",
                "Data object less has 30.0 \u{2192} 5.00 % of the references.",
            ]
        );
    }

    #[test]
    fn numbers_are_whole_from_ten_on_and_have_their_sign() {
        assert_eq!([0.1, 0.0996, -0.25, 0.049].map(percent), ["+10", "+10", "\u{2212}25", "+4.9"]);
        assert_eq!([14.32, 0.98765, 1234.5].map(figures), ["14.3", "0.988", "1234"]);
    }
}
