//! The caption of a figure: what it is of and how it was made, so that it can be made again.

use super::figure::Figure;
use super::title::facts;
use crate::folding::Folding;
use crate::paint::View;
use crate::paint::performance::{alone, asked_model};
use crate::paint::scene::{Anchor, Face, Frame, LEFT, Pen, elide_end, printable, short};
use crate::quantity::{percent, title};

/// Size of the words, from one base line to the next, and from the top of a caption to its first.
const SIZE: f64 = 11.0;
const LINE: f64 = 15.0;
const FIRST: f64 = 12.0;

/// Between two facts of a line.
const DOT: &str = " · ";

/// The region has it from its own lines.
const REGION: &str = "region";

/// Height of so many lines.
pub fn height(lines: &[String]) -> f64 {
    LINE * lines.len() as f64
}

/// Writes the lines.
pub fn caption(pen: &dyn Pen, view: &View, lines: &[String]) {
    let face = Face::plain(SIZE, view.theme.tokens().ink2);
    for (row, line) in lines.iter().enumerate() {
        pen.text((LEFT, FIRST + LINE * row as f64), Anchor::Start, line, face);
    }
}

/// The facts of a figure in lines of its width; a fact that has no room in a line of its own is cut.
pub fn lines(figure: &Figure, folding: &Folding, view: &View) -> Vec<String> {
    in_lines(of(figure, folding, view), view)
}

/// As [`lines`], of a figure of several foldings of one trace.
pub fn lines_of_all(figure: &Figure, foldings: &[&Folding], view: &View) -> Vec<String> {
    let Some(first) = foldings.first() else { return Vec::new() };
    let regions = format!("{} of its regions, each counter on one axis", foldings.len());
    let facts = [trace(first), regions].into_iter().chain(made(figure)).collect();
    in_lines(facts, view)
}

fn in_lines(facts: Vec<String>, view: &View) -> Vec<String> {
    let face = Face::plain(SIZE, view.theme.tokens().ink2);
    let room = view.width - 2.0 * LEFT;
    let mut lines: Vec<String> = Vec::new();
    for fact in facts {
        let fact = elide_end(&printable(&fact), room, SIZE, false);
        match lines.last_mut() {
            Some(line) if face.width(&format!("{line}{DOT}{fact}")) <= room => {
                line.push_str(DOT);
                line.push_str(&fact);
            }
            _ => lines.push(fact),
        }
    }
    lines
}

/// Trace, region, group, what is shown of it, settings and version.
fn of(figure: &Figure, folding: &Folding, view: &View) -> Vec<String> {
    let mut all = vec![trace(folding), format!("region {}", title(&folding.region, folding.kind))];
    all.extend(facts(folding, view));
    let Frame { from, to, .. } = Frame::of(view);
    if (from, to) != (0.0, 1.0) {
        all.push(format!("shown from {} to {} of it", percent(from, 1), percent(to, 1)));
    }
    all.extend(asked_model(folding, view).map(|model| format!("model {}", model.title)));
    all.extend(alone(folding, view).map(|curve| format!("{} alone", short(&curve.counter))));
    all.extend(made(figure));
    all
}

fn trace(folding: &Folding) -> String {
    let made = if folding.trace.generated { " (generated example)" } else { "" };
    format!("{}{made}", folding.trace.name)
}

/// Settings and version.
fn made(figure: &Figure) -> Vec<String> {
    let settings = figure.settings.iter().filter(|(key, _)| key != REGION);
    let mut all = settings.map(|(key, text)| format!("{key}={text}")).collect::<Vec<_>>();
    if all.is_empty() {
        all.push("default settings".to_owned());
    }
    all.push(format!("Tracefold {}", env!("CARGO_PKG_VERSION")));
    all
}
