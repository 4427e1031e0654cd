//! Rates of the ranks that compute, of a made-up program in which the others spin while they wait.

use serde_json::Value;
use tracefold::export;
use tracefold::folding::{CurveKind, Doing, Fate, Folding, Group};
use tracefold::result::{Beside, Link};
use tracefold_generate::{Options, Shape, generate_with};

use crate::traces::{fold, open, settings};

const COUNTERS: [&str; 3] = ["PAPI_TOT_INS", "PAPI_TOT_CYC", "PAPI_L2_DCM"];

/// The folded loop, and the truth of the program.
fn made(seed: u64, options: &Options) -> (Folding, Value) {
    let made = generate_with(Shape::Spmd, seed, options);
    let trace = open(&[("a.prv", &made.prv), ("a.pcf", &made.pcf), ("a.row", &made.row)]);
    let folding = fold(&trace, &["region=Iteration:1"]);
    (folding, serde_json::from_str(&made.truth).unwrap())
}

/// A piece of the loop in which all rates stay: its share of what is computed, and each rate over its
/// mean in the loop.
fn pieces(truth: &Value) -> Vec<(f64, [f64; 3])> {
    // The kernels by the time that they take, in the order in which the loop runs them.
    const ORDER: [u64; 5] = [1, 2, 3, 4, 5];
    let numbers = |value: &Value| {
        value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect::<Vec<_>>()
    };
    let instances = truth["instances"].as_array().unwrap();
    let mut pieces = vec![];
    for cluster in ORDER {
        let name = format!("Cluster {cluster}");
        let own = || instances.iter().filter(|row| row[0] == name.as_str());
        let sum = |column: usize| own().map(|row| row[column].as_f64().unwrap()).sum::<f64>();
        let of = &truth["clusters"][cluster as usize - 1];
        let borders = numbers(&of["borders"]);
        for (at, pair) in borders.windows(2).enumerate() {
            let rate = |counter: usize| {
                let over_mean = numbers(&of["rates_over_mean"][COUNTERS[counter]])[at];
                over_mean * sum(6 + counter) / sum(4) * 1e3
            };
            pieces.push(((pair[1] - pair[0]) * sum(4), [0, 1, 2].map(rate)));
        }
    }
    let all = pieces.iter().map(|(length, _)| length).sum::<f64>();
    pieces.into_iter().map(|(length, rates)| (length / all, rates)).collect()
}

/// How much of what is computed lies before each grid point: the area below the activity.
fn computed(group: &Group) -> Vec<f64> {
    let activity = group.activity.as_ref().unwrap();
    let cells = activity.cells();
    let points = group.curves[0].rate.len();
    let shares = (0..cells).map(|cell| activity.share(Doing::Computing, cell)).collect::<Vec<_>>();
    let all = shares.iter().sum::<f64>();
    let until = |x: f64| {
        let place = x * cells as f64;
        let whole = (place as usize).min(cells);
        let rest = shares.get(whole).map_or(0.0, |share| share * (place - whole as f64));
        (shares[..whole].iter().sum::<f64>() + rest) / all
    };
    (0..points).map(|j| until(j as f64 / (points - 1) as f64)).collect()
}

/// The mean distance of a rate on the grid from that of the pieces, over its mean.
fn error(rate: &[f64], computed: &[f64], pieces: &[(f64, [f64; 3])], counter: usize) -> f64 {
    let expected = |u: f64| {
        let mut sum = 0.0;
        let piece = pieces.iter().find(|(length, _)| {
            sum += length;
            u <= sum
        });
        piece.or(pieces.last()).unwrap().1[counter]
    };
    let mean = pieces.iter().map(|(length, rates)| length * rates[counter]).sum::<f64>();
    let apart = rate.iter().zip(computed).map(|(rate, u)| (rate - expected(*u)).abs());
    apart.sum::<f64>() / rate.len() as f64 / mean
}

