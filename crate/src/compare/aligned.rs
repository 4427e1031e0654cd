//! One axis for two runs: where what lies of each.

use strum::{EnumString, IntoStaticStr};

use super::comparison::Comparison;

/// What the axis of a comparison is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Along {
    /// Milliseconds of A; B is laid out phase by phase, and what only B has stands at its own length.
    #[default]
    Phase,
    /// Share of the region, of each run its own.
    Share,
    /// Milliseconds since the begin, of each run its own.
    Time,
}

/// A piece of the axis in which both runs, or one of them, lie linearly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// From where to where on the axis, 0 to 1.
    pub at: [f64; 2],
    /// What of A and of B lies there, in folded time; `None` where there is nothing of it.
    pub of: [Option<[f64; 2]>; 2],
    /// Index of the phase that both have there.
    pub phase: Option<usize>,
}

/// The axis of two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aligned {
    pub along: Along,
    /// In order, without a gap.
    pub pieces: Vec<Piece>,
    /// Length of the axis in ms; of shares it is that of A.
    pub length_ms: f64,
}

/// At least so much of the time of either side is of phases that both have, or shares are compared.
const MOST_MATCHED: f64 = 0.8;

/// Pieces shorter than this share of a run are rounding.
const NOTHING: f64 = 1e-9;

impl Comparison {
    /// Along what these runs are shown best: by phase, if most of both is matched.
    pub fn usual_axis(&self) -> Along {
        let is_most = |spans: &dyn Fn(&super::PhaseRow) -> [f64; 2]| {
            let matched = self.phases.iter().map(|phase| spans(phase)[1] - spans(phase)[0]);
            matched.sum::<f64>() >= MOST_MATCHED
        };
        let both = is_most(&|phase| phase.a) && is_most(&|phase| phase.b);
        if both { Along::Phase } else { Along::Share }
    }

    /// The axis of the first run of each side, whose mean durations are these.
    pub fn aligned(&self, along: Along, [a_ms, b_ms]: [f64; 2]) -> Aligned {
        let whole = Some([0.0, 1.0]);
        match along {
            Along::Share => {
                let pieces = vec![Piece { at: [0.0, 1.0], of: [whole; 2], phase: None }];
                Aligned { along, pieces, length_ms: a_ms }
            }
            Along::Time => {
                let (shorter, length_ms) = (a_ms.min(b_ms), a_ms.max(b_ms));
                let part = |ms: f64, [from, to]: [f64; 2]| {
                    let ends = [from / ms, (to / ms).min(1.0)];
                    (ends[1] - ends[0] > NOTHING).then_some(ends)
                };
                let piece = |[from, to]: [f64; 2]| Piece {
                    at: [from / length_ms, to / length_ms],
                    of: [part(a_ms, [from, to]), part(b_ms, [from, to])],
                    phase: None,
                };
                let ends = [[0.0, shorter], [shorter, length_ms]];
                let pieces = ends.into_iter().filter(|[from, to]| to > from).map(piece).collect();
                Aligned { along, pieces, length_ms }
            }
            Along::Phase => self.by_phase([a_ms, b_ms]),
        }
    }

    fn by_phase(&self, [a_ms, b_ms]: [f64; 2]) -> Aligned {
        let mut pieces = Vec::new();
        let (mut a, mut b, mut ms) = (0.0, 0.0, 0.0);
        let mut add = |of: [Option<[f64; 2]>; 2], phase: Option<usize>| {
            let long = |span: &[f64; 2]| span[1] - span[0];
            let of = of.map(|span| span.filter(|span| long(span) > NOTHING));
            let length = match of {
                [Some(a), _] => long(&a) * a_ms,
                [None, Some(b)] => long(&b) * b_ms,
                [None, None] => return,
            };
            pieces.push(Piece { at: [ms, ms + length], of, phase });
            ms += length;
        };
        for (at, phase) in self.phases.iter().enumerate() {
            // Phases are in the order of A; one that comes earlier in B has no place in between.
            if phase.a[0] < a - NOTHING || phase.b[0] < b - NOTHING {
                continue;
            }
            add([Some([a, phase.a[0]]), None], None);
            add([None, Some([b, phase.b[0]])], None);
            add([Some(phase.a), Some(phase.b)], Some(at));
            (a, b) = (phase.a[1], phase.b[1]);
        }
        add([Some([a, 1.0]), None], None);
        add([None, Some([b, 1.0])], None);
        for piece in &mut pieces {
            piece.at = piece.at.map(|at| at / ms);
        }
        Aligned { along: Along::Phase, pieces, length_ms: ms }
    }
}

impl Aligned {
    /// The place of the axis at which a folded time of side 0 or 1 lies.
    pub fn place(&self, side: usize, time: f64) -> Option<f64> {
        let holds =
            |piece: &&Piece| piece.of[side].is_some_and(|of| of[0] <= time && time <= of[1]);
        let piece = self.pieces.iter().find(holds)?;
        let [from, to] = piece.of[side]?;
        Some(piece.at[0] + (time - from) / (to - from) * (piece.at[1] - piece.at[0]))
    }

