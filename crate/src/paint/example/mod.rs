//! Foldings and views made by hand for the tests of this module.

mod addressed;
mod dotted;
mod drawing;
mod odd;

use crate::folding::{
    Break, Cloud, Context, Curve, Folding, Group, Lines, Phase, PhaseRate, Place, Stretch,
    TraceSummary, Use,
};
use crate::paint::View;
use crate::paint::scene::Theme;
pub use addressed::{BYTES, addressed, many, references};
pub use dotted::Dotted;
pub use drawing::{dots, dots_with, polygons, polylines, rectangles, texts, words};
pub use odd::{odd, odd_views};
use tracefold_generate::Random;

const POINTS: usize = 1000;

/// A lane of the whole instance, with the gutters of a wide page.
pub fn view(width: f64, height: f64) -> View {
    let theme = Theme::Light;
    let (left, right) = (112.0, 68.0);
    View { group: 1, to: 1.0, theme, width, height, left, right, ..View::default() }
}

fn curve(counter: &str, rate: Vec<f64>) -> Curve {
    let mean_rate = rate.iter().sum::<f64>() / rate.len().max(1) as f64;
    let mut sum = 0.0;
    let total: f64 = rate.iter().skip(1).sum();
    let running = rate.iter().enumerate().map(|(j, v)| {
        sum += if j > 0 { v } else { &0.0 };
        if total > 0.0 { sum / total } else { j as f64 / (rate.len() - 1).max(1) as f64 }
    });
    Curve {
        counter: counter.to_string(),
        description: String::new(),
        instructions: counter == "PAPI_TOT_INS",
        instances: 26,
        used: 500,
        unused: 5356,
        excluded: 2928,
        mean_count: mean_rate * 14_647_680.0,
        mean_rate,
        nugget: 1e-4,
        fitted: running.collect(),
        rate,
        ..Curve::default()
    }
}

fn folding(name: &str, mean_ns: f64, curves: Vec<Curve>) -> Folding {
    let group = Group {
        number: 1,
        instances: 38,
        kept: 26,
        mean_duration_ns: mean_ns,
        samples: 5856,
        rows: Vec::new(),
        curves,
        routines: Vec::new(),
        places: Vec::new(),
        lines: Lines::default(),
        stretches: Vec::new(),
        ..Group::default()
    };
    Folding {
        apart: vec![],
        version: Folding::VERSION,
        trace: TraceSummary {
            name: name.to_string(),
            size_bytes: 2_900_000,
            duration_ns: 1,
            threads: 1,
            generated: name.starts_with("stream"),
            provenance: Default::default(),
            partial: None,
        },
        region: "User function:main".to_string(),
        groups: vec![group],
        shown: 1,
        notices: Vec::new(),
        models: vec![],
        missing_models: vec![],
        ..Folding::default()
    }
}

/// Counters of four magnitudes that rise and fall in waves.
pub fn namd() -> Folding {
    let wave = |j: usize, phase: f64| {
        let t = j as f64 / (POINTS - 1) as f64;
        libm::sin(12.0 * t + phase) * 3.0 - libm::cos(29.0 * t) * 0.7
    };
    let soft = |v: f64| v / (1.0 + v.abs());
    let mips: Vec<f64> = (0..POINTS).map(|j| 4102.0 + 420.0 * soft(wave(4 * j, 0.3))).collect();
    let of = |counter: &str, mean: f64, swing: f64, phase: f64| {
        let ratio = |j: usize| mean * (1.0 + swing * soft(wave(4 * j, phase)));
        curve(counter, mips.iter().enumerate().map(|(j, ins)| ins * ratio(j)).collect())
    };
    let curves = vec![
        curve("PAPI_TOT_INS", mips.clone()),
        of("PAPI_L1_DCM", 0.011, -0.3, 0.3),
        of("PAPI_L2_TCM", 1.3e-4, 0.6, 0.3),
        of("PAPI_TOT_CYC", 0.6, -0.12, 0.3),
        of("LLC_MISSES", 5e-6, 0.9, 2.3),
        of("PAPI_BR_INS", 0.047, 0.35, 0.8),
    ];
    let mut folding = folding("444.namd.prv", 14_647.68e6, curves);
    let group = &mut folding.groups[0];
    group.routines = vec!["ComputeNonbondedUtil::calc_self_energy".to_string()];
    let lines = [(22, 600), (24, 300), (66, 240), (76, 3000), (410, 300), (546, 900)];
    group.places = lines
        .iter()
        .map(|&(line, samples)| {
            let file =
                if line < 100 { "ComputeNonbondedBase2.h" } else { "ComputeNonbondedBase.h" };
            Place { routine: 0, line, file: file.to_string(), samples }
        })
        .collect();
    scatter(group, |_| (0..6).collect());
    group.stretches =
        vec![Stretch { start: 0.0, end: 1.0, place: 3, samples: 5856, ..Stretch::default() }];
    sure(group, &[0.06, 0.16, 0.23, 0.35, 0.42, 0.51, 0.57, 0.66, 0.74, 0.84, 0.91, 1.0]);
    folding
}

