//! How long and how fast routines and lines ran, as a table.

use super::csv::{begin, counters, field, head, line};
use crate::folding::{Curve, Folding, Group};
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
    let columns = "region,group,kind,routine,file,line,inclusive_ms,exclusive_ms,samples";
    let mut table = head(columns, &counters);
    let no_last_line = if sources.is_some() { "," } else { "" };
    if sources.is_some() {
        table.pop();
        table += ",last_line\n";
    }
    for (folding, group) in foldings.flat_map(|f| f.groups.iter().map(move |g| (f, g))) {
        let begin = begin(folding, group.number, None);
        let ms = |share: f64| shortest(share * group.mean_duration_ns / 1e6);
        let code = group.code();
        for RoutineTime { routine, inclusive, exclusive, samples, speed } in &code.routines {
            let name = routine_name(group, *routine);
            let (inclusive, exclusive) = (ms(*inclusive), ms(*exclusive));
            let rates = rates(group, &speed.rates, &counters);
            line(
                &mut table,
                format_args!(
                    "{begin}routine,{name},,,{inclusive},{exclusive},{samples}{rates}{no_last_line}"
                ),
            );
        }
        for LineTime { place, share, samples, speed } in &code.lines {
            let Some(place) = group.places.get(*place as usize) else { continue };
            let (name, file) = (routine_name(group, place.routine), field(&place.file));
            let (share, rates) = (ms(*share), rates(group, &speed.rates, &counters));
            let code_line = place.line;
            line(
                &mut table,
                format_args!(
                    "{begin}line,{name},{file},{code_line},,{share},{samples}{rates}{no_last_line}"
                ),
            );
        }
        for (file, SourceBlock { routine, first, last, ms, samples, rates: of, .. }) in
            &loops(group, sources.unwrap_or_default())
        {
            let [routine, file] = [routine, file].map(|text| field(text));
            let (ms, rates) = (shortest(*ms), rates(group, of, &counters));
            line(
                &mut table,
                format_args!("{begin}loop,{routine},{file},{first},,{ms},{samples}{rates},{last}"),
            );
        }
    }
    table
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

fn routine_name(group: &Group, routine: u32) -> String {
    field(group.routines.get(routine as usize).map_or("", String::as_str))
}

fn rates(group: &Group, rates: &[Option<f64>], counters: &[&str]) -> String {
    let of = |counter: &str| {
        let is_it = |curve: &Curve| curve.counter == counter;
        let index = group.curves.iter().position(is_it)?;
        rates.get(index).copied().flatten()
    };
    let rate = |counter: &&str| format!(",{}", of(counter).map_or_else(String::new, shortest));
    counters.iter().map(rate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Context, Lines, Place, TraceSummary};

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
            version: Folding::VERSION,
            trace,
            region: "f:a".to_owned(),
            groups: vec![group],
            shown: 2,
            notices: vec![],
            models: vec![],
            missing_models: vec![],
            quantised: false,
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
