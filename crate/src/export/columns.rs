//! What the values of each column are: who reads a table need not guess, and two tables of one name have
//! columns of one type.

/// What a column holds. Each may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    Text,
    /// Whole numbers, with a sign.
    Whole,
    /// Events that were counted: whole numbers up to 2⁶⁴.
    Counts,
    Real,
}

/// The columns of a table whose values are no real numbers.
struct Columns {
    table: &'static str,
    texts: &'static [&'static str],
    wholes: &'static [&'static str],
    /// What all others hold.
    others: Values,
}

const fn columns(
    table: &'static str,
    texts: &'static [&'static str],
    wholes: &'static [&'static str],
) -> Columns {
    Columns { table, texts, wholes, others: Values::Real }
}

const COLUMNS: [Columns; 21] = [
    columns("curves", &["region", "counter"], &["group"]),
    columns(
        "phases",
        &["region", "place", "place_file", "block", "block_name", "routine", "file"],
        &["group", "phase", "place_line", "first_line", "last_line"],
    ),
    columns("models", &["region", "model", "component", "doubt"], &["group"]),
    columns("activity", &["region"], &["group"]),
    columns("bandwidth", &["region"], &["group"]),
    columns("gauges", &["region", "name"], &["group", "type"]),
    columns(
        "groups",
        &["region"],
        &["group", "appl", "task", "thread", "start_ns", "duration_ns", "used"],
    ),
    Columns {
        others: Values::Counts,
        ..columns(
            "instances",
            &["region", "why"],
            &["group", "appl", "task", "thread", "start_ns", "duration_ns"],
        )
    },
    columns("points", &["region", "counter"], &["group", "used"]),
    columns("lines", &["region", "routine", "file"], &["group", "line"]),
    columns("routines", &["region", "routine", "file"], &["group", "level", "line", "samples"]),
    columns(
        "code",
        &["region", "kind", "routine", "file"],
        &["group", "line", "samples", "last_line"],
    ),
    columns("references", &["region", "kind", "address", "object", "level"], &["group", "cost"]),
    Columns {
        others: Values::Counts,
        ..columns("objects", &["region", "object", "kind", "address"], &["group"])
    },
    columns(
        "streams",
        &["region", "object", "routine", "direction"],
        &["group", "phase", "loads", "stores"],
    ),
    columns("regions", &["region", "alias"], &["group", "instances", "samples", "readings"]),
    Columns {
        others: Values::Counts,
        ..columns(
            "bursts",
            &[],
            &["application", "task", "thread", "begin_ns", "end_ns", "cluster"],
        )
    },
    columns(
        "clusters",
        &["region", "name"],
        &[
            "bursts",
            "threads",
            "per_thread_min",
            "per_thread_max",
            "total_ns",
            "median_ns",
            "shortest_ns",
            "longest_ns",
        ],
    ),
    columns(
        "iterations",
        &["region", "name", "inner", "end_is_estimated"],
        &["application", "task", "thread", "pass", "begin_ns", "end_ns"],
    ),
    columns("efficiency", &["trace"], &["ranks", "threads"]),
    columns("core_time", &["trace", "part"], &["ranks", "threads"]),
];

/// Real numbers wherever they stand; and bytes from one reference to the next, which may be any address.
const COSTS: [&str; 2] = ["mean_cost", "high_cost"];
const STEP_BYTES: &str = "step_bytes";

/// What the columns of a table hold, by its name and theirs. What instances and bursts counted are counts;
/// so is what is said of a data object. A name that a counter shares with another column is of texts, which
/// any value is.
pub fn values_of(table: &str, columns: &[&str]) -> Vec<Values> {
    let own = COLUMNS.iter().find(|own| own.table == table);
    let (texts, wholes, others) =
        own.map_or((&[][..], &[][..], Values::Real), |own| (own.texts, own.wholes, own.others));
    let values = |name: &&str| {
        let is_one = columns.iter().filter(|other| *other == name).count() == 1;
        match (texts.contains(name), wholes.contains(name)) {
            (true, _) => Values::Text,
            (_, true) if is_one => Values::Whole,
            (_, true) => Values::Text,
            _ if table == "streams" && *name == STEP_BYTES => Values::Counts,
            _ if COSTS.contains(name) => Values::Real,
            _ => others,
        }
    };
    columns.iter().map(values).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_may_have_any_name() {
        let columns =
            ["region", "group", "phase", "start", "end", "PAPI_TOT_INS", "phase", "place"];
        use Values::{Real, Text, Whole};
        let expected = [Text, Whole, Text, Real, Real, Real, Text, Text];
        assert_eq!(values_of("phases", &columns), expected);
        assert_eq!(values_of("instances", &["PAPI_TOT_INS"]), [Values::Counts]);
        assert_eq!(values_of("objects", &["mean_cost", "L1"]), [Real, Values::Counts]);
    }
}
