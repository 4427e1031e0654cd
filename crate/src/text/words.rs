/// Numbers and texts as 32-bit words, for another instance of the same program: the format has no
/// version and no mark.
#[derive(Default)]
pub struct Words(pub Vec<u32>);

impl Words {
    pub fn number(&mut self, number: u64) {
        self.0.extend([number as u32, (number >> 32) as u32]);
    }

    pub fn column(&mut self, column: &[u32]) {
        self.number(column.len() as u64);
        self.0.extend_from_slice(column);
    }

    /// Numbers of 16 bits, two in a word.
    pub fn halves(&mut self, halves: &[u16]) {
        self.number(halves.len() as u64);
        let word = |pair: &[u16]| {
            let at = |index: usize| u32::from(pair.get(index).copied().unwrap_or(0));
            at(1) << 16 | at(0)
        };
        self.0.extend(halves.chunks(2).map(word));
    }

    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.bytes().map(u32::from));
    }
}

/// Reads what [`Words`] wrote. Every method gives `None` where there is something else.
pub struct WordsRead<'words>(pub &'words [u32]);

impl WordsRead<'_> {
    pub fn number(&mut self) -> Option<u64> {
        let (&[low, high], rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from(high) << 32 | u64::from(low))
    }

    /// A number of things that are still to come, each of a word at least.
    pub fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len()).then_some(count)
    }

    pub fn column(&mut self) -> Option<Vec<u32>> {
        let count = self.count()?;
        let (column, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(column.to_vec())
    }

    pub fn halves(&mut self) -> Option<Vec<u16>> {
        let count = usize::try_from(self.number()?).ok()?;
        let (words, rest) = self.0.split_at_checked(count.div_ceil(2))?;
        self.0 = rest;
        let mut halves = words.iter().flat_map(|word| [*word as u16, (word >> 16) as u16]);
        Some(halves.by_ref().take(count).collect())
    }

    pub fn text(&mut self) -> Option<String> {
        let bytes = self.column()?.into_iter().map(|byte| u8::try_from(byte).ok());
        String::from_utf8(bytes.collect::<Option<Vec<_>>>()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_and_what_is_cut_does_not() {
        let mut words = Words::default();
        words.number(u64::MAX - 1);
        words.column(&[1, 2, 3]);
        words.halves(&[7, 65535, 9]);
        words.text("grün");
        let read = |words: &[u32]| {
            let mut read = WordsRead(words);
            Some((read.number()?, read.column()?, read.halves()?, read.text()?))
        };
        assert_eq!(
            read(&words.0),
            Some((u64::MAX - 1, vec![1, 2, 3], vec![7, 65535, 9], "grün".to_owned()))
        );
        for length in 0..words.0.len() {
            assert_eq!(read(&words.0[..length]), None, "{length} words");
        }
        assert_eq!(WordsRead(&[u32::MAX, 0, 7]).column(), None);
    }
}
