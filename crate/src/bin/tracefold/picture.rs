use tracefold::export::Exported;
use tracefold::glance::Window;
use tracefold::paint::{RunView, rows, run_svg};
use tracefold::run::{Seen, Timeline, glance};
use tracefold::settings::Settings;
use tracefold::trace::Trace;
use tracefold::{pipeline, report};

/// Size in px: of the picture, and at most of its time line, of which a row has at least `ROW`, or it
/// stands for several threads.
const WIDTH: f64 = 1040.0;
const TIMELINE: f64 = 340.0;
const ROW: f64 = 4.0;

/// Gutters, as the page has them.
const GUTTERS: (f64, f64) = (112.0, 68.0);

/// `run.svg`: the run at a glance, as its tab shows it of the whole run.
pub fn of_run(trace: &Trace, settings: &Settings) -> Exported {
    let (catalogue, _) = pipeline::catalogue(trace, settings);
    let seen = Seen::of(trace, &settings.repeating());
    let glance = glance(trace, &seen, &catalogue);
    let (left, right) = GUTTERS;
    let mut timeline = Timeline::of(trace, &seen);
    let (most, height) = rows(timeline.threads(), TIMELINE);
    let window = Window {
        to: 1.0,
        columns: (WIDTH - left - right) as u32,
        rows: most.min((TIMELINE / ROW) as u32),
        ..Window::default()
    };
    let raster = timeline.raster(&window);
    let view = RunView { to: 1.0, width: WIDTH, left, right, ..RunView::default() };
    let svg = run_svg(&glance, &raster, &view, height, &report::heading(&glance));
    Exported { name: "run.svg".to_owned(), bytes: svg.into_bytes() }
}
