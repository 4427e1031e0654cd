use std::io::{self, ErrorKind, Write};

use crate::order;
use crate::trace::Object;

/// One execution of a region, as a tool that measured it knows it.
#[derive(Clone, Copy, Debug)]
pub struct InstanceRecord<'a> {
    pub object: Object,
    /// Its name; blanks in it are written as `_`.
    pub region: &'a str,
    pub start_ns: u64,
    pub duration_ns: u64,
    /// By time, after the start and not after the end. One at the end completes the totals and has
    /// no line of its own.
    pub samples: &'a [SampleRecord<'a>],
}

/// What was read at one moment inside an instance.
#[derive(Clone, Debug, Default)]
pub struct SampleRecord<'a> {
    pub time_ns: u64,
    /// Names and events since the counter's previous sample, or since the start of the instance.
    pub counters: Vec<(&'a str, u64)>,
    /// By depth, the innermost first.
    pub frames: Vec<FrameRecord>,
    pub reference: Option<ReferenceRecord>,
}

/// A frame of a call-stack, in numbers that a `.pcf` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRecord {
    /// 0 is the innermost.
    pub depth: u8,
    /// A value of the types 30000000 and on.
    pub routine: u64,
    /// A value of the types 30000100 and on.
    pub code_line: u64,
    /// A value of the types 30000200 and on; the code line where blocks are not known.
    pub block: u64,
}

/// A sampled load or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceRecord {
    pub is_store: bool,
    pub address: u64,
    pub data_object: u64,
    /// Memory level, TLB level and cost in cycles, where the processor tells.
    pub level: Option<[u64; 3]>,
}

/// Writes an `.extract`, instance by instance, for the folding of measurements that any tool made.
///
/// Counts are given as deltas and written as sums since the start of the instance, counters by
/// name.
///
/// ```
/// use tracefold::extract_file::{InstanceRecord, SampleRecord, Writer};
/// use tracefold::trace::Object;
///
/// let sample = |time_ns, instructions| SampleRecord {
///     time_ns,
///     counters: vec![("PAPI_TOT_INS", instructions)],
///     ..SampleRecord::default()
/// };
/// let mut writer = Writer::new(Vec::new());
/// writer.instance(&InstanceRecord {
///     object: Object { application: 1, task: 1, thread: 1 },
///     region: "solve",
///     start_ns: 1000,
///     duration_ns: 500,
///     samples: &[sample(1200, 70), sample(1500, 30)],
/// })?;
/// let expected = "I 1 1 1 solve 1000 500 1 PAPI_TOT_INS 100\n\
///                 DO 0\n\
///                 S 1200 200 1 PAPI_TOT_INS 70 0 0\n";
/// assert_eq!(writer.into_inner(), expected.as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Source: Folding user guide, listings 3.1 and 4.1; `DO` and the last field as Folding 1.4.2 wants
/// them.
pub struct Writer<W> {
    out: W,
}

impl<W: Write> Writer<W> {
    pub fn new(out: W) -> Self {
        Self { out }
    }

    /// Gives back what was written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Writes one instance. O(samples × counters).
    ///
    /// An error of kind `InvalidInput`, and nothing written, if a sample lies outside the instance
    /// or before the one before it; else one of the writer below.
    pub fn instance(&mut self, instance: &InstanceRecord<'_>) -> io::Result<()> {
        let InstanceRecord { object, region, start_ns, duration_ns, samples } = *instance;
        let end_ns = start_ns.saturating_add(duration_ns);
        check(samples, start_ns, end_ns)?;
        let mut counts = totals(samples);
        let Object { application, task, thread } = object;
        write!(self.out, "I {application} {task} {thread} {} ", word(region))?;
        write!(self.out, "{start_ns} {duration_ns} {}", counts.len())?;
        for (name, total) in &mut counts {
            write!(self.out, " {name} {total}")?;
            // From here on it is the sum so far.
            *total = 0;
        }
        // Data objects alive in the instance: their names would lie in a file of their own.
        self.out.write_all(b"\nDO 0\n")?;
        for sample in samples.iter().filter(|sample| sample.time_ns < end_ns) {
            self.sample(sample, start_ns, &mut counts)?;
        }
        Ok(())
    }

