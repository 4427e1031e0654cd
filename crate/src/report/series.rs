//! A series of runs in words and printed numbers.

use serde::Serialize;

use super::Figure;
use crate::compare::{Measure, Measured, Series, SeriesRow, Values, series_sentences};
use crate::folding::Group;
use crate::order;
use crate::paint::{SeriesLine, Theme, Tokens, series_lines, series_measures};
use crate::quantity::{change as percent, number, printable, significant};

/// What stands round the pictures of a series.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct SeriesSummary {
    /// Each a value and what it is of.
    pub facts: Vec<(String, String)>,
    pub sentences: Vec<String>,
    /// Name and unit of each measure.
    pub measures: Vec<(String, String)>,
    /// The value of each run in words.
    pub values: Vec<String>,
    /// The whole region, then its phases.
    pub rows: Vec<SeriesRowTold>,
    /// What is assumed of other runs, in a bold begin and the rest.
    pub assumed: (String, String),
}

/// The whole region or a phase, in all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct SeriesRowTold {
    /// From 1; `None` of the whole.
    pub phase: Option<u32>,
    pub name: String,
    /// Its colour in the plots, as `#rrggbb`.
    pub colour: String,
    /// Of each run each measure.
    pub runs: Vec<Vec<Figure>>,
    /// Of each measure the place of the run that is best beyond doubt.
    pub best: Vec<Option<u32>>,
    /// From the least value to the largest in per cent, the power of the value and its interval: `−0.95`,
    /// `[−1.01, −0.89]`; empty of texts.
    pub change: String,
    pub exponent: String,
    pub interval: String,
    /// Whether that is beyond doubt; of texts, whether a run differs from the first.
    pub is_sure: bool,
}

/// What is told of a series whose value is called `key`.
pub fn series(of: &Series, groups: &[Group], key: &str, theme: Theme) -> SeriesSummary {
    let measures = series_measures(of);
    let named = |measure: &Measure| {
        let name: &str = (*measure).into();
        (name.to_owned(), measure.unit().to_owned())
    };
    SeriesSummary {
        facts: facts(of, groups, key),
        sentences: series_sentences(of, key).iter().map(|text| printable(text)).collect(),
        measures: measures.iter().map(named).collect(),
        values: of.values.texts.iter().map(|text| printable(text)).collect(),
        rows: rows(of, groups, &measures, theme.tokens()),
        assumed: (
            "One run each.".to_owned(),
            "What runs of one program differ by is assumed, not measured; whiskers hold it."
                .to_owned(),
        ),
    }
}

fn facts(of: &Series, groups: &[Group], key: &str) -> Vec<(String, String)> {
    let kept = groups.iter().map(|group| group.kept);
    let kept = [kept.clone().min().unwrap_or(0), kept.max().unwrap_or(0)];
    let [least, most] = kept.map(|kept| number(f64::from(kept), 0));
    let instances = if least == most { least } else { format!("{least} to {most}") };
    let Values { texts, numbers } = &of.values;
    let text = |at: usize| texts.get(at).map_or("", String::as_str);
    let span = match numbers {
        Some(numbers) => {
            let mut places = (0..numbers.len()).collect::<Vec<_>>();
            order::by_number(&mut places, |at| order::of_float(numbers[*at]));
            let end = |at: Option<&usize>| text(at.copied().unwrap_or(0));
            format!("{} to {}", end(places.first()), end(places.last()))
        }
        None => format!("beside {}", text(0)),
    };
    let span = printable(&span);
    vec![
        (groups.len().to_string(), "runs".to_owned()),
        (span, printable(key)),
        (instances, "instances".to_owned()),
        ((of.rows.len() - 1).to_string(), "phases of all".to_owned()),
    ]
}

