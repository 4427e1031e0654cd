//! A made-up program of MPI with five kinds of bursts, of which every burst, pass and curve is known.

use std::collections::BTreeMap;

use serde_json::Value;
use tracefold::export::{Format, export};
use tracefold::folding::RegionKind;
use tracefold::pipeline;
use tracefold::run::{self, Burst};
use tracefold::trace::Trace;
use tracefold_generate::{Options, Shape, generate_with};

use crate::traces::{fold, open, settings};

const SEEDS: std::ops::Range<u64> = 0..4;
const RANKS: [u32; 4] = [1, 2, 5, 8];
const COUNTERS: [&str; 3] = ["PAPI_TOT_INS", "PAPI_TOT_CYC", "PAPI_L2_DCM"];

/// A burst as the truth has it.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    cluster: String,
    task: u64,
    begin_ns: u64,
    end_ns: u64,
    /// Of each of [`COUNTERS`].
    counts: Vec<u64>,
}

fn made(seed: u64, options: &Options) -> (Trace, Value) {
    let made = generate_with(Shape::Spmd, seed, options);
    let trace = open(&[("a.prv", &made.prv), ("a.pcf", &made.pcf), ("a.row", &made.row)]);
    (trace, serde_json::from_str(&made.truth).unwrap())
}

fn known(truth: &Value) -> Vec<Known> {
    let number = |value: &Value| value.as_u64().unwrap();
    let row = |row: &Value| Known {
        cluster: row[0].as_str().unwrap().to_owned(),
        task: number(&row[1]),
        begin_ns: number(&row[3]),
        end_ns: number(&row[3]) + number(&row[4]),
        counts: (6..9).map(|column| number(&row[column])).collect(),
    };
    truth["instances"].as_array().unwrap().iter().map(row).collect()
}

/// What each of [`COUNTERS`] counted in a burst, by its readings.
fn counted(trace: &Trace, burst: &Burst) -> Vec<u64> {
    let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
    for (counter, events) in burst.counted(trace) {
        *sums.entry(&trace.types[counter as usize].name).or_default() += events;
    }
    COUNTERS.map(|name| sums[name]).to_vec()
}

#[test]
fn bursts_and_what_they_count_are_those_of_the_truth() {
    for (seed, ranks) in SEEDS.zip(RANKS) {
        for period in [None, Some(0.31)] {
            let options = Options { threads: Some(ranks), period, ..Options::default() };
            let (trace, truth) = made(seed, &options);
            assert_eq!(trace.notices.iter().count(), 0, "{:?}", trace.notices);
            let found = run::bursts(&trace);
            let known = known(&truth);
            assert_eq!(found.len(), known.len());
            assert_eq!(found.len(), ranks as usize * (1 + 5 * 40));
            for (burst, known) in found.iter().zip(&known) {
                let object = trace.threads[burst.thread as usize].object;
                let place = (u64::from(object.task), burst.begin_ns, burst.end_ns);
                assert_eq!(place, (known.task, known.begin_ns, known.end_ns), "{seed} {ranks}");
                assert_eq!(counted(&trace, burst), known.counts, "{seed} {ranks} {known:?}");
            }
        }
    }
}

/// Nothing says where the last pass ends but the call behind it: it may be told to be shorter.
#[test]
fn passes_of_the_loop_are_those_of_the_truth_on_every_rank() {
    for seed in SEEDS {
        for ranks in RANKS {
            let options = Options { threads: Some(ranks), ..Options::default() };
            let (trace, truth) = made(seed, &options);
            let found = run::repeats(&trace).expect("it repeats");
            let level = &found.levels[0];
            assert_eq!((level.agreement, level.sites, level.inner), (1.0, 5, false));
            assert_eq!(found.name(level), "Iteration: from MPI_Sendrecv · 41 (halo.c)");
            assert_eq!(level.ranks.len(), ranks as usize);
            for rank in &level.ranks {
                let (thread, _) = found.sites.calls[rank.rank as usize];
                let object = trace.threads[thread as usize].object.to_string();
                let known: Vec<(u64, u64)> =
                    serde_json::from_value(truth["passes"][&object].clone()).unwrap();
                let (found_last, found) = rank.instances_ns.split_last().unwrap();
                let (last, known) = known.split_last().unwrap();
                assert_eq!(found, known, "{seed} {ranks} {object}");
                assert!(rank.last_is_estimated && found_last.0 == last.0);
                let short_ns = last.1 - found_last.1;
                assert!(short_ns < (last.1 - last.0) / 50, "{seed} {ranks} {object}: {short_ns}");
            }
        }
    }
}

