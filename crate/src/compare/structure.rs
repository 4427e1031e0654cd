//! What became of phases, in words: split, merged, lost, new, reordered. Never a number.

use super::matching::Pair;
use super::similarity::{FEW, overlap, similarity};
use super::stretch::Stretch;

/// A part of a phase is at least so long, of the region.
const PART: f64 = 0.02;

/// Borders nearer than this, of the region, are the same.
const NEAR: f64 = 0.015;

/// Parts are unlike by so much in instructions per second, as a logarithm, or where their routines overlap by
/// less than this, of so many samples each. Without these rules halves of one real run had one or two parts
/// that were none (comparison of foldings, §3.4).
const CONTRAST: f64 = 0.1;
const OTHER_CODE: f64 = 0.5;
const SAMPLES: u32 = 10;

/// A lost phase is one that is new elsewhere where their routines overlap by more, and all of them is as alike.
const SAME_CODE: f64 = 0.8;
const SAME: f64 = 0.6;

/// What became of phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    Split,
    Merged,
    Reordered,
    Lost,
    New,
}

/// A change of structure, with the phases that it is about.
#[derive(Clone, Debug)]
pub struct Note<'a> {
    pub kind: Kind,
    pub a: Vec<Stretch<'a>>,
    pub b: Vec<Stretch<'a>>,
}

/// Changes of structure: of phases that are matched first, then those without one.
pub fn structure<'a>(pairs: &[Pair<'a>]) -> Vec<Note<'a>> {
    let mut notes = Vec::new();
    for Pair { a, b } in pairs.iter().filter(|pair| !pair.a.is_empty() && !pair.b.is_empty()) {
        let kind = match (a.len(), b.len()) {
            (of_a, of_b) if of_b > of_a && is_cut(b, a) => Kind::Split,
            (of_a, of_b) if of_a > of_b && is_cut(a, b) => Kind::Merged,
            _ => continue,
        };
        notes.push(Note { kind, a: a.clone(), b: b.clone() });
    }
    let (lost, mut new) = without_a_match(pairs);
    for lost in lost {
        let twin = new.iter().position(|new| is_same(&lost, new)).map(|at| new.remove(at));
        let kind = if twin.is_some() { Kind::Reordered } else { Kind::Lost };
        notes.push(Note { kind, a: vec![lost], b: twin.into_iter().collect() });
    }
    notes.extend(new.into_iter().map(|new| Note { kind: Kind::New, a: vec![], b: vec![new] }));
    notes
}

/// Phases that only one of the runs has. Of two that lie between the same neighbours and are sampled too little to
/// tell their code apart none is lost and none is new: only their rates are not alike.
fn without_a_match<'a>(pairs: &[Pair<'a>]) -> (Vec<Stretch<'a>>, Vec<Stretch<'a>>) {
    let (mut lost, mut new) = (vec![], vec![]);
    for gap in pairs.chunk_by(|one, next| is_gap(one) && is_gap(next)).filter(|gap| is_gap(&gap[0]))
    {
        let of_a = gap.iter().flat_map(|pair| pair.a.iter().cloned()).collect::<Vec<_>>();
        let of_b = gap.iter().flat_map(|pair| pair.b.iter().cloned()).collect::<Vec<_>>();
        let is_unknown = |all: &[Stretch<'_>]| all.iter().map(|of| of.samples).sum::<u32>() < FEW;
        if of_a.is_empty() || of_b.is_empty() || !(is_unknown(&of_a) || is_unknown(&of_b)) {
            lost.extend(of_a);
            new.extend(of_b);
        }
    }
    (lost, new)
}

fn is_gap(pair: &Pair<'_>) -> bool {
    pair.a.is_empty() || pair.b.is_empty()
}

fn is_same(lost: &Stretch<'_>, new: &Stretch<'_>) -> bool {
    let are_sampled = lost.samples >= FEW && new.samples >= FEW;
    are_sampled && overlap(lost, new) > SAME_CODE && similarity(lost, new) > SAME
}

/// Whether a border between parts says something: both sides of it are long enough and unlike, and the run
/// that has one phase there has no border near, not even one that was put aside.
fn is_cut(parts: &[Stretch<'_>], whole: &[Stretch<'_>]) -> bool {
    let (Some(all), Some(whole)) = (Stretch::joined(parts), Stretch::joined(whole)) else {
        return false;
    };
    let is_near = |at: f64| {
        let inner = whole.run.edges.get(whole.first + 1..whole.end).unwrap_or_default();
        inner.iter().any(|edge| (edge - at).abs() < NEAR)
    };
    parts.windows(2).any(|pair| {
        let [one, other] = pair else { return false };
        let at = whole.start() + (other.start() - all.start()) / all.share() * whole.share();
        let is_long = one.share() >= PART && other.share() >= PART;
        is_long && !is_near(at) && are_unlike(one, other)
    })
}

fn are_unlike(one: &Stretch<'_>, other: &Stretch<'_>) -> bool {
    let speeds = one.instructions().zip(other.instructions());
    let contrast = speeds.map_or(0.0, |([one, _], [other, _])| libm::log(one / other).abs());
    let are_sampled = one.samples >= SAMPLES && other.samples >= SAMPLES;
    contrast >= CONTRAST || (are_sampled && overlap(one, other) < OTHER_CODE)
}
