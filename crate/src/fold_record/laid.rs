//! Instances laid one after the other on their threads.

use super::{CODE_LINE, DEEPEST, FIRST_COUNTER, REGION, ROUTINE};
use crate::order::{self, Key, Numbers, Texts};
use crate::text::number;
use crate::trace::{Builder, Object};

/// An instance, and what was sampled in it.
#[derive(Debug, Default)]
pub struct Laid {
    /// By number, from 1.
    pub region: u64,
    pub duration_ns: u64,
    /// By counter.
    pub totals: Vec<Option<u64>>,
    pub samples: Vec<Sampled>,
}

#[derive(Debug)]
pub struct Sampled {
    pub since_ns: u64,
    /// By counter, since the begin.
    pub counts: Vec<Option<u64>>,
    /// Frames, outermost first: routine and line by number, from 1; 0 where it is not known.
    pub stack: Vec<[u64; 2]>,
}

/// The threads of a trace whose times are made up, and the names of what is on them.
#[derive(Debug, Default)]
pub struct Threads {
    /// When the next instance of each begins, by what `objects` says.
    objects: Numbers,
    next_ns: Vec<u64>,
    pub regions: Texts,
    pub routines: Texts,
    pub code_lines: Texts,
    depth: usize,
}

/// What a region of a thread is told apart by.
pub fn key(object: Object, region: u64) -> Key {
    let Object { application, task, thread } = object;
    [u64::from(application) << 32 | u64::from(task), u64::from(thread), region]
}

/// Between two instances, so that one ends before the next begins.
const GAP_NS: u64 = 1000;

impl Threads {
    /// Lays an instance behind those of its thread. Returns how many of its samples are not inside it, or at the
    /// time of another. O(samples log samples).
    pub fn lay(&mut self, object: Object, mut laid: Laid, trace: &mut Builder) -> u64 {
        let at = self.objects.of(key(object, 0));
        self.next_ns.resize(self.objects.len(), 0);
        let thread = trace.thread(object);
        let begin_ns = self.next_ns.get(at).copied().unwrap_or(0);
        let end_ns = begin_ns.saturating_add(laid.duration_ns);
        if let Some(next_ns) = self.next_ns.get_mut(at) {
            *next_ns = end_ns.saturating_add(GAP_NS);
        }
        trace.event(thread, begin_ns, REGION, laid.region);
        let counters = laid.totals.iter().zip(FIRST_COUNTER..);
        let mut counted =
            counters.map(|(total, code)| total.map(|_| (code, 0))).collect::<Vec<_>>();
        for (code, _) in counted.iter().flatten() {
            trace.event(thread, begin_ns, *code, 0);
        }
        order::by_number(&mut laid.samples, |sample| sample.since_ns);
        let (mut last_ns, mut left_out) = (0, 0);
        for Sampled { since_ns, counts, stack } in laid.samples {
            if since_ns <= last_ns || since_ns >= laid.duration_ns {
                left_out += 1;
                continue;
            }
            last_ns = since_ns;
            let at_ns = begin_ns.saturating_add(since_ns);
            for (known, count) in counted.iter_mut().zip(counts) {
                if let (Some((code, so_far)), Some(count)) = (known, count) {
                    // A count that falls back wraps to what no reading can be, and is dealt with there.
                    trace.event(thread, at_ns, *code, count.wrapping_sub(*so_far));
                    *so_far = count;
                }
            }
            self.depth = self.depth.max(stack.len().min(DEEPEST));
            for (depth, [routine, code_line]) in (0u32..).zip(stack.iter().rev().take(DEEPEST)) {
                trace.event(thread, at_ns, ROUTINE + depth, *routine);
                trace.event(thread, at_ns, CODE_LINE + depth, *code_line);
            }
        }
        for ((code, so_far), total) in
            counted.into_iter().flatten().zip(laid.totals.iter().flatten())
        {
            trace.event(thread, end_ns, code, total.wrapping_sub(so_far));
        }
        trace.event(thread, end_ns, REGION, 0);
        left_out
    }

    /// Frames of a stack as it is written, outermost first: `main;solve;kernel (solve.c:88)`.
    pub fn frames(&mut self, stack: &str) -> Vec<[u64; 2]> {
        let frames = stack.split(';').map(str::trim).filter(|frame| !frame.is_empty());
        frames.map(|frame| self.frame(frame)).collect()
    }

    fn frame(&mut self, frame: &str) -> [u64; 2] {
        let place = frame.strip_suffix(')').and_then(|frame| frame.rsplit_once('('));
        let place = place.and_then(|(routine, place)| {
            let (file, line) = place.rsplit_once(':')?;
            let (line, _) = number(line.as_bytes())?;
            Some((routine.strip_suffix(' ')?, file, line))
        });
        let numbered = |texts: &mut Texts, text: &str| 1 + u64::from(texts.of(text));
        match place {
            Some((routine, file, line)) => {
                let label = format!("{line} ({file})");
                [numbered(&mut self.routines, routine), numbered(&mut self.code_lines, &label)]
            }
            None => [numbered(&mut self.routines, frame), 0],
        }
    }

    /// Names what was met so far.
    pub fn label(&self, trace: &mut Builder) {
        trace.labels.add_types(&[(REGION, "Region".to_owned())], self.regions.as_labels());
        for (first, label, texts) in [
            (ROUTINE, "Sampled functions", &self.routines),
            (CODE_LINE, "Sampled lines", &self.code_lines),
        ] {
            let types = (0..self.depth as u32).map(|depth| (first + depth, label.to_owned()));
            trace.labels.add_types(&types.collect::<Vec<_>>(), texts.as_labels());
        }
    }
}