/// In the plane of ln instructions and ln IPC.
fn place(burst: &Known) -> [f64; 2] {
    let [instructions, cycles] = [0, 1].map(|at| burst.counts[at] as f64);
    [libm::log(instructions), libm::log(instructions / cycles)]
}

fn apart(a: &Known, b: &Known) -> f64 {
    let [[x, y], [u, v]] = [place(a), place(b)];
    libm::hypot(x - u, y - v)
}

#[test]
fn clusters_are_apart_by_far_more_than_their_bursts_and_rank_by_their_time() {
    for seed in SEEDS {
        let bursts = known(&made(seed, &Options::default()).1);
        let cluster = |number: u32| {
            let name = format!("Cluster {number}");
            bursts.iter().filter(|burst| burst.cluster == name).collect::<Vec<_>>()
        };
        let clusters = (1..=5).map(cluster).collect::<Vec<_>>();
        let time =
            |of: &[&Known]| of.iter().map(|burst| burst.end_ns - burst.begin_ns).sum::<u64>();
        let times = clusters.iter().map(|of| time(of)).collect::<Vec<_>>();
        assert!(times.is_sorted_by(|a, b| a > b), "{times:?}");
        let alone = bursts.iter().filter(|burst| burst.cluster == "no cluster");
        assert!(time(&alone.collect::<Vec<_>>()) * 100 < times.iter().sum());
        for own in &clusters {
            assert_eq!(own.len(), 8 * 40);
            let others = bursts.iter().filter(|other| other.cluster != own[0].cluster);
            let far = others.flat_map(|other| own.iter().map(|burst| apart(burst, other)));
            assert!(far.fold(f64::MAX, f64::min) > 0.3, "{seed} {}", own[0].cluster);
            // From one burst to its nearest among those of less IPC there is no gap.
            let mut by_ipc = own.clone();
            by_ipc.sort_by(|a, b| place(a)[1].total_cmp(&place(b)[1]));
            let near = by_ipc.windows(2).all(|pair| place(pair[1])[1] - place(pair[0])[1] < 0.02);
            assert!(near, "{seed} {}", own[0].cluster);
        }
    }
}

#[test]
fn the_last_rank_is_slower_and_all_ranks_become_slower() {
    for seed in SEEDS {
        let (_, truth) = made(seed, &Options::default());
        let bursts = known(&truth);
        let mean = |task: u64, from: usize| {
            let own =
                bursts.iter().filter(|burst| burst.task == task && burst.cluster == "Cluster 1");
            let own = own.skip(from).take(10).map(|burst| (burst.end_ns - burst.begin_ns) as f64);
            own.sum::<f64>() / 10.0
        };
        assert!((mean(8, 0) / mean(3, 0) - 1.06).abs() < 0.01, "{seed}");
        assert!((mean(3, 30) / mean(3, 0) - 1.105 / 1.0135).abs() < 0.015, "{seed}");
    }
}

#[test]
fn samples_lie_on_the_curves_of_the_truth() {
    let options = Options { period: Some(0.31), ..Options::default() };
    for seed in SEEDS {
        let (trace, truth) = made(seed, &options);
        let known = known(&truth);
        let mut samples = BTreeMap::new();
        for (burst, known) in run::bursts(&trace).iter().zip(&known) {
            let clusters = truth["clusters"].as_array().unwrap();
            let is_it = |one: &&Value| known.cluster == format!("Cluster {}", one["cluster"]);
            let Some(cluster) = clusters.iter().find(is_it) else { continue };
            let thread = &trace.threads[burst.thread as usize];
            let mut sums = [0; 3];
            for moment in thread.moments_from(burst.first as usize) {
                if moment.time >= burst.end_ns {
                    break;
                }
                *samples.entry(known.cluster.clone()).or_insert(0) += 1;
                let x = (moment.time - burst.begin_ns) as f64 / burst.duration_ns() as f64;
                for (place, name) in COUNTERS.iter().enumerate() {
                    let is_it = |code: u32| trace.types[code as usize].name == *name;
                    let read = moment.events().find(|event| is_it(event.event_type));
                    sums[place] += read.expect("it is read at samples").value;
                    let y = sums[place] as f64 / known.counts[place] as f64;
                    let expected = share(cluster, name, x);
                    assert!((y - expected).abs() < 0.02, "{seed} {name} {x}: {y}, {expected}");
                }
            }
        }
        assert!(samples.values().sum::<u32>() > 800 && samples.len() == 5, "{samples:?}");
    }
}

