//! A series of runs to files: tables, and JSON for scripts.

use serde_json::{Map, Value, json};

use super::compared::ComparedInput;
use super::files::Exported;
use super::table::{Table, field, or_empty};
use crate::compare::{Series, SeriesRow, Wanted, series_sentences};
use crate::folding::{Folding, Group};
use crate::paint::{Theme, series_svg};
use crate::text::shortest;

/// What is told of a series beside its rows.
#[derive(Clone, Debug, Default)]
pub struct SeriesAbout {
    /// Name of the value.
    pub key: String,
    /// Of each run its file; and more of it, where that is asked.
    pub names: Vec<String>,
    pub inputs: Vec<ComparedInput>,
    pub wanted: Wanted,
    pub notices: Vec<String>,
}

/// `series.csv` (a line for each row, measure and run), `series_counters.csv` (for each counter too) and
/// `series_trends.csv`, of this group of the first run. The row without a phase is the whole region; changes are shares.
pub fn series_tables(
    series: &Series,
    about: &SeriesAbout,
    folding: &Folding,
    group: u32,
) -> Vec<Exported> {
    let values = &series.values.texts;
    let mut measures = Table::new("phase,routine,measure,unit,file,value,amount,low,high,best");
    let mut counters = Table::new("phase,file,value,counter,per_us");
    let mut trends = Table::new(
        "phase,routine,exponent,low,high,power,change,sure,value,beside_change,beside_low,beside_high,verdict",
    );
    for table in [&mut measures, &mut counters, &mut trends] {
        table.about(folding, group);
    }
    for (at, row) in series.rows.iter().enumerate() {
        let phase = if at == 0 { String::new() } else { at.to_string() };
        let routine = or_empty(row.routine.as_deref().map(field));
        for of in &row.measures {
            let measure: &str = of.measure.into();
            let runs = about.names.iter().zip(values).zip(&of.runs).enumerate();
            for (at, ((name, value), amount)) in runs {
                let none = || [const { String::new() }; 3];
                let amount = amount.map_or_else(none, |amount| amount.map(shortest));
                let best = u32::from(of.best == Some(at)).to_string();
                let rest = [field(name), field(value)].into_iter().chain(amount).chain([best]);
                measures.line_with(&[&phase, &routine, &measure, &of.measure.unit()], rest);
            }
        }
        for (counter, rates) in &row.rates {
            for ((name, value), rate) in about.names.iter().zip(values).zip(rates) {
                let rate = or_empty(rate.map(shortest));
                counters.line(&[&phase, &field(name), &field(value), &field(counter), &rate]);
            }
        }
        if let Some(of) = &row.trend {
            let [low, high] = of.interval;
            let numbers = [of.exponent, low, high].map(shortest).into_iter();
            let rest = [
                u32::from(of.is_power).to_string(),
                shortest(of.change),
                u32::from(of.is_sure).to_string(),
            ];
            let none = std::iter::repeat_n(String::new(), 5);
            trends.line_with(&[&phase, &routine], numbers.chain(rest).chain(none));
        }
        for (value, of) in values.iter().skip(1).zip(&row.beside) {
            let [low, high] = of.interval;
            let none = std::iter::repeat_n(String::new(), 6);
            let numbers = [of.change, low, high].map(shortest).into_iter();
            let verdict = <&str>::from(of.verdict).to_owned();
            let rest = [field(value)].into_iter().chain(numbers).chain([verdict]);
            trends.line_with(&[&phase, &routine], none.chain(rest));
        }
    }
    [("series.csv", measures), ("series_counters.csv", counters), ("series_trends.csv", trends)]
        .map(|(name, of)| Exported { name: name.to_owned(), bytes: of.finish().into_bytes() })
        .to_vec()
}

/// The picture of the groups of all runs, with the sentences over it.
pub fn series_picture(
    series: &Series,
    about: &SeriesAbout,
    groups: Vec<Group>,
    region: &str,
) -> Option<Exported> {
    let title = format!("{region} by {}", about.key);
    let words = [title].into_iter().chain(series_sentences(series, &about.key)).collect::<Vec<_>>();
    let labels = series
        .values
        .texts
        .iter()
        .map(|value| format!("{} {value}", about.key))
        .collect::<Vec<_>>();
    let svg = series_svg(series, groups, &labels, (Theme::default(), &words))?;
    Some(Exported { name: "series.svg".to_owned(), bytes: svg.into_bytes() })
}

/// All of it for scripts, with raw numbers.
pub fn series_json(series: &Series, about: &SeriesAbout) -> String {
    let values: Value = match &series.values.numbers {
        Some(numbers) => numbers.as_slice().into(),
        None => series.values.texts.as_slice().into(),
    };
    let input = |of: &ComparedInput| json!({ "file": of.file, "sha256": of.sha256, "settings": of.settings });
    let between = about.wanted.between;
    let mut rows = series.rows.iter().map(of_row).collect::<Vec<_>>().into_iter();
    let mut all = Map::new();
    let mut tell = |name: &str, value: Value| all.insert(name.to_owned(), value);
    tell("series", about.key.as_str().into());
    tell("values", values);
    tell("runs", about.inputs.iter().map(input).collect::<Vec<_>>().into());
    tell("assumed", json!({ "clock": between.clock, "phase": between.phase }));
    tell("least", about.wanted.least.into());
    tell("sentences", series_sentences(series, &about.key).into());
    tell("notices", about.notices.clone().into());
    tell("total", rows.next().unwrap_or_default());
    tell("phases", rows.collect::<Vec<_>>().into());
    format!("{:#}\n", Value::Object(all))
}

fn of_row(row: &SeriesRow) -> Value {
    let amount = |of: &Option<[f64; 3]>| {
        of.map(|[value, low, high]| json!({ "value": value, "interval": [low, high] }))
    };
    let measures = row.measures.iter().map(|of| {
        let runs = of.runs.iter().map(amount).collect::<Vec<_>>();
        let name: &str = of.measure.into();
        (name.to_owned(), json!({ "unit": of.measure.unit(), "runs": runs, "best": of.best }))
    });
    let rates = row.rates.iter().map(|(name, rates)| (name.clone(), json!(rates)));
    let trend = row.trend.map(|of| {
        json!({
            "exponent": of.exponent, "interval": of.interval, "power": of.is_power, "change": of.change,
            "sure": of.is_sure,
        })
    });
    let beside = row.beside.iter().map(|of| {
        json!({ "change": of.change, "interval": of.interval, "verdict": <&str>::from(of.verdict) })
    });
    json!({
        "routine": row.routine, "measures": measures.collect::<Map<_, _>>(),
        "rates": rates.collect::<Map<_, _>>(), "trend": trend, "beside": beside.collect::<Vec<_>>(),
    })
}
