//! Files of TAU's samples: one for each thread, with names of timers and a map of modules beside it.

use super::by_line::{LineReader, each_line};
use super::candidates::{Candidate, Candidates};
use super::lines::Lines;
use super::watch::Watch;
use crate::ebs_trace::{EbsReader, Thread};
use crate::input::{FileKind, Member, Unwrapped};
use crate::order::{self, Numbers};
use crate::text::{ParseError, number};
use crate::trace::{Builder, Object};

/// The files of all threads, each its own.
pub struct ThreadsFiles<'read>(Vec<ThreadFiles<'read>>);

struct ThreadFiles<'read> {
    /// As its name says: process, node and thread; `None` if that says nothing.
    numbers: Option<[u32; 3]>,
    records: Member<'read>,
    definitions: Option<Member<'read>>,
    map: Option<Member<'read>>,
}

/// Of the files of one folder, one trace.
#[inline(never)]
pub(super) fn one_of_each_folder(traces: &mut Vec<Candidate>, files: &Unwrapped<'_>) {
    let path = |at: usize| files.members.get(at).map_or("", |file| file.path.as_str());
    let is = |at: usize, kind| files.members.get(at).is_some_and(|file| file.kind == kind);
    let mut firsts: Vec<Candidate> = vec![];
    let all = std::mem::take(traces);
    for mut trace in all {
        if !is(trace.main, FileKind::EbsTrace) {
            traces.push(trace);
            continue;
        }
        let own = folder(path(trace.main));
        if let Some(first) = firsts.iter_mut().find(|first| folder(path(first.main)) == own) {
            first.size = first.size.saturating_add(trace.size);
            first.others.push(trace.main);
            continue;
        }
        let parts = (0..files.members.len()).filter(|at| is(*at, FileKind::EbsPart));
        trace.others.extend(parts.filter(|at| folder(path(*at)) == own));
        firsts.push(trace);
    }
    let is_alone = firsts.len() == 1;
    for mut trace in firsts {
        let own = folder(path(trace.main));
        // Of several the whole path: every run may have its folder, and one name.
        trace.name = match own.rsplit('/').next().filter(|_| is_alone).unwrap_or(own) {
            "" if trace.others.is_empty() => trace.name,
            "" => "ebstrace".to_owned(),
            name => name.to_owned(),
        };
        let others = order::distinct(trace.others.iter().map(|at| *at as u64));
        trace.others = others.into_iter().map(|at| at as usize).collect();
        traces.push(trace);
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

impl<'read> Candidates<'read> {
    /// The files of the threads of `chosen`.
    #[inline(never)]
    pub(super) fn threads_of(&self, chosen: &Candidate) -> ThreadsFiles<'read> {
        let member = |at: &usize| self.files.members.get(*at);
        let all = std::iter::once(&chosen.main).chain(&chosen.others).filter_map(member);
        let all = all.collect::<Vec<_>>();
        let beside = |begin: &str, suffix: &str| {
            let named = |file: &&&Member<'read>, is: &dyn Fn(&str) -> bool| {
                file.name().strip_prefix(begin).is_some_and(is)
            };
            let own = all.iter().find(|file| named(file, &|rest| rest == suffix));
            // Of a process one may do for all of its threads.
            let process = suffix.split('.').next().unwrap_or_default();
            let of_process = || {
                all.iter().find(|file| named(file, &|rest| rest.split('.').next() == Some(process)))
            };
            own.or_else(of_process).map(|file| (**file).clone())
        };
        let records = all.iter().filter(|file| file.kind == FileKind::EbsTrace);
        let threads = records.map(|file| {
            let suffix = file.name().strip_prefix("ebstrace.raw.").unwrap_or_default();
            ThreadFiles {
                numbers: numbers(suffix),
                records: (*file).clone(),
                definitions: beside("ebstrace.def.", suffix),
                map: beside("ebstrace.map.", suffix),
            }
        });
        ThreadsFiles(threads.collect())
    }
}

