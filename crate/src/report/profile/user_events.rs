//! What the program told of values of its own, in words.

use serde::Serialize;

use super::{count_text, counted};
use crate::profile::Profile;
use crate::quantity::{number, printable, significant};
use crate::report::Figure;

/// Values that are listed: contexts make thousands of them. A file has all.
const MOST: usize = 300;

/// A value that the program told, as it is printed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct UserEventLine {
    /// `Message size`, and where it was told: `main => MPI_Send()`; empty if nothing tells.
    pub name: String,
    pub context: String,
    /// How often, and the mean, least, largest, deviation and sum of what was told.
    pub figures: Vec<Figure>,
    /// On how many threads.
    pub words: String,
}

/// The first ones by name, of all threads or of one, and how many more there are.
pub fn user_events(profile: &Profile, thread: Option<u32>) -> (Vec<UserEventLine>, usize) {
    let (all, threads) = profile.user_events_of(thread);
    let line = |at: usize| {
        let full = &profile.user_events[all.events[at] as usize];
        let (name, context) = full.split_once(" : ").unwrap_or((full, ""));
        let figure = |value: Option<f64>| Figure::of(value, value_text);
        let (count, mean) = (all.counts[at], all.mean[at]);
        let values = [mean, all.min[at], all.max[at]].map(Some);
        let values = values.into_iter().chain([all.deviation(at), Some(count * mean)]);
        let figures = [Figure::of(Some(count), count_text)].into_iter().chain(values.map(figure));
        let words = counted(f64::from(threads[at]), "thread", "threads");
        let [name, context] = [name, context].map(|text| printable(text.trim()));
        UserEventLine { name, context, figures: figures.collect(), words }
    };
    let lines = (0..all.events.len().min(MOST)).map(line).collect::<Vec<_>>();
    (lines, all.events.len().saturating_sub(MOST))
}

/// Whole numbers whole, as sizes are; others in five figures.
fn value_text(value: f64) -> String {
    match value == libm::round(value) && value.abs() < 1e15 {
        true => number(value, 0),
        false => significant(value, 5),
    }
}