fn rows(
    of: &Series,
    groups: &[Group],
    measures: &[Measure],
    tokens: &Tokens,
) -> Vec<SeriesRowTold> {
    let row = |(at, line): (usize, SeriesLine<'_>)| {
        let measured = measures.iter().map(|measure| line.row.of(*measure)).collect::<Vec<_>>();
        let runs = (0..groups.len()).map(|run| {
            measured.iter().map(|of| figure(of.and_then(|of| *of.runs.get(run)?))).collect()
        });
        let best = |of: &Option<&Measured>| of.and_then(|of| of.best).map(|run| run as u32);
        let (change, exponent, interval, is_sure) = trend(line.row);
        SeriesRowTold {
            phase: (at > 0).then_some(at as u32),
            name: match at {
                0 => "All of it".to_owned(),
                _ => line.row.routine.as_deref().map(printable).unwrap_or_default(),
            },
            colour: format!("#{:02x}{:02x}{:02x}", line.colour.0, line.colour.1, line.colour.2),
            runs: runs.collect(),
            best: measured.iter().map(best).collect(),
            change,
            exponent,
            interval,
            is_sure,
        }
    };
    series_lines(of, groups, tokens).into_iter().enumerate().map(row).collect()
}

/// How a row follows the value, in words.
fn trend(row: &SeriesRow) -> (String, String, String, bool) {
    // What rounds to nothing has no sign.
    let rounded = |value: f64| libm::round(100.0 * value) / 100.0 + 0.0;
    let minus = |value: f64| format!("{:.2}", rounded(value)).replace('-', "\u{2212}");
    match &row.trend {
        Some(of) => {
            let [low, high] = of.interval.map(minus);
            (percent(of.change), minus(of.exponent), format!("[{low}, {high}]"), of.is_sure)
        }
        None => {
            let is_sure = |of: &crate::compare::Beside| {
                matches!(
                    of.verdict,
                    crate::compare::Verdict::Slower | crate::compare::Verdict::Faster
                )
            };
            let is_sure = row.beside.iter().any(is_sure);
            (String::new(), String::new(), String::new(), is_sure)
        }
    }
}

fn figure(of: Option<[f64; 3]>) -> Figure {
    let write = |value: f64| match value.abs() {
        large if large >= 1000.0 => number(value, 0),
        _ => significant(value, 3),
    };
    let mut figure = Figure::of(of.map(|[value, ..]| value), write);
    if let Some([_, low, high]) = of {
        figure.within = format!("{}\u{2013}{}", write(low), write(high));
    }
    figure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Trend, Verdict};

    #[test]
    fn a_trend_has_its_power_and_texts_have_none() {
        let of = Trend {
            exponent: -0.951,
            interval: [-1.011, -0.889],
            is_power: true,
            change: -0.42,
            is_sure: true,
        };
        let row = SeriesRow { trend: Some(of), ..SeriesRow::default() };
        let told = trend(&row);
        assert_eq!(told.0, "\u{2212}42");
        assert_eq!(
            (told.1.as_str(), told.2.as_str()),
            ("\u{2212}0.95", "[\u{2212}1.01, \u{2212}0.89]")
        );
        assert!(told.3);
        let level = Trend { exponent: -0.001, ..of };
        let row = SeriesRow { trend: Some(level), ..SeriesRow::default() };
        assert_eq!(trend(&row).1, "0.00");
        let beside = crate::compare::Beside {
            change: 0.1,
            interval: [0.05, 0.15],
            verdict: Verdict::Slower,
        };
        let texts = SeriesRow { beside: vec![beside], ..SeriesRow::default() };
        assert_eq!(trend(&texts), (String::new(), String::new(), String::new(), true));
        assert!(!trend(&SeriesRow::default()).3);
    }

    #[test]
    fn a_value_has_three_figures_and_says_between_what_it_lies() {
        let of = figure(Some([1.40213, 1.37, 1.44]));
        assert_eq!((of.text.as_str(), of.within.as_str()), ("1.40", "1.37\u{2013}1.44"));
        assert_eq!(figure(Some([2666.4, 2600.0, 2700.0])).text, "2\u{202f}666");
        assert_eq!(figure(None).text, "\u{2013}");
    }
}
