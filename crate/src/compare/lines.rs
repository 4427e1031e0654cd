//! Code that moved to other lines.

use std::collections::BTreeMap;

use super::similarity::FEW;
use super::stretch::Stretch;
use crate::order;

/// The profiles of lines overlap by so much once shifted, and by so much more than before: all of 300 moves were
/// found so, and none in 1500 pairs without (comparison of foldings, §6).
const MEETS: f64 = 0.5;
const BETTER: f64 = 0.3;

/// So many more samples meet: of five samples on each side in a header that is inlined everywhere, some shift always
/// brings two or three together.
const MORE: f64 = FEW as f64;

/// A shift that is better by less is no better.
const TIE: f64 = 1e-9;

/// A routine of a file that lies so many lines further down.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moved {
    pub routine: String,
    pub file: String,
    pub by: i64,
}

type Profile = BTreeMap<u32, u32>;

/// Routines whose sampled lines hardly meet, and do where all are shifted by as much. O(lines³) for each routine.
pub fn moved(a: &Stretch<'_>, b: &Stretch<'_>) -> Vec<Moved> {
    let (of_a, of_b) = (profiles(a), profiles(b));
    let sum = |profile: &Profile| profile.values().sum::<u32>();
    let pairs = of_a.iter().filter_map(|(key, own)| Some((key, own, of_b.get(key)?)));
    let pairs = pairs.filter(|(_, own, other)| sum(own) >= FEW && sum(other) >= FEW);
    let moved = pairs.filter_map(|(&(routine, file), own, other)| {
        let unmoved = meet(own, other, 0);
        let shifts =
            own.keys().flat_map(|a| other.keys().map(move |b| i64::from(*b) - i64::from(*a)));
        // The shortest first, of two as long the one upwards.
        let keys = shifts.filter(|by| *by != 0);
        let keys = keys.map(|by: i64| by.unsigned_abs() << 1 | u64::from(by > 0));
        let shifts = order::distinct(keys).into_iter().map(|key| {
            let by = (key >> 1) as i64;
            if key & 1 == 1 { by } else { -by }
        });
        let mut best = (unmoved, 0);
        for by in shifts {
            let common = meet(own, other, by);
            if common > best.0 + TIE {
                best = (common, by);
            }
        }
        let (common, by) = best;
        let more = (common - unmoved) * f64::from(sum(own).min(sum(other)));
        let is_moved = by != 0 && common >= MEETS && common - unmoved >= BETTER && more >= MORE;
        is_moved.then(|| Moved { routine: routine.to_owned(), file: file.to_owned(), by })
    });
    moved.collect()
}

fn profiles<'a>(of: &Stretch<'a>) -> BTreeMap<(&'a str, &'a str), Profile> {
    let mut profiles: BTreeMap<_, Profile> = BTreeMap::new();
    let places = of.run.places.get(of.first..of.end).unwrap_or_default();
    for ((routine, file, line), count) in places.iter().flatten() {
        let profile = profiles.entry((routine.as_str(), file.as_str())).or_default();
        *profile.entry(*line).or_default() += count;
    }
    profiles
}

/// The share that two profiles have in common, the first one shifted.
fn meet(own: &Profile, other: &Profile, by: i64) -> f64 {
    let sum = |profile: &Profile| f64::from(profile.values().sum::<u32>());
    let (of_own, of_other) = (sum(own), sum(other));
    let common = own.iter().map(|(line, count)| {
        let shifted = u32::try_from(i64::from(*line) + by).ok();
        let there = shifted.and_then(|line| other.get(&line)).copied().unwrap_or(0);
        f64::min(f64::from(*count) / of_own, f64::from(there) / of_other)
    });
    common.sum()
}
