//! How far long work is, on a terminal; where stderr is none, nothing is shown.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tracefold::input::Progress;

/// A line that goes away when it is dropped.
pub struct Bar(ProgressBar);

impl Bar {
    /// For a file that is read.
    pub fn of_bytes() -> Self {
        let bar = ProgressBar::new(0);
        // The template is fixed, so the default never takes its place.
        let style = ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes} {eta}");
        Self(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
    }

    /// For work of which the end cannot be foretold: that it goes on, and how long it has.
    pub fn of_work(what: &'static str) -> Self {
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{msg} {spinner} {elapsed}");
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// Says what goes on.
    pub fn say(&self, what: String) {
        self.0.set_message(what);
    }

    /// Prints something while the line is away.
    pub fn beside(&self, print: impl FnOnce()) {
        self.0.suspend(print);
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }

    pub fn show(&self, progress: &Progress) {
        self.0.set_length(progress.total);
        self.0.set_position(progress.done);
        if self.0.message() != progress.file {
            self.0.set_message(progress.file.clone());
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
