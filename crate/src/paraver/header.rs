//! The first line of a `.prv`.

use crate::text::{ParseError, number};
use crate::trace::Object;

/// What the first line promises.
///
/// Example: `#Paraver (29/07/2012 at 14:21):556919776419_ns:1(1):1:1(1:1),0`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Nanoseconds; not to be trusted as the largest time of the trace.
    pub duration_ns: u64,
    /// Nanoseconds in a unit of the file's times: 1, 1 000 (no suffix) or 1 000 000.
    pub unit_ns: u64,
    /// For each application, for each task, its number of threads.
    pub applications: Vec<Vec<u32>>,
    /// For each application, for each task, the node that it runs on, from 1; 0 where it is not told.
    pub nodes: Vec<Vec<u32>>,
}

const EXPECTED: &str =
    "a header such as \u{201c}#Paraver (date):DURATION_ns:NODES:APPLICATIONS:…\u{201d}";

impl Header {
    /// Reads the header, or says which part of it is wrong.
    pub fn parse(file: &str, line_number: u64, line: &[u8]) -> Result<Self, ParseError> {
        let wrong = |at: usize, expected| ParseError::at(file, line_number, at + 1, line, expected);
        let magic = line.get(..9).unwrap_or(line);
        if !magic.eq_ignore_ascii_case(b"#Paraver ") {
            return Err(wrong(0, EXPECTED));
        }
        // The date may hold colons: the fields begin after the first `):`.
        let date_end = line.windows(2).position(|pair| pair == b"):");
        let mut scan =
            Scan { line, at: date_end.ok_or_else(|| wrong(9, "a date in brackets"))? + 2 };

        let (duration, _) = scan.number().ok_or_else(|| wrong(scan.at, "the duration"))?;
        if scan.take(b'.') {
            scan.number();
        }
        let unit_ns = scan.unit().ok_or_else(|| wrong(scan.at, "_ns, _us, _ms or a colon"))?;
        let duration_ns = duration.saturating_mul(unit_ns);
        // Nodes and their processors: nothing that folding needs, but brackets may hold colons.
        scan.skip_resources().ok_or_else(|| wrong(scan.at, "the nodes and a colon"))?;

        let expected = "the number of applications";
        let (count, _) = scan.number().ok_or_else(|| wrong(scan.at, expected))?;
        let (mut applications, mut nodes) = (Vec::new(), Vec::new());
        for _ in 0..count.min(line.len() as u64) {
            scan.at += 1; // A colon, or the comma that Extrae writes between applications.
            let expected = "an application such as \u{201c}2(1:1,1:1)\u{201d}";
            let tasks = scan.application().ok_or_else(|| wrong(scan.at, expected))?;
            let (threads, of_tasks) = tasks.into_iter().unzip();
            applications.push(threads);
            nodes.push(of_tasks);
        }
        Ok(Self { duration_ns, unit_ns, applications, nodes })
    }

    /// The clock of the file, for people.
    pub fn clock(&self) -> &'static str {
        match self.unit_ns {
            1 => "Paraver, in nanoseconds",
            1_000 => "Paraver, in microseconds",
            _ => "Paraver, in milliseconds",
        }
    }

    /// Threads of all tasks of all applications.
    pub fn threads(&self) -> u64 {
        self.applications.iter().flatten().map(|threads| u64::from(*threads)).sum()
    }

    /// The thread with these numbers, if the header knows it.
    pub fn object(&self, application: u64, task: u64, thread: u64) -> Option<Object> {
        let nth = |index: u64| usize::try_from(index).ok()?.checked_sub(1);
        let tasks = self.applications.get(nth(application)?)?;
        let threads = *tasks.get(nth(task)?)?;
        let [application, task] = [application, task].map(|number| number as u32);
        let known = (1..=u64::from(threads)).contains(&thread);
        known.then_some(Object { application, task, thread: thread as u32 })
    }
}

struct Scan<'line> {
    line: &'line [u8],
    at: usize,
}

