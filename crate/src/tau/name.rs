//! What TAU calls an event: a call path, and what each element of it is.
//!
//! Elements are told by their tags and not by the groups of the event, which overlap and which files of
//! before 2013 do not have. A location stands at the end: `NAME [{FILE} {LINE,COLUMN}-{LINE,COLUMN}]`.
//!
//! Sources: TAU 2, `TauSampling.cpp`; Malony, Huck 2014, §III.C.

use std::borrow::Cow;

use crate::profile::NodeKind;

/// Between the elements of a call path; nothing escapes it inside of them.
pub const CALLS: &str = " => ";
/// Behind the name of a timer that was stopped because it was called too often.
const THROTTLED: &str = " [THROTTLED]";
/// Behind the name of a routine, between callee and caller of a call site.
const AT: &str = " [@] ";
/// The name of what no symbol is known of, where TAU says nothing of it.
const UNRESOLVED: &str = "unresolved";
const UNRESOLVED_TAG: &str = "UNRESOLVED";

/// An element of a call path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element<'name> {
    pub kind: NodeKind,
    /// Without tag and location.
    pub name: Cow<'name, str>,
    pub file: &'name str,
    pub line: u32,
    pub is_throttled: bool,
}

/// The elements of a call path as they are written, outermost first. Older files have no blanks round
/// the arrow: `groups` says that it is one.
pub fn path<'name>(name: &'name str, groups: &str) -> Vec<&'name str> {
    let arrow = match name.contains(CALLS) || !groups.contains("TAU_CALLPATH") {
        true => CALLS,
        false => CALLS.trim(),
    };
    name.split(arrow).map(str::trim).collect()
}

/// Runs of blanks as one: the path and the event itself spell a name with different blanks.
pub fn collapsed(name: &str) -> Cow<'_, str> {
    if !name.contains("  ") && name.trim() == name {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.split_whitespace().collect::<Vec<_>>().join(" "))
}

impl<'name> Element<'name> {
    /// What an element is, by its tag. Its text is [`collapsed`].
    pub fn read(text: &'name str) -> Self {
        let bare = text.strip_suffix(THROTTLED).unwrap_or(text);
        let is_throttled = bare.len() < text.len();
        let tagged = |tag: &str| bare.strip_prefix(tag).map(str::trim_start);
        let (kind, rest) = match () {
            () if tagged("[CONTEXT]").is_some() => (NodeKind::Context, tagged("[CONTEXT]")),
            // TAU until 2.21.
            () if bare.starts_with("[INTERMEDIATE]") => {
                (NodeKind::Context, tagged("[INTERMEDIATE]"))
            }
            () if bare.starts_with("[SAMPLE]") => (NodeKind::Sample, tagged("[SAMPLE]")),
            () if bare.starts_with("[UNWIND]") => (NodeKind::Unwind, tagged("[UNWIND]")),
            () if bare.starts_with("[SUMMARY]") => (NodeKind::Summary, tagged("[SUMMARY]")),
            () if bare.starts_with("[CALLSITE]") => (NodeKind::Part, Some(bare)),
            () if parameter(bare).is_some() => (NodeKind::Part, Some(bare)),
            () => (NodeKind::Probe, Some(bare)),
        };
        let rest = rest.unwrap_or_default();
        if kind == NodeKind::Sample && rest.starts_with(UNRESOLVED_TAG) {
            let module = rest.strip_prefix(UNRESOLVED_TAG).unwrap_or_default().trim();
            let name = if module.is_empty() { UNRESOLVED } else { module };
            let kind = NodeKind::Unresolved;
            return Self { kind, name: name.into(), file: "", line: 0, is_throttled };
        }
        // The callee is what lies below.
        let rest = match kind {
            NodeKind::Unwind => rest.split_once(AT).map_or(rest, |(_, caller)| caller),
            _ => rest,
        };
        let (routine, value) = parameter(rest).unwrap_or((rest, ""));
        let (name, file, line) = located(routine);
        let name = match (name, value) {
            // At the resolution of files there is no routine.
            ("", _) => file.into(),
            (name, "") => name.into(),
            (name, value) => format!("{name}{value}").into(),
        };
        Self { kind, name, file, line, is_throttled }
    }
}

/// Routine and ` [ <PARAMETER> = <VALUE> ]` of a name that has both.
fn parameter(text: &str) -> Option<(&str, &str)> {
    let at = text.ends_with("> ]").then(|| text.find(" [ <"))??;
    Some(text.split_at(at))
}

/// The routine of a part: of a call with one value of a parameter, from one call site.
pub fn routine_of_part(text: &str) -> &str {
    let text = text.strip_prefix("[CALLSITE]").map_or(text, str::trim_start);
    let text = text.split_once(AT).map_or(text, |(callee, _)| callee);
    parameter(text).map_or(text, |(routine, _)| routine)
}

/// Name, file and line of `NAME [{FILE} {LINE,COLUMN}-{LINE,COLUMN}]`, of which all but the name may be
/// absent. The file may have any character.
fn located(text: &str) -> (&str, &str, u32) {
    const BEGIN: &str = "[{";
    let whole = (text, "", 0);
    let Some(inner) = text.strip_suffix("}]") else { return whole };
    let at = if inner.starts_with(BEGIN) { Some(0) } else { inner.find(" [{").map(|at| at + 1) };
    let Some((name, place)) = at.and_then(|at| inner.split_at_checked(at)) else { return whole };
    let place = place.strip_prefix(BEGIN).unwrap_or_default();
    let is_line = |lines: &&str| {
        lines.starts_with(|c: char| c.is_ascii_digit())
            && lines.bytes().all(|byte| byte.is_ascii_digit() || b",-{}".contains(&byte))
    };
    // From the first, as a range has such a border too, but without a blank.
    let (file, lines) = match place.rsplit_once("} {") {
        Some((file, lines)) if is_line(&lines) => (file, lines),
        _ => (place, ""),
    };
    let digits = lines.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    (name.trim_end(), file, digits.parse().unwrap_or(0))
}

/// An element as TAU writes it; `callee`: of a call site, what it calls.
pub fn written(kind: NodeKind, name: &str, file: &str, line: u32, callee: &str) -> String {
    let has_place = !file.is_empty() || line > 0;
    let place = match kind {
        // Readers ask for a place here.
        NodeKind::Unwind => format!(" [{{{file}}} {{{line}}}]"),
        NodeKind::Sample
        | NodeKind::Probe
        | NodeKind::Part
        | NodeKind::Context
        | NodeKind::Summary
            if has_place =>
        {
            format!(" [{{{file}}} {{{line}}}]")
        }
        _ => String::new(),
    };
    let name = if name == file && kind == NodeKind::Sample { "" } else { name };
    match kind {
        NodeKind::Probe | NodeKind::Part => format!("{name}{place}"),
        NodeKind::Context => format!("[CONTEXT] {name}{place}"),
        NodeKind::Unwind => format!("[UNWIND] {callee}{AT}{name}{place}"),
        NodeKind::Summary => format!("[SUMMARY] {name}{place}"),
        NodeKind::Sample => collapsed(&format!("[SAMPLE] {name}{place}")).into_owned(),
        NodeKind::Unresolved if name == UNRESOLVED => format!("[SAMPLE] {UNRESOLVED_TAG}"),
        NodeKind::Unresolved => format!("[SAMPLE] {UNRESOLVED_TAG} {name}"),
    }
}
