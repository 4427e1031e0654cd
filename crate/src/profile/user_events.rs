use serde::{Deserialize, Serialize};

/// What the program told of some values of its own, on one thread: one entry of every column for each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UserEvents {
    /// By number in [`Profile::user_events`](super::Profile::user_events).
    pub events: Vec<u32>,
    /// How often a value was told.
    pub counts: Vec<f64>,
    pub min: Vec<f64>,
    pub max: Vec<f64>,
    pub mean: Vec<f64>,
    pub sum_of_squares: Vec<f64>,
}

impl UserEvents {
    /// `values`: how many, least, most, mean, sum of squares.
    pub fn push(&mut self, event: u32, values: [f64; 5]) {
        let [count, min, max, mean, squares] = values;
        self.events.push(event);
        self.counts.push(count);
        self.min.push(min);
        self.max.push(max);
        self.mean.push(mean);
        self.sum_of_squares.push(squares);
    }
}
