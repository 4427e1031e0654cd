//! JSON: what the library accepts we accept with the same values, and hardly anything else.

use serde_json::Value;
use tracefold::result::Json;

/// Values inside one another that we read.
const DEEPEST: u32 = 32;

pub fn check(bytes: &[u8]) {
    let ours = Json::parse(bytes);
    match serde_json::from_slice::<Value>(bytes) {
        Ok(library) if depth(&library) <= DEEPEST => {
            let ours = ours.expect("the library reads it");
            assert!(same(&ours, &library), "{ours:?} is not {library}");
        }
        Ok(_) => {}
        Err(error) => {
            let why = error.to_string();
            // The library has a limit of depth of its own, and refuses half a pair of surrogates,
            // which we read as the letter for what is no letter, and zeros before a number.
            let zeros = bytes.windows(2).any(|two| two[0] == b'0' && two[1].is_ascii_digit());
            let stricter = ["recursion", "surrogate", "hex escape"];
            let known = stricter.iter().any(|word| why.contains(word))
                || (zeros && why.contains("invalid number"));
            assert!(ours.is_err() || known, "{why}");
        }
    }
}

fn depth(value: &Value) -> u32 {
    match value {
        Value::Array(values) => 1 + values.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn same(ours: &Json, library: &Value) -> bool {
    match (ours, library) {
        (Json::Null, Value::Null) => true,
        (Json::Flag(a), Value::Bool(b)) => a == b,
        (Json::Number(a), Value::Number(b)) => {
            let b = b.as_f64().unwrap_or(f64::NAN);
            // Beside the smallest numbers the last bits are coarse.
            (a - b).abs() <= 4.0 * f64::EPSILON * b.abs() + f64::MIN_POSITIVE
        }
        (Json::Text(a), Value::String(b)) => a == b,
        (Json::List(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        // A key that comes twice counts once for the library, by its last value.
        (Json::Object(a), Value::Object(b)) => b.iter().all(|(key, value)| {
            let last = a.iter().rev().find(|(name, _)| name == key);
            last.is_some_and(|(_, ours)| same(ours, value))
        }),
        _ => false,
    }
}
