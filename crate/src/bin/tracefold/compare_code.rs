//! Lines of code of both sides beside one another, with their source where that is given.

use std::collections::BTreeMap;

use tracefold::compare::{Comparison, Hunk, LineMap, beside};
use tracefold::outline::SourceFile;
use tracefold::report::{place_of_hunk, place_of_line, routine_of_line};

use crate::compare::printable;
use crate::compare_arguments::Compare;
use crate::compare_sides::Sides;
use crate::failure::Failure;
use crate::sources::sources;

/// The source files of each side; those of A are of both where B has no others.
pub fn sources_of(asked: &Compare, sides: &Sides) -> Result<[Vec<SourceFile>; 2], Failure> {
    let of = |paths: &[_], side: usize| match paths {
        [] => Ok(vec![]),
        _ => sources(paths, &sides[side].iter().map(|of| &of.folding).collect::<Vec<_>>()),
    };
    let of_b = if asked.sources_with.is_empty() { &asked.sources } else { &asked.sources_with };
    Ok([of(&asked.sources, 0)?, of(of_b, 1)?])
}

/// Which line of a file is which on the other side, of those that both have. Where B has no others, a file is left
/// out whose lines moved: it is that of one side alone.
pub fn maps_of(
    asked: &Compare,
    comparison: &Comparison,
    [of_a, of_b]: &[Vec<SourceFile>; 2],
) -> (BTreeMap<String, LineMap>, Vec<String>) {
    let (mut maps, mut notices) = (BTreeMap::new(), vec![]);
    for a in of_a {
        let Some(b) = of_b.iter().find(|b| b.name == a.name) else { continue };
        if asked.sources_with.is_empty() && comparison.lines.iter().any(|of| of.file == a.name) {
            notices.push(format!(
                "Lines of {} moved, so B has another text: name it with --source-with.",
                a.name
            ));
        } else {
            maps.insert(a.name.clone(), beside(&a.lines, &b.lines));
        }
    }
    (maps, notices)
}

/// A table of them, the largest change first: with source all that are told, else those that are sure. Empty
/// where there is none.
pub fn code_as_text(comparison: &Comparison, sources: &[Vec<SourceFile>; 2]) -> String {
    let has_source = sources.iter().any(|files| !files.is_empty());
    let told = comparison.code_of(None).filter(|row| has_source || row.is_sure);
    let told = told.collect::<Vec<_>>();
    if told.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n{:>10} {:>10} {:>10} {:>10}  {:<4} line\n",
        "A, ms", "B, ms", "B - A, ms", "95 %", "sure"
    );
    for row in told {
        let ms = |side: usize| {
            row.numbers[side].map_or("-".to_owned(), |_| format!("{:.3}", row.ms[side]))
        };
        text += &format!(
            "{:>10} {:>10} {:>+10.3} {:>10}  {:<4} {} {}\n",
            ms(0),
            ms(1),
            row.change_ms(),
            format!("±{:.3}", row.half_width_ms),
            if row.is_sure { "yes" } else { "" },
            routine_of_line(row),
            place_of_line(row),
        );
        let line = |side: usize| {
            let file = sources[side].iter().find(|file| file.name == row.file)?;
            let line = file.lines.get((row.numbers[side]? as usize).checked_sub(1)?)?;
            Some(printable(line.trim()))
        };
        text += &match (line(0), line(1)) {
            (Some(a), Some(b)) if a == b => format!("{:>12}  {a}\n", ""),
            (a, b) => [("A", a), ("B", b)]
                .into_iter()
                .filter_map(|(side, line)| line.map(|line| format!("{side:>12}  {line}\n")))
                .collect(),
        };
    }
    text + &hunks_as_text(comparison)
}

/// A table of what the text of both sides does not have in common, as far as it was sampled.
fn hunks_as_text(comparison: &Comparison) -> String {
    let is_sampled = |hunk: &&Hunk| hunk.time.samples != [0, 0];
    let hunks = comparison
        .sources
        .iter()
        .flat_map(|file| file.hunks.iter().filter(is_sampled).map(move |hunk| (file, hunk)));
    let mut text = String::new();
    for (file, hunk) in hunks {
        if text.is_empty() {
            text = format!(
                "\n{:>10} {:>10} {:>10} {:>10}  lines that are not the same\n",
                "A, ms", "B, ms", "B - A, ms", "95 %"
            );
        }
        let time = &hunk.time;
        text += &format!(
            "{:>10.3} {:>10.3} {:>+10.3} {:>10}  {}\n",
            time.ms[0],
            time.ms[1],
            time.change_ms(),
            format!("±{:.3}", time.half_width_ms),
            place_of_hunk(file, hunk),
        );
    }
    text
}