/// Share of the events of a counter up to `x`.
fn share(cluster: &Value, counter: &str, x: f64) -> f64 {
    let numbers = |value: &Value| {
        value.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect::<Vec<_>>()
    };
    let borders = numbers(&cluster["borders"]);
    let rates = numbers(&cluster["rates_over_mean"][counter]);
    let part = |(border, rate): (&[f64], &f64)| rate * (x.min(border[1]) - border[0]).max(0.0);
    borders.windows(2).zip(&rates).map(part).sum()
}

#[test]
fn efficiencies_are_those_of_the_truth() {
    for (seed, ranks) in SEEDS.zip(RANKS) {
        let options = Options { threads: Some(ranks), ..Options::default() };
        let (trace, truth) = made(seed, &options);
        let found = run::efficiency(&trace).expect("it computes");
        let bursts = known(&truth);
        let sum = |of: &dyn Fn(&Known) -> u64| bursts.iter().map(of).sum::<u64>();
        let useful_ns = sum(&|burst| burst.end_ns - burst.begin_ns);
        assert_eq!((found.useful_ns, found.threads), (useful_ns, ranks));
        assert_eq!(found.instructions(), Some(sum(&|burst| burst.counts[0])));
        assert_eq!(found.cycles(), Some(sum(&|burst| burst.counts[1])));
        assert_eq!(Some(found.runtime_ns), truth["duration_ns"].as_u64());
        // Bursts run at 2 GHz, but for the rounding and the jitter of each.
        assert!((found.frequency_ghz().unwrap() - 2.0).abs() < 0.005);
        assert_eq!(found.sentences(), Vec::<String>::new());
    }
}

/// How alike two ways to tell things apart are: 1 if they are the same, 0 if by chance.
///
/// Source: Hubert and Arabie 1985, *Comparing partitions*, Journal of Classification 2.
fn adjusted_rand_index(pairs: &[(u32, u32)]) -> f64 {
    let pairs_of = |n: f64| n * (n - 1.0) / 2.0;
    let sum = |keys: Vec<(u32, u32)>| {
        let mut counts = BTreeMap::<_, f64>::new();
        keys.into_iter().for_each(|key| *counts.entry(key).or_default() += 1.0);
        counts.into_values().map(pairs_of).sum::<f64>()
    };
    let ones = pairs.iter().map(|pair| (pair.0, 0)).collect();
    let others = pairs.iter().map(|pair| (0, pair.1)).collect();
    let (both, one, other) = (sum(pairs.to_vec()), sum(ones), sum(others));
    let by_chance = one * other / pairs_of(pairs.len() as f64);
    (both - by_chance) / ((one + other) / 2.0 - by_chance)
}

#[test]
fn the_clusters_that_are_found_are_those_of_the_truth() {
    assert_eq!(adjusted_rand_index(&[(1, 4), (1, 4), (2, 7), (2, 7)]), 1.0);
    let crossed = adjusted_rand_index(&[(1, 1), (1, 2), (2, 1), (2, 2)]);
    assert!((crossed + 0.5).abs() < 1e-12, "{crossed}");
    for seed in 0..30 {
        for (period, ranks) in [(None, 2 + seed as u32 % 7), (Some(0.31), 4)] {
            let options = Options { threads: Some(ranks), period, ..Options::default() };
            let (trace, truth) = made(seed, &options);
            let bursts = run::bursts(&trace);
            let clusters = run::clusters(&trace, &bursts, run::EPS);
            let numbers = (0..).zip(known(&truth)).filter_map(|(at, burst)| {
                let number = burst.cluster.strip_prefix("Cluster ")?.parse::<u32>().ok()?;
                Some((clusters.of(at), number))
            });
            let index = adjusted_rand_index(&numbers.collect::<Vec<_>>());
            assert!(index >= 0.98, "{seed} {ranks} {period:?}: {index}");
        }
    }
}

