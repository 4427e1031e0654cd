use crate::order;

/// Things by number, however they are numbered: by place as a rule, but `thread << 32 | rank` too.
#[derive(Clone, Debug)]
pub struct Table<T>(Vec<(u64, T)>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(vec![])
    }
}

impl<T> Table<T> {
    /// In any order; [`Table::finish`] once all are there.
    pub fn add(&mut self, number: u64, thing: T) {
        self.0.push((number, thing));
    }

    /// Puts them in order; of those of one number the last one stays. O(n log n).
    pub fn finish(&mut self) {
        self.0.reverse();
        order::by_number(&mut self.0, |(number, _)| *number);
        self.0.dedup_by_key(|(number, _)| *number);
    }

    /// O(1) if it stands where its number says, else O(log n).
    #[inline]
    pub fn get(&self, number: u64) -> Option<&T> {
        let (_, thing) = self.0.get(self.place(number)?)?;
        Some(thing)
    }

    /// Where it stands among all, from 0.
    #[inline]
    pub fn place(&self, number: u64) -> Option<usize> {
        let guess = usize::try_from(number).unwrap_or(usize::MAX);
        match self.0.get(guess) {
            Some((known, _)) if *known == number => Some(guess),
            _ => self.0.binary_search_by(|(known, _)| known.cmp(&number)).ok(),
        }
    }

    /// All, by number.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &T)> {
        self.0.iter().map(|(number, thing)| (*number, thing))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_found_by_number_and_the_last_of_one_number_counts() {
        let mut table = Table::default();
        for (number, thing) in [(1, 'a'), (1 << 40, 'b'), (0, 'c'), (1, 'd'), (7, 'e')] {
            table.add(number, thing);
        }
        table.finish();
        let read = [0, 1, 2, 7, 1 << 40].map(|number| table.get(number).copied());
        assert_eq!(read, [Some('c'), Some('d'), None, Some('e'), Some('b')]);
        assert_eq!((table.place(7), table.place(u64::MAX)), (Some(2), None));
        assert_eq!(table.iter().map(|(number, _)| number).collect::<Vec<_>>(), [0, 1, 7, 1 << 40]);
    }
}
