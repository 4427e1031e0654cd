//! The phases of a side: of A number, name and duration, of B what became of each.

use super::{Compared, ComparedView, borders, colour_of, ground};
use crate::compare::{Along, Verdict};
use crate::paint::scene::{Anchor, Face, Layout, Pen, elide_end, printable};
use crate::paint::time::MIDDLE;
use crate::quantity::{THIN, change, duration};

/// Px between what stands in a phase, and left free in it.
const APART: f64 = 8.0;
const FREE: f64 = 8.0;

/// Longest name.
const NAME: f64 = 140.0;

/// Paints the phases of side 0 or 1 in one row. What does not fit leaves from the right.
pub fn phases(pen: &dyn Pen, compared: &Compared, view: &ComparedView, side: usize) -> Layout {
    let (frame, tokens) = (view.frame(), view.tokens());
    if compared.aligned.along == Along::Phase {
        ground(pen, compared, view, &[side]);
    }
    let size = frame.words();
    let mut reached = frame.left;
    for (piece, at) in compared.visible(frame) {
        let [left, right] = at.map(|at| frame.x(at));
        let texts = match (piece.phase, piece.of) {
            (Some(phase), _) => of_phase(compared, view, phase, side),
            (None, [Some(_), None]) if compared.aligned.along == Along::Phase => {
                vec![(["only in A", "gone"][side].to_owned(), Face::plain(size, tokens.ink2))]
            }
            (None, [None, Some(_)]) if compared.aligned.along == Along::Phase => {
                vec![(["", "new"][side].to_owned(), Face::plain(size, tokens.ink2))]
            }
            _ => vec![],
        };
        let mut texts = texts.into_iter().filter(|(text, _)| !text.is_empty()).collect::<Vec<_>>();
        let wide = |texts: &[(String, Face)]| {
            let all = texts.iter().map(|(text, face)| face.width(text)).sum::<f64>();
            all + APART * texts.len().saturating_sub(1) as f64
        };
        while texts.len() > 1 && wide(&texts) > right - left - FREE {
            texts.pop();
        }
        if wide(&texts) > right - left - FREE {
            let short = piece.phase.and_then(|phase| shortest(compared, phase, side));
            texts.iter_mut().for_each(|(text, _)| *text = short.unwrap_or_default().to_owned());
            texts.retain(|of| !of.0.is_empty() && wide(std::slice::from_ref(of)) < right - left);
        }
        let mut x = (left + right - wide(&texts)) / 2.0;
        if texts.is_empty() || x < reached {
            continue;
        }
        for (text, face) in texts {
            pen.text((x, frame.height / 2.0 + MIDDLE), Anchor::Start, &text, face);
            x += face.width(&text) + APART;
        }
        reached = x;
    }
    borders(pen, compared, view);
    frame.layout()
}

/// What stands in a phase.
fn of_phase(
    compared: &Compared,
    view: &ComparedView,
    at: usize,
    side: usize,
) -> Vec<(String, Face)> {
    let (tokens, size) = (view.tokens(), view.frame().words());
    let Some(phase) = compared.comparison.phases.get(at) else { return vec![] };
    let plain = |text: String, colour| (text, Face::plain(size, colour));
    if side == 0 {
        let name = phase.routine.as_deref().unwrap_or_default();
        return vec![
            ((at + 1).to_string(), Face::bold(size, tokens.ink)),
            plain(elide_end(&printable(name), NAME, size, false), tokens.ink2),
            plain(duration(phase.a_ms * 1e6), tokens.ink3),
        ];
    }
    let colour = colour_of(phase.row.verdict, tokens);
    let became = match phase.row.verdict {
        Verdict::Slower | Verdict::Faster => {
            (format!("{}{THIN}%", change(phase.row.change)), Face::bold(size, colour))
        }
        verdict => plain(<&str>::from(verdict).to_owned(), colour),
    };
    let mut texts = vec![became, plain(duration(phase.b_ms * 1e6), tokens.ink3)];
    texts.extend(compared.comparison.became(phase).map(|text| plain(text, tokens.ink2)));
    texts
}

/// A mark of what became of a phase, where words have no room.
fn shortest(compared: &Compared, at: usize, side: usize) -> Option<&'static str> {
    let phase = compared.comparison.phases.get(at).filter(|_| side == 1)?;
    Some(match phase.row.verdict {
        Verdict::Slower => "+",
        Verdict::Faster => "\u{2212}",
        Verdict::Perhaps => "?",
        Verdict::NotSeen | Verdict::Same => "\u{b7}",
    })
}