    fn sample(
        &mut self,
        sample: &SampleRecord<'_>,
        start_ns: u64,
        counts: &mut [(String, u64)],
    ) -> io::Result<()> {
        let (time, elapsed) = (sample.time_ns, sample.time_ns - start_ns);
        let read = totals(std::slice::from_ref(sample));
        write!(self.out, "S {time} {elapsed} {}", read.len())?;
        for (name, delta) in read {
            let Some((_, so_far)) = counts.iter_mut().find(|(known, _)| *known == name) else {
                continue;
            };
            *so_far = so_far.saturating_add(delta);
            write!(self.out, " {name} {so_far}")?;
        }
        write!(self.out, " {}", sample.frames.len())?;
        for FrameRecord { depth, routine, code_line, block } in &sample.frames {
            write!(self.out, " {depth} {routine} {code_line} {block}")?;
        }
        match sample.reference {
            None => self.out.write_all(b" 0\n"),
            Some(ReferenceRecord { is_store, address, data_object, level }) => {
                let kind = if is_store { "ST" } else { "LD" };
                match level {
                    Some([level, tlb, cost]) => {
                        writeln!(
                            self.out,
                            " Y {kind} {address} {data_object} Y {level} {tlb} {cost}"
                        )
                    }
                    // Folding reads what it wrote, and it writes the address twice here.
                    None => writeln!(self.out, " Y {kind} {address} {address} {data_object} N"),
                }
            }
        }
    }
}

