//! Orders and small tables, compiled once for all types: every type that the standard library's
//! sort or `BTreeMap` is used for adds some 4 kB to what the page loads.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// Indices of `keys`, the least key first; of two alike the first. O(n log n).
pub fn indices(keys: impl Iterator<Item = u64>) -> Vec<u32> {
    sorted(keys.zip(0..).collect())
}

fn sorted(mut keys: Vec<(u64, u32)>) -> Vec<u32> {
    keys.sort_unstable();
    keys.into_iter().map(|(_, index)| index).collect()
}

/// Sorts by a number, keeping the order of those alike. O(n log n).
pub fn by_number<T>(things: &mut [T], key: impl Fn(&T) -> u64) {
    put(things, indices(things.iter().map(key)));
}

/// Sorts by a comparison, keeping the order of those alike. O(n log n), but slower than
/// [`by_number`]: for what is few.
pub fn by<T>(things: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = compared(things.len(), &|a, b| compare(&things[a], &things[b]));
    put(things, order);
}

fn compared(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<u32> {
    let mut order = (0..count as u32).collect::<Vec<_>>();
    order.sort_by(|&a, &b| compare(a as usize, b as usize));
    order
}

/// Puts at each place the thing whose index stands there in `order`.
fn put<T>(things: &mut [T], mut order: Vec<u32>) {
    for start in 0..things.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at as u32) as usize;
            if from == start {
                break;
            }
            things.swap(at, from);
            at = from;
        }
    }
}

/// A number in whose order floats stand as in [`f64::total_cmp`].
pub fn of_float(value: f64) -> u64 {
    let bits = value.to_bits();
    if value.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

/// Floats from the least to the largest.
pub fn floats(values: &mut [f64]) {
    by_number(values, |value| of_float(*value));
}

/// The upper median; leaves `values` in order.
pub fn median(values: &mut [f64]) -> Option<f64> {
    floats(values);
    values.get(values.len() / 2).copied()
}

/// The different ones of `numbers`, rising.
pub fn distinct(numbers: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut met = Numbers::default();
    numbers.for_each(|number| {
        met.of([number, 0, 0]);
    });
    met.0.keys().map(|[number, ..]| *number).collect()
}

/// What things are told apart by: up to three numbers, the rest 0.
pub type Key = [u64; 3];

/// Numbers things from 0 in the order in which they are first met.
#[derive(Clone, Debug, Default)]
pub struct Numbers(BTreeMap<Key, u64>);

impl Numbers {
    /// The number of `key`, a new one if it is new.
    pub fn of(&mut self, key: Key) -> usize {
        let next = self.0.len() as u64;
        *self.0.entry(key).or_insert(next) as usize
    }

    pub fn get(&self, key: Key) -> Option<usize> {
        self.0.get(&key).map(|number| *number as usize)
    }

    /// All keys, in their order, with their numbers.
    pub fn keys(&self) -> impl Iterator<Item = (Key, usize)> {
        self.0.iter().map(|(key, number)| (*key, *number as usize))
    }

    /// All numbers in the order of their keys.
    pub fn by_key(&self) -> impl Iterator<Item = usize> {
        self.0.values().map(|number| *number as usize)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// Texts, each once, numbered from 0 in the order in which they are first met.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    pub texts: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Texts {
    /// The number of `text`, a new one if it is new.
    pub fn of(&mut self, text: &str) -> u32 {
        if let Some(number) = self.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }

    pub fn get(&self, text: &str) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    /// All of them, numbered from 1, as labels of values that are events number them: 0 is none of them.
    pub fn as_labels(&self) -> Vec<(u64, String)> {
        (1..).zip(&self.texts).map(|(number, text)| (number, text.clone())).collect()
    }
}

/// The value of `key` in a table sorted by key.
pub fn get<'table, K: Ord, V>(table: &'table [(K, V)], key: &K) -> Option<&'table V> {
    let at = table.binary_search_by(|(known, _)| known.cmp(key)).ok()?;
    table.get(at).map(|(_, value)| value)
}

/// The value of `key` in a table sorted by key, where it is put if it is new: O(length) then, for
/// tables whose keys are few or come in order.
pub fn entry<K: Ord, V: Default>(table: &mut Vec<(K, V)>, key: K) -> &mut V {
    let at = match table.binary_search_by(|(known, _)| known.cmp(&key)) {
        Ok(at) => at,
        Err(at) => {
            table.insert(at, (key, V::default()));
            at
        }
    };
    &mut table[at].1
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    #[test]
    fn both_sorts_equal_the_stable_one_of_the_standard_library() {
        let mut random = Random::new(7);
        for (count, kinds) in [(0, 1), (1, 1), (2, 2), (7, 3), (100, 10), (1000, 1000)] {
            let things = (0..count).map(|index| (random.below(kinds), index)).collect::<Vec<_>>();
            let mut expected = things.clone();
            expected.sort_by_key(|(key, _)| *key);
            let (mut numbered, mut compared) = (things.clone(), things);
            by_number(&mut numbered, |(key, _)| *key);
            by(&mut compared, |(a, _), (b, _)| a.cmp(b));
            assert_eq!((&numbered, &compared), (&expected, &expected));
        }
    }

    #[test]
    fn floats_stand_in_their_total_order() {
        let mut values = [1.5, -0.0, f64::NAN, 0.0, -2.0, f64::INFINITY, -f64::NAN, 1e-320, -1e300];
        let mut expected = values;
        expected.sort_by(f64::total_cmp);
        floats(&mut values);
        assert_eq!(values.map(f64::to_bits), expected.map(f64::to_bits));
    }

    #[test]
    fn a_table_keeps_its_keys_in_order_whatever_order_they_come_in() {
        let mut table = Vec::new();
        for key in [5, 1, 9, 5, 1, 5] {
            *entry(&mut table, key) += 1;
        }
        assert_eq!(table, [(1, 2), (5, 3), (9, 1)]);
        assert_eq!((get(&table, &9), get(&table, &2)), (Some(&1), None));
        assert_eq!(distinct([5, 1, 9, 5].into_iter()), [1, 5, 9]);
    }
}
