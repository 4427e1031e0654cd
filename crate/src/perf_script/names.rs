use crate::order::{Key, Numbers};

/// Longest name that is kept whole, in bytes: templates of C++ go on for pages.
const LONGEST: usize = 512;

/// Numbers texts from 1 in the order in which they are first met.
#[derive(Clone, Default)]
pub(super) struct Names {
    numbers: Numbers,
    /// The text of each number, from 1.
    pub texts: Vec<Box<[u8]>>,
}

impl Names {
    /// The number of `text`, a new one if it is new. Texts that differ only after the first
    /// 512 bytes count as one. O(length + log texts).
    pub fn of(&mut self, text: &[u8]) -> u64 {
        let text = text.get(..LONGEST).unwrap_or(text);
        // Texts are looked up by a hash, as numbers; one that hits another text's moves on.
        let mut salt = 0;
        loop {
            let number = self.numbers.of(key(text, salt));
            match self.texts.get(number) {
                None => self.texts.push(text.into()),
                Some(known) if **known != *text => {
                    salt += 1;
                    continue;
                }
                Some(_) => {}
            }
            return number as u64 + 1;
        }
    }

    /// All texts with their numbers, for labels.
    pub fn values(&self) -> Vec<(u64, String)> {
        let text = |text: &[u8]| {
            let whole = text.len() < LONGEST;
            let text = String::from_utf8_lossy(text).into_owned();
            if whole { text } else { text + "…" }
        };
        (1..).zip(self.texts.iter().map(|own| text(own))).collect()
    }
}

fn key(text: &[u8], salt: u64) -> Key {
    // FNV-1a.
    let hash = text.iter().fold(0xcbf2_9ce4_8422_2325 ^ salt, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    [hash, text.len() as u64, salt]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_keeps_its_number_and_a_long_one_is_shortened() {
        let mut names = Names::default();
        let long = "x".repeat(10_000);
        let texts = ["main", "", "fo\u{fc}", "main", &long, &long];
        let numbers = texts.map(|text| names.of(text.as_bytes()));
        assert_eq!(numbers, [1, 2, 3, 1, 4, 4]);
        let values = names.values();
        assert_eq!(values[2], (3, "fo\u{fc}".to_owned()));
        assert_eq!(values[3].1.chars().count(), LONGEST + 1);
    }
}
