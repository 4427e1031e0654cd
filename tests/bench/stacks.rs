//! Joining call-stacks and finding routines, beside the definition that looks at all pairs.

use std::fmt::Write;

use tracefold::folding::Place;
use tracefold::source::{Align, Shortest, Stacks, align, stretches};
use tracefold_generate::Random;

use crate::clock::best;

/// Captured frames, as in the paper.
const DEPTH: usize = 3;

/// Routines of each call from the outermost on, and how long it runs: one with three callers.
const PROGRAM: [(&[u32], f64); 8] = [
    (&[0, 1, 2, 3, 4], 8.0),
    (&[0, 1, 2, 3, 4, 5], 4.0),
    (&[0, 1, 2, 3, 4, 6], 4.0),
    (&[0, 1, 2, 7, 8, 4, 5], 9.0),
    (&[0, 1, 2, 7, 9], 6.0),
    (&[0, 1, 10, 4, 6], 7.0),
    (&[0, 1, 10, 4], 3.0),
    (&[0, 1, 11], 5.0),
];
const ROUTINES: u32 = 12;

/// So many samples of a loop over the program, each call in 40 parts that take turns.
fn stacks(samples: usize) -> Stacks {
    let mut random = Random::new(1);
    let mut x = (0..samples).map(|_| random.uniform()).collect::<Vec<_>>();
    x.sort_by(f64::total_cmp);
    let whole = PROGRAM.iter().map(|call| call.1).sum::<f64>();
    let mut stacks = Stacks {
        routines: (0..ROUTINES).map(|routine| format!("routine_{routine}")).collect(),
        places: (0..ROUTINES).map(|routine| Place { routine, ..Place::default() }).collect(),
        first: vec![0],
        ..Stacks::default()
    };
    for &x in &x {
        // Two and two calls alternate.
        let half = (x * 2.0) as usize;
        let mut rest = (x * 80.0).fract() * whole / 2.0;
        let half = PROGRAM[half * 4..half * 4 + 4].iter();
        let call = half.clone().find(|call| {
            rest -= call.1;
            rest < 0.0
        });
        let path = call.or(half.last()).map_or(&[0][..], |call| call.0);
        stacks.frames.extend(&path[path.len().saturating_sub(DEPTH)..]);
        stacks.first.push(stacks.frames.len() as u32);
    }
    stacks.x = x;
    stacks
}

/// The ancestors of every sample, each from the nearest of all samples.
fn definition(stacks: &Stacks) -> usize {
    let nearest = |sample: usize, outermost: &[u32]| {
        let shows = |other: &usize| {
            stacks.of(*other).windows(outermost.len() + 1).any(|w| w[1..] == *outermost)
        };
        let away = |other: &usize| other.abs_diff(sample);
        let other = (0..stacks.len()).filter(shows).min_by_key(away)?;
        let mut windows = stacks.of(other).windows(outermost.len() + 1);
        windows.find(|w| w[1..] == *outermost).map(|w| w[0])
    };
    let ancestors = |sample: usize| {
        let mut stack = stacks.of(sample).to_vec();
        let mut found = 0;
        while let Some(caller) = nearest(sample, &stack[..stack.len().min(2)])
            .or_else(|| nearest(sample, &stack[..1]))
            .filter(|_| found < 64)
        {
            stack.insert(0, caller);
            found += 1;
        }
        found
    };
    (0..stacks.len()).map(ancestors).sum()
}

pub fn stacks_joined(report: &mut String) {
    let _ = writeln!(
        report,
        "\n## Call-stacks\n\n\
         | samples of {DEPTH} frames | chains | routines | both | per sample | pivot | pairs of samples |\n\
         | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    );
    for samples in [1000, 4000, 60_000, 250_000, 1_000_000] {
        let stacks = stacks(samples);
        let runs = if samples > 100_000 { 3 } else { 10 };
        let aligned = align(&stacks, Align::Chain);
        let chains = best(runs, || align(&stacks, Align::Chain)) * 1e3;
        let found = best(runs, || stretches(&stacks, &aligned, Shortest::default(), 1e8)) * 1e3;
        let pivot = best(runs, || align(&stacks, Align::Pivot)) * 1e3;
        let pairs = if samples <= 4000 {
            format!("{:.0} ms", best(1, || definition(&stacks)) * 1e3)
        } else {
            "–".to_owned()
        };
        let (both, each) = (chains + found, (chains + found) / samples as f64 * 1e6);
        let _ = writeln!(
            report,
            "| {samples} | {chains:.1} ms | {found:.1} ms | {both:.1} ms | {each:.0} ns | \
             {pivot:.1} ms | {pairs} |"
        );
    }
    report.push_str(
        "\nGoal: 60,000 samples in 50 ms, 10⁶ in 1 s. The reference takes 90 s for 60,000.\n",
    );
}
