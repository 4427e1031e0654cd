//! A folding as JSON: whatever is read is written so that it reads back the same.

use serde_json::Value;
use tracefold::folding::Folding;

pub fn check(bytes: &[u8]) {
    let Ok(folding) = Folding::from_json(bytes) else { return };
    assert_reads_back(&folding);
    for group in &folding.groups {
        assert_eq!(group.table(5).len(), 5);
        let code = group.code();
        assert!(code.routines.len() <= group.routines.len());
        assert_eq!(code.contexts.len(), group.contexts.len());
    }
}

/// Fails unless the folding survives being written and read.
pub fn assert_reads_back(folding: &Folding) {
    let written = folding.to_json();
    let again = Folding::from_json(written.as_bytes()).expect("what was written is read");
    let [before, after] = [written, again.to_json()]
        .map(|json| serde_json::from_str::<Value>(&json).expect("what is written is JSON"));
    assert!(same(&before, &after), "{before} became {after}");
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            // Whole numbers are exact up to 2^53.
            a.as_f64() == b.as_f64()
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}
