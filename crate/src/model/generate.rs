//! Made-up formulas for tests.

use super::formula::{Formula, Operator};

/// A linear congruential generator, as repeatable as its seed.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % limit as u64) as usize
    }

    /// A rate between 0.001 and 1000 events per microsecond.
    pub fn rate(&mut self) -> f64 {
        (1 + self.below(1_000_000)) as f64 / 1000.0
    }

    /// A formula at most `depth` operations deep, of counters that `counter` chooses.
    pub fn formula(&mut self, depth: usize, counter: &mut dyn FnMut(&mut Self) -> u32) -> Formula {
        const OPERATORS: [Operator; 6] = [
            Operator::Add,
            Operator::Subtract,
            Operator::Multiply,
            Operator::Divide,
            Operator::Min,
            Operator::Max,
        ];
        match self.below(if depth == 0 { 3 } else { 9 }) {
            0 => Formula::Number((self.below(2001) as f64 - 1000.0) / 8.0),
            1 | 2 => Formula::Counter(counter(self)),
            _ => {
                let operator = OPERATORS[self.below(6)];
                let (a, b) = (self.formula(depth - 1, counter), self.formula(depth - 1, counter));
                Formula::operation(operator, a, b).unwrap()
            }
        }
    }
}
