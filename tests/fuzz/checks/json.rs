//! JSON: what the library accepts we accept with the same values, and nothing else.

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
        Err(error) => assert!(ours.is_err(), "{error}"),
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
            // The library may miss the last bit, which is coarse beside the smallest numbers.
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
