//! Runs beside a reference: how efficiently each uses its threads, in words and printed numbers.

use serde::Serialize;

use super::Figure;
use super::efficiency::{
    COMMUNICATION, EfficiencyLine, GLOBAL, PartLine, adding_up, definition, line, replayed,
};
use crate::glance::{
    Column, CorePart, FACTORS, Measure, RunUse, Scales, Scaling, ScalingAsked, ThreadUse, columns,
    core_parts, has_ranks,
};
use crate::paint::hue_of_part;
use crate::quantity::{core_time_unit, count, duration, number, percent, significant};

/// The table of several runs, and what stands beside it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ScalingSummary {
    /// What the names of all runs begin with.
    pub title: String,
    /// Each a value and what it is of: `5`, `runs`.
    pub facts: Vec<(String, String)>,
    /// What is left of the ideal: a bold begin, and the rest; or why nobody can tell.
    pub sentence: (String, String),
    /// How many ranks and threads the run of each column has, and its name.
    pub heads: Vec<(String, String)>,
    pub lines: Vec<EfficiencyLine>,
    /// Where the time of all threads goes: lines that add up to the last one.
    pub parts: Vec<PartLine>,
    /// The unit of their times.
    pub unit: String,
    /// What is missing, and why, and what is odd: sentences.
    pub remarks: Vec<String>,
    /// Whether every run has a loop, so that its passes can be looked at.
    pub has_loops: bool,
}

/// All of it, of runs in the order of their columns.
pub fn scaling(runs: &[RunUse], asked: &ScalingAsked) -> ScalingSummary {
    let is_of_ranks = has_ranks(runs);
    let width_of = |own: &ThreadUse| own.width(is_of_ranks);
    let heads = runs.iter().map(|run| {
        let width = asked.looked_at(run).map_or_else(String::new, width_of);
        (width, run.name.clone())
    });
    let mut summary = ScalingSummary {
        title: title(runs),
        heads: heads.collect(),
        remarks: remarks(runs, asked),
        has_loops: runs.iter().all(|run| run.of_loop.is_some()),
        ..ScalingSummary::default()
    };
    let Some(reference) = asked.reference_of(runs) else {
        let name = runs.get(asked.reference as usize).map_or("", |run| &*run.name);
        let bold = format!("Nobody can tell how {name} uses its threads.");
        summary.sentence = (bold, "Choose another run as the reference.".to_owned());
        return summary;
    };
    let columns = columns(runs, asked);
    let picked = columns.get(asked.picked as usize).and_then(Option::as_ref);
    summary.facts = facts(&columns, reference, asked, picked, is_of_ranks);
    let told = picked.map(|(own, beside)| sentence(own, beside, &width_of(own)));
    summary.sentence = told.unwrap_or_default();
    summary.lines = lines(&columns, reference, picked);
    (summary.parts, summary.unit) = parts(&columns, reference, asked.scales);
    summary
}

/// What names have in common at their begin, to the last letter; `Runs` where that is nearly nothing.
fn title(runs: &[RunUse]) -> String {
    let mut names = runs.iter().map(|run| run.name.as_str());
    let first = names.next().unwrap_or("");
    let common = names.fold(first, |common, name| {
        let alike = common.chars().zip(name.chars()).take_while(|(a, b)| a == b);
        &common[..alike.map(|(letter, _)| letter.len_utf8()).sum()]
    });
    let common = common.trim_end_matches(|letter: char| !letter.is_alphabetic());
    if common.chars().count() < LEAST_TITLE { "Runs".to_owned() } else { common.to_owned() }
}

/// Letters that are more than an accident.
const LEAST_TITLE: usize = 3;

