//! Models: what is read is written as text that reads back equal, and no value is other than finite.

use tracefold::model::{Expression, read};

use super::written;

/// XML; or a typed formula, then lines with the counters that there are.
pub fn check(bytes: &[u8]) {
    for model in read("a.xml", bytes).unwrap_or_default() {
        let rates = model.counters.iter().map(|_| 1.5).collect::<Vec<_>>();
        let values = model.components.iter().map(|part| part.formula.evaluate(&rates));
        assert!(values.flatten().all(f64::is_finite));
        let text = written::model(&model);
        // Aliases of long names can be too long when they are put in.
        if text.len() <= 1 << 20 {
            assert_eq!(read("b.xml", text.as_bytes()), Ok(vec![model]));
        }
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (typed, counters) = text.split_once('\n').unwrap_or((text, ""));
    let known = counters.lines().collect::<Vec<_>>();
    if let Ok(expression) = Expression::parse(typed, &known) {
        for rate in [0.0, 1.5, f64::NAN] {
            let rates = expression.counters.iter().map(|_| rate).collect::<Vec<_>>();
            assert!(expression.formula.evaluate(&rates).is_none_or(f64::is_finite));
        }
        assert_eq!(Expression::parse(&written::typed(&expression), &known), Ok(expression));
    }
}
