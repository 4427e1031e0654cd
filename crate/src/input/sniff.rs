/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Records of a Paraver trace.
    Prv,
    /// Labels of a Paraver trace.
    Pcf,
    /// Names of the objects of a Paraver trace.
    Row,
    /// Instances from BSC Folding.
    Extract,
    /// Instances and their samples, with times since the begin of each.
    FoldRecord,
    /// What TAU samples of a thread.
    EbsTrace,
    /// By its name alone what lies beside such a file: names of timers, a map, or what was made of it.
    EbsPart,
    /// What `perf script` prints.
    PerfScript,
    /// A timeline that was saved as text.
    Semantic,
    /// What `perf record` writes, which only perf can read.
    PerfData,
    /// A profile of TAU: a metric of a thread, as text.
    TauText,
    /// Of all threads, packed.
    TauPacked,
    /// Of all threads, or snapshots, as XML.
    TauXml,
    /// The anchor of an archive of OTF2.
    Otf2,
    /// A part of a fold.
    Part,
    /// By its name alone a file of such an archive: definitions or events.
    Otf2Part,
    Unknown,
}

impl FileKind {
    /// Whether it is a profile of TAU, or a part of one.
    pub fn is_profile(self) -> bool {
        matches!(self, Self::TauText | Self::TauPacked | Self::TauXml)
    }
}

/// What a part of a fold begins with, of every version.
pub const PART: &[u8] = b"Tracefold part\n";

/// Whether a file is taken for one of an archive of OTF2 by its name. Their first bytes say nothing, and
/// there may be tens of thousands of them.
pub fn is_otf2_part(name: &str) -> bool {
    name.ends_with(".evt") || name.ends_with(".def")
}

/// Tells what a file is: by its first (inflated) bytes, or else by its name without `.gz`.
pub fn sniff(name: &str, head: &[u8]) -> FileKind {
    if is_otf2_part(name) {
        return FileKind::Otf2Part;
    }
    if is_otf2_anchor(head) {
        return FileKind::Otf2;
    }
    if let Some(rest) = name.strip_prefix("ebstrace.") {
        return if rest.starts_with("raw") { FileKind::EbsTrace } else { FileKind::EbsPart };
    }
    if head.starts_with(b"# Format version: 0.2\n") {
        return FileKind::EbsTrace;
    }
    if head.starts_with(PART) {
        return FileKind::Part;
    }
    let head = head.trim_ascii_start();
    let begins = |word: &str| {
        head.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    };
    if begins("#Paraver ") || begins("new format\n") {
        return FileKind::Prv;
    }
    if begins("LEVEL ") {
        return FileKind::Row;
    }
    if begins("DEFAULT_OPTIONS") || begins("EVENT_TYPE") {
        return FileKind::Pcf;
    }
    if head.starts_with(b"PERFILE2") {
        return FileKind::PerfData;
    }
    if head.starts_with(b"\0P\0P\0K") {
        return FileKind::TauPacked;
    }
    if is_tau_xml(head) {
        return FileKind::TauXml;
    }
    if is_tau_text(head) {
        return FileKind::TauText;
    }
    if begins("# ========\n# captured on") || is_perf_record(head) {
        return FileKind::PerfScript;
    }
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").or(name.strip_suffix(".bz2")).unwrap_or(&name);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    if extension != Some("extract") && is_fold_record(head) {
        return FileKind::FoldRecord;
    }
    match extension {
        Some("txt") | None if is_timeline_row(head) => FileKind::Semantic,
        Some("prv") => FileKind::Prv,
        Some("pcf") => FileKind::Pcf,
        Some("row") => FileKind::Row,
        Some("extract") => FileKind::Extract,
        Some("perf-script" | "perf") => FileKind::PerfScript,
        Some("csv") => FileKind::Semantic,
        // One that is broken says so when it is read.
        Some("otf2") => FileKind::Otf2,
        Some("part") => FileKind::Part,
        _ => FileKind::Unknown,
    }
}

/// Whether an anchor begins so: the mark of a chunk, its byte order, and the format's name.
fn is_otf2_anchor(head: &[u8]) -> bool {
    matches!(head, [3, 0x42 | 0x23, b'O', b'T', b'F', b'2', 0, ..])
}

/// Whether TAU's element is among the first, whatever declarations are before it.
fn is_tau_xml(head: &[u8]) -> bool {
    let is_it = |bytes: &[u8]| bytes == b"<profile_xml";
    head.starts_with(b"<") && head.windows(b"<profile_xml".len()).any(is_it)
}

/// Whether the first line is that of a profile of TAU: `17 templated_functions_MULTI_TIME`.
fn is_tau_text(head: &[u8]) -> bool {
    let digits = head.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && head.get(digits..).is_some_and(|rest| rest.starts_with(b" templated_functions"))
}

/// Whether the first line has a thread, perhaps a processor, and a time with a colon.
///
/// Examples: `app  4615 [000]  2144.807830162: `, `app  4670/4672   2153.8685:  2004008 `
fn is_perf_record(head: &[u8]) -> bool {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or(head);
    let words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let words = words.collect::<Vec<_>>();
    let digits = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    let is_time = |word: &[u8]| {
        let mut parts = word.strip_suffix(b":").unwrap_or_default().split(|&byte| byte == b'.');
        let fraction = |part: &[u8]| digits(part) && (6..=9).contains(&part.len());
        parts.next().is_some_and(digits) && parts.next().is_some_and(fraction)
    };
    let is_cpu = |word: &[u8]| word.starts_with(b"[") && word.ends_with(b"]");
    let is_thread = |word: &[u8]| word.split(|&byte| byte == b'/').all(digits);
    (1..words.len()).any(|end| match words.get(..=end) {
        Some([_, .., thread, cpu, time]) if is_cpu(cpu) => is_thread(thread) && is_time(time),
        Some([_, .., thread, time]) => is_thread(thread) && is_time(time),
        _ => false,
    })
}

