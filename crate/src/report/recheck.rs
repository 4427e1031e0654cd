//! What two foldings tell in their tables, compared: that of a link, and that of the trace which it was
//! made of, folded again.

use serde::Serialize;
use serde_json::Value;

use super::group::group;
use super::{code, table};
use crate::folding::{Folding, Group, Tabled};
use crate::order;
use crate::quantity::number;
use crate::result::{Input, Link, Origin};

/// What is told otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// Which table, and where in it.
    pub place: String,
    pub linked: String,
    pub refolded: String,
}

/// Of a link and its trace: whether it is the same, in sentences, and what is told otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Recheck {
    pub is_equal: bool,
    pub words: Vec<String>,
    /// The first of them.
    pub differences: Vec<Difference>,
}

/// So many differences are listed.
const LISTED: usize = 20;

/// `linked` beside what was made of its trace again, of the files `inputs`.
pub fn recheck(linked: &Link, refolded: &Link, inputs: &[Input]) -> Recheck {
    let Comparison { compared, mut differences } = compare(&linked.folding, &refolded.folding);
    let is_same_trace = linked.origin.is_of(inputs);
    let files = match is_same_trace {
        Some(true) => "The files are the same, by SHA-256.",
        Some(false) => "The files are others: their SHA-256 is not that of the link.",
        None if linked.origin.inputs.is_empty() => "The link does not say of which files it is.",
        None => "The files could not be read again for their SHA-256.",
    };
    let (version, own) = (&linked.origin.version[..], Origin::VERSION);
    let version = match version {
        "" => format!("It does not say which Tracefold made it; this is {own}."),
        same if same == own => format!("Both are of Tracefold {own}."),
        other => format!("It was made by Tracefold {other}; this is {own}."),
    };
    let count = number(f64::from(compared), 0);
    let numbers = match differences.len() {
        0 => format!("All {count} numbers and words of its tables are equal to the digit."),
        many => {
            let differ = if many == 1 { "differs" } else { "differ" };
            format!(
                "{} of {count} numbers and words of its tables {differ}.",
                number(many as f64, 0)
            )
        }
    };
    let is_equal = differences.is_empty() && is_same_trace != Some(false);
    differences.truncate(LISTED);
    Recheck { is_equal, words: vec![numbers, files.to_owned(), version], differences }
}

/// What tables of both tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Numbers and words that were compared.
    pub compared: u32,
    pub differences: Vec<Difference>,
}

/// Fields that are not shown: positions in lists, numbers as held, and where words are from.
const NOT_SHOWN: [&str; 8] =
    ["source", "value", "index", "routineIndex", "object", "place", "context", "parent"];

/// Numbers that are not printed but lie in pictures may differ by this share of themselves.
const NEAR: f64 = 1e-6;

/// What the tables of all groups that `linked` has tell, and where those of `refolded` tell otherwise.
/// What a link has no room for is not compared. O(what tables tell).
pub fn compare(linked: &Folding, refolded: &Folding) -> Comparison {
    let mut comparison = Comparison::default();
    for own in &linked.groups {
        let Some(other) = refolded.groups.iter().find(|group| group.number == own.number) else {
            comparison.differ(format!("group {}", own.number), "here", "missing");
            continue;
        };
        for (a, b) in tables(linked, own).iter().zip(&tables(refolded, other)) {
            comparison.values(&format!("group {}, {}", own.number, a.0), &a.1, &b.1);
        }
    }
    comparison
}

/// All that tables are made of, by name.
fn tables(folding: &Folding, of: &Group) -> [(&'static str, Value); 3] {
    [
        ("facts", serde_json::to_value(group(folding, of)).unwrap_or_default()),
        ("code", serde_json::to_value(code(of, None)).unwrap_or_default()),
        (
            "table of the curves",
            serde_json::to_value(table(of, Tabled::MOMENTS)).unwrap_or_default(),
        ),
    ]
}

impl Comparison {
    fn differ(&mut self, place: String, linked: &str, refolded: &str) {
        let (linked, refolded) = (linked.to_owned(), refolded.to_owned());
        self.differences.push(Difference { place, linked, refolded });
    }

    fn values(&mut self, place: &str, linked: &Value, refolded: &Value) {
        match (linked, refolded) {
            (Value::Object(a), Value::Object(b)) => {
                for (key, value) in a.iter().filter(|(key, value)| is_shown(key, value)) {
                    let other = b.get(key).unwrap_or(&Value::Null);
                    self.values(&format!("{place}, {key}"), value, other);
                }
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                for (index, (a, b)) in a.iter().zip(b).enumerate() {
                    self.values(&format!("{place} {}", index + 1), a, b);
                }
            }
            (Value::Array(a), Value::Array(b)) => self.some_of(place, a, b),
            _ => {
                self.compared += 1;
                if !is_same(linked, refolded) {
                    self.differ(place.to_owned(), &words(linked), &words(refolded));
                }
            }
        }
    }

    /// A link has the first rows of a list, or those of most: each must be among all, in their order.
    fn some_of(&mut self, place: &str, linked: &[Value], refolded: &[Value]) {
        let mut rest = refolded;
        for (index, value) in linked.iter().enumerate() {
            let compared = |other: &Value| {
                let mut row = Self::default();
                row.values(&format!("{place} {}", index + 1), value, other);
                row
            };
            match rest.iter().position(|other| compared(other).differences.is_empty()) {
                Some(at) => {
                    self.compared += compared(&rest[at]).compared;
                    rest = &rest[at + 1..];
                }
                None => {
                    // That which differs least is most likely the same row.
                    let mut rows = rest.iter().map(compared).collect::<Vec<_>>();
                    order::by_number(&mut rows, |row| row.differences.len() as u64);
                    match rows.into_iter().next() {
                        Some(row) => {
                            self.compared += row.compared;
                            self.differences.extend(row.differences);
                        }
                        None => self.differ(format!("{place} {}", index + 1), &words(value), ""),
                    }
                }
            }
        }
    }
}

fn is_shown(key: &str, value: &Value) -> bool {
    let is_picture = key == "histogram" && value.is_array();
    !is_picture && !NOT_SHOWN.contains(&key)
}

fn is_same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= NEAR * a.abs().max(b.abs()).max(NEAR),
        _ => a == b,
    }
}

fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
