//! A recording of memory samples merged with the trace of the same program.
//!
//! A processor often cannot sample loads and stores while it counts what a trace needs, or the
//! tracer cannot: so they are recorded apart, at the same time or in another run, and meet here.
//! Threads are told apart by number or order (`threads`), times by the same clock or by the marks
//! of a region that both recorded (`clock`); then the references are put among the moments of the
//! trace ([`Trace::add_references`]).
//!
//! Only references and their call-stacks are taken. Each is a moment of its own, a nanosecond later
//! where there is one; what lies outside of a thread's time is left out and counted.

mod marks;
mod clock;
mod threads;

use clock::{Aligned, Clock};
use marks::Region;
use threads::By;

use crate::order;
use crate::trace::{Home, Kind, Merged, ReferencePart, Trace};

/// Regions of other names in which the marks are looked for, at most.
const MOST_TRIED: usize = 16;

/// Adds the references of `recording` to `trace`, which says so, with a notice of what was left out.
///
/// Where the recording does not belong to the trace the trace stays as it is, and a notice says
/// why. O(moments), and 1000 steps for each mark.
pub fn merge(trace: &mut Trace, recording: &Trace) {
    let file = || recording.name.clone();
    trace.notices.append(recording.notices.clone(), 0);
    let done = plan(trace, recording).and_then(|plan| {
        let times = plan
            .clocks
            .iter()
            .map(|clock| move |time_ns: u64| clock.as_ref().and_then(|clock| clock.time(time_ns)));
        let times = times.collect::<Vec<_>>();
        let homes = plan.threads.iter().zip(&times);
        let homes = homes.map(|(thread, time)| Some(Home { thread: (*thread)?, time }));
        let homes = homes.collect::<Vec<_>>();
        let merged = trace.add_references(recording, &homes);
        if merged.loads + merged.stores == 0 {
            let found =
                format!("found no load or store in the time and the threads of {}", trace.name);
            return Err(found + ", expected a recording of the same run or of the same region");
        }
        Ok((merged, plan.words))
    });
    let (merged, words) = match done {
        Ok(done) => done,
        Err(reason) => {
            let text = format!(
                "Memory samples that cannot be merged with the trace; they were left out: {reason}."
            );
            trace.notices.damage(&text, file);
            return;
        }
    };
    let Merged { loads, stores, of_other_threads, of_other_times } = merged;
    let before = std::mem::take(&mut trace.provenance.references);
    let separator = if before.is_empty() { "" } else { "; " };
    trace.provenance.references =
        format!("{before}{separator}{loads} loads and {stores} stores of {}, {words}", file());
    for (count, text) in [
        (
            of_other_threads,
            "Memory samples of a thread that the trace does not have; they were left out.",
        ),
        (of_other_times, "Memory samples outside of the trace's time; they were left out."),
    ] {
        if count > 0 {
            trace.notices.add_many(text, count, file);
        }
    }
}

/// Where the threads of a recording belong, and which clock each has.
struct Plan {
    threads: Vec<Option<usize>>,
    clocks: Vec<Option<Clock>>,
    /// How that was found out.
    words: String,
}

/// What is wrong with the recording, as `found …, expected …`.
type Reason = String;

fn plan(trace: &Trace, recording: &Trace) -> Result<Plan, Reason> {
    let is_reference = |_: u32, kind: Kind| {
        matches!(kind, Kind::Reference(ReferencePart::LoadAddress | ReferencePart::StoreAddress))
    };
    if !recording.shapes_with(is_reference).contains(&true) {
        let found = "found no load or store with an address, expected them printed: perf script \
            --ns -F +addr,+data_src,+weight";
        return Err(found.to_owned());
    }
    let marked = marks::regions(recording);
    let takes_part = recording.threads.iter().map(|thread| {
        let has =
            |(region, _): &(Region, u64)| !marks::marks(recording, thread, *region).is_empty();
        marked.is_empty() || marked.iter().any(has)
    });
    let takes_part = takes_part.collect::<Vec<_>>();
    let (threads, by) = threads::matched(trace, recording, &takes_part);
    if let (Some(clock), By::Number) = (same_clock(trace, recording), by) {
        let clocks = vec![Some(clock); threads.len()];
        return Ok(Plan { threads, clocks, words: "on the same clock".to_owned() });
    }
    aligned(trace, recording, threads, &marked)
}

/// The clock that both are of, if they were recorded at the same time.
fn same_clock(trace: &Trace, recording: &Trace) -> Option<Clock> {
    let (here, there) = (trace.start_on_clock_ns?, recording.start_on_clock_ns?);
    let meet = here <= there.saturating_add(recording.duration_ns)
        && there <= here.saturating_add(trace.duration_ns);
    meet.then(|| Clock::Same(there.wrapping_sub(here) as i64))
}

