//! What a curve of energy tells: the footprint over limits of power.

/// How much of a region lies above a limit of power.
///
/// Source: Servat 2015, Fig. 5.23 c and d.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Footprint {
    /// Share of the time.
    pub share: f64,
    /// The longest stretch of it without a break, as a share of the region.
    pub longest: f64,
}

/// How much of a region lies above `limit`, of the power at equally spaced moments from its begin
/// to its end and on straight lines between them. Nothing of fewer than two moments. O(moments).
pub fn footprint(power: &[f64], limit: f64) -> Footprint {
    let mut found = Footprint::default();
    let mut running = 0.0;
    for pair in power.windows(2) {
        let (begin, end) = (pair[0] - limit, pair[1] - limit);
        let above = share_above(begin, end);
        found.share += above;
        if begin <= 0.0 {
            running = 0.0;
        }
        running += above;
        found.longest = found.longest.max(running);
    }
    let steps = (power.len().max(2) - 1) as f64;
    Footprint { share: found.share / steps, longest: found.longest / steps }
}

/// Share of a straight line from `begin` to `end` that is above 0.
fn share_above(begin: f64, end: f64) -> f64 {
    match (begin > 0.0, end > 0.0) {
        (true, true) => 1.0,
        (true, false) => begin / (begin - end),
        (false, true) => end / (end - begin),
        (false, false) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_footprint_is_that_of_straight_lines() {
        // Up and down between 10 and 30 W in four steps: above 20 W half of each.
        let power = [10.0, 30.0, 10.0, 30.0, 10.0];
        assert_eq!(footprint(&power, 20.0), Footprint { share: 0.5, longest: 0.25 });
        assert_eq!(footprint(&power, 25.0), Footprint { share: 0.25, longest: 0.125 });
        assert_eq!(footprint(&power, 30.0), Footprint::default());
        assert_eq!(footprint(&power, 5.0), Footprint { share: 1.0, longest: 1.0 });
        // At the limit is not above it: two stretches of 1/4 that touch there stay two.
        assert_eq!(footprint(&power, 10.0), Footprint { share: 1.0, longest: 0.5 });
    }

    #[test]
    fn a_stretch_goes_on_over_moments_and_may_reach_either_end() {
        let power = [50.0, 50.0, 0.0, 0.0, 20.0, 20.0, 20.0, 20.0, 20.0];
        let found = footprint(&power, 10.0);
        assert!((found.share - (1.0 + 0.8 + 0.5 + 4.0) / 8.0).abs() < 1e-12);
        assert!((found.longest - 4.5 / 8.0).abs() < 1e-12);
        for few in [&[][..], &[50.0]] {
            assert_eq!(footprint(few, 10.0), Footprint::default());
        }
    }
}
