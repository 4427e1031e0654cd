//! The rows of a text as a type of event of the trace that they are of.

use super::reader::{Held, Timeline};
use super::row::{Owner, Written};
use super::unit::{nearest_ns, unit};
use crate::order;
use crate::trace::{EventType, Kind, Nesting, Notices, Origin, Place, Thread, Trace};

/// From where on codes are given to types that no tracer wrote: in the range of the programmer's own,
/// so that a trace that is written with them is read with them.
const FIRST_CODE: u32 = 9_990_001;

/// What a trace calls its zeros, `Outside MPI` and the like: as a value they say that there is
/// nothing.
pub fn words_for_nothing(trace: &Trace) -> Vec<String> {
    let regions = trace.types.iter().filter(|known| matches!(known.kind, Kind::Region(..)));
    let zeros = regions.filter_map(|known| trace.labels.of_value(known.code, 0));
    zeros.map(str::to_owned).collect()
}

/// Adds the rows of a text to its trace: a type of event with the name of the file, whose values are
/// regions.
///
/// Where the text does not fit the trace that stays as it is, and a notice says why; rows that do
/// not fit are counted in notices. O(rows log rows + moments).
pub fn add_regions(trace: &mut Trace, timeline: Timeline) {
    let Timeline { file, rows, values, mut notices } = timeline;
    let placed = place(trace, &file, &rows, &mut notices);
    trace.notices.append(notices, 0);
    match placed {
        Ok(placed) => {
            let (numbers, labels) = numbered(&values);
            let code = (FIRST_CODE..).find(|code| is_free(trace, *code)).unwrap_or(FIRST_CODE);
            let (name, kind) = (stem(&file), Kind::Region(Nesting::Flat, Origin::Unknown));
            let of = EventType { code, kind, name, description: String::new() };
            let events = placed.iter().map(|rows| events(rows, &numbers)).collect::<Vec<_>>();
            trace.add_events(of, labels, &events);
        }
        Err(reason) => {
            let text = format!(
                "Regions of a text that does not fit the trace; they were left out: {reason}."
            );
            trace.notices.damage(&text, || file);
        }
    }
}

/// A row in time, of a thread.
#[derive(Clone, Copy, Debug)]
struct Placed {
    begin_ns: u64,
    end_ns: u64,
    value: u32,
    line: u64,
    /// How far begin and end together may be off.
    open_ns: u64,
}

/// For each thread of the trace its rows, by time and apart.
///
/// An error, as `found …, expected …`, if there is none.
fn place(
    trace: &Trace,
    file: &str,
    rows: &[Held],
    notices: &mut Notices,
) -> Result<Vec<Vec<Placed>>, String> {
    if rows.is_empty() {
        return Err("found no row with another value than 0 or End, expected some".to_owned());
    }
    let mut left_out = LeftOut { file, notices };
    let of_threads = of_threads(trace, rows, &mut left_out)?;
    let (unit_ns, told) = unit_of(trace, &of_threads)?;
    let mut by_thread = vec![vec![]; trace.threads.len()];
    let mut beyond = vec![];
    for (index, row) in of_threads {
        let (Some(thread), Some(rows)) = (trace.threads.get(index), by_thread.get_mut(index))
        else {
            continue;
        };
        let placed = Placed::of(row, thread, unit_ns);
        match placed.end_ns <= trace.duration_ns.saturating_add(placed.open_ns) {
            true => rows.push(placed),
            false => beyond.push(row.line),
        }
    }
    let is_beyond = !beyond.is_empty();
    let text = "Rows beyond the end of the trace; they were left out.";
    left_out.rows(text, beyond.into_iter());
    if is_beyond && by_thread.iter().all(Vec::is_empty) {
        return Err("found times beyond its end, expected a text of the same run".to_owned());
    }
    if let Some(text) = told {
        left_out.notices.add(&text, || file.to_owned());
    }
    for (thread, rows) in trace.threads.iter().zip(&mut by_thread) {
        keep_apart(trace, thread, rows, &mut left_out);
    }
    match by_thread.iter().all(Vec::is_empty) {
        true => Err("found no row between events of its thread, expected some".to_owned()),
        false => Ok(by_thread),
    }
}

