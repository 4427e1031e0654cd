use crate::order::{Key, Numbers};

/// Places of the memory: a power of two.
const PLACES: usize = 1 << 11;

/// [`Numbers`] that remembers the keys met last: neighbouring samples have most of theirs in common.
pub struct Numbered {
    numbers: Numbers,
    recent: Vec<Option<(Key, u32)>>,
}

impl Default for Numbered {
    fn default() -> Self {
        Self { numbers: Numbers::default(), recent: vec![None; PLACES] }
    }
}

impl Numbered {
    /// The number of `key`, the next one if it is new.
    #[inline]
    pub fn of(&mut self, key: Key) -> u32 {
        let [a, b, c] = key;
        let mixed = a.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ b.wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
            ^ c.wrapping_mul(0x1656_67b1_9e37_79f9);
        let place = (mixed >> 53) as usize;
        match self.recent[place] {
            Some((known, number)) if known == key => number,
            _ => {
                let number = self.numbers.of(key) as u32;
                self.recent[place] = Some((key, number));
                number
            }
        }
    }
}
