use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::json;
use crate::order;

/// The curve of one counter over folded time, on the grid `x_j = j/(points - 1)`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Curve {
    /// As people know it, e.g. `PAPI_TOT_INS`.
    pub counter: String,
    /// The long name from the trace, e.g. `Instr completed`; may be empty.
    pub description: String,
    /// Whether it counts completed instructions, by which ratios are formed.
    pub instructions: bool,
    /// Kept instances that carry the counter throughout.
    pub instances: u32,
    /// Samples the curve was fitted to.
    pub used: u32,
    /// Samples of kept instances that `select` passed over.
    pub unused: u32,
    /// Samples of instances that `outliers` left out.
    pub excluded: u32,
    /// Instances refused because a reading in them is no count.
    #[serde(skip_serializing_if = "is_zero")]
    pub refused: u32,
    /// Kept instances that carry it and count nothing: no shape is known of them.
    #[serde(skip_serializing_if = "is_zero")]
    pub silent: u32,
    /// Families of instances that count so unlike that the curve runs between them, by rising total;
    /// empty where all are alike.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub families: Vec<Family>,
    /// Events in a mean instance.
    #[serde(deserialize_with = "json::number")]
    pub mean_count: f64,
    /// Events per microsecond over a mean instance (millions per second); along a counter, events
    /// per event of it. Of those threads that compute, where [`Curve::with_waiting`] has the other.
    #[serde(deserialize_with = "json::number")]
    pub mean_rate: f64,
    /// The nugget of the fit, given or estimated; 0 for segments.
    #[serde(deserialize_with = "json::number")]
    pub nugget: f64,
    /// Finest detail that a spline shows, as a share of the region; 0 for segments.
    #[serde(deserialize_with = "json::number")]
    pub resolution: f64,
    /// Joules per event, if it counts energy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joules: Option<f64>,
    /// Share of the instance's events that have happened by `x_j`; 0 to 1, but for noise.
    #[serde(deserialize_with = "json::numbers")]
    pub fitted: Vec<f64>,
    /// Events per microsecond at `x_j` (millions per second); along a counter, events per event of
    /// it.
    #[serde(deserialize_with = "json::numbers")]
    pub rate: Vec<f64>,
    /// Half widths of the 95 % band of `fitted` and of `rate`; empty where nothing tells.
    #[serde(deserialize_with = "json::numbers")]
    pub fitted_band: Vec<f64>,
    #[serde(deserialize_with = "json::numbers")]
    pub rate_band: Vec<f64>,
    /// How wide the latter is, where only some of its points are here: in a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub band_width: Option<BandWidth>,
    /// Its rate in each of [`Group::phases`](super::Group::phases).
    pub phases: Vec<PhaseRate>,
    /// Where it changes if it is asked alone.
    #[serde(deserialize_with = "json::numbers")]
    pub own_breaks: Vec<f64>,
    /// The rates of all threads, where those above are of the threads that compute; `None` where
    /// they are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with_waiting: Option<WithWaiting>,
    /// What tables tell of it, where its points are coarser than that: in a link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tabled: Option<Tabled>,
}

/// What the points of a curve add up to in tables. Units as in [`Curve`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tabled {
    /// Its rate and the half width of its band at evenly spread moments, both ends included; `None`
    /// where it has no rate.
    pub moments: Vec<Option<[f64; 2]>>,
    /// Its lowest and highest rate in each of [`Group::phases`](super::Group::phases); `None` where it
    /// is level.
    pub ranges: Vec<Option<[f64; 2]>>,
    /// How far it moves with cycles per instruction, 0 to 1; `None` where nothing tells.
    pub r_squared: Option<f64>,
}

impl Tabled {
    /// Of so many moments tables are made: every twentieth of an instance, both ends included.
    pub const MOMENTS: u32 = 21;

    /// The rate at folded time `x`, if that is one of the moments, and half the width of its band.
    pub fn at(&self, x: f64) -> Option<[f64; 2]> {
        let place = x * self.moments.len().checked_sub(1)? as f64;
        let moment = libm::round(place);
        // Folded time is a quotient of the same numbers, rounded once.
        let is_there = (place - moment).abs() < 1e-9;
        let [rate, half_width] =
            self.moments.get(moment as usize).filter(|_| is_there)?.unwrap_or([f64::NAN, 0.0]);
        Some([rate, half_width])
    }
}

/// Instances that counted alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Family {
    pub instances: u32,
    /// The median of what they counted.
    pub total: u64,
}

/// How wide the band of a rate is: half widths of its 95 % intervals, in units of the rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BandWidth {
    /// The median over folded time.
    #[serde(deserialize_with = "json::number")]
    pub median: f64,
    /// The largest, and the folded time where it is.
    #[serde(deserialize_with = "json::number")]
    pub widest: f64,
    #[serde(deserialize_with = "json::number")]
    pub at: f64,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The rates of a counter over all of the time: what is counted while a thread waits, too. Units as
/// in [`Curve`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WithWaiting {
    #[serde(deserialize_with = "json::number")]
    pub mean_rate: f64,
    #[serde(deserialize_with = "json::numbers")]
    pub rate: Vec<f64>,
    #[serde(deserialize_with = "json::numbers")]
    pub rate_band: Vec<f64>,
    pub phases: Vec<PhaseRate>,
}

