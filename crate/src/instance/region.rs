//! Regions by name.

use super::Execution;
use super::repeated::{self, Repeated};
use crate::order;
use crate::trace::{EventType, Trace};

/// What is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
    /// Code delimited by events of one type: of one value, or (`None`) of any.
    Events {
        /// Index into [`Trace::types`].
        event_type: u32,
        value: Option<u64>,
    },
    /// What was found to repeat: index into a trace's [`Repeated`] regions.
    Repeated(u32),
}

/// Whether `execution`, of the type of a region of `value` or of any, is an instance of it: of a
/// region inside itself only the outermost is.
pub(super) fn is_instance(value: Option<u64>, execution: &Execution) -> bool {
    match value {
        Some(value) => execution.value == value && execution.outermost,
        None => execution.topmost,
    }
}

/// The regions of a trace and what they are called.
pub struct RegionNames<'trace> {
    trace: &'trace Trace,
    /// Values that occur, rising, by type.
    values: Vec<Vec<u64>>,
    /// Names of the types, and of their values as in `values`, each one's own.
    type_names: Vec<String>,
    value_names: Vec<Vec<String>>,
    repeated: &'trace [Repeated],
}

impl<'trace> RegionNames<'trace> {
    pub fn new(
        trace: &'trace Trace,
        executions: &[Vec<Execution>],
        repeated: &'trace [Repeated],
    ) -> Self {
        let values = executions.iter().map(|of_type| values(of_type)).collect::<Vec<_>>();
        // Types that delimit nothing have no name to be mistaken for.
        let name = |(known, values): (&EventType, &Vec<u64>)| match values.is_empty() {
            true => known.code.to_string(),
            false => known.name.clone(),
        };
        let type_names = trace.types.iter().zip(&values).map(name).collect();
        let codes = trace.types.iter().map(|known| u64::from(known.code)).collect::<Vec<_>>();
        let value_names = (0u32..).zip(&values).map(|(event_type, values)| {
            let names = values.iter().map(|value| trace.value_name(event_type, *value));
            each_its_own(names.collect(), values)
        });
        let value_names = value_names.collect();
        let type_names = each_its_own(type_names, &codes);
        Self { trace, values, type_names, value_names, repeated }
    }

    /// `TYPE:VALUE`, e.g. `User function:main`; `TYPE:*` for any value; `TYPE` where the label of
    /// the value is empty. Of what repeats its own name.
    pub fn of(&self, region: Region) -> String {
        let (event_type, value) = match region {
            Region::Events { event_type, value } => (event_type, value),
            Region::Repeated(index) => {
                return self
                    .repeated
                    .get(index as usize)
                    .map(|of| of.name.clone())
                    .unwrap_or_default();
            }
        };
        let name = self.type_name(event_type);
        match value {
            None => format!("{name}:*"),
            Some(value) => match self.value_name(event_type, value).as_str() {
                "" => name.to_owned(),
                value => format!("{name}:{value}"),
            },
        }
    }

    /// The types that have values.
    fn types(&self) -> impl Iterator<Item = u32> {
        (0u32..).zip(&self.values).filter(|(_, values)| !values.is_empty()).map(|(t, _)| t)
    }

    /// All values of a type, in order.
    fn of_type(&self, event_type: u32) -> impl Iterator<Item = u64> {
        self.values.get(event_type as usize).into_iter().flatten().copied()
    }

    fn type_name(&self, event_type: u32) -> &str {
        self.type_names.get(event_type as usize).map_or("", String::as_str)
    }

    /// The label, or the number where there is none or two values share it.
    fn value_name(&self, event_type: u32, value: u64) -> String {
        let of_type = event_type as usize;
        let at = self.values.get(of_type).and_then(|values| values.binary_search(&value).ok());
        let name = at.and_then(|at| self.value_names.get(of_type)?.get(at));
        name.cloned().unwrap_or_else(|| value.to_string())
    }
}

/// `names`, but the number instead where two share a name.
fn each_its_own(mut names: Vec<String>, numbers: &[u64]) -> Vec<String> {
    let mut order = (0..names.len()).collect::<Vec<_>>();
    order::by(&mut order, |a, b| names[*a].cmp(&names[*b]));
    let shared = order.chunk_by(|a, b| names[*a] == names[*b]).filter(|run| run.len() > 1);
    for index in shared.flatten().copied().collect::<Vec<_>>() {
        names[index] = numbers[index].to_string();
    }
    names
}

/// The regions that `asked` means: `TYPE` (every value), `TYPE:VALUE`, `TYPE:*`, or a value that
/// only one type has. TYPE is the longest label or number of a type that begins it. If that is none,
/// what repeats, by name or alias.
///
/// Empty if there is none, or if two types have the bare value.
pub fn resolve(names: &RegionNames<'_>, asked: &str) -> Vec<Region> {
    let prefix = |event_type: u32| {
        let known = names.trace.types.get(event_type as usize)?;
        let code = known.code.to_string();
        let rest = |name: &str| {
            let rest = asked.strip_prefix(name)?;
            (rest.is_empty() || rest.starts_with(':')).then_some((name.len(), rest))
        };
        rest(names.type_name(event_type))
            .or_else(|| rest(&code))
            .map(|(length, rest)| (length, event_type, rest))
    };
    let of_value = |event_type: u32, wanted: &str| {
        let is_wanted = |value: &u64| {
            names.value_name(event_type, *value) == wanted || value.to_string() == wanted
        };
        let value = names.of_type(event_type).find(is_wanted)?;
        Some(Region::Events { event_type, value: Some(value) })
    };
    let longest = names.types().filter_map(prefix).max_by_key(|(length, ..)| *length);
    if let Some((_, event_type, rest)) = longest {
        let found = match rest.strip_prefix(':') {
            None => {
                let of_value = |value| Region::Events { event_type, value: Some(value) };
                names.of_type(event_type).map(of_value).collect()
            }
            Some("*") => vec![Region::Events { event_type, value: None }],
            Some(value) => of_value(event_type, value).into_iter().collect::<Vec<_>>(),
        };
        if !found.is_empty() {
            return found;
        }
    }
    let bare = names.types().filter_map(|t| of_value(t, asked)).collect::<Vec<_>>();
    match bare.len() {
        0 => repeated::resolve(names.repeated, asked),
        1 => bare,
        _ => vec![],
    }
}

/// The values of `executions`, rising.
pub(super) fn values(executions: &[Execution]) -> Vec<u64> {
    order::distinct(executions.iter().map(|execution| execution.value))
}
