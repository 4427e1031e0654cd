//! Paraver's configuration files (`.cfg`) for the types that a folded trace has: what to show of
//! them as time-lines and histograms, under the names that the Folding user guide gives them.
//!
//! A rate is `Avg Next Evt Val`: the next reading over the time up to it. In windows whose unit is
//! the microsecond this is millions per second.
//!
//! Sources: Folding user guide, §1.1.3; the loader of configuration files in Paraver's kernel.

use super::folded::{CALLER, CALLER_LINE, Folded, GROUP, PHASE, REGION};

/// A time-line of one type of event.
struct Window {
    name: &'static str,
    code: u32,
    function: &'static str,
    color: &'static str,
}

const VALUE: &str = "Last Evt Val";
const RATE: &str = "Avg Next Evt Val";
const BY_CODE: &str = "window_in_code_mode";
const BY_SIZE: &str = "window_in_null_gradient_mode";

const TYPE: Window = Window { name: "Folded type", code: REGION, function: VALUE, color: BY_CODE };
const OF_GROUP: Window =
    Window { name: "Folded instance group", code: GROUP, function: VALUE, color: BY_CODE };
const OF_PHASE: Window =
    Window { name: "Folded phase", code: PHASE, function: VALUE, color: BY_CODE };
const OF_CALLER: Window =
    Window { name: "Folded caller", code: CALLER, function: VALUE, color: BY_CODE };
const OF_LINE: Window =
    Window { name: "Folded caller line", code: CALLER_LINE, function: VALUE, color: BY_CODE };

/// Name and text of each file; those of MIPS only where instructions were counted, those of
/// callers only where there are some.
pub fn configurations(folded: &Folded) -> Vec<(&'static str, String)> {
    let mut files = vec![("win_folded_type.cfg", file(&[TYPE, OF_GROUP, OF_PHASE], None))];
    let mips = |code| Window { name: "Folded MIPS", code, function: RATE, color: BY_SIZE };
    if let Some(code) = folded.instructions {
        files.push(("win_folded_mips.cfg", file(&[mips(code)], None)));
    }
    for (is_there, window, name, histogram, title) in [
        (
            folded.routines,
            OF_CALLER,
            "win_folded_processed_call-stack_caller.cfg",
            "3dh_folded_mips_per_caller.cfg",
            "Folded MIPS per caller",
        ),
        (
            folded.lines,
            OF_LINE,
            "win_folded_processed_call-stack_callerline.cfg",
            "3dh_folded_mips_per_callerline.cfg",
            "Folded MIPS per caller line",
        ),
    ] {
        if is_there == 0 {
            continue;
        }
        if let Some(code) = folded.instructions {
            let planes = Histogram { title, columns: is_there, planes: folded.groups };
            let windows = [Window { ..window }, mips(code), OF_GROUP];
            files.push((histogram, file(&windows, Some(planes))));
        }
        files.push((name, file(&[window], None)));
    }
    files
}

/// Average of window 2 for each value of window 1, in a plane for each value of window 3.
struct Histogram {
    title: &'static str,
    /// Largest value of window 1.
    columns: usize,
    /// Largest value of window 3.
    planes: u32,
}

fn file(windows: &[Window], histogram: Option<Histogram>) -> String {
    let count = windows.len();
    let mut text = format!(
        "#ParaverCFG\n\
         ConfigFile.Version: 3.4\n\
         ConfigFile.NumWindows: {count}\n\n"
    );
    for (id, window) in (1..).zip(windows) {
        // Windows that only feed a histogram stay closed.
        text += &single(id, window, histogram.is_none());
    }
    text + &histogram.map_or_else(String::new, |histogram| analyzer(&histogram))
}

fn single(id: u32, window: &Window, is_open: bool) -> String {
    let &Window { name, code, function, color } = window;
    let top = 100 + 150 * id;
    let mut text = format!(
        include_str!("window.cfg"),
        name = name,
        id = id,
        top = top,
        color = color,
        is_open = is_open,
        function = function
    );
    if function == RATE {
        text += &format!("window_semantic_module thread {RATE} {{ 1, {{ 1 1.000000000000 }} }}\n");
    }
    text + &format!("window_filter_module evt_type 1 {code}\n")
}

fn analyzer(histogram: &Histogram) -> String {
    let Histogram { title, columns, planes } = histogram;
    format!(include_str!("histogram.cfg"), title = title, columns = columns, planes = planes)
}