impl Curve {
    /// How wide the band of its rate is; `None` where nothing tells. Where no rate is known, there is no
    /// band either. O(points log points).
    pub fn band_width(&self) -> Option<BandWidth> {
        let last = self.rate_band.len().max(2) - 1;
        let told = self.rate_band.iter().zip(&self.rate).enumerate();
        let told = told.filter(|(_, (width, rate))| width.is_finite() && rate.is_finite());
        let told = told.map(|(j, (width, _))| (*width, j)).collect::<Vec<_>>();
        let (widest, at) = told.iter().copied().reduce(|a, b| if b.0 > a.0 { b } else { a })?;
        let mut widths = told.iter().map(|(width, _)| *width).collect::<Vec<_>>();
        order::floats(&mut widths);
        let median = widths[(widths.len() - 1) / 2];
        let told = BandWidth { median, widest, at: at as f64 / last as f64 };
        Some(self.band_width.unwrap_or(told))
    }

    /// The same with the rates of all threads, whether they compute or wait.
    pub fn of_all(&self) -> Cow<'_, Self> {
        let Some(WithWaiting { mean_rate, rate, rate_band, phases }) = &self.with_waiting else {
            return Cow::Borrowed(self);
        };
        Cow::Owned(Self {
            mean_rate: *mean_rate,
            rate: rate.clone(),
            rate_band: rate_band.clone(),
            phases: phases.clone(),
            with_waiting: None,
            tabled: None,
            ..self.clone()
        })
    }
}

/// The rate of a counter in one phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PhaseRate {
    /// As [`Curve::rate`].
    #[serde(deserialize_with = "json::number")]
    pub rate: f64,
    /// Of its 95 % interval; 0 where nothing tells.
    #[serde(deserialize_with = "json::number")]
    pub half_width: f64,
}

/// Which kind of curve was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum CurveKind {
    /// Straight between breaks.
    Segments,
    /// Smooth between breaks.
    Pieces,
    /// Mean rates between readings; their course in between is not known.
    Steps,
    /// A smooth curve. Version 1 had no other.
    #[default]
    #[serde(other)]
    Spline,
}

/// Which kind of curve a group was given, and what cross-validation said of both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FitReport {
    pub kind: CurveKind,
    /// Cross-validation error of segments over that of the spline; `None` if they were not
    /// compared.
    #[serde(alias = "ratio")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_ratio: Option<f64>,
    /// Logarithm of the odds that curves break, over those that do not; `None` if they do not or
    /// were not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_odds: Option<f64>,
    /// Breaks of straight segments that the information criterion asks for.
    pub breaks_bic: u32,
    /// Those that cross-validation asks for; `None` if nothing was held out.
    #[serde(alias = "breaks_held_out")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breaks_cross_validation: Option<u32>,
    /// Whether there are too few samples per counter to rely on the choice.
    pub uncertain: bool,
}

impl FitReport {
    /// Segments are as good as smooth curves if these predict instances that were left out better by at most this: on
    /// made-up curves and on bt.B, namd it told steps from slopes (algorithms for real traces, §2.3).
    pub const MARGIN: f64 = 1.05;

    /// Whether segments predict instances that were left out worse than smooth curves do: what lies between their
    /// breaks is no phase, and with other instances the breaks would lie elsewhere.
    pub fn is_cut(&self) -> bool {
        self.kind == CurveKind::Segments && self.error_ratio.is_some_and(|of| of > Self::MARGIN)
    }
}

/// A moment of folded time at which rates change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Break {
    #[serde(deserialize_with = "json::number")]
    pub at: f64,
    /// Of its 95 % interval; between steps the standard deviation over the instances. 0 where
    /// nothing tells.
    #[serde(deserialize_with = "json::number")]
    pub half_width: f64,
    /// Indices into [`Group::curves`](super::Group::curves) of the counters whose rate changes
    /// there beyond doubt.
    pub changed: Vec<u32>,
    /// Whether a person put it there.
    pub by_hand: bool,
    /// The call that every instance enters or leaves there, if rates are known between calls only.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub site: String,
}

/// A stretch of folded time between two breaks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Phase {
    #[serde(deserialize_with = "json::number")]
    pub start: f64,
    #[serde(deserialize_with = "json::number")]
    pub end: f64,
    /// As a person named it; empty otherwise.
    pub name: String,
    /// Its most sampled line: index into [`Group::places`](super::Group::places), which names the
    /// routine too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<u32>,
    /// Where code was not sampled, from where most instances make the call that ends the longest
    /// stretch without a call in it: index into [`Callers::places`](super::Callers::places). `None`
    /// where they do not agree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_place: Option<u32>,
    /// The lines of the same routine and file that end it in some instance, first and last.
    #[serde(skip_serializing_if = "is_none")]
    pub end_lines: [u32; 2],
    /// Mean over largest time that threads compute in it; `None` where that is not known, or none
    /// computes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<f64>,
}

fn is_none(lines: &[u32; 2]) -> bool {
    *lines == [0; 2]
}

impl CurveKind {
    /// As files have it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Names of the counter of processor cycles on several kinds of processors.
const CYCLES: &str = "PAPI_TOT_CYC PM_CYC PM_RUN_CYC UNHALTED_CORE_CYCLES CPU_CLK_UNHALTED CPU_CYCLES \
     PEVT_CYCLES cycles cycles:u cpu-cycles cpu-cycles:u";

/// Whether this counter counts cycles of the processor while it is at work.
pub fn is_cycles(counter: &str) -> bool {
    CYCLES.split(' ').any(|name| name == counter)
}

impl Curve {
    /// Whether it counts them.
    pub fn is_cycles(&self) -> bool {
        is_cycles(&self.counter)
    }
}
