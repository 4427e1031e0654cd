//! The region that is meant, in a part that may not have it.

use crate::order;
use crate::text::nearest;
use crate::trace::{Builder, Kind};

/// A region of events.
pub struct Named {
    /// The code of its type, and its value; `None` for any.
    pub code: (u32, Option<u64>),
    /// `TYPE:VALUE`.
    pub name: String,
}

/// More values are not looked through for names that are alike.
const MOST_NAMES: usize = 10_000;

/// The region that `asked` means: `TYPE:VALUE`, `TYPE:*`, or a value that one type alone has, where both are
/// a label or a number. What a part has of it does not matter: every part must mean the same.
///
/// # Errors
///
/// In words, if there is none, or if there are several.
pub fn named(trace: &Builder, asked: &str) -> Result<Named, String> {
    let by_number = asked.split(':').next().and_then(|code| code.parse::<u32>().ok());
    let codes = trace.labels.codes().chain(trace.codes()).chain(by_number).map(u64::from);
    let codes = order::distinct(codes).into_iter().map(|code| code as u32);
    let types = codes.filter_map(|code| {
        let meaning = trace.meaning(code);
        matches!(meaning.kind, Kind::Region(..)).then_some((code, meaning.name))
    });
    let types = types.collect::<Vec<_>>();
    let rest_of = |(code, name): &(u32, String)| {
        let number = code.to_string();
        let rest = |name: &str| {
            let rest = asked.strip_prefix(name)?;
            (rest.is_empty() || rest.starts_with(':')).then(|| (name.len(), rest.to_owned()))
        };
        rest(name)
            .or_else(|| rest(&number))
            .map(|(length, rest)| (length, *code, name.clone(), rest))
    };
    let longest = types.iter().filter_map(rest_of).max_by_key(|(length, ..)| *length);
    if let Some((_, code, name, rest)) = &longest {
        match rest.strip_prefix(':') {
            None => {
                // What perf marks has no name but that of its type.
                let values = trace.labels.values_of(*code).iter();
                let mut nameless = values.filter(|(value, label)| *value > 0 && label.is_empty());
                if let Some((value, _)) = nameless.next() {
                    return Ok(region(trace, *code, name, *value));
                }
                return Err(format!(
                    "--region: {asked:?} is all regions of {name}, and a part is of one: say {name}:VALUE"
                ));
            }
            Some("*") => return Ok(Named { code: (*code, None), name: format!("{name}:*") }),
            Some(value) => {
                if let Some(value) = value_named(trace, *code, value)? {
                    return Ok(region(trace, *code, name, value));
                }
            }
        }
    }
    let mut bare = vec![];
    for (code, name) in &types {
        let labelled = trace.labels.values_of(*code).iter().filter(|(_, label)| label == asked);
        bare.extend(labelled.map(|(value, _)| region(trace, *code, name, *value)));
    }
    match bare.len() {
        1 => Ok(bare.swap_remove(0)),
        0 => Err(unknown(trace, &types, asked)),
        _ => {
            let names = bare.iter().map(|of| format!("{:?}", of.name)).collect::<Vec<_>>();
            Err(format!("--region: {asked:?} may be {}; say which", names.join(" or ")))
        }
    }
}

fn region(trace: &Builder, code: u32, name: &str, value: u64) -> Named {
    let label = trace.labels.of_value(code, value).map_or_else(|| value.to_string(), str::to_owned);
    let name = match label.as_str() {
        "" => name.to_owned(),
        label => format!("{name}:{label}"),
    };
    Named { code: (code, Some(value)), name }
}

/// The value that a label or a number means; an error if several have that label.
fn value_named(trace: &Builder, code: u32, text: &str) -> Result<Option<u64>, String> {
    let labelled = trace.labels.values_of(code).iter().filter(|(_, label)| label == text);
    match labelled.map(|(value, _)| *value).collect::<Vec<_>>().as_slice() {
        [] => Ok(text.parse().ok().filter(|value| *value > 0)),
        [value] => Ok(Some(*value)),
        several => {
            let numbers = several.iter().map(ToString::to_string).collect::<Vec<_>>();
            Err(format!(
                "--region: {text:?} is the name of the values {}; say which",
                numbers.join(", ")
            ))
        }
    }
}

fn unknown(trace: &Builder, types: &[(u32, String)], asked: &str) -> String {
    let names = types.iter().flat_map(|(code, name)| {
        let values = trace.labels.values_of(*code).iter().filter(|(value, _)| *value > 0);
        values.map(move |(_, label)| format!("{name}:{label}"))
    });
    let names = names.take(MOST_NAMES).collect::<Vec<_>>();
    let nearest = nearest(asked, names.iter().map(String::as_str));
    let nearest = match nearest.as_slice() {
        [] => "no region has a name: say the number of its type, such as 60000019:3".to_owned(),
        names => format!("the nearest are {}", names.join(", ")),
    };
    format!(
        "--region: unknown region {asked:?}; {nearest}. Bursts, clusters and iterations are found in a whole \
         run: they do not add up"
    )
}
