//! How far a profile can be trusted.

use serde::Serialize;

use crate::paint::Pictured;
use crate::profile::{NodeKind, Weights};
use crate::quantity::{duration, number, percent};

/// A number that says how far the profile can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct QualityCell {
    pub name: String,
    pub value: String,
    /// Whether it limits what can be said.
    pub limits: bool,
    /// What it means, and from where on it limits.
    pub words: String,
}

/// Dropped samples above this share, and samples of contexts that tell less or more of their regions'
/// time than these, limit what can be said: specified with the view, mockups/README-2.md, *Profile*.
const MOST_DROPPED: f64 = 0.01;
const SOUND_COVER: [f64; 2] = [0.95, 1.05];

/// What samples say of the regions that have some, and what probes say of these.
fn cover(pictured: &Pictured) -> Option<f64> {
    let whole = &pictured.overview.whole;
    let time = whole.time()?;
    let total = pictured.overview.total();
    let (mut sampled, mut probed) = (0.0, 0.0);
    for (at, node) in
        whole.nodes.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Context)
    {
        sampled += total.inclusive[time][at];
        probed += node.parent.map_or(0.0, |parent| total.exclusive[time][parent as usize]);
    }
    (probed > 0.0 && !whole.quality.samples_events()).then(|| sampled / probed)
}

/// All that is known of it.
pub fn quality(pictured: &Pictured) -> Vec<QualityCell> {
    let quality = pictured.overview.quality();
    let mut cells = Vec::new();
    let mut tell = |name: &str, value: String, limits: bool, words: &str| {
        cells.push(QualityCell { name: name.to_owned(), value, limits, words: words.to_owned() });
    };
    if quality.samples == 0 {
        tell(
            "samples",
            "none".to_owned(),
            false,
            "A profile of probes alone: nothing says what ran inside of them.",
        );
    } else {
        tell(
            "samples",
            number(quality.samples as f64, 0),
            false,
            "Samples that stand in the tree, of all threads.",
        );
    }
    if quality.taken > 0 {
        let share = quality.dropped as f64 / quality.taken as f64;
        tell(
            "dropped",
            percent(share, 1),
            share > MOST_DROPPED,
            "Of the samples that were taken, as the measurement states; above 1 % it limits.",
        );
    }
    if !quality.period.is_empty() {
        let of = if quality.samples_events() {
            format!("{} {}", quality.period, quality.source)
        } else {
            period(&quality.period)
        };
        tell("period", of, false, "From one sample to the next.");
    }
    if let Some(cover) = cover(pictured) {
        let limits = !(SOUND_COVER[0]..=SOUND_COVER[1]).contains(&cover);
        tell(
            "context over probe",
            number(cover, 3),
            limits,
            "Time that samples tell, of the time that probes measured where there are samples; outside of 0.95 to 1.05 it limits.",
        );
    }
    if quality.samples > 0 {
        let share = quality.unresolved as f64 / quality.samples as f64;
        tell("unresolved", percent(share, 1), false, "Samples of which the routine is not known.");
        let weights = match quality.weights {
            Weights::Clipped => "clipped at calls",
            Weights::Whole => "since the one before",
        };
        tell(
            "weights",
            weights.to_owned(),
            false,
            "What a sample stands for: the time since the one before, within its context or wherever that was.",
        );
    }
    if quality.throttled > 0 {
        let words = if quality.throttled == 1 { "probe" } else { "probes" };
        tell(
            "throttled",
            format!("{} {words}", number(quality.throttled as f64, 0)),
            true,
            "Called so often that the measurement stopped them: their times are too short.",
        );
    }
    cells
}

/// `10 ms`: it is stated in microseconds.
fn period(stated: &str) -> String {
    match stated.parse::<f64>() {
        Ok(us) if us > 0.0 => duration(1e3 * us),
        _ => stated.to_owned(),
    }
}
