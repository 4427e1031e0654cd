//! Three runs or more under a value that changes.

use tracefold::compare::{
    Beside, Series, SeriesRow, Trend, Values, series, series_sentences, values_in,
};
use tracefold::disk;
use tracefold::export::{Exported, SeriesAbout, series_json, series_picture, series_tables};

use crate::compare::{input, printable, wanted};
use crate::compare_arguments::{Compare, ComparedFormat};
use crate::compare_sides::{Folded, alike};
use crate::failure::Failure;
use crate::tables;

/// `tracefold compare --series`: for people, as JSON, or as files.
pub fn compare_series(
    asked: &Compare,
    (key, values): &(String, Vec<String>),
) -> Result<String, Failure> {
    let files = disk::each_apart(&asked.files).cloned().collect::<Vec<_>>();
    let paths = files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>();
    let in_names = || values_in(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    let values = Values::of(if values.is_empty() { in_names() } else { values.clone() });
    let ([folded, _], notices) = alike([files, vec![]], asked)?;
    let runs = folded.iter().map(Folded::compared).collect::<Result<Vec<_>, _>>()?;
    let wanted = wanted(asked);
    let told = series(&runs, values, &wanted).map_err(|error| Failure::Usage(error.to_string()))?;
    let is_json = asked.json || asked.formats.contains(&ComparedFormat::Json);
    let inputs = match is_json {
        true => folded.iter().map(input).collect::<Result<Vec<_>, _>>()?,
        false => vec![],
    };
    let names = folded.iter().map(|of| of.path.display().to_string()).collect::<Vec<_>>();
    let about = SeriesAbout { key: key.clone(), names, inputs, wanted, notices };
    if let (Some(folder), Some(first)) = (&asked.out, folded.first()) {
        let group = first.group()?.number;
        let mut files = Vec::new();
        for format in &asked.formats {
            match format {
                ComparedFormat::Csv => {
                    files.extend(series_tables(&told, &about, &first.folding, group))
                }
                ComparedFormat::Svg => {
                    let groups = folded.iter().map(|of| of.group().cloned());
                    let groups = groups.collect::<Result<Vec<_>, _>>()?;
                    let region = first.folding.region.as_str();
                    files.extend(series_picture(&told, &about, groups, region));
                }
                ComparedFormat::Json => files.push(Exported {
                    name: "series.json".to_owned(),
                    bytes: series_json(&told, &about).into_bytes(),
                }),
            }
        }
        tables::write_files(folder, &files)?;
        return Ok(if asked.json { series_json(&told, &about) } else { String::new() });
    }
    Ok(if asked.json { series_json(&told, &about) } else { as_text(&told, &about) })
}

fn as_text(told: &Series, about: &SeriesAbout) -> String {
    let mut text = String::new();
    for sentence in series_sentences(told, &about.key).iter().chain(&about.notices) {
        text += &printable(sentence);
        text.push('\n');
    }
    text += &format!("\n{:>5}", "phase");
    for value in &told.values.texts {
        text += &format!(" {:>12}", printable(&format!("{value}, ms")));
    }
    text += match told.values.numbers {
        Some(_) => "      trend     95 % interval        %  sure  routine\n",
        None => "  beside the first, %                routine\n",
    };
    for (at, row) in told.rows.iter().enumerate() {
        let name = if at == 0 { "all".to_owned() } else { at.to_string() };
        text += &format!("{name:>5}{}\n", of_row(row));
    }
    text
}

fn of_row(row: &SeriesRow) -> String {
    let mut text = String::new();
    row.ms().for_each(|[ms, ..]| text += &format!(" {ms:>12.3}"));
    text += &match &row.trend {
        Some(of) => of_trend(of),
        None if row.beside.is_empty() => format!(" {:>10} {:>17} {:>8}  {:<4}", "-", "-", "-", ""),
        None => {
            format!("  {:<34}", row.beside.iter().map(of_beside).collect::<Vec<_>>().join(", "))
        }
    };
    format!("{text}  {}", printable(row.routine.as_deref().unwrap_or_default()))
}

fn of_trend(of: &Trend) -> String {
    let [low, high] = of.interval;
    let interval = format!("{low:.2} to {high:.2}");
    let sure = if of.is_sure { "yes" } else { "no" };
    format!(" {:>+10.2} {interval:>17} {:>+8.1}  {sure:<4}", of.exponent, 100.0 * of.change)
}

fn of_beside(of: &Beside) -> String {
    let verdict: &str = of.verdict.into();
    format!("{:+.1} {verdict}", 100.0 * of.change)
}