/// Thirteen counters of which it is known how far they move with cycles per instruction: seven more
/// than are shown at first.
pub fn many_counters() -> Folding {
    let slow = |x: f64| 1.0 + 0.6 * libm::sin(6.0 * x);
    let other = |x: f64| 1.0 + 0.6 * libm::cos(12.0 * x);
    // Name, events per instruction, and how much of them is as cycles are.
    let planned = [
        ("PAPI_TOT_INS", 1.0, 0.0),
        ("PAPI_LD_INS", 0.35, 0.1),
        ("PAPI_L3_TCM", 0.004, 0.7),
        ("PAPI_SR_INS", 0.2, 0.0),
        ("PAPI_BR_INS", 0.01, 0.2),
        ("PAPI_L2_DCM", 0.005, 0.8),
        ("PAPI_BR_MSP", 4e-5, 0.85),
        ("PAPI_L1_DCM", 0.03, 0.9),
        ("PAPI_TOT_CYC", 0.7, 1.0),
        ("PAPI_FP_OPS", 0.3, 0.3),
        ("PAPI_RES_STL", 0.3, 0.99),
        ("Event 42001008", 0.3, 1.0),
        ("rapl:::PACKAGE_ENERGY:PACKAGE0", 0.01, 0.2),
    ];
    let curves = planned.map(|(counter, mean, share)| {
        let ratio = |x: f64| match counter {
            "PAPI_TOT_INS" => 1.0,
            _ => mean * (share * slow(x) + (1.0 - share) * other(x)),
        };
        let rate = |j: usize| 2000.0 * ratio(j as f64 / (POINTS - 1) as f64);
        let joules = counter.contains("ENERGY").then_some(1e-6);
        Curve { joules, ..curve(counter, (0..POINTS).map(rate).collect()) }
    });
    folding("many.prv", 60e6, curves.to_vec())
}

/// Four routines under `main`, one after the other, the first under one more, and three counters
/// that share a strip.
pub fn stream() -> Folding {
    let ends = [0.22, 0.42, 0.70, 1.0];
    let phase = |t: f64| ends.iter().position(|&end| t < end).unwrap_or(3);
    let steps = |values: [f64; 4], swing: f64| -> Vec<f64> {
        let smooth = |j: usize| {
            let t = j as f64 / (POINTS - 1) as f64;
            let near = (-20..=20).map(|k| values[phase((t + f64::from(k) * 4e-4).clamp(0.0, 1.0))]);
            near.sum::<f64>() / 41.0 * (1.0 + swing * libm::sin(t * 60.0))
        };
        (0..POINTS).map(smooth).collect()
    };
    let mips = steps([3600.0, 4250.0, 3300.0, 3800.0], 0.004);
    let of = |counter: &str, ratios| {
        let ratios = steps(ratios, 0.01);
        curve(counter, mips.iter().zip(ratios).map(|(ins, ratio)| ins * ratio).collect())
    };
    let curves = vec![
        curve("PAPI_TOT_INS", mips.clone()),
        of("PAPI_L1_DCM", [0.0196, 0.0531, 0.0301, 0.0287]),
        of("PAPI_L2_DCM", [0.0118, 0.0466, 0.0170, 0.0158]),
        of("LLC_MISSES", [0.0089, 0.0402, 0.0124, 0.0113]),
    ];
    let mut folding = folding("stream.prv", 64e6, curves);
    let group = &mut folding.groups[0];
    group.routines = ["__memcpy_ssse3_back", "Scale", "Add", "Triad", "Copy", "main"]
        .map(str::to_string)
        .to_vec();
    // The last two are those of outer frames.
    let lines = [
        (0, 2140, 900),
        (0, 2131, 300),
        (0, 2098, 90),
        (1, 226, 700),
        (2, 237, 800),
        (3, 248, 850),
        (4, 215, 0),
        (5, 181, 0),
    ];
    group.places = lines
        .iter()
        .map(|&(routine, line, samples)| {
            let file = if routine == 0 { "memcpy.S" } else { "stream.c" };
            Place { routine, line, file: file.to_string(), samples }
        })
        .collect();
    scatter(group, |t| [vec![0, 1, 2], vec![3], vec![4], vec![5]][phase(t)].clone());
    let context = |parent, routine| Context { parent, routine, samples: 500 };
    let under_main = [4, 1, 2, 3].map(|routine| context(Some(0), routine));
    group.contexts = [context(None, 5)].into_iter().chain(under_main).collect();
    group.contexts.push(context(Some(1), 0));
    group.lines.context =
        group.lines.place.iter().map(|place| [5, 5, 5, 2, 3, 4][*place as usize]).collect();
    let stretch = |start, end, level, place, context| Stretch {
        start,
        end,
        place,
        samples: 500,
        level,
        context: Some(context),
        short: false,
    };
    group.stretches = vec![
        stretch(0.0, 1.0, 0, 7, 0),
        stretch(0.0, 0.22, 1, 6, 1),
        stretch(0.0, 0.22, 2, 0, 5),
        stretch(0.22, 0.42, 1, 3, 2),
        stretch(0.42, 0.70, 1, 4, 3),
        stretch(0.70, 1.0, 1, 5, 4),
    ];
    sure(group, &ends);
    folding
}