#[test]
fn a_cluster_is_folded_as_any_region_and_its_rates_are_those_of_the_truth() {
    let options = Options { period: Some(0.31), ..Options::default() };
    let (trace, truth) = made(3, &options);
    let (rows, _) = pipeline::catalogue(&trace, &settings(&[]).unwrap());
    let of_clusters = rows.iter().filter(|row| row.kind == RegionKind::Cluster);
    let aliases = of_clusters.map(|row| row.alias.as_deref().unwrap()).collect::<Vec<_>>();
    assert_eq!(aliases.len(), 5, "{aliases:?}");
    for cluster in truth["clusters"].as_array().unwrap() {
        let alias = format!("region=Cluster:{}", cluster["cluster"]);
        let folding = fold(&trace, &[&alias, "outliers=none"]);
        let group = &folding.groups[0];
        assert_eq!((folding.groups.len(), group.kept), (1, 8 * 40), "{alias}");
        let of_truth = |burst: &&Known| burst.cluster == format!("Cluster {}", cluster["cluster"]);
        let known = known(&truth);
        let own = known.iter().filter(of_truth).collect::<Vec<_>>();
        let ns = own.iter().map(|burst| burst.end_ns - burst.begin_ns).sum::<u64>() as f64;
        for (place, name) in COUNTERS.iter().enumerate() {
            let curve = group.curve(name).unwrap();
            let counted = own.iter().map(|burst| burst.counts[place]).sum::<u64>() as f64;
            assert!((curve.mean_rate / (counted / ns * 1e3) - 1.0).abs() < 1e-9, "{alias} {name}");
            let last = curve.fitted.len() - 1;
            for (j, fitted) in curve.fitted.iter().enumerate() {
                let expected = share(cluster, name, j as f64 / last as f64);
                assert!(
                    (fitted - expected).abs() < 0.02,
                    "{alias} {name} {j}: {fitted}, {expected}"
                );
            }
        }
    }
    // `Cluster` means all of them, of which a single fold takes one.
    let all = pipeline::run_each(&trace, &settings(&["region=Cluster:*"]).unwrap(), &[]).unwrap();
    assert_eq!(all.len(), 5);
}

#[test]
fn where_nothing_is_sampled_each_phase_of_a_pass_names_the_call_that_ends_it() {
    let (trace, _) = made(5, &Options::default());
    let folding = fold(&trace, &["region=Iteration:1"]);
    let group = &folding.groups[0];
    assert!(group.lines.x.is_empty() && group.places.is_empty(), "calls are no samples");
    let callers = group.callers.as_ref().unwrap();
    let mut ends =
        group.phases.iter().filter_map(|phase| callers.end_of(phase)).collect::<Vec<_>>();
    ends.dedup();
    let ends = ends.iter().map(|(place, words)| format!("{words} {}", place.file));
    // In the order of the pass, from its first call: what the program does between two calls is known
    // by the second.
    assert_eq!(
        ends.collect::<Vec<_>>(),
        [
            "halo [57] halo.c",
            "norm [23] norm.c",
            "border [88] border.c",
            "advance [112] advance.c",
            "halo [41] halo.c"
        ]
    );
    // Every call of every pass is a point, at its line; the one at which a pass begins belongs to the
    // pass before, and behind the last pass of each of the eight ranks is none.
    let calls = |line| group.kept - if line == 41 { 8 } else { 0 };
    assert_eq!(callers.lines.x.len(), 5 * group.kept as usize - 8);
    assert!(callers.lines.x.is_sorted() && callers.lines.x.iter().all(|x| (0.0..=1.0).contains(x)));
    for (name, line) in [("halo", 41), ("halo", 57), ("norm", 23), ("border", 88), ("advance", 112)]
    {
        let place = callers.places.iter().find(|place| place.line == line).unwrap();
        assert_eq!((callers.routine(place.routine), place.samples), (name, calls(line)), "{line}");
    }
    // Phases tell so in the table; a cluster, which makes no calls, says nothing.
    let files = export(&trace, &[(folding.clone(), Default::default())], Format::Csv).unwrap();
    let phases = files.iter().find(|file| file.name == "phases.csv").unwrap();
    let phases = String::from_utf8_lossy(&phases.bytes);
    assert!(phases.lines().any(|line| line.contains("→ norm [23],norm.c,23")), "{phases}");
    assert_eq!(fold(&trace, &["region=Cluster:1"]).groups[0].callers, None);
}

#[test]
fn where_code_is_sampled_samples_tell_of_it() {
    let (trace, _) = made(5, &Options { period: Some(0.31), ..Options::default() });
    let folding = fold(&trace, &["region=Iteration:1"]);
    assert!(folding.groups[0].callers.is_none() && !folding.groups[0].lines.x.is_empty());
}