fn facts(
    columns: &[Column<'_>],
    reference: &ThreadUse,
    asked: &ScalingAsked,
    picked: Option<&(&ThreadUse, Scaling)>,
    is_of_ranks: bool,
) -> Vec<(String, String)> {
    let threads = || columns.iter().flatten().map(|(own, _)| own.threads);
    let (least, most) = (threads().min().unwrap_or(0), threads().max().unwrap_or(0));
    let widths = if least == most { count(most.into()) } else { format!("{least} to {most}") };
    let are_ranks =
        is_of_ranks && columns.iter().flatten().all(|(own, _)| own.tasks == own.threads);
    let scales = match asked.scales {
        Scales::Strong => "strong",
        Scales::Weak => "weak",
    };
    let fact = |value: String, of: String| (value, of);
    let mut facts = vec![
        fact(columns.len().to_string(), "runs".to_owned()),
        fact(widths, if are_ranks { "ranks" } else { "threads" }.to_owned()),
        fact(scales.to_owned(), format!("scaling against {}", reference.width(is_of_ranks))),
    ];
    if let Some((own, beside)) = picked {
        let ideal = f64::from(own.threads) / f64::from(reference.threads);
        facts.push(fact(
            number(beside.speedup, 2),
            format!("speedup, of {}", number(ideal, if ideal.fract() == 0.0 { 0 } else { 2 })),
        ));
    }
    facts
}

/// What is told of a loss: from one per cent on.
const LEAST: f64 = 0.01;

fn sentence(own: &ThreadUse, beside: &Scaling, width: &str) -> (String, String) {
    let global = percent(beside.global, 1);
    let bold = format!("{global} of the ideal is reached on {width}.");
    let computing = match (beside.instructions, beside.ipc, beside.frequency) {
        (Some(instructions), Some(ipc), Some(frequency)) => vec![
            (["more instructions", "fewer instructions"], instructions),
            (["lower IPC", "higher IPC"], ipc),
            (["lower frequency", "higher frequency"], frequency),
        ],
        _ => vec![(["longer computing", "shorter computing"], beside.computation)],
    };
    let mut factors = computing;
    factors.push((["load imbalance", ""], own.load_balance()));
    factors.push((["communication", ""], own.communication()));
    factors.sort_by(|a, b| a.1.total_cmp(&b.1));
    let lost = factors.iter().filter(|(_, factor)| 1.0 - factor >= LEAST);
    let lost = lost.map(|([name, _], factor)| format!("{name} {}", percent(1.0 - factor, 0)));
    let won = factors.iter().rev().filter(|(_, factor)| factor - 1.0 >= LEAST);
    let won = won.map(|([_, name], factor)| format!("{name}, \u{d7} {}", number(*factor, 2)));
    let (lost, won) = (lost.collect::<Vec<_>>(), won.collect::<Vec<_>>());
    let mut rest = match lost.is_empty() {
        true => "No factor takes a per cent".to_owned(),
        false => format!("It is lost by {}", lost.join(", ")),
    };
    if !won.is_empty() {
        rest += &format!("; won by {}", won.join("; "));
    }
    (bold, rest + ".")
}

/// What is no share and still stands in the table. What it is made of is in the tables that are saved.
const TOLD: [&str; 4] = ["runtime_ns", "speedup", "ipc", "frequency_ghz"];

fn lines(
    columns: &[Column<'_>],
    reference: &ThreadUse,
    picked: Option<&(&ThreadUse, Scaling)>,
) -> Vec<EfficiencyLine> {
    let mut lines = Vec::new();
    for factor in FACTORS {
        let values = columns.iter().map(|column| {
            let (own, beside) = column.as_ref()?;
            factor.value(own, Some(beside))
        });
        let values = values.collect::<Vec<_>>();
        let is_share = factor.measure == Measure::Share;
        let is_always = is_share && (factor.depth > 0 || factor.key == GLOBAL);
        let is_there = values.iter().any(Option::is_some);
        if !(is_always || is_there && (is_share || TOLD.contains(&factor.key))) {
            continue;
        }
        let mut words = vec![definition(factor.key).to_owned()];
        words.extend(picked.and_then(|(own, _)| made_of(factor.key, own, reference)));
        let depth = factor.depth as u32;
        lines.push(line((factor.key, factor.name), depth, factor.measure, &values, words));
        if factor.key == COMMUNICATION {
            lines.extend(replayed(depth + 1, columns.len()));
        }
    }
    lines
}

/// The numbers of a run, and of its reference, that a factor is made of.
fn made_of(key: &str, own: &ThreadUse, reference: &ThreadUse) -> Option<String> {
    let (mean, longest) = (duration(own.mean_useful_ns()), duration(own.longest_ns as f64));
    let all = duration(own.runtime_ns as f64);
    let beside = |of: [Option<String>; 2]| {
        let [there, here] = of;
        Some(format!("In the reference {}, here {}.", there?, here?))
    };
    match key {
        "parallel_efficiency" => Some(format!("A thread computes {mean} of {all}, on average.")),
        "load_balance" => {
            Some(format!("A thread computes {mean} on average; the one with most {longest}."))
        }
        COMMUNICATION => Some(format!("The thread with most computes {longest} of {all}.")),
        "computation_scalability" => {
            beside([reference, own].map(|of| Some(duration(of.useful_ns as f64))))
        }
        "instruction_scalability" => {
            beside([reference, own].map(|of| of.instructions().map(|events| count(events as f64))))
        }
        "ipc_scalability" => beside([reference, own].map(|of| of.ipc().map(|ipc| number(ipc, 2)))),
        "frequency_scalability" => beside(
            [reference, own]
                .map(|of| of.frequency_ghz().map(|ghz| format!("{} GHz", number(ghz, 2)))),
        ),
        _ => None,
    }
}

/// What the time of all threads of each run is made of, and its unit. What is printed adds up, too.
fn parts(columns: &[Column<'_>], reference: &ThreadUse, scales: Scales) -> (Vec<PartLine>, String) {
    let most = columns.iter().flatten().map(|(own, _)| own.all_ns()).fold(0.0, f64::max);
    let (unit, scale) = core_time_unit(most);
    let columns = columns.iter().map(|column| {
        let (own, _) = column.as_ref()?;
        let parts = core_parts(own, reference, scales);
        let values = parts.iter().map(|(_, ns)| *ns).chain([own.all_ns()]);
        let shares = values.clone().map(|ns| 100.0 * ns / own.all_ns().max(1.0));
        let printed = adding_up(values.map(|ns| ns / scale).collect(), 4);
        let shares = adding_up(shares.collect(), 4);
        Some((parts, printed, shares))
    });
    let columns = columns.collect::<Vec<_>>();
    let is_there = |part: &CorePart| {
        columns.iter().flatten().any(|(parts, ..)| parts.iter().any(|(own, _)| own == part))
    };
    let rows = CorePart::ALL.into_iter().filter(is_there).map(Some).chain([None]);
    let none = || Figure::of(None, |_| String::new());
    let lines = rows.map(|part| {
        let mut line = PartLine {
            name: part.map_or("all", CorePart::name).to_owned(),
            hue: part.and_then(hue_of_part).map(|hue| hue as u32),
            ..PartLine::default()
        };
        for column in &columns {
            let at = column.as_ref().and_then(|(parts, ..)| match part {
                Some(part) => parts.iter().position(|(own, _)| *own == part),
                None => Some(parts.len()),
            });
            let both = column.as_ref().zip(at);
            let of = both.and_then(|((_, printed, shares), at)| {
                Some((printed.get(at)?.clone(), shares.get(at)?.clone()))
            });
            let (figure, share) = of.unwrap_or_else(|| (none(), none()));
            line.figures.push(figure);
            line.shares.push(share);
        }
        line
    });
    (lines.collect(), unit.to_owned())
}

/// Runs of one input do as much: of those of EPOCH on 1 to 16 ranks none has a tenth more instructions than
/// the first.
const OTHER_WORK: f64 = 1.5;

/// Work grows as the threads do where it is within so much of that.
const GROWS: f64 = 1.25;

fn remarks(runs: &[RunUse], asked: &ScalingAsked) -> Vec<String> {
    let own = runs
        .iter()
        .flat_map(|run| run.remarks.iter().map(|remark| format!("{}: {remark}", run.name)));
    let mut remarks = own.collect::<Vec<_>>();
    let Some(reference) = asked.reference_of(runs) else { return remarks };
    for run in runs {
        let Some(own) = asked.looked_at(run) else { continue };
        let (Some(events), Some(before)) = (own.instructions(), reference.instructions()) else {
            continue;
        };
        let times = events as f64 / before as f64 / own.work_beside(reference, asked.scales);
        let threads = f64::from(own.threads) / f64::from(reference.threads);
        let is_alike = |times: f64, most: f64| (1.0 / most..=most).contains(&times);
        if is_alike(times, OTHER_WORK) {
            continue;
        }
        let grows = asked.scales == Scales::Strong && is_alike(times / threads, GROWS);
        remarks.push(match grows {
            true => format!(
                "{}: {} times the instructions on {} times the threads: is the scaling weak?",
                run.name,
                significant(times, 2),
                significant(threads, 2)
            ),
            false => format!(
                "{}: {} times the instructions that are expected beside the reference: is it of \
                 another input?",
                run.name,
                significant(times, 2)
            ),
        });
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glance::Total;
    use crate::quantity::NONE;

    /// Threads that compute alike, at 2 GHz: ns of the run, ns computed of each, instructions of all.
    fn run(threads: u32, [runtime_ns, each_ns, instructions]: [u64; 3]) -> RunUse {
        let useful_ns = each_ns * u64::from(threads);
        let total = |events| Total { events, read_ns: useful_ns };
        let of_run = ThreadUse {
            runtime_ns,
            tasks: threads,
            threads,
            useful_ns,
            longest_ns: each_ns,
            of_threads_ns: vec![],
            instructions: total(instructions),
            cycles: total(2 * useful_ns),
            openmp: None,
            others: 0,
        };
        RunUse { name: format!("on {threads}"), of_run: Some(of_run), ..RunUse::default() }
    }

    /// On four ranks a fifth of the time is communication, and there are a tenth more instructions, at another
    /// IPC: 1 and 0.88.
    fn two() -> [RunUse; 2] {
        [run(1, [1_000_000, 1_000_000, 2_000_000]), run(4, [390_625, 312_500, 2_200_000])]
    }

    fn texts(figures: &[Figure]) -> Vec<&str> {
        figures.iter().map(|figure| figure.text.as_str()).collect()
    }

    fn asked() -> ScalingAsked {
        ScalingAsked { picked: 1, ..ScalingAsked::default() }
    }

    #[test]
    fn the_table_has_a_column_of_each_run_and_its_products_hold() {
        let told = scaling(&two(), &asked());
        assert_eq!(told.heads[1], ("4 ranks".to_owned(), "on 4".to_owned()));
        let row = |key: &str| {
            texts(&told.lines.iter().find(|line| line.key == key).unwrap().figures).join(" ")
        };
        // 1000 µs of useful time, then 1250: 0.8; 0.8 of the time is computed.
        assert_eq!(row("global_efficiency"), "100.0 64.0");
        assert_eq!(row("parallel_efficiency"), "100.0 80.0");
        assert_eq!(row("computation_scalability"), "100.0 80.0");
        assert_eq!(row("instruction_scalability"), "100.0 90.9");
        assert_eq!(row("ipc_scalability"), "100.0 88.0");
        assert_eq!(row("frequency_scalability"), "100.0 100.0");
        assert_eq!(row("speedup"), "1.00 2.56");
        assert_eq!(row("transfer"), format!("{NONE} {NONE}"));
        assert_eq!(told.remarks, Vec::<String>::new());
    }

    #[test]
    fn what_is_lost_is_told_the_largest_first_and_what_is_won_after_it() {
        let told = scaling(&two(), &asked());
        assert_eq!(told.sentence.0, "64.0\u{202f}% of the ideal is reached on 4 ranks.");
        let lost = "It is lost by communication 20\u{202f}%, lower IPC 12\u{202f}%, more instructions \
                    9\u{202f}%.";
        assert_eq!(told.sentence.1, lost);
        // The other way round nothing is lost but what the reference lost too.
        let back = scaling(&two(), &ScalingAsked { reference: 1, picked: 0, ..asked() });
        assert_eq!(back.sentence.0, "125.0\u{202f}% of the ideal is reached on 1 rank.");
        let won = "No factor takes a per cent; won by higher IPC, \u{d7} 1.14; fewer instructions, \
                   \u{d7} 1.10.";
        assert_eq!(back.sentence.1, won);
        let facts = told.facts.iter().map(|(value, of)| format!("{value} {of}"));
        let expected =
            ["2 runs", "1 to 4 ranks", "strong scaling against 1 rank", "2.56 speedup, of 4"];
        assert_eq!(facts.collect::<Vec<_>>(), expected);
        assert_eq!(told.title, "Runs");
        let named = ["epoch_2.prv", "epoch_16.prv"]
            .map(|name| RunUse { name: name.to_owned(), ..RunUse::default() });
        assert_eq!(title(&named), "epoch");
        assert_eq!(title(&[]), "Runs");
    }

    #[test]
    fn what_is_printed_of_the_core_seconds_adds_up_in_each_column() {
        let told = scaling(&two(), &asked());
        let names = told.parts.iter().map(|part| &*part.name).collect::<Vec<_>>();
        let expected = [
            "the reference\u{2019}s work",
            "more instructions",
            "lower IPC",
            "lower frequency",
            "load imbalance",
            "communication",
            "all",
        ];
        assert_eq!((names, &*told.unit), (expected.to_vec(), "ms"));
        let column = |at: usize| {
            told.parts.iter().map(|part| part.figures[at].text.clone()).collect::<Vec<_>>()
        };
        // A sum is rounded, and each part ends where the sum up to it does.
        assert_eq!(column(1), ["1.000", "0.100", "0.150", "0.000", "0.000", "0.313", "1.563"]);
        assert_eq!(column(0)[0], "1.000");
    }

    #[test]
    fn other_inputs_and_weak_scaling_are_asked_about() {
        let weak = [run(1, [1000, 900, 2000]), run(4, [1000, 900, 8000])];
        let told = scaling(&weak, &asked()).remarks;
        assert_eq!(
            told,
            ["on 4: 4.0 times the instructions on 4.0 times the threads: is the scaling weak?"]
        );
        let as_weak = ScalingAsked { scales: Scales::Weak, ..asked() };
        let told = scaling(&weak, &as_weak);
        assert_eq!(told.remarks, Vec::<String>::new());
        assert_eq!(told.sentence.0, "90.0\u{202f}% of the ideal is reached on 4 ranks.");
        let other = [run(4, [1000, 900, 2000]), run(4, [3000, 2900, 6000])];
        let told = scaling(&other, &asked()).remarks;
        assert!(told[0].ends_with("is it of another input?"), "{told:?}");
    }

    #[test]
    fn a_run_of_which_nothing_is_known_has_dashes_and_is_no_reference() {
        let [known, _] = two();
        let why = "No efficiencies: nothing tells when threads compute.".to_owned();
        let silent = RunUse { name: "silent".to_owned(), remarks: vec![why], ..RunUse::default() };
        let told = scaling(&[known.clone(), silent.clone()], &asked());
        let figures = &told.lines.iter().find(|line| line.key == "load_balance").unwrap().figures;
        assert_eq!(texts(figures), ["100.0", NONE]);
        assert_eq!(told.sentence, (String::new(), String::new()));
        assert!(told.remarks[0].starts_with("silent: No efficiencies"));
        let none = scaling(&[known, silent], &ScalingAsked { reference: 1, ..asked() });
        assert_eq!(none.lines.len(), 0);
        assert!(none.sentence.0.contains("how silent uses its threads"), "{:?}", none.sentence);
        assert_eq!(scaling(&[], &asked()).lines.len(), 0);
    }
}