/// The same with one piece for each burst, of which nothing is read inside.
fn bursts(truth: &Value, pieces: &[(f64, [f64; 3])]) -> Vec<(f64, [f64; 3])> {
    let mut rest = pieces;
    let clusters = truth["clusters"].as_array().unwrap();
    let burst = |cluster: &Value| {
        let count = cluster["borders"].as_array().unwrap().len() - 1;
        let (own, others) = rest.split_at(count);
        rest = others;
        let length = own.iter().map(|(length, _)| length).sum::<f64>();
        let mean = |at: usize| own.iter().map(|(l, rates)| l * rates[at]).sum::<f64>() / length;
        (length, [0, 1, 2].map(mean))
    };
    clusters.iter().map(burst).collect()
}

/// Ranks that wait complete more instructions than any that computes.
const SPINNING: f64 = 5600.0;

#[test]
fn without_samples_the_rate_is_that_of_each_burst_and_no_spinning_is_in_it() {
    for (seed, ranks) in [(11, 8), (12, 5), (13, 2)] {
        let (folding, truth) = made(seed, &Options { threads: Some(ranks), ..Options::default() });
        let group = &folding.groups[0];
        assert_eq!(group.fit.kind, CurveKind::Steps);
        let (computed, bursts) = (computed(group), bursts(&truth, &pieces(&truth)));
        for (at, name) in COUNTERS.iter().enumerate() {
            let curve = group.curve(name).unwrap();
            // Five borders lie up to a grid cell beside the truth.
            let error = error(&curve.rate, &computed, &bursts, at);
            assert!(error < 0.005, "{seed} {name}: {error}");
        }
        let instructions = group.instructions().unwrap();
        let largest = bursts.iter().map(|(_, rates)| rates[0]).fold(0.0, f64::max);
        // The slowest rank and pass are 1.2 × as slow as the fastest.
        assert!(instructions.rate.iter().all(|rate| *rate < 1.1 * largest), "{seed}");
        let of_all = instructions.with_waiting.as_ref().unwrap();
        let most = of_all.rate.iter().copied().fold(0.0, f64::max);
        assert!((most / SPINNING - 1.0).abs() < 1e-6, "{seed}: {most}");
    }
}

/// Who waits draws power, too.
#[test]
fn of_energy_all_is_counted_and_there_is_no_curve_of_those_that_compute() {
    let made = generate_with(Shape::Spmd, 14, &Options::default());
    let trace = open(&[("a.prv", &made.prv), ("a.pcf", &made.pcf), ("a.row", &made.row)]);
    let [as_counter, as_energy] = ["energy=", "energy=PAPI_L2_DCM:1e-6"]
        .map(|energy| fold(&trace, &["region=Iteration:1", energy]));
    let [counted, energy] =
        [&as_counter, &as_energy].map(|of| of.groups[0].curve(COUNTERS[2]).unwrap());
    let of_all = counted.with_waiting.as_ref().unwrap();
    assert!(energy.joules == Some(1e-6) && energy.with_waiting.is_none());
    assert!((energy.mean_rate / of_all.mean_rate - 1.0).abs() < 1e-9);
    assert!(counted.mean_rate / of_all.mean_rate > 1.01, "or nothing was told apart");
    let instructions = as_energy.groups[0].instructions().unwrap();
    assert!(instructions.with_waiting.is_some());
}

/// The last pass of a rank ends inside a burst, where the trace does not tell: what that counts in the
/// pass is its share by time, or by the samples in it.
#[test]
fn the_mean_rate_is_all_that_bursts_of_the_passes_count_over_all_their_time() {
    for (seed, period, most) in [(21, None, 1e-9), (22, Some(0.31), 1e-4)] {
        let (folding, truth) = made(seed, &Options { period, ..Options::default() });
        let group = &folding.groups[0];
        let number = |value: &Value| value.as_u64().unwrap();
        let inside_ns = |row: &Value| {
            let (begin, end) = (number(&row[3]), number(&row[3]) + number(&row[4]));
            let own = group.rows.iter().filter(|pass| pass.fate == Fate::Used);
            let own = own.filter(|pass| u64::from(pass.object[1]) == number(&row[1]));
            let overlap = own.map(|pass| {
                let pass_end = pass.start_ns + pass.duration_ns;
                end.min(pass_end).saturating_sub(begin.max(pass.start_ns))
            });
            overlap.sum::<u64>() as f64
        };
        let rows = truth["instances"].as_array().unwrap();
        let time_us = rows.iter().map(inside_ns).sum::<f64>() / 1e3;
        for (at, name) in COUNTERS.iter().enumerate() {
            let count =
                |row: &Value| number(&row[6 + at]) as f64 * inside_ns(row) / number(&row[4]) as f64;
            let expected = rows.iter().map(count).sum::<f64>() / time_us;
            let mean = group.curve(name).unwrap().mean_rate;
            assert!((mean / expected - 1.0).abs() < most, "{name}: {mean}, expected {expected}");
        }
    }
}

