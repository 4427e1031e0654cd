//! Paraver's configuration files (`.cfg`) for the types that a folded trace has: what to show of
//! them as time-lines and histograms, under the names that the Folding user guide gives them.
//!
//! A rate is `Avg Next Evt Val`: the next reading over the time up to it. In windows whose unit is
//! the microsecond this is millions per second.
//!
//! Sources: Folding user guide, §1.1.3; the loader of configuration files in Paraver's kernel.

use super::folded::{CALLER, CALLER_LINE, Folded, GROUP, REGION};

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
const OF_CALLER: Window =
    Window { name: "Folded caller", code: CALLER, function: VALUE, color: BY_CODE };
const OF_LINE: Window =
    Window { name: "Folded caller line", code: CALLER_LINE, function: VALUE, color: BY_CODE };

/// Name and text of each file; those of MIPS only where instructions were counted, those of
/// callers only where there are some.
pub fn configurations(folded: &Folded) -> Vec<(&'static str, String)> {
    let mut files = vec![("win_folded_type.cfg", file(&[TYPE, OF_GROUP], None))];
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
    let Window { name, code, function, color } = window;
    let rule = "#".repeat(80);
    let mut text = format!(
        "\n{rule}\n\
         < NEW DISPLAYING WINDOW {name} >\n\
         {rule}\n\
         window_name {name}\n\
         window_type single\n\
         window_id {id}\n\
         window_position_x 100\n\
         window_position_y {}\n\
         window_width 600\n\
         window_height 115\n\
         window_comm_lines_enabled false\n\
         window_flags_enabled false\n\
         window_noncolor_mode true\n\
         window_color_mode {color}\n\
         window_logical_filtered true\n\
         window_physical_filtered false\n\
         window_comm_fromto true\n\
         window_comm_tagsize true\n\
         window_comm_typeval true\n\
         window_units Microseconds\n\
         window_maximum_y 1.000000000000\n\
         window_minimum_y 0.000000000000\n\
         window_compute_y_max true\n\
         window_level thread\n\
         window_scale_relative 1.000000000000\n\
         window_end_time_relative 1.000000000000\n\
         window_object appl {{ 1, {{ All }} }}\n\
         window_begin_time_relative 0.000000000000\n\
         window_open {is_open}\n\
         window_drawmode draw_maximum\n\
         window_drawmode_rows draw_maximum\n\
         window_pixel_size 1\n\
         window_labels_to_draw 1\n\
         window_selected_functions {{ 14, {{ {{cpu, Active Thd}}, {{appl, Adding}}, \
         {{task, Adding}}, {{thread, {function}}}, {{node, Adding}}, {{system, Adding}}, \
         {{workload, Adding}}, {{from_obj, All}}, {{to_obj, All}}, {{tag_msg, All}}, \
         {{size_msg, All}}, {{bw_msg, All}}, {{evt_type, =}}, {{evt_value, All}} }} }}\n\
         window_compose_functions {{ 9, {{ {{compose_cpu, As Is}}, {{compose_appl, As Is}}, \
         {{compose_task, As Is}}, {{compose_thread, As Is}}, {{compose_node, As Is}}, \
         {{compose_system, As Is}}, {{compose_workload, As Is}}, {{topcompose1, As Is}}, \
         {{topcompose2, As Is}} }} }}\n",
        100 + 150 * id
    );
    if *function == RATE {
        text += &format!("window_semantic_module thread {RATE} {{ 1, {{ 1 1.000000000000 }} }}\n");
    }
    text + &format!("window_filter_module evt_type 1 {code}\n")
}

fn analyzer(histogram: &Histogram) -> String {
    let Histogram { title, columns, planes } = histogram;
    format!(
        "\n< NEW ANALYZER2D >\n\
         Analyzer2D.Name: {title}\n\
         Analyzer2D.X: 100\n\
         Analyzer2D.Y: 100\n\
         Analyzer2D.Width: 600\n\
         Analyzer2D.Height: 300\n\
         Analyzer2D.ControlWindow: 1\n\
         Analyzer2D.DataWindow: 2\n\
         Analyzer2D.Accumulator: Semantic\n\
         Analyzer2D.Statistic: Average value\n\
         Analyzer2D.CalculateAll: True\n\
         Analyzer2D.HideCols: True\n\
         Analyzer2D.HorizVert: Horizontal\n\
         Analyzer2D.Color: True\n\
         Analyzer2D.SemanticColor: False\n\
         Analyzer2D.Zoom: Enabled\n\
         Analyzer2D.SortCols: False\n\
         Analyzer2D.SortCriteria: Average\n\
         Analyzer2D.AnalysisLimits: Alltrace\n\
         Analyzer2D.ComputeYScale: False\n\
         Analyzer2D.Minimum: 1.000000000000\n\
         Analyzer2D.Maximum: {columns}.000000000000\n\
         Analyzer2D.Delta: 1.000000000000\n\
         Analyzer2D.ComputeGradient: True\n\
         Analyzer2D.MinimumGradient: 0.000000000000\n\
         Analyzer2D.MaximumGradient: 1.000000000000\n\
         Analyzer2D.DrawModeObjects: draw_maximum\n\
         Analyzer2D.DrawModeColumns: draw_maximum\n\
         Analyzer2D.PixelSize: 1\n\
         Analyzer2D.ColorMode: window_in_gradient_mode\n\
         Analyzer2D.ShowOnlyTotals: False\n\
         Analyzer2D.ShortHeaderLabels: False\n\
         Analyzer2D.3D_ControlWindow: 3\n\
         Analyzer3D.ComputeYScale: False\n\
         Analyzer2D.3D_Minimum: 1.000000000000\n\
         Analyzer2D.3D_Maximum: {planes}.000000000000\n\
         Analyzer2D.3D_Delta: 1.000000000000\n\
         Analyzer2D.3D_FixedValue: 1.000000000000\n"
    )
}