impl Scan<'_> {
    fn take(&mut self, byte: u8) -> bool {
        let found = self.line.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn number(&mut self) -> Option<(u64, bool)> {
        let rest = self.line.get(self.at..)?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let value = number(rest.get(..digits)?)?;
        self.at += digits;
        Some(value)
    }

    /// Nanoseconds per unit; microseconds without a suffix, and for any that is not known.
    fn unit(&mut self) -> Option<u64> {
        let rest = self.line.get(self.at..)?;
        let end = rest.iter().position(|&byte| byte == b':')?;
        let suffix = rest.get(..end)?;
        self.at += end + 1;
        match suffix {
            b"_ns" => Some(1),
            b"_ms" => Some(1_000_000),
            b"" => Some(1_000),
            _ if suffix.starts_with(b"_") => Some(1_000),
            _ => None,
        }
    }

    fn skip_resources(&mut self) -> Option<()> {
        let rest = self.line.get(self.at..)?;
        self.at += rest.iter().position(|&byte| byte == b':')? + 1;
        Some(())
    }

    /// `NTASKS(THREADS:NODE,…)` to the threads and the node of each task.
    fn application(&mut self) -> Option<Vec<(u32, u32)>> {
        let (count, _) = self.number()?;
        let mut tasks = Vec::new();
        if !self.take(b'(') {
            return (count == 0).then_some(tasks);
        }
        loop {
            let (count, _) = self.number()?;
            let node = if self.take(b':') { self.number()?.0 } else { 0 };
            tasks.push((u32::try_from(count).ok()?, u32::try_from(node).unwrap_or(0)));
            if self.take(b')') {
                return Some(tasks);
            }
            self.take(b',').then_some(())?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, duration_ns: u64, unit_ns: u64, applications: &[&[u32]]) {
        let header = Header::parse("a.prv", 1, line.as_bytes()).unwrap();
        assert_eq!((header.duration_ns, header.unit_ns), (duration_ns, unit_ns), "{line}");
        assert_eq!(header.applications, applications, "{line}");
    }

    #[test]
    fn tasks_run_on_the_nodes_that_stand_behind_their_threads() {
        let nodes = |line: &str| Header::parse("a.prv", 1, line.as_bytes()).unwrap().nodes;
        let two = nodes("#Paraver (07/03/24 at 9:05):54_ns:2(2,2):2:2(2:1,2:2),1(1:2),3");
        assert_eq!(two, [vec![1, 2], vec![2]]);
        assert_eq!(nodes("#Paraver (x):3_ms:0:1:2(1:0,1)"), [[0, 0]]);
        assert_eq!(nodes("#Paraver (x):3_ms:0:1:1(1:99999999999)"), [[0]]);
    }

    #[test]
    fn headers_of_every_age_are_read() {
        check("#Paraver (29/07/2012 at 14:21):556_ns:1(1):1:1(1:1),0", 556, 1, &[&[1]]);
        check(
            "#Paraver (07/03/24 at 9:05):54_ns:2(2,2):2:2(2:1,2:2),1(1:1),3",
            54,
            1,
            &[&[2, 2], &[1]],
        );
        check("#Paraver (1/1/04 at 1:1):7:4:1:3(1:1,1:2,1:3)", 7_000, 1_000, &[&[1, 1, 1]]);
        check("#PARAVER (x):3_ms:0:1:1(1:0)", 3_000_000, 1_000_000, &[&[1]]);
        check("#Paraver (x):12.0_ns:0:2:1(1:0):1(2:0)", 12, 1, &[&[1], &[2]]);
        check("#Paraver (x):12_parsec:0:1:1(1:0)", 12_000, 1_000, &[&[1]]);
    }

    #[test]
    fn a_wrong_header_says_which_part() {
        let message =
            |line: &str| Header::parse("a.prv", 1, line.as_bytes()).unwrap_err().to_string();
        assert_eq!(
            message("hello"),
            format!("a.prv:1:1: found \u{201c}hello\u{201d}, expected {EXPECTED}")
        );
        assert_eq!(
            message("#Paraver (x):soon:0:1:1(1:0)"),
            "a.prv:1:14: found \u{201c}soon\u{201d}, expected the duration"
        );
        assert_eq!(
            message("#Paraver (x):9_ns:0:1:1(1:"),
            "a.prv:1:27: found the end of the line, expected an application such as \
             \u{201c}2(1:1,1:1)\u{201d}"
        );
    }

    #[test]
    fn only_threads_of_the_header_are_known() {
        let header = Header::parse("a", 1, b"#Paraver (x):9_ns:0:1:2(1:1,3:1)").unwrap();
        assert!(header.object(1, 2, 3).is_some());
        for (application, task, thread) in [(0, 1, 1), (2, 1, 1), (1, 3, 1), (1, 1, 2), (1, 1, 0)] {
            assert_eq!(header.object(application, task, thread), None);
        }
    }
}
