//! The title line of a whole picture.

use crate::folding::Folding;
use crate::paint::View;
use crate::paint::performance::alone;
use crate::paint::scale::count;
use crate::paint::scene::{Anchor, Face, Frame, LEFT, Pen, elide_end, printable, short};
use crate::quantity::{duration, percent, title as called};

/// Height of the line, its base line, and sizes of the region's name and of all else.
pub const TITLE: f64 = 32.0;
const BASE: f64 = 21.0;
const REGION: f64 = 15.0;
const FACTS: f64 = 12.0;

/// Px between facts.
const GAP: f64 = 20.0;

/// Most of the width that the trace takes, on a narrow page and on others; and of what is left, the
/// region.
const TRACE_NARROW: f64 = 0.36;
const TRACE: f64 = 0.4;
const REGION_SHARE: f64 = 0.6;

/// The title line analysts know: region, group, instances kept, mean duration, mean count; at the
/// right the trace, and that a generator made it if one did.
pub fn title(pen: &dyn Pen, folding: &Folding, view: &View) {
    let frame = Frame::of(view);
    let tokens = view.theme.tokens();
    let (plain, strong) = (Face::plain(FACTS, tokens.ink2), Face::bold(REGION, tokens.ink));
    // That a trace was generated is said even where its name has no room.
    let made = if folding.trace.generated { "generated example" } else { "" };
    let dot = if made.is_empty() { "" } else { " · " };
    let room = (if frame.narrow() { TRACE_NARROW } else { TRACE }) * frame.width
        - plain.width(made)
        - plain.width(dot);
    let name = elide_end(&printable(&folding.trace.name), room, FACTS, false);
    let trace = if name.is_empty() { made.to_string() } else { format!("{name}{dot}{made}") };
    pen.text((frame.width - LEFT, BASE), Anchor::End, &trace, plain);
    let right = frame.width - LEFT - plain.width(&trace) - GAP;
    let mut x = LEFT;
    let region = printable(&called(&folding.region, folding.kind));
    let region = elide_end(&region, (right - x) * REGION_SHARE, REGION, true);
    pen.text((x, BASE), Anchor::Start, &region, strong);
    x += strong.width(&region) + GAP;
    for fact in facts(folding, view) {
        if x + plain.width(&fact) > right {
            break;
        }
        pen.text((x, BASE), Anchor::Start, &fact, plain);
        x += plain.width(&fact) + GAP;
    }
}

/// What is told of a group beside its region.
pub fn facts(folding: &Folding, view: &View) -> Vec<String> {
    let Some(group) = folding.group(view.group) else { return Vec::new() };
    let mut facts = Vec::new();
    if folding.groups.len() > 1 {
        facts.push(format!("group {} of {}", group.number, folding.groups.len()));
    }
    facts.push(format!("{} of {} instances", group.kept, group.instances));
    facts.push(format!("mean {}", duration(group.mean_duration_ns)));
    let counter = alone(folding, view).or_else(|| group.instructions());
    if let Some(curve) = counter {
        let name = if curve.instructions { "instructions" } else { short(&curve.counter) };
        facts.push(format!("{} {}", count(curve.mean_count), printable(name)));
    }
    if let Some(activity) = &group.activity {
        facts.push(format!("efficiency {}", percent(activity.efficiency, 1)));
    }
    facts
}
