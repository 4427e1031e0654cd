//! Which phases of the runs are the same in all of them.

use super::borders::{moved_reference, settle};
use super::canonical::canonical;
use super::matching::{Pair, matched};
use super::run::Run;
use super::stretch::Stretch;
use crate::order;

/// Phases of the first run of A, by index, and what they are in another run.
pub type Cover<'a> = Vec<(Vec<usize>, Vec<Stretch<'a>>)>;

/// A phase in every run of each side.
pub type Unit<'a> = [Vec<Stretch<'a>>; 2];

/// Of phases of the first run of A, as they are numbered there.
pub fn indices(reference: &[Stretch<'_>], parts: &[Stretch<'_>]) -> Vec<usize> {
    let index = |part: &Stretch<'_>| reference.iter().position(|of| of.first == part.first);
    parts.iter().filter_map(index).collect()
}

/// Phases of the reference, together where any run has them together.
pub fn units(phases: usize, covers: &[Vec<Cover<'_>>; 2]) -> Vec<Vec<usize>> {
    let mut units = (0..phases).map(|phase| vec![phase]).collect::<Vec<_>>();
    for (key, _) in covers.iter().flatten().flatten().filter(|(key, _)| key.len() > 1) {
        let (hit, rest): (Vec<_>, Vec<_>) =
            units.into_iter().partition(|unit| unit.iter().any(|phase| key.contains(phase)));
        units = rest;
        let all = order::distinct(hit.into_iter().flatten().map(|phase| phase as u64));
        units.push(all.into_iter().map(|phase| phase as usize).collect());
    }
    order::by_number(&mut units, |unit| unit.first().map_or(0, |phase| *phase as u64));
    units
}

/// What the phases of a unit are in a run, if it has all of them, one behind the other.
fn whole<'a>(cover: &Cover<'a>, unit: &[usize]) -> Option<Stretch<'a>> {
    let parts = cover.iter().filter(|(key, _)| key.iter().all(|phase| unit.contains(phase)));
    let mut parts = parts.collect::<Vec<_>>();
    order::by_number(&mut parts, |(key, _)| key.first().map_or(0, |phase| *phase as u64));
    let keys = parts.iter().map(|(key, _)| key.len()).sum::<usize>();
    let parts = parts.into_iter().flat_map(|(_, parts)| parts.iter().cloned()).collect::<Vec<_>>();
    let follow = parts.windows(2).all(|pair| pair[0].end == pair[1].first);
    (keys == unit.len() && follow).then(|| Stretch::joined(&parts))?
}

/// What the phases of a unit are in every run of each side, if all have them.
pub fn in_all<'a>(covers: &[Vec<Cover<'a>>; 2], unit: &[usize]) -> Option<Unit<'a>> {
    let [a, b] = covers;
    let a = a.iter().map(|cover| whole(cover, unit)).collect::<Option<Vec<_>>>()?;
    let b = b.iter().map(|cover| whole(cover, unit)).collect::<Option<Vec<_>>>()?;
    Some([a, b])
}

/// The phases of the first run, and what they are in each of the others, with the borders that they share.
pub fn beside_reference<'a>(
    first: &'a Run,
    others: impl Iterator<Item = &'a Run>,
) -> (Vec<Stretch<'a>>, std::vec::IntoIter<Vec<Pair<'a>>>) {
    let own = canonical(first);
    let mut paired = others.map(|run| matched(&own, &canonical(run))).collect::<Vec<_>>();
    let wishes = paired.iter_mut().map(|pairs| settle(&own, pairs)).collect::<Vec<_>>();
    let moved = moved_reference(&own, &wishes);
    for pairs in &mut paired {
        for pair in &mut *pairs {
            let place = |of: &Stretch<'_>| own.iter().position(|phase| phase.first == of.first);
            pair.a = pair.a.iter().filter_map(|of| moved[place(of)?].clone()).collect();
        }
        pairs.retain(|pair| !(pair.a.is_empty() && pair.b.is_empty()));
    }
    (moved.into_iter().flatten().collect(), paired.into_iter())
}

/// All of the first run, and all of each of the others, where there are no borders to share.
pub fn as_one_phase<'a>(
    first: &'a Run,
    others: impl Iterator<Item = &'a Run>,
) -> (Vec<Stretch<'a>>, std::vec::IntoIter<Vec<Pair<'a>>>) {
    let own = vec![Stretch::whole(first)];
    let pair = |run| vec![Pair { a: own.clone(), b: vec![Stretch::whole(run)] }];
    let paired = others.map(pair).collect::<Vec<_>>();
    (own, paired.into_iter())
}

/// The phases that all of these runs have, in the order of the first, each in every run; one if any has none.
pub fn phases_of_all(runs: &[Run]) -> Vec<Vec<Stretch<'_>>> {
    let Some((first, rest)) = runs.split_first() else { return vec![] };
    let (reference, paired) = match runs.iter().any(|run| run.is_bent) {
        true => as_one_phase(first, rest.iter()),
        false => beside_reference(first, rest.iter()),
    };
    let own = reference.iter().cloned().enumerate().map(|(at, phase)| (vec![at], vec![phase]));
    let mut covers: Vec<Cover<'_>> = vec![own.collect()];
    for pairs in paired {
        let both = pairs.into_iter().filter(|pair| !pair.a.is_empty() && !pair.b.is_empty());
        covers.push(both.map(|pair| (indices(&reference, &pair.a), pair.b)).collect());
    }
    let covers = [covers, vec![]];
    let units = units(reference.len(), &covers);
    let in_all = |unit: &Vec<usize>| covers[0].iter().map(|cover| whole(cover, unit)).collect();
    units.iter().filter_map(in_all).collect()
}
