use tracefold::export::Exported;
use tracefold::glance::Window;
use tracefold::paint::{RunView, run_cells, run_svg};
use tracefold::pipeline::Kept;
use tracefold::report::heading;
use tracefold::run::{Seen, Timeline, glance};
use tracefold::settings::Settings;
use tracefold::trace::Trace;

/// `run.svg`: the run at a glance, as its tab shows it of the whole run.
pub fn of_run(trace: &Trace, settings: &Settings) -> Exported {
    let seen = Seen::of(trace, &settings.repeating());
    let mut kept = Kept::default();
    let glance = glance(trace, &seen, kept.catalogue_with(trace, settings, Some(&seen)));
    let [columns, rows] = run_cells(glance.lifelines.len());
    let window = Window { to: 1.0, columns, rows, ..Window::default() };
    let raster = Timeline::of(trace, &seen).raster(&window);
    let view = RunView { to: 1.0, ..RunView::default() };
    let svg = run_svg(&glance, &raster, &view, &heading(&glance));
    Exported { name: "run.svg".to_owned(), bytes: svg.into_bytes() }
}