/// The clocks of all threads, by the marks that each has in both.
fn aligned(
    trace: &Trace,
    recording: &Trace,
    threads: Vec<Option<usize>>,
    marked: &[(Region, u64)],
) -> Result<Plan, Reason> {
    const EXPECTED: &str = "expected the markers of a region that the trace has too, in both: perf \
        record -d -W -e cpu/mem-loads,ldlat=30/P -e probe_app:step -e probe_app:step_ret__return \
        ./app";
    let name = |trace: &Trace, region: &Region| marks::bare_name(trace, *region);
    let names = |trace: &Trace, regions: &[(Region, u64)]| {
        let mut names = regions.iter().map(|(region, _)| name(trace, region)).collect::<Vec<_>>();
        order::by(&mut names, |a, b| a.cmp(b));
        names.dedup();
        names.retain(|name| !name.is_empty());
        let more = if names.len() > 5 { " …" } else { "" };
        names.truncate(5);
        names.join(", ") + more
    };
    if marked.is_empty() {
        return Err(format!(
            "found another clock and no markers in {}, {EXPECTED}",
            recording.name
        ));
    }
    let here = marks::regions(trace);
    let mut best: Option<(usize, Vec<Option<Clock>>, Region)> = None;
    for (there, count) in marked {
        for region in candidates(trace, &here, &name(recording, there), *count) {
            let (found, clocks) = clocks_of(trace, recording, &threads, (region, *there));
            if found > best.as_ref().map_or(0, |(found, ..)| *found) {
                best = Some((found, clocks, *there));
            }
        }
    }
    let Some((_, mut clocks, region)) = best else {
        return Err(format!(
            "found markers of {} in {} and {} in {}, which do not agree in number or in their durations, {EXPECTED}",
            names(recording, marked),
            recording.name,
            names(trace, &here),
            trace.name,
        ));
    };
    let words = words(&clocks, &name(recording, &region));
    lend(recording, &mut clocks);
    Ok(Plan { threads, clocks, words })
}

/// The regions of a trace that may be those marked: of that name or, if there is none, those that
/// are entered about as often.
fn candidates(trace: &Trace, here: &[(Region, u64)], named: &str, count: u64) -> Vec<Region> {
    let region = |(region, _): &(Region, u64)| *region;
    let same =
        |known: &&(Region, u64)| !named.is_empty() && marks::bare_name(trace, known.0) == named;
    let of_name = here.iter().filter(same).map(region).collect::<Vec<_>>();
    if !of_name.is_empty() {
        return of_name;
    }
    let similar = |known: &&(Region, u64)| known.1 >= count / 2 && known.1 / 2 <= count;
    let mut similar = here.iter().filter(similar).collect::<Vec<_>>();
    order::by_number(&mut similar, |known| known.1.abs_diff(count));
    similar.into_iter().take(MOST_TRIED).map(region).collect()
}

/// The clock of each thread that has the marks in both, and how many marks were found.
fn clocks_of(
    trace: &Trace,
    recording: &Trace,
    threads: &[Option<usize>],
    (here, there): (Region, Region),
) -> (usize, Vec<Option<Clock>>) {
    let mut found = 0;
    let clock = |(thread, home): (&crate::trace::Thread, &Option<usize>)| {
        let home = trace.threads.get((*home)?)?;
        let marks_there = marks::marks(recording, thread, there);
        let aligned = clock::align(&marks::marks(trace, home, here), &marks_there)?;
        found += aligned.marks;
        Some(Clock::Aligned(aligned))
    };
    let clocks = recording.threads.iter().zip(threads).map(clock).collect();
    (found, clocks)
}

/// Threads without marks have the clock of one of their process, or of the first that has one.
fn lend(recording: &Trace, clocks: &mut [Option<Clock>]) {
    let lender = |index: usize| {
        let task = |index: usize| recording.threads.get(index).map(|thread| thread.object.task);
        let known = || (0..clocks.len()).filter(|&other| clocks[other].is_some());
        known().find(|&other| task(other) == task(index)).or_else(|| known().next())
    };
    let lenders = (0..clocks.len()).map(lender).collect::<Vec<_>>();
    for (index, lender) in lenders.into_iter().enumerate() {
        if clocks[index].is_none() {
            clocks[index] = lender.and_then(|lender| clocks[lender].clone());
        }
    }
}

/// How clocks were aligned: `aligned by 500 markers of step: offset −12.3 s, drift 4.1 ppm, …`.
fn words(clocks: &[Option<Clock>], region: &str) -> String {
    let aligned = |clock: &Option<Clock>| match clock {
        Some(Clock::Aligned(aligned)) => Some(aligned.clone()),
        _ => None,
    };
    let all = clocks.iter().filter_map(aligned).collect::<Vec<Aligned>>();
    let marks = all.iter().map(|aligned| aligned.marks).sum::<usize>();
    let Some(first) = all.first() else { return String::new() };
    if all.iter().any(|aligned| aligned.of_two_runs) {
        return format!("aligned by {marks} instances of {region}, one by one as of two runs");
    }
    format!(
        "aligned by {marks} instances of {region}: offset {} s, drift {} ppm, begins agree within \
         {} µs",
        rounded(first.offset_ns / 1e9),
        rounded((first.rate - 1.0) * 1e6),
        rounded(first.residue_ns / 1e3),
    )
}

/// To a thousandth.
fn rounded(value: f64) -> f64 {
    let rounded = (value * 1e3).round_ties_even() / 1e3;
    // No −0.
    rounded + 0.0
}
