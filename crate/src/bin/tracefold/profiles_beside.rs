//! `tracefold profile A... --with B...`: two profiles side by side.

use tracefold::export::{self, Exported};
use tracefold::profile::{Beside, BesideError, Profile};
use tracefold::report::{self, BesideAsked, BesideTable};

use crate::arguments::{self, ProfileAs};
use crate::failure::Failure;
use crate::tables;

/// Nodes that are listed for people: those that differ most.
const MOST: u32 = 25;

/// The comparison, for people or as a table.
pub fn beside(a: &Profile, b: &Profile, asked: &arguments::Profile) -> Result<String, Failure> {
    let both = Beside::of(a, b);
    let refused = |error: BesideError| match error {
        BesideError::Measure { .. } => Failure::Usage(format!("--metric: {error}")),
        BesideError::NothingInCommon => Failure::Nothing(error.to_string()),
    };
    let measures = both.measures(asked.metric.as_deref()).map_err(refused)?;
    let table = || export::profiles_beside(&both, &measures);
    let only_csv = asked.formats.iter().all(|format| matches!(format, ProfileAs::Csv));
    match &asked.out {
        _ if !only_csv || asked.json => Err(Failure::Usage(
            "--with: two profiles side by side are a table; expected --format csv".to_owned(),
        )),
        Some(folder) => {
            let (name, bytes) = ("profiles_beside.csv".to_owned(), table().into());
            tables::write_files(folder, &[Exported { name, bytes }]).map(|()| String::new())
        }
        None if !asked.formats.is_empty() => Ok(table()),
        None => {
            let measure = asked.metric.clone().unwrap_or_default();
            let asked = BesideAsked { measure, most: Some(MOST), ..BesideAsked::default() };
            Ok(for_people(&report::beside(&both, &asked).map_err(refused)?))
        }
    }
}

/// Whose time by itself differs most on average, with its largest thread, what only one side has, and what
/// the numbers do not say.
fn for_people(table: &BesideTable) -> String {
    let facts = table.facts.iter().map(|(value, of)| format!("{value} {of}"));
    let mut text = facts.collect::<Vec<_>>().join("; ") + "\n";
    let row = |cells: &mut dyn Iterator<Item = &str>| {
        cells.map(|cell| format!("{cell:>12} ")).collect::<String>()
    };
    text += &row(&mut table.heads.iter().map(|(_, words)| &**words));
    text += " region or routine\n";
    for of in &table.rows {
        text += &row(&mut of.figures.iter().map(|figure| &*figure.text));
        let kind = if of.kind == "probe" { String::new() } else { format!(" [{}]", of.kind) };
        let only = if of.only.is_empty() { String::new() } else { format!(" ({})", of.only) };
        text += &format!("{kind} {}{only}\n", of.name);
    }
    if table.rows.is_empty() {
        text += "Nothing differs.\n";
    }
    if !table.rest.is_empty() {
        text += &format!("{}\n", table.rest);
    }
    text + "\n" + &table.doubts.iter().map(|doubt| format!("{doubt}\n")).collect::<String>()
}