/// Whether the first line that is no comment is an instance of a region, or a sample of one: its thread, a name,
/// and numbers. An extract has three numbers of its thread in their place. Names of counters may fill all that is
/// looked at.
///
/// Examples: `I 0 solve 1500`, `S 0.1 solve 3.5 main;solve`, `T solve:c 1500`
fn is_fold_record(head: &[u8]) -> bool {
    let mut lines = head.split(|&byte| byte == b'\n');
    let Some(line) = lines.find(|line| !line.is_empty() && !line.starts_with(b"#")) else {
        return head.starts_with(b"# Counters:");
    };
    let (Some(kind), Some(b' ' | b'\t')) = (line.first(), line.get(1)) else { return false };
    let words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let mut begins_with_digit =
        words.map(|word| word.first().is_some_and(u8::is_ascii_digit)).skip(1);
    let mut next = || begins_with_digit.next();
    match kind {
        b'I' | b'S' => next() == Some(true) && next() == Some(false),
        b'T' => next() == Some(false) && next() == Some(true),
        _ => false,
    }
}

/// Whether the first line is of a thread, with two numbers and something behind them.
///
/// Examples: `THREAD 1.2.1\t4310.25\t82.50\tCluster 1`, `1.2.1 4310 82 A`
fn is_timeline_row(head: &[u8]) -> bool {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or(head);
    let words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let mut words = words.skip_while(|word| *word == b"THREAD");
    let numbers = |word: &[u8]| {
        let mut parts = word.split(|&byte| byte == b'.');
        let are_digits = parts.clone().all(|part| part.iter().all(u8::is_ascii_digit));
        let has_first = parts.next().is_some_and(|part| !part.is_empty());
        if are_digits && has_first { 1 + parts.count() } else { 0 }
    };
    let mut next = || words.next().map_or(0, numbers);
    next() == 3 && (1..=2).contains(&next()) && (1..=2).contains(&next()) && words.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_goes_before_the_name() {
        for (name, head, kind) in [
            ("a.txt", "#PARAVER (x):", FileKind::Prv),
            ("a.prv", "\u{89}PNG", FileKind::Prv),
            ("a.prv.GZ", "", FileKind::Prv),
            ("trace", "LEVEL CPU SIZE 1", FileKind::Row),
            ("labels", "\nDEFAULT_OPTIONS\n", FileKind::Pcf),
            ("a.b.extract.gz", "I 1 1 1", FileKind::Extract),
            ("notes.md", "# Paraver", FileKind::Unknown),
            ("a.txt", "app  461 [000]  2144.807830162:   probe_", FileKind::PerfScript),
            ("a.txt", "\n  Web Content 4670/4672   2153.868597:  2004008", FileKind::PerfScript),
            ("a.txt", "app 7 1.000001: cycles:", FileKind::PerfScript),
            ("a.txt", "# ========\n# captured on    : Fri", FileKind::PerfScript),
            ("a.perf-script.gz", "", FileKind::PerfScript),
            ("perf.data", "PERFILE2\0\0", FileKind::PerfData),
            ("a.txt", "bash-1234 [001] 1498.672300: sched_switch:", FileKind::Unknown),
            ("a.txt", "[   12.345678] usb 1-1: new device", FileKind::Unknown),
            ("a.txt", "on 7 May 12.345678: a diary", FileKind::Unknown),
            ("a.txt", "THREAD 1.2.1\t4310.25\t82.50\tCluster 1\n", FileKind::Semantic),
            ("a.txt.bz2", "1.2.1 4310 82 A", FileKind::Semantic),
            ("a", "1.2.1 4310 82 A", FileKind::Semantic),
            ("a.md", "1.2.1 4310 82 A", FileKind::Unknown),
            ("a.csv.gz", "1\t0\t3\tEnd", FileKind::Semantic),
            ("a.txt", "1\t0\t3\tEnd", FileKind::Unknown),
            ("a.txt", "1.2.1 4310 82", FileKind::Unknown),
            ("a.txt", "1.2.1 of 3 4 releases", FileKind::Unknown),
            ("profile.0.0.0", "17 templated_functions_MULTI_TIME\n# Name", FileKind::TauText),
            ("profile.0.0.0", "17 functions", FileKind::Unknown),
            ("a.ppk", "\0P\0P\0K\0\0", FileKind::TauPacked),
            ("a.xml", "<profile_xml>\n", FileKind::TauXml),
            ("a", "\u{3}BOTF2\0\u{3}", FileKind::Otf2),
            ("a.otf2", "\u{3}#OTF2\0", FileKind::Otf2),
            ("a.otf2", "OTF2", FileKind::Otf2),
            ("a", "OTF2", FileKind::Unknown),
            ("0.evt", "", FileKind::Otf2Part),
            ("traces.def", "\u{3}B", FileKind::Otf2Part),
            ("traces.marker", "\u{3}B", FileKind::Unknown),
            ("a.xml", "<?xml version=\"1.0\"?>\n<profile_xml>", FileKind::TauXml),
            ("a.xml", "<?xml version=\"1.0\"?>\n<model>", FileKind::Unknown),
        ] {
            assert_eq!(sniff(name, head.as_bytes()), kind, "{name}");
        }
    }
}