    /// What lies at a place of the axis, 0 to 1.
    pub fn piece(&self, at: f64) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.at[0] <= at && at <= piece.at[1])
    }
}

impl Piece {
    /// The folded time of A and of B at a place inside; `None` where there is nothing of it.
    pub fn times(&self, at: f64) -> [Option<f64>; 2] {
        let share = (at - self.at[0]) / (self.at[1] - self.at[0]);
        self.of.map(|span| span.map(|[from, to]| from + share * (to - from)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PhaseRow, Row, Verdict};
    use super::*;

    fn row() -> Row {
        let ends = [-0.1, 0.1];
        Row {
            change: 0.0,
            interval: ends,
            within: ends,
            p: 1.0,
            verdict: Verdict::NotSeen,
            visible: 0.1,
            runs_needed: None,
        }
    }

    fn comparison(spans: &[([f64; 2], [f64; 2])]) -> Comparison {
        let phase = |&(a, b): &([f64; 2], [f64; 2])| PhaseRow {
            a,
            b,
            routine: None,
            routine_b: None,
            a_ms: 1.0,
            b_ms: 1.0,
            row: row(),
        };
        let phases = spans.iter().map(phase).collect();
        Comparison {
            runs: [1, 1],
            a_ms: 10.0,
            b_ms: 20.0,
            total: row(),
            phases,
            ..Comparison::default()
        }
    }

    /// Ends in ms of the axis, and folded times of both.
    type Places = Vec<([f64; 2], [Option<[f64; 2]>; 2])>;

    fn pieces(of: &Aligned) -> Places {
        let ms = |at: f64| (at * of.length_ms * 1e6).round() / 1e6;
        of.pieces.iter().map(|piece| (piece.at.map(ms), piece.of)).collect()
    }

    #[test]
    fn by_phase_the_axis_is_of_a_and_what_only_b_has_is_put_in_between() {
        // A has something of its own behind its first phase, B before its second.
        let of = comparison(&[([0.0, 0.4], [0.0, 0.5]), ([0.5, 1.0], [0.75, 1.0])]);
        let aligned = of.aligned(Along::Phase, [10.0, 20.0]);
        assert_eq!(
            pieces(&aligned),
            [
                ([0.0, 4.0], [Some([0.0, 0.4]), Some([0.0, 0.5])]),
                ([4.0, 5.0], [Some([0.4, 0.5]), None]),
                ([5.0, 10.0], [None, Some([0.5, 0.75])]),
                ([10.0, 15.0], [Some([0.5, 1.0]), Some([0.75, 1.0])]),
            ]
        );
        assert_eq!(aligned.length_ms, 15.0);
        let [a, b] = aligned.pieces[3].times(12.5 / 15.0).map(Option::unwrap);
        assert!((a - 0.75).abs() < 1e-12 && (b - 0.875).abs() < 1e-12);
        assert_eq!(aligned.pieces[1].times(4.5 / 15.0)[1], None);
        let place =
            |side: usize, time: f64| aligned.place(side, time).map(|at| (at * 15e6).round() / 1e6);
        assert_eq!([place(0, 0.75), place(1, 0.6), place(1, 0.875)], [12.5, 7.0, 12.5].map(Some));
    }

    #[test]
    fn by_time_the_shorter_ends_and_by_share_both_are_whole() {
        let of = comparison(&[]);
        let aligned = of.aligned(Along::Time, [10.0, 20.0]);
        let expected = [
            ([0.0, 10.0], [Some([0.0, 1.0]), Some([0.0, 0.5])]),
            ([10.0, 20.0], [None, Some([0.5, 1.0])]),
        ];
        assert_eq!(pieces(&aligned), expected);
        let aligned = of.aligned(Along::Share, [10.0, 20.0]);
        assert_eq!(pieces(&aligned), [([0.0, 10.0], [Some([0.0, 1.0]); 2])]);
    }

    #[test]
    fn without_most_of_both_matched_shares_are_compared() {
        let most = comparison(&[([0.0, 0.9], [0.1, 1.0])]);
        let little = comparison(&[([0.0, 0.9], [0.1, 0.8])]);
        assert_eq!([most, little].map(|of| of.usual_axis()), [Along::Phase, Along::Share]);
    }

    #[test]
    fn phases_in_another_order_are_left_out_of_the_axis_and_still_all_of_both_is_there() {
        let of = comparison(&[([0.0, 0.5], [0.5, 1.0]), ([0.5, 1.0], [0.0, 0.5])]);
        let aligned = of.aligned(Along::Phase, [10.0, 20.0]);
        for side in 0..2 {
            let all = aligned.pieces.iter().filter_map(|piece| piece.of[side]);
            let sum = all.map(|[from, to]| to - from).sum::<f64>();
            assert!((sum - 1.0).abs() < 1e-12, "{side}: {sum}");
        }
    }
}
