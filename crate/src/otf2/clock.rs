//! From the ticks of a location to nanoseconds since the begin of the archive.

use super::definitions::ClockProperties;
use super::local::Offset;

const NS_PER_SECOND: u64 = 1_000_000_000;

/// The clock of a location, whose times rise.
#[derive(Clone, Debug)]
pub struct Clock {
    archive: ClockProperties,
    spans: Vec<Span>,
    /// The span of the last time.
    span: usize,
    /// The last whole second, in ticks since the begin.
    second_begin: u64,
    second_ns: u64,
    /// Times before the begin of the archive, which count as its begin.
    pub before_begin: u64,
}

/// Between two offsets the clock of the archive runs evenly away from that of the location.
#[derive(Clone, Copy, Debug)]
struct Span {
    begin: u64,
    end: u64,
    ahead: i64,
    slope: f64,
}

impl Clock {
    /// With fewer than two offsets nothing is corrected, as in the reference library.
    pub fn new(archive: ClockProperties, offsets: &[Offset]) -> Self {
        let span = |pair: &[Offset]| {
            let &[first, second] = pair else { return None };
            let ticks = second.at.wrapping_sub(first.at) as f64;
            let drift = second.ahead.wrapping_sub(first.ahead) as f64;
            let slope = if ticks > 0.0 { drift / ticks } else { 0.0 };
            Some(Span { begin: first.at, end: second.at, ahead: first.ahead, slope })
        };
        let spans = offsets.windows(2).filter_map(span).collect();
        Self { archive, spans, span: 0, second_begin: 0, second_ns: 0, before_begin: 0 }
    }

    /// On the clock of the archive, in ticks. `ticks` never falls from call to call.
    #[inline]
    pub fn corrected(&mut self, ticks: u64) -> u64 {
        while let Some(span) = self.spans.get(self.span)
            && ticks > span.end
            && self.span + 1 < self.spans.len()
        {
            self.span += 1;
        }
        match self.spans.get(self.span) {
            None => ticks,
            Some(span) => {
                let since = if ticks < span.begin {
                    -((span.begin - ticks) as f64)
                } else {
                    (ticks - span.begin) as f64
                };
                let drift = libm::rint(span.slope * since) as i64;
                ticks.wrapping_add_signed(span.ahead).wrapping_add_signed(drift)
            }
        }
    }

    /// Nanoseconds since the begin of the archive: ⌊ticks · 10⁹ / ticks per second⌋; 0 before it.
    #[inline]
    pub fn ns(&mut self, ticks: u64) -> u64 {
        let corrected = self.corrected(ticks);
        if corrected < self.archive.begin {
            self.before_begin += 1;
            return 0;
        }
        let since = corrected - self.archive.begin;
        let per_second = self.archive.ticks_per_second;
        if per_second == NS_PER_SECOND {
            return since;
        }
        // The whole second is that of the time before, as a rule.
        let mut rest = since.wrapping_sub(self.second_begin);
        if since < self.second_begin || rest >= per_second {
            let seconds = since / per_second;
            rest = since % per_second;
            self.second_begin = since - rest;
            self.second_ns = seconds.saturating_mul(NS_PER_SECOND);
        }
        let rest_ns = match rest.checked_mul(NS_PER_SECOND) {
            Some(product) => product / per_second,
            None => (u128::from(rest) * u128::from(NS_PER_SECOND) / u128::from(per_second)) as u64,
        };
        self.second_ns.saturating_add(rest_ns)
    }
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::*;

    fn clock(ticks_per_second: u64, begin: u64, offsets: &[(u64, i64)]) -> Clock {
        let offsets = offsets.iter().map(|&(at, ahead)| Offset { at, ahead }).collect::<Vec<_>>();
        Clock::new(ClockProperties { ticks_per_second, begin }, &offsets)
    }

    #[test]
    fn ticks_become_nanoseconds_as_one_division_has_them() {
        let mut random = Random::new(3);
        for per_second in [1, 3, 1_000_000_000, 2_100_000_000, 3_700_000_001, 90_000_000_000] {
            let mut own = clock(per_second, 500, &[]);
            let mut ticks = 400;
            for _ in 0..2000 {
                ticks += random.below(per_second / 3 + 2);
                let since = u128::from(ticks).saturating_sub(500);
                let expected = since * 1_000_000_000 / u128::from(per_second);
                assert_eq!(u128::from(own.ns(ticks)), expected, "{ticks} of {per_second}");
            }
        }
        let mut early = clock(1_000_000_000, 500, &[]);
        assert_eq!((early.ns(499), early.ns(500), early.before_begin), (0, 0, 1));
    }

    #[test]
    fn between_two_offsets_the_correction_runs_evenly_and_a_lonely_one_corrects_nothing() {
        // By hand: from 100 to 300 ahead by 10 to 30, then by 30 to 20 at 400.
        let mut own = clock(1_000_000_000, 0, &[(100, 10), (300, 30), (400, 20)]);
        // Before the first and behind the last offset the nearest span goes on.
        let expected = [(0, 0), (100, 110), (200, 220), (300, 330), (350, 375), (500, 510)];
        for (ticks, ns) in expected {
            assert_eq!(own.ns(ticks), ns, "{ticks}");
        }
        assert_eq!(clock(1_000_000_000, 0, &[(100, 10)]).ns(7), 7);
        // Halves go to the even neighbour.
        let mut half = clock(1_000_000_000, 0, &[(0, 0), (2, 1)]);
        assert_eq!([1, 2].map(|ticks| half.ns(ticks)), [1, 3]);
        let mut falls = clock(1_000_000_000, 0, &[(5, 0), (5, 9)]);
        assert_eq!(falls.ns(6), 6);
    }
}