/// Samples lie in calls too, and what is fitted to all of them rises where ranks spin.
#[test]
fn with_samples_the_course_inside_bursts_is_seen_and_no_spinning() {
    for (seed, ranks, period) in [(31, 8, 0.31), (32, 3, 0.11), (33, 2, 0.07)] {
        let options = Options { threads: Some(ranks), period: Some(period), ..Options::default() };
        let (folding, truth) = made(seed, &options);
        let group = &folding.groups[0];
        let (computed, pieces) = (computed(group), pieces(&truth));
        for (at, name) in COUNTERS.iter().enumerate() {
            let curve = group.curve(name).unwrap();
            let of_all = curve.with_waiting.as_ref().unwrap();
            let [own, all] =
                [&curve.rate, &of_all.rate].map(|rate| error(rate, &computed, &pieces, at));
            assert!(own < 0.05, "{seed} {name}: {own}");
            assert!(*name == "PAPI_TOT_CYC" || own < all / 5.0, "{seed} {name}: {own} of {all}");
        }
    }
}

/// Where rates of all are level, those of computing ranks say how fast the ones that are late are.
#[test]
fn phases_have_both_rates_in_the_files() {
    let (folding, _) = made(41, &Options::default());
    let group = &folding.groups[0];
    let csv = export::phases([&folding].into_iter(), None);
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = |name: &str| head.iter().position(|of| *of == name).unwrap();
    let [of_all, computing] = ["PAPI_TOT_INS", "PAPI_TOT_INS computing"].map(column);
    assert!(computing > column("place_line"), "columns are added at the end");
    let mut spinning = 0;
    for (line, phase) in lines.zip(&group.phases) {
        let [all, own] = [of_all, computing].map(|at| line[at].parse::<f64>().unwrap());
        if (all / SPINNING - 1.0).abs() < 1e-3 {
            spinning += 1;
            assert!(own < 0.9 * SPINNING, "{phase:?}: {own}");
        } else {
            assert!((own / all - 1.0).abs() < 0.01, "{phase:?}: {own}, {all}");
        }
    }
    assert!(spinning >= 4, "{spinning}");
    let curves = export::curves([&folding].into_iter());
    assert!(curves.starts_with("region,group,counter,x,fitted,lower,upper,rate,computing\n"));
}

#[test]
fn a_link_has_both_rates_as_the_folding_has_them() {
    let (folding, _) = made(51, &Options::default());
    let link = Link::encode(&folding, 1, &settings(&[]).unwrap(), "", Beside::default()).unwrap();
    let back = Link::decode(&link).unwrap().folding;
    for (own, back) in folding.groups[0].curves.iter().zip(&back.groups[0].curves) {
        let [own_all, back_all] = [own, back].map(|of| of.with_waiting.as_ref().unwrap());
        for (own, back) in [(&own.rate, &back.rate), (&own_all.rate, &back_all.rate)] {
            let [least, most] = own.iter().fold([f64::MAX, f64::MIN], |[least, most], rate| {
                [least.min(*rate), most.max(*rate)]
            });
            assert_eq!(own.len(), back.len());
            let step = (most - least) / 4095.0;
            assert!(own.iter().zip(back).all(|(a, b)| (a - b).abs() <= step), "{}", own.len());
        }
        let apart = own.fitted.iter().zip(&back.fitted).map(|(a, b)| (a - b).abs());
        assert!(apart.fold(0.0, f64::max) < 2e-3, "{}", own.counter);
    }
}

