//! How an object is walked through, in words.

use super::{Direction, Stream};

impl Stream {
    /// `descending, 64 B per step, 5.7 GB/s`, `random`, `still`; empty if too few references tell.
    pub fn words(&self) -> String {
        let name = match self.direction {
            Direction::Unknown => return String::new(),
            Direction::Still | Direction::Random => return self.direction.name().to_owned(),
            Direction::Ascending | Direction::Descending => self.direction.name().to_owned(),
        };
        let step = (self.step_bytes > 0).then(|| format!("{} B per step", self.step_bytes));
        let parts = [Some(name), step, speed(self.bytes_per_us.abs())];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Bytes per microsecond as a person says them; `None` for none.
fn speed(bytes_per_us: f64) -> Option<String> {
    let (value, unit) = match bytes_per_us {
        speed if speed >= 1e3 => (speed / 1e3, "GB/s"),
        speed if speed >= 1.0 => (speed, "MB/s"),
        speed if speed >= 1e-3 => (speed * 1e3, "kB/s"),
        _ => return None,
    };
    Some(if value < 10.0 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_says_which_way_it_goes_by_which_steps_and_how_fast() {
        use Direction::*;
        for (direction, step_bytes, bytes_per_us, words) in [
            (Descending, 64, -5714.0, "descending, 64 B per step, 5.7 GB/s"),
            (Ascending, 8, 36.4, "ascending, 8 B per step, 36 MB/s"),
            (Ascending, 0, 0.0, "ascending"),
            (Ascending, 24, 0.25, "ascending, 24 B per step, 250 kB/s"),
            (Random, 8, 0.0, "random"),
            (Still, 0, 0.0, "still"),
            (Unknown, 8, 3.0, ""),
        ] {
            let stream = Stream { direction, step_bytes, bytes_per_us, ..Stream::default() };
            assert_eq!(stream.words(), words);
        }
    }
}