/// The rows of threads of the trace, each with the index of its thread.
fn of_threads<'rows>(
    trace: &Trace,
    rows: &'rows [Held],
    left_out: &mut LeftOut<'_>,
) -> Result<Vec<(usize, &'rows Held)>, String> {
    let owners = Owners::of(trace, rows)?;
    let found = rows.iter().filter_map(|row| Some((owners.thread(row.owner)?, row)));
    let found = found.collect::<Vec<_>>();
    let is_unknown = |row: &&Held| owners.thread(row.owner).is_none() && owners.is_wanted(row);
    left_out.rows(
        "Rows of threads that the trace does not have; they were left out.",
        rows.iter().filter(is_unknown).map(|row| row.line),
    );
    match found.is_empty() {
        true => Err("found rows of threads that the trace does not have, expected a text of the \
                     same run"
            .to_owned()),
        false => Ok(found),
    }
}

/// The unit of the times at which rows begin, and what is to be told of it.
fn unit_of(trace: &Trace, rows: &[(usize, &Held)]) -> Result<(u64, Option<String>), String> {
    let begin = |(index, row): &(usize, &Held)| Some((trace.threads.get(*index)?, row.begin));
    let is_fraction = |(_, row): &(usize, &Held)| row.begin.whole().is_none();
    match unit(&rows.iter().filter_map(begin).collect::<Vec<_>>()) {
        Some((1, _)) => Ok((1, None)),
        Some((unit_ns, name)) => {
            let text = format!(
                "Times of a text of regions are taken as {name}: so they are those of events."
            );
            Ok((unit_ns, Some(text)))
        }
        None if rows.iter().any(is_fraction) => {
            Err("found times with fractions that are those of no event in ns, µs, ms or s, \
                 expected a text of the same run"
                .to_owned())
        }
        None => {
            let text = "Regions of a text that begin and end where no event is: counters there are \
                        told from the readings around.";
            Ok((1, Some(text.to_owned())))
        }
    }
}

impl Placed {
    /// A row of a thread, its begin and end on what is nearest of all that happened to it, as far as
    /// their digits leave open.
    fn of(row: &Held, thread: &Thread, unit_ns: u64) -> Self {
        let [begin_open_ns, duration_open_ns] =
            [row.begin, row.duration].map(|written| written.open_ns(unit_ns));
        let open_ns = begin_open_ns + duration_open_ns;
        let on_event = |ns: u64, open_ns: u64| {
            let nearest = nearest_ns(thread, ns);
            if nearest.abs_diff(ns) <= open_ns { nearest } else { ns }
        };
        let begin_ns = row.begin.ns(unit_ns);
        let end_ns = on_event(begin_ns.saturating_add(row.duration.ns(unit_ns)), open_ns);
        let begin_ns = on_event(begin_ns, begin_open_ns);
        Self { begin_ns, end_ns, value: row.value, line: row.line, open_ns }
    }
}

/// Puts the rows of a thread in order, and leaves out those over others and at its ends.
fn keep_apart(trace: &Trace, thread: &Thread, rows: &mut Vec<Placed>, left_out: &mut LeftOut<'_>) {
    order::by_number(rows, |row| row.begin_ns);
    let (mut over, mut at_ends) = (vec![], vec![]);
    let mut kept: Vec<Placed> = Vec::with_capacity(rows.len());
    let (begins_ns, lasts_ns) = thread.lifetime_ns();
    // Behind its last event nothing may come where that may be a cutter's: see `closing_cut`.
    let ends_ns = if thread.ends_in_zeros() { thread.end_ns() } else { lasts_ns };
    let only = trace.partial.as_ref().map(|part| &part.only);
    let was_read = |row: &&Placed| {
        only.is_none_or(|only| only.has_time(row.begin_ns) && only.has_time(row.end_ns))
    };
    for row in rows.iter().filter(was_read) {
        let last_ns = kept.last().map_or(0, |last| last.end_ns);
        if row.begin_ns.saturating_add(row.open_ns) < last_ns {
            over.push(row.line);
        } else if row.begin_ns < begins_ns || ends_ns < row.end_ns {
            at_ends.push(row.line);
        } else {
            // Digits may leave open that a row begins where the one before it ends.
            if let Some(last) = kept.last_mut() {
                last.end_ns = last.end_ns.min(row.begin_ns);
            }
            kept.push(*row);
        }
    }
    kept.retain(|row| row.begin_ns < row.end_ns);
    left_out.rows("Rows over another of their thread; they were left out.", over.into_iter());
    left_out.rows(
        "Rows that begin before the first or end after the last that is known of their thread; they \
         were left out.",
        at_ends.into_iter(),
    );
    *rows = kept;
}

