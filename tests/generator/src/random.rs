//! Numbers that look random and are the same on every machine.
//!
//! Sources: Blackman and Vigna, xoshiro256++ and splitmix64 (public domain).

/// A stream of numbers that depends on its seed alone.
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// Equal seeds give equal streams.
    pub fn new(seed: u64) -> Random {
        let mut x = seed;
        let state = std::array::from_fn(|_| {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        });
        Random { state }
    }

    /// 64 bits, each as likely to be set as not.
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let bits = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        bits
    }

    /// In [0, 1).
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// In [`low`, `high`).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// A whole number in 0..`n`; 0 of none.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// Nearly normal, mean 0 and deviation 1: the sum of twelve uniform numbers, less six.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    /// `exp` of a normal deviate of the given deviation.
    pub fn lognormal(&mut self, deviation: f64) -> f64 {
        libm::exp(deviation * self.normal())
    }

    /// Exponential with the given mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(1.0 - self.uniform())
    }

    /// One of `choices`, each as often as its weight says.
    pub fn pick<T: Copy>(&mut self, choices: &[(T, f64)]) -> T {
        let mut rest = self.uniform() * choices.iter().map(|choice| choice.1).sum::<f64>();
        for &(value, weight) in choices {
            rest -= weight;
            if rest < 0.0 {
                return value;
            }
        }
        choices[choices.len() - 1].0
    }
}
