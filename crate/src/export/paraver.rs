//! A trace that is written, as Paraver opens it: `.prv`, `.pcf`, `.row`.

use std::fmt::Write;

use super::folded::Written;
use super::label::Used;
use crate::trace::{Object, Trace};

/// What was done with a trace, as a comment says it: the reader knows by it that only parts of the
/// run are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    Folded,
    Found,
}

/// Time-sorted records: between begin and end of each of `running`, by begin, its thread is running,
/// elsewhere nothing is told. `events` are by time, then object.
///
/// Nodes and processors are not known (0); no clock is asked, so that the date is none.
pub fn prv(
    trace: &Trace,
    threads: &[Vec<u32>],
    done: Done,
    running: &[(Object, u64, u64)],
    events: &[Written],
) -> String {
    let mut text = header(trace, threads);
    text += match done {
        Done::Folded => concat!("#Folded by Tracefold ", env!("CARGO_PKG_VERSION"), "\n"),
        Done::Found => concat!("#Found by Tracefold ", env!("CARGO_PKG_VERSION"), "\n"),
    };
    if trace.generated {
        text += "#Tracefold generated the trace that was folded\n";
    }
    let mut states = running.iter().peekable();
    let mut state = |text: &mut String, until: u64| {
        while let Some((object, begin, end)) = states.next_if(|(_, begin, _)| *begin <= until) {
            line(text, format_args!("1:0:{}:{begin}:{end}:1", colons(*object)));
        }
    };
    let one_moment = |a: &Written, b: &Written| a.time_ns == b.time_ns && a.object == b.object;
    for moment in events.chunk_by(one_moment) {
        let Some(Written { time_ns, object, .. }) = moment.first() else { continue };
        state(&mut text, *time_ns);
        // Writing to a String cannot fail.
        let _ = write!(text, "2:0:{}:{time_ns}", colons(*object));
        for Written { code, value, .. } in moment {
            // Paraver reads values with a sign.
            let _ = write!(text, ":{code}:{}", *value as i64);
        }
        text.push('\n');
    }
    text
}

/// Tasks and threads that are numbered but carry no event are there too.
fn header(trace: &Trace, applications: &[Vec<u32>]) -> String {
    let mut text = format!("#Paraver (01/01/1970 at 00:00):{}_ns:0:", trace.duration_ns);
    let _ = write!(text, "{}", applications.len());
    let mut separator = ':';
    for tasks in applications {
        let tasks = tasks.iter().map(|threads| format!("{threads}:0")).collect::<Vec<_>>();
        let _ = write!(text, "{separator}{}({})", tasks.len(), tasks.join(","));
        separator = ',';
    }
    text + "\n"
}

/// Most objects that a trace may number: header and names list each, used or not.
const MOST_OBJECTS: u64 = 1 << 20;

/// For each application, for each task, its number of threads: at least one of each. `None` if
/// there are too many to be listed.
pub fn threads(trace: &Trace) -> Option<Vec<Vec<u32>>> {
    let mut applications: Vec<Vec<u32>> = vec![vec![1]];
    let mut count = 1;
    for Object { application, task, thread } in trace.threads.iter().map(|thread| thread.object) {
        count += u64::from(application).saturating_sub(applications.len() as u64);
        if count > MOST_OBJECTS {
            return None;
        }
        applications.resize(applications.len().max(application as usize), vec![1]);
        let tasks = applications.get_mut((application as usize).saturating_sub(1))?;
        count += u64::from(task).saturating_sub(tasks.len() as u64);
        if count > MOST_OBJECTS {
            return None;
        }
        tasks.resize(tasks.len().max(task as usize), 1);
        let threads = tasks.get_mut((task as usize).saturating_sub(1))?;
        count += u64::from(thread.saturating_sub(*threads));
        *threads = thread.max(*threads);
    }
    (count <= MOST_OBJECTS).then_some(applications)
}

/// What the records mean.
pub fn pcf(used: Used) -> String {
    include_str!("states.pcf").to_owned() + &used.pcf()
}

/// The names of the threads, in the order of the header.
pub fn row(applications: &[Vec<u32>]) -> String {
    let mut names = String::new();
    let mut count = 0;
    for (application, tasks) in (1..).zip(applications) {
        for (task, threads) in (1..).zip(tasks) {
            for thread in 1..=*threads {
                line(&mut names, format_args!("THREAD {application}.{task}.{thread}"));
                count += 1;
            }
        }
    }
    format!("LEVEL THREAD SIZE {count}\n{names}")
}

fn colons(Object { application, task, thread }: Object) -> String {
    format!("{application}:{task}:{thread}")
}

fn line(text: &mut String, fields: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{fields}");
}