fn check(samples: &[SampleRecord<'_>], start_ns: u64, end_ns: u64) -> io::Result<()> {
    let mut after = start_ns.saturating_add(1);
    for SampleRecord { time_ns, .. } in samples {
        if !(after..=end_ns).contains(time_ns) {
            let text =
                format!("found a sample at {time_ns} ns, expected one from {after} to {end_ns} ns");
            return Err(io::Error::new(ErrorKind::InvalidInput, text));
        }
        after = *time_ns;
    }
    Ok(())
}

/// Sum of the deltas of each counter, by name as it is written.
fn totals(samples: &[SampleRecord<'_>]) -> Vec<(String, u64)> {
    let mut totals: Vec<(String, u64)> = Vec::new();
    for (name, delta) in samples.iter().flat_map(|sample| &sample.counters) {
        let name = word(name);
        match totals.iter_mut().find(|(known, _)| *known == name) {
            Some((_, total)) => *total = total.saturating_add(*delta),
            None => totals.push((name, *delta)),
        }
    }
    order::by(&mut totals, |(a, _), (b, _)| a.cmp(b));
    totals
}

/// A name as one field of a line: never empty, no blanks, nothing that ends a line.
fn word(name: &str) -> String {
    let letter = |c: char| if c.is_whitespace() || c.is_control() { '_' } else { c };
    if name.is_empty() { "_".to_owned() } else { name.chars().map(letter).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBJECT: Object = Object { application: 2, task: 2, thread: 2 };

    fn sample<'a>(time_ns: u64, ins: u64, cyc: u64) -> SampleRecord<'a> {
        let counters = vec![("PAPI_TOT_INS", ins), ("PAPI_TOT_CYC", cyc)];
        SampleRecord { time_ns, counters, ..SampleRecord::default() }
    }

    fn written(region: &str, duration_ns: u64, samples: &[SampleRecord<'_>]) -> String {
        let mut writer = Writer::new(Vec::new());
        let instance =
            InstanceRecord { object: OBJECT, region, start_ns: 1000, duration_ns, samples };
        writer.instance(&instance).unwrap();
        String::from_utf8(writer.into_inner()).unwrap()
    }

    /// The program of listing 4.1 counts its objects from 0, ours from 1.
    #[test]
    fn listing_4_1_of_the_user_guide_gives_listing_3_1_with_todays_line_of_data_objects() {
        let frame = |depth, [routine, code_line, block]: [u64; 3]| FrameRecord {
            depth,
            routine,
            code_line,
            block,
        };
        let mut second = sample(4000, 1000, 2000);
        second.frames = vec![frame(0, [1, 2, 3]), frame(1, [3, 4, 5])];
        let samples = [sample(2000, 1000, 2000), second, sample(5500, 500, 1000)];
        assert_eq!(
            written("FunctionA", 4500, &samples),
            "I 2 2 2 FunctionA 1000 4500 2 PAPI_TOT_CYC 5000 PAPI_TOT_INS 2500\n\
             DO 0\n\
             S 2000 1000 2 PAPI_TOT_CYC 2000 PAPI_TOT_INS 1000 0 0\n\
             S 4000 3000 2 PAPI_TOT_CYC 4000 PAPI_TOT_INS 2000 2 0 1 2 3 1 3 4 5 0\n"
        );
    }

    #[test]
    fn a_counter_that_a_sample_lacks_is_left_out_there_and_goes_on_later() {
        let none = SampleRecord { time_ns: 1100, ..SampleRecord::default() };
        let text = written("r", 300, &[sample(1050, 3, 1), none, sample(1200, 4, 1)]);
        let lines = text.lines().skip(2).collect::<Vec<_>>();
        assert_eq!(
            lines,
            [
                "S 1050 50 2 PAPI_TOT_CYC 1 PAPI_TOT_INS 3 0 0",
                "S 1100 100 0 0 0",
                "S 1200 200 2 PAPI_TOT_CYC 2 PAPI_TOT_INS 7 0 0"
            ]
        );
    }

    #[test]
    fn references_are_written_with_and_without_a_level() {
        let reference = |level: Option<[u64; 3]>| SampleRecord {
            time_ns: 1100,
            reference: Some(ReferenceRecord {
                is_store: level.is_none(),
                address: 64,
                data_object: 7,
                level,
            }),
            ..SampleRecord::default()
        };
        let of = |level| written("r", 300, &[reference(level)]).lines().last().unwrap().to_owned();
        assert_eq!(of(Some([1, 2, 30])), "S 1100 100 0 0 Y LD 64 7 Y 1 2 30");
        assert_eq!(of(None), "S 1100 100 0 0 Y ST 64 64 7 N");
    }

    #[test]
    fn names_stay_one_word() {
        let hostile = format!("a b\n\tI 1\u{2028}\u{1b}[31m\"'{}", "x".repeat(10_000));
        let text = written(&hostile, 300, &[]);
        assert_eq!(text.lines().count(), 2);
        assert_eq!(text.split(' ').nth(4).unwrap().len(), hostile.len() - 2);
        assert!(written("", 300, &[]).starts_with("I 2 2 2 _ 1000 "));
    }

    #[test]
    fn samples_outside_or_out_of_order_are_refused_and_nothing_is_written() {
        for (times, message) in [
            (&[1000][..], "found a sample at 1000 ns, expected one from 1001 to 1300 ns"),
            (&[1301], "found a sample at 1301 ns, expected one from 1001 to 1300 ns"),
            (&[1200, 1199], "found a sample at 1199 ns, expected one from 1200 to 1300 ns"),
        ] {
            let samples = times.iter().map(|&time| sample(time, 1, 1)).collect::<Vec<_>>();
            let (region, start_ns, duration_ns) = ("r", 1000, 300);
            let mut writer = Writer::new(Vec::new());
            let error = writer
                .instance(&InstanceRecord {
                    object: OBJECT,
                    region,
                    start_ns,
                    duration_ns,
                    samples: &samples,
                })
                .unwrap_err();
            assert_eq!(
                (error.kind(), error.to_string()),
                (ErrorKind::InvalidInput, message.into())
            );
            assert!(writer.into_inner().is_empty());
        }
    }
}
