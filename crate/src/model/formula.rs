/// Most numbers, counters and operations in one formula: it is evaluated at every point of a curve,
/// and aliases of aliases could make it of any size.
pub const MOST_TERMS: usize = 1000;

/// What joins two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Min,
    Max,
}

/// A formula of counters: a tree of at most [`MOST_TERMS`] nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    Number(f64),
    /// By its place in the list of counters of the model or expression that the formula belongs to.
    Counter(u32),
    Operation(Operator, Box<[Formula; 2]>),
}

impl Operator {
    fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Min => {
                if b < a {
                    b
                } else {
                    a
                }
            }
            Self::Max => {
                if b > a {
                    b
                } else {
                    a
                }
            }
        }
    }
}

impl Formula {
    /// The counter of this name by its place among `counters`, where it is put if it is new.
    pub fn counter(name: &str, counters: &mut Vec<String>) -> Self {
        let place = counters.iter().position(|counter| counter == name);
        let place = place.unwrap_or_else(|| {
            counters.push(name.to_owned());
            counters.len() - 1
        });
        Self::Counter(place as u32)
    }

    /// `a` and `b` joined; `None` if that is more than [`MOST_TERMS`].
    pub fn operation(operator: Operator, a: Self, b: Self) -> Option<Self> {
        let terms = 1 + a.terms() + b.terms();
        (terms <= MOST_TERMS).then(|| Self::Operation(operator, Box::new([a, b])))
    }

    /// Its value at a moment: `rates` are those of the counters then, in events per microsecond and
    /// in the order of the list.
    ///
    /// `None` where it, or any part of it, has no finite value: a division by zero, a rate that is
    /// missing (NaN, or beyond the end of `rates`).
    pub fn evaluate(&self, rates: &[f64]) -> Option<f64> {
        let value = match self {
            Self::Number(number) => *number,
            Self::Counter(place) => *rates.get(*place as usize)?,
            Self::Operation(operator, sides) => {
                let [a, b] = sides.as_ref();
                operator.apply(a.evaluate(rates)?, b.evaluate(rates)?)
            }
        };
        value.is_finite().then_some(value)
    }

    /// Its value as an area in a stack: what is below zero has no height.
    ///
    /// A remainder such as “other stalls” is a difference of curves that were fitted each by itself,
    /// and can fall a little below zero. The reference tool exports such values as 0.
    pub fn shown(&self, rates: &[f64]) -> Option<f64> {
        self.evaluate(rates).map(|value| Operator::Max.apply(0.0, value))
    }

    /// How many numbers, counters and operations it has.
    pub fn terms(&self) -> usize {
        match self {
            Self::Operation(_, sides) => 1 + sides.iter().map(Self::terms).sum::<usize>(),
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(operator: Operator, a: Formula, b: Formula) -> Formula {
        Formula::operation(operator, a, b).unwrap()
    }

    #[test]
    fn each_operator_does_what_it_says() {
        let of = |operator| join(operator, Formula::Counter(0), Formula::Counter(1));
        let found = [
            Operator::Add,
            Operator::Subtract,
            Operator::Multiply,
            Operator::Divide,
            Operator::Min,
            Operator::Max,
        ];
        let found = found.map(|operator| of(operator).evaluate(&[6.0, 1.5]).unwrap());
        assert_eq!(found, [7.5, 4.5, 9.0, 4.0, 1.5, 6.0]);
    }

    #[test]
    fn where_a_part_has_no_value_the_whole_has_none() {
        let ratio = join(Operator::Divide, Formula::Counter(0), Formula::Counter(1));
        for rates in [&[1.0, 0.0][..], &[0.0, 0.0], &[f64::NAN, 1.0], &[1.0, f64::INFINITY], &[1.0]]
        {
            assert_eq!(ratio.evaluate(rates), None, "{rates:?}");
        }
        // Neither the least of 1 and a gap nor 1 / (1 / 0) is a number to show.
        let least = join(Operator::Min, Formula::Number(1.0), ratio.clone());
        let twice = join(Operator::Divide, Formula::Number(1.0), ratio);
        assert_eq!((least.evaluate(&[1.0, 0.0]), twice.evaluate(&[1.0, 0.0])), (None, None));
        let large = join(Operator::Multiply, Formula::Counter(0), Formula::Counter(0));
        assert_eq!(large.evaluate(&[1e300]), None);
    }

    #[test]
    fn an_area_has_no_height_below_zero() {
        let rest = join(Operator::Subtract, Formula::Counter(0), Formula::Counter(1));
        assert_eq!((rest.evaluate(&[1.0, 3.0]), rest.shown(&[1.0, 3.0])), (Some(-2.0), Some(0.0)));
        assert_eq!(rest.shown(&[3.0, 1.0]), Some(2.0));
        assert_eq!(rest.shown(&[f64::NAN, 1.0]), None);
    }

    #[test]
    fn a_formula_grows_to_its_limit_and_no_further() {
        let mut formula = Formula::Counter(0);
        while let Some(longer) =
            Formula::operation(Operator::Add, formula.clone(), Formula::Number(1.0))
        {
            formula = longer;
        }
        assert_eq!(formula.terms(), MOST_TERMS - 1);
    }
}