/// A break at `at`.
pub fn found(at: f64, half_width: f64) -> Break {
    Break { at, half_width, changed: vec![0], by_hand: false, site: String::new() }
}

/// What is known of phases and of how sure it is: breaks at `ends` but the last, each counter's
/// mean rate between them, bands that widen beside them, samples that thin out at the end.
fn sure(group: &mut Group, ends: &[f64]) {
    let inner = ends.get(..ends.len() - 1).unwrap();
    let starts: Vec<f64> = [0.0].iter().chain(inner).copied().collect();
    group.breaks = inner.iter().map(|&at| found(at, 0.004)).collect();
    let phase = |(&start, &end)| {
        let bands = group.bands(0.0);
        let band = bands.iter().find(|band| band.end > start);
        let place = band.map(|band| group.stretches[band.stretch as usize].place);
        Phase { start, end, place, ..Phase::default() }
    };
    group.phases = starts.iter().zip(ends).map(phase).collect();
    for curve in &mut group.curves {
        let time = |j: usize| j as f64 / (POINTS - 1) as f64;
        let near = |t: f64| inner.iter().map(|at| (at - t).abs()).fold(1.0, f64::min);
        let share = |j: usize| if near(time(j)) < 0.01 { 0.05 } else { 0.012 };
        curve.rate_band = curve.rate.iter().enumerate().map(|(j, rate)| rate * share(j)).collect();
        curve.fitted_band = (0..POINTS).map(|j| 4e-4 * (1.0 - time(j)) * time(j) + 1e-4).collect();
        let mean = |from: f64, to: f64| {
            let inside = |&(j, _): &(usize, &f64)| (from..to).contains(&time(j));
            let rates: Vec<f64> =
                curve.rate.iter().enumerate().filter(inside).map(|(_, &rate)| rate).collect();
            rates.iter().sum::<f64>() / rates.len() as f64
        };
        let rate =
            |(&from, &to)| PhaseRate { rate: mean(from, to), half_width: 0.01 * mean(from, to) };
        curve.phases = starts.iter().zip(ends).map(rate).collect();
        curve.own_breaks = inner.to_vec();
    }
    group.density = (0..130).map(|j| if j > 125 { 4 } else { 40 + j * 37 % 13 }).collect();
    group.sparse = vec![[0.969, 1.0]];
}

fn component(name: &str, counter: &str, colour: &str) -> String {
    format!(
        "<component name='{name}' where='y1' color='{colour}' title-name='{name} of all'>\
         <operation type='/'><value>{counter}</value><value>PAPI_TOT_CYC</value></operation>\
         </component>"
    )
}

/// [`namd`] with two models of its counters.
pub fn modelled() -> Folding {
    let xml = format!(
        "<models><model name='stack' y1='Per cycle' y1-stacked='yes'>{}{}{}</model>\
         <model name='lines' y1='Share of cycles' y2='Rate'>{}{}\
         <component name='rate' where='y2'><value>PAPI_TOT_INS</value></component></model>\
         </models>",
        component("a", "PAPI_BR_INS", "#2e8b57"),
        component("b", "PAPI_L1_DCM", "#cd5c5c"),
        component("c", "PAPI_TOT_INS", "#daa520"),
        component("a", "PAPI_BR_INS", "#2e8b57"),
        component("b", "PAPI_L1_DCM", "#cd5c5c"),
    );
    let mut folding = namd();
    folding.models = crate::model::read("m.xml", xml.as_bytes()).unwrap();
    folding
}

/// 3,000 samples, each on one of the places that run at its time, by their samples.
fn scatter(group: &mut Group, running: impl Fn(f64) -> Vec<u32>) {
    for i in 0..3000_u64 {
        let time = i as f64 / 3000.0;
        let places = running(time);
        let weight = |place: &u32| u64::from(group.places[*place as usize].samples);
        let total: u64 = places.iter().map(weight).sum();
        let mut draw = mixed(i) % total;
        let place = places.iter().find(|place| {
            let hit = draw < weight(place);
            draw = draw.saturating_sub(weight(place));
            hit
        });
        group.lines.x.push(time);
        group.lines.place.push(*place.unwrap());
    }
}

/// A number that looks drawn at random, and is always the same.
pub fn mixed(i: u64) -> u64 {
    Random::new(i).bits()
}

/// Samples beside the curve of instructions of [`namd`].
pub fn cloud() -> Cloud {
    let folding = namd();
    let fitted = &folding.groups[0].curves[0].fitted;
    let mut random = Random::new(1);
    let kinds = [Use::Used, Use::Unused, Use::Excluded, Use::Unused];
    let x: Vec<f64> = (0..900).map(|i| i as f64 / 900.0).collect();
    let y = x.iter().map(|x| fitted[(x * 999.0) as usize] + random.between(-4e-4, 4e-4));
    Cloud {
        group: 1,
        counter: "PAPI_TOT_INS".to_string(),
        y: y.collect(),
        used: (0..900).map(|i| kinds[i % 4]).collect(),
        x,
    }
}