/// Process, node and thread of `PROCESS.NODE.CONTEXT.THREAD`, packed or not.
fn numbers(suffix: &str) -> Option<[u32; 3]> {
    let mut parts = suffix.split('.').map(|part| u32::try_from(number(part.as_bytes())?.0).ok());
    let [process, node, _, thread] =
        [parts.next()??, parts.next()??, parts.next()??, parts.next()??];
    Some([process, node, thread])
}

impl ThreadsFiles<'_> {
    /// Reads all of them, as long as the trace may hold them.
    #[inline(never)]
    pub(super) fn read(
        &self,
        name: &str,
        trace: &mut Builder,
        watch: &mut Watch<'_>,
    ) -> Result<(), ParseError> {
        let total = self.0.iter().fold(0u64, |sum, files| sum.saturating_add(files.records.size));
        trace.size_bytes = total;
        let mut reader = EbsReader::new(name);
        let processes = self.processes(trace);
        let (mut done, mut held_bytes) = (0u64, 0u64);
        for files in self.in_order() {
            let mut thread = Thread::new(files.records.name());
            for (file, says) in [
                (files.definitions.as_ref(), Says::Names),
                (files.map.as_ref(), Says::Modules),
                (Some(&files.records), Says::Records),
            ] {
                let Some(file) = file else { continue };
                let lines = Lines { file, name: file.name() };
                each_line(lines, &mut Of { thread: &mut thread, says }, trace, watch)?;
            }
            done = done.saturating_add(files.records.size);
            held_bytes = held_bytes.saturating_add(thread.held_bytes());
            let (node, number) = thread.node_and_thread();
            let [process, node, number] = files.numbers.unwrap_or([0, node, number]);
            let key = [u64::from(node), u64::from(process), 0];
            let known = processes.keys().position(|(known, _)| known == key);
            let task = known.map_or(node, |at| at as u32).saturating_add(1);
            let object = Object { application: 1, task, thread: number.saturating_add(1) };
            if trace.only().objects.has(object) {
                reader.add(object, thread, trace);
            }
            if held_bytes > watch.most_bytes {
                trace.stop_at(done as f64 / total.max(1) as f64);
                break;
            }
        }
        reader.finish(trace)
    }

    /// By node, process and thread, in whatever order they were dropped.
    fn in_order(&self) -> impl Iterator<Item = &ThreadFiles<'_>> {
        let mut numbers = Numbers::default();
        for (at, files) in (0u64..).zip(&self.0) {
            let [process, node, thread] = files.numbers.unwrap_or_default().map(u64::from);
            numbers.of([node << 32 | process, thread, at]);
        }
        let places = numbers.by_key().collect::<Vec<_>>();
        places.into_iter().filter_map(|at| self.0.get(at))
    }

    /// Nodes with their processes, in order, if processes of one number of node are to be told apart that know
    /// nothing of each other; else none, as nodes are tasks.
    fn processes(&self, trace: &mut Builder) -> Numbers {
        let (mut nodes, mut processes) = (Numbers::default(), Numbers::default());
        for files in &self.0 {
            let Some([process, node, _]) = files.numbers else { continue };
            nodes.of([u64::from(node), 0, 0]);
            processes.of([u64::from(node), u64::from(process), 0]);
        }
        if nodes.len() == processes.len() {
            return Numbers::default();
        }
        let text = "Several processes have one number of node: their tasks are numbered by node, then process.";
        trace.notices.add(text, || "ebstrace.raw.PROCESS.NODE.CONTEXT.THREAD".to_owned());
        processes
    }
}

/// What the lines of a file say of a thread.
#[derive(Clone, Copy)]
enum Says {
    Names,
    Modules,
    Records,
}

struct Of<'a> {
    thread: &'a mut Thread,
    says: Says,
}

impl LineReader for Of<'_> {
    #[inline(never)]
    fn line(&mut self, at: u64, line: &[u8], _: &mut Builder) -> Result<(), ParseError> {
        match self.says {
            Says::Names => self.thread.definition(line),
            Says::Modules => self.thread.module(line),
            Says::Records => return self.thread.line(at, line),
        }
        Ok(())
    }

    fn label(&self, _: &mut Builder) {}
}
