//! How long and how fast routines and lines ran, as a table.

use std::fmt::Display;

use super::csv::{counters, heads};
use super::table::{Table, field, or_empty};
use crate::folding::{Folding, Group};
use crate::order;
use crate::outline::SourceFile;
use crate::result::{LineTime, RoutineTime, SourceBlock};
use crate::text::shortest;

/// `region,group,kind,routine,file,line,inclusive_ms,exclusive_ms,samples,` then the mean rate of
/// each counter that any group has, in the order in which they are met; empty where a group does not
/// have it. `kind` is `routine` or `line`; of a line, which has no callees, the inclusive time is
/// empty. The longest exclusive time comes first.
///
/// With `sources` a `kind` is also `loop`, whose `line` is its first one and whose time is that of its
/// lines, and the last column is `last_line`, empty of all others.
pub fn code<'a>(
    foldings: impl Iterator<Item = &'a Folding> + Clone,
    sources: Option<&[SourceFile]>,
) -> String {
    let counters = counters(foldings.clone());
    let last_line = if sources.is_some() { ",last_line" } else { "" };
    let columns = "kind,routine,file,line,inclusive_ms,exclusive_ms,samples";
    let columns = format!("{columns}{}{last_line}", heads(&counters));
    let none = || sources.map(|_| String::new());
    Table::of_groups(&columns, foldings, |table, _, group| {
        let rates = |of: &[Option<f64>]| rates_of(group, of, &counters);
        let ms = |share: f64| shortest(share * group.mean_duration_ns / 1e6);
        let code = group.code();
        for RoutineTime { routine, inclusive, exclusive, samples, speed } in &code.routines {
            let name = field(group.routine(*routine));
            let (inclusive, exclusive) = (ms(*inclusive), ms(*exclusive));
            let fields: [&dyn Display; 7] =
                [&"routine", &name, &"", &"", &inclusive, &exclusive, samples];
            table.line_with(&fields, rates(&speed.rates).into_iter().chain(none()));
        }
        for LineTime { place, share, samples, speed } in &code.lines {
            let Some(place) = group.places.get(*place as usize) else { continue };
            let [name, file] = [group.routine(place.routine), &place.file].map(field);
            let fields: [&dyn Display; 7] =
                [&"line", &name, &file, &place.line, &"", &ms(*share), samples];
            table.line_with(&fields, rates(&speed.rates).into_iter().chain(none()));
        }
        for (file, block) in loops(group, sources.unwrap_or_default()) {
            let SourceBlock { first, samples, .. } = &block;
            let [name, file] = [&block.routine, &file].map(|text| field(text));
            let fields: [&dyn Display; 7] =
                [&"loop", &name, &file, first, &"", &shortest(block.ms), samples];
            let more = rates(&block.rates).into_iter().chain([block.last.to_string()]);
            table.line_with(&fields, more);
        }
    })
}

/// The loops that were sampled, with their files.
fn loops(group: &Group, sources: &[SourceFile]) -> Vec<(String, SourceBlock)> {
    let of_files = sources.iter().zip(group.blocks_of_each(sources));
    let mut loops: Vec<(String, SourceBlock)> = of_files
        .flat_map(|(source, blocks)| blocks.into_iter().map(|block| (source.name.clone(), block)))
        .filter(|(_, block)| block.kind == "loop" && block.samples > 0)
        .collect();
    order::by_number(&mut loops, |(_, block)| !order::of_float(block.ms));
    loops
}

/// The rate of each of `counters`, of which the group has some.
fn rates_of(group: &Group, rates: &[Option<f64>], counters: &[&str]) -> Vec<String> {
    let of_group = || group.curves.iter().zip(rates);
    let of = |counter: &&str| of_group().find(|(curve, _)| curve.counter == *counter)?.1.as_ref();
    counters.iter().map(|counter| or_empty(of(counter).map(|rate| shortest(*rate)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Context, Curve, Lines, Place, TraceSummary};

    #[test]
    fn routines_and_lines_have_their_times_and_rates() {
        let place =
            |routine, line, file: &str| Place { routine, line, file: file.to_owned(), samples: 1 };
        let curve = |counter: &str, rate: [f64; 3]| Curve {
            counter: counter.to_owned(),
            rate: rate.to_vec(),
            ..Curve::default()
        };
        let context = |parent, routine| Context { parent, routine, samples: 0 };
        let group = Group {
            number: 2,
            mean_duration_ns: 8e6,
            curves: vec![curve("A", [1.0, 1.0, 3.0]), curve("B", [4.0; 3])],
            routines: ["f<a, b>", "main"].map(str::to_owned).to_vec(),
            places: vec![place(0, 7, "a.c"), place(1, 0, "")],
            contexts: vec![context(None, 1), context(Some(0), 0)],
            lines: Lines { x: vec![0.5, 1.0], place: vec![0, 1], context: vec![1, 0] },
            ..Group::default()
        };
        let trace = TraceSummary {
            name: String::new(),
            size_bytes: 0,
            duration_ns: 0,
            threads: 1,
            generated: false,
            provenance: Default::default(),
            partial: None,
        };
        let folding = Folding {
            apart: vec![],
            version: Folding::VERSION,
            trace,
            region: "f:a".to_owned(),
            groups: vec![group],
            shown: 2,
            notices: vec![],
            models: vec![],
            missing_models: vec![],
            ..Folding::default()
        };
        assert_eq!(
            code([&folding].into_iter(), None),
            "region,group,kind,routine,file,line,inclusive_ms,exclusive_ms,samples,A,B\n\
             f:a,2,routine,\"f<a, b>\",,,6,6,1,1,4\n\
             f:a,2,routine,main,,,8,2,1,3,4\n\
             f:a,2,line,\"f<a, b>\",a.c,7,,6,1,1,4\n\
             f:a,2,line,main,,0,,2,1,3,4\n"
        );
        let source =
            SourceFile::parsed("a.c", b"\n\n\n\nint f() {\n  while (1)\n    g();\n}\n").unwrap();
        assert_eq!(
            code([&folding].into_iter(), Some(&[source])),
            "region,group,kind,routine,file,line,inclusive_ms,exclusive_ms,samples,A,B,last_line\n\
             f:a,2,routine,\"f<a, b>\",,,6,6,1,1,4,\n\
             f:a,2,routine,main,,,8,2,1,3,4,\n\
             f:a,2,line,\"f<a, b>\",a.c,7,,6,1,1,4,\n\
             f:a,2,line,main,,0,,2,1,3,4,\n\
             f:a,2,loop,f,a.c,6,,6,1,1,4,7\n"
        );
    }
}