/// Two ranks in step, which compute for 600 µs, wait together for 300 in a call of all, and compute
/// again for 100 before the call that ends the pass.
fn in_step() -> String {
    let mut prv = "#Paraver (01/02/2025 at 10:00):24000000_ns:1(2):1:2(1:1,1:1),1\n".to_owned();
    let mut lines = vec![];
    for rank in [1, 2] {
        let mut event = |ns: u64, events: &str| {
            lines.push((ns, format!("2:{rank}:1:{rank}:1:{ns}:{events}\n")));
        };
        event(0, "40000001:1");
        let mut states = vec![];
        for pass in 0..12 {
            let begin = 2_000_000 * pass;
            let at = |us: u64| begin + us * 1000;
            states.extend([(at(0), at(600)), (at(900), at(1000))]);
            event(at(600), "42000050:600000:50000002:10");
            event(at(900), "42000050:9000000:50000002:0");
            event(at(1000), "42000050:300000:50000001:4");
            event(at(2000), "42000050:9000000:50000001:0");
        }
        event(24_000_000, "40000001:0");
        for (begin, end) in states {
            lines.push((begin, format!("1:{rank}:1:{rank}:1:{begin}:{end}:1\n")));
        }
    }
    lines.sort();
    prv.extend(lines.into_iter().map(|(_, line)| line));
    prv
}

#[test]
fn where_all_wait_together_there_is_no_rate_of_those_that_compute() {
    const PCF: &str = "EVENT_TYPE\n7 42000050 PAPI_TOT_INS [Instr completed]\n";
    let trace = open(&[("a.prv", in_step().as_bytes()), ("a.pcf", PCF.as_bytes())]);
    let folding = fold(&trace, &["region=Iteration:1"]);
    let group = &folding.groups[0];
    let curve = group.instructions().unwrap();
    let share = group.activity.as_ref().unwrap();
    let mut waiting = 0;
    for (j, rate) in curve.rate.iter().enumerate() {
        let x = j as f64 / (curve.rate.len() - 1) as f64;
        let computes = share.at(x).find(|(of, _)| *of == Doing::Computing).map_or(0.0, |of| of.1);
        let beside = [x - 2e-3, x + 2e-3]
            .map(|x| share.at(x.clamp(0.0, 1.0)).find(|(of, _)| *of == Doing::Computing).is_some());
        match computes > 0.0 {
            true if beside == [true; 2] => {
                assert!(
                    (rate - 1000.0).abs() < 1e-6 || (rate - 3000.0).abs() < 1e-6,
                    "{x}: {rate}"
                );
            }
            false if beside == [false; 2] => {
                waiting += 1;
                assert!(rate.is_nan(), "{x}: {rate}");
                assert_eq!(group.at(x).values[0].rate, None);
            }
            _ => {}
        }
    }
    assert!(waiting > 500, "{waiting}");
    let idle = |phase: &usize| group.in_phase(curve, *phase).is_none();
    assert!((0..group.phases.len()).filter(idle).count() >= 1, "{:?}", group.phases);
    for csv in
        [export::curves([&folding].into_iter()), export::phases([&folding].into_iter(), None)]
    {
        assert!(!csv.contains("NaN") && !csv.contains("inf"));
    }
    let link = Link::encode(&folding, 1, &settings(&[]).unwrap(), "", Beside::default()).unwrap();
    let back = Link::decode(&link).unwrap().folding;
    let of_link = &back.groups[0].curves[0].rate;
    let alike = curve.rate.iter().zip(of_link).filter(|(a, b)| a.is_nan() == b.is_nan()).count();
    assert!(alike + 4 >= curve.rate.len(), "{alike}");
    let rates = of_link.iter().filter(|rate| rate.is_finite());
    assert!(rates.clone().all(|rate| (999.0..3001.0).contains(rate)), "no rate of none");
}