/// Counts rows that are left out.
struct LeftOut<'a> {
    file: &'a str,
    notices: &'a mut Notices,
}

impl LeftOut<'_> {
    fn rows(&mut self, text: &str, lines: impl Iterator<Item = u64>) {
        let mut lines = lines.peekable();
        let Some(&line) = lines.peek() else { return };
        let place = || Place { of: self.file.to_owned(), line };
        self.notices.damage_many(text, lines.count() as u64, place);
    }
}

/// Whose rows are whose.
struct Owners<'trace> {
    trace: &'trace Trace,
}

impl<'trace> Owners<'trace> {
    /// An error if rows are known by their place, and the trace has another number of threads.
    fn of(trace: &'trace Trace, rows: &[Held]) -> Result<Self, String> {
        let place = |row: &Held| match row.owner {
            Owner::Place(place) => place as usize,
            Owner::Thread(_) => 0,
        };
        let most = rows.iter().map(place).max().unwrap_or(0);
        let threads = trace.threads.len();
        if most > threads {
            return Err(format!(
                "found rows numbered up to {most} and {threads} threads with events, expected \
                 threads such as 1.2.1: choose the object hierarchy as the text is saved"
            ));
        }
        Ok(Self { trace })
    }

    /// Index of the thread. O(log threads).
    fn thread(&self, owner: Owner) -> Option<usize> {
        match owner {
            Owner::Thread(object) => {
                let of = |thread: &Thread| thread.object;
                self.trace.threads.binary_search_by_key(&object, of).ok()
            }
            Owner::Place(place) => (place as usize).checked_sub(1),
        }
    }

    /// Whether the row is of a thread that was to be read.
    fn is_wanted(&self, row: &Held) -> bool {
        let Owner::Thread(object) = row.owner else { return true };
        self.trace.partial.as_ref().is_none_or(|part| part.only.has_object(object))
    }
}

/// Rows as events: a value opens a region and closes the one before, 0 closes where a gap follows.
fn events(rows: &[Placed], numbers: &[u64]) -> Vec<(u64, u64)> {
    let mut events = Vec::with_capacity(2 * rows.len());
    for (at, row) in rows.iter().enumerate() {
        events.push((row.begin_ns, numbers.get(row.value as usize).copied().unwrap_or(1)));
        let is_followed = rows.get(at + 1).is_some_and(|next| next.begin_ns == row.end_ns);
        if !is_followed {
            events.push((row.end_ns, 0));
        }
    }
    events
}

/// The number of each value, and the labels of these numbers. Whole numbers are themselves; of a
/// level, which has fractions, only that there is some is known.
fn numbered(values: &[String]) -> (Vec<u64>, Vec<(u64, String)>) {
    let numbers = values.iter().map(|value| Written::read(value.as_bytes()));
    let Some(numbers) = numbers.collect::<Option<Vec<_>>>() else {
        let labels = (1..).zip(values.iter().cloned()).collect();
        return ((1..=values.len() as u64).collect(), labels);
    };
    match numbers.iter().map(|number| number.whole()).collect::<Option<Vec<_>>>() {
        Some(wholes) => (wholes, vec![]),
        None => (vec![1; values.len()], vec![(1, String::new())]),
    }
}

fn is_free(trace: &Trace, code: u32) -> bool {
    trace.labels.of_type(code).is_none() && trace.types.iter().all(|known| known.code != code)
}

/// The name of a file without its folders and endings.
fn stem(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    let name = [".gz", ".bz2"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let stem = [".csv", ".txt"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    stem.to_owned()
}
