//! Files of a comparison: loaded with what writes files.

use super::compared::ComparedPicture;
use super::encode::Failure;
use super::series::SeriesPicture;
use crate::compare::sentences;
use crate::export::{
    About, ComparedInput, Exported, SeriesAbout, comparison_json, comparison_run_tables,
    comparison_svg, comparison_tables, series_json, series_picture, series_tables,
};
use crate::paint::ComparedView;

/// Those of a format: `csv`, `json` or `svg`.
#[inline(never)]
pub fn files(
    picture: &ComparedPicture,
    format: &str,
    view: &ComparedView,
) -> Result<Vec<Exported>, Failure> {
    let of = picture.of()?;
    let [Some((about, group)), _] = &picture.first else { return Ok(vec![]) };
    let inputs = picture.names.each_ref().map(|names| {
        let input = |name: &String| ComparedInput { file: name.clone(), ..Default::default() };
        names.iter().map(input).collect()
    });
    let told = About { inputs, wanted: picture.wanted, notices: vec![] };
    Ok(match format {
        "csv" => {
            let tables = comparison_tables(&of.comparison, about, group.number);
            let mut tables = tables.collect::<Vec<_>>();
            tables.extend(comparison_run_tables(&of.comparison));
            tables
        }
        "json" => vec![Exported {
            name: "comparison.json".to_owned(),
            bytes: comparison_json(&of.comparison, &told).into_bytes(),
        }],
        _ => {
            let words = sentences(&of.comparison, picture.wanted.between);
            let names = picture.names.each_ref().map(|names| names.join(", "));
            let title = format!("{} with {} \u{b7} {}", names[0], names[1], about.region);
            let words = [title].into_iter().chain(words).collect::<Vec<_>>();
            vec![comparison_svg(of, view, &words)]
        }
    })
}

/// Those of a series.
#[inline(never)]
pub fn series_files(picture: &SeriesPicture, format: &str) -> Result<Vec<Exported>, Failure> {
    let (told, key) = picture.told.as_ref().ok_or_else(|| Failure::bug("not compared"))?;
    let inputs =
        picture.names.iter().map(|name| ComparedInput { file: name.clone(), ..Default::default() });
    let about = SeriesAbout {
        key: key.clone(),
        names: picture.names.clone(),
        inputs: inputs.collect(),
        ..SeriesAbout::default()
    };
    let number = picture.groups.first().map_or(0, |group| group.number);
    Ok(match format {
        "csv" => series_tables(told, &about, &picture.first, number),
        "json" => vec![Exported {
            name: "series.json".to_owned(),
            bytes: series_json(told, &about).into_bytes(),
        }],
        _ => {
            let region = picture.first.region.as_str();
            series_picture(told, &about, picture.groups.clone(), region).into_iter().collect()
        }
    })
}
