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
    Unknown,
}

/// Tells what a file is: by its first (inflated) bytes, or else by its name without `.gz`.
pub fn sniff(name: &str, head: &[u8]) -> FileKind {
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
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("prv") => FileKind::Prv,
        Some("pcf") => FileKind::Pcf,
        Some("row") => FileKind::Row,
        Some("extract") => FileKind::Extract,
        _ => FileKind::Unknown,
    }
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
        ] {
            assert_eq!(sniff(name, head.as_bytes()), kind, "{name}");
        }
    }
}
