use tracefold::export;
use tracefold::instance::CatalogueRow;
use tracefold::pipeline::{self, FoldError, Held};

use crate::arguments::Regions;
use crate::failure::Failure;
use crate::read::read;
use crate::settings;
use crate::tables;

/// `tracefold regions`: what can be folded, for people or as JSON.
pub fn regions(asked: &Regions) -> Result<String, Failure> {
    let settings = settings::asked_for(&asked.changed, &[])?;
    let trace = read(&asked.reading)?;
    pipeline::check_boundary(&trace, &settings)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let (rows, first) = pipeline::catalogue(&trace, &settings);
    // To a script an empty list is the answer; only a person is told so in words.
    if asked.json {
        return Ok(as_json(&rows, first));
    }
    if rows.is_empty() {
        return Err(Failure::Nothing(FoldError::NoRegion(Held::by(&trace)).to_string()));
    }
    if let Some(folder) = &asked.tables.out {
        return tables::write(folder, &[("regions.csv", export::regions(&rows))])
            .map(|()| String::new());
    }
    let sentences = trace.provenance.sentences();
    Ok(as_table(&rows) + "\n" + &sentences.join("\n") + "\n")
}

fn as_table(rows: &[CatalogueRow]) -> String {
    let mut table = format!(
        "{:>7} {:>10} {:>9} {:>12} {:>8} {:>5}  region\n",
        "share %", "instances", "samples", "mean ms", "MIPS", "group"
    );
    for row in rows {
        let mips = row.mips.map_or("–".to_owned(), |mips| format!("{mips:.0}"));
        let region = row.region.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
        table += &format!(
            "{:>7.2} {:>10} {:>9} {:>12.3} {:>8} {:>5}  {}\n",
            100.0 * row.share,
            row.instances,
            row.samples,
            row.mean_ms,
            mips,
            row.group,
            region.collect::<String>()
        );
    }
    table
}

fn as_json(rows: &[CatalogueRow], first: Option<String>) -> String {
    let row = |row: &CatalogueRow| {
        serde_json::json!({
            "region": row.region, "alias": row.alias, "group": row.group,
            "instances": row.instances, "samples": row.samples, "readings": row.readings,
            "mean_ms": row.mean_ms, "median_ms": row.median_ms, "mips": row.mips,
            "share": row.share, "first": first.as_deref() == Some(&row.region),
        })
    };
    let rows = rows.iter().map(row).collect::<Vec<_>>();
    serde_json::to_string_pretty(&rows).unwrap_or_default() + "\n"
}
