//! What a comparison takes of one run: a folded group, without its curves.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::chosen::has_no_steps;
use super::effects::WITHIN;
use super::referenced::RunObject;
use crate::fit;
use crate::folding::{Group, is_cycles};

/// Groups of instances that the jackknife leaves out in turn, fewer where there are fewer instances
/// (comparison of foldings, §1c).
const GROUPS: u32 = 20;

/// A routine, the file and the line in which a sample lay.
pub type Place = (String, String, u32);

/// A folded group as it is compared.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Mean duration of the instances in ms, and the variance of its logarithm.
    pub duration_ms: f64,
    pub duration_variance: f64,
    /// Whether its rates bend and do not jump: there are no phases, and edges that it has sum its curves up.
    pub is_bent: bool,
    /// Borders of phases in folded time, both ends included, each with its variance.
    pub edges: Vec<f64>,
    pub edge_variances: Vec<f64>,
    /// Of what the run tells of itself: groups of instances that the jackknife leaves out, less one.
    pub degrees: f64,
    pub counters: Vec<Counter>,
    /// Index of the counter of instructions.
    pub instructions: Option<usize>,
    /// How many samples lay where, between neighbouring edges.
    pub places: Vec<BTreeMap<Place, u32>>,
    /// By how much more samples vary from instance to instance than independent ones, as a multiple of their
    /// variance; of places where they do. In thousandths: a map as that of samples.
    pub dispersions_permille: BTreeMap<Place, u32>,
    /// Instances that were sampled; 0 where samples stayed behind, as in a link.
    pub instances: u32,
    /// Names of all routines that were sampled.
    pub routines: BTreeSet<String>,
    /// What was referenced, where objects are to be compared: [`RunObject::of_group`].
    pub objects: Vec<RunObject>,
}

/// Why a group cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    NotOverTime,
    /// So many instances tell no interval.
    TooFew(u32),
    /// A version that did not write how sure a duration is.
    OlderVersion,
}

impl fmt::Display for Unfit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOverTime => {
                write!(out, "is folded along a counter; fold it along time (x=time) to compare")
            }
            Self::TooFew(instances) => {
                write!(
                    out,
                    "found {instances} instances, expected at least 4: there is no interval"
                )
            }
            Self::OlderVersion => write!(
                out,
                "how sure its duration is was not written by an older version; fold its trace again"
            ),
        }
    }
}

impl std::error::Error for Unfit {}

/// Rates of a counter between neighbouring edges.
#[derive(Clone, Debug, Default)]
pub struct Counter {
    pub name: String,
    pub is_cycles: bool,
    /// Of one event, if it counts energy.
    pub joules: Option<f64>,
    /// Events per µs and the variance of that.
    pub rates: Vec<[f64; 2]>,
}

impl Run {
    /// A run without samples of code.
    pub fn new(duration: [f64; 2], edges: Vec<[f64; 2]>) -> Self {
        let [duration_ms, error_ms] = duration;
        let relative = error_ms / duration_ms;
        Self {
            duration_ms,
            duration_variance: relative * relative,
            degrees: WITHIN,
            places: vec![BTreeMap::new(); edges.len().saturating_sub(1)],
            edges: edges.iter().map(|[at, _]| *at).collect(),
            edge_variances: edges.iter().map(|[_, error]| error * error).collect(),
            ..Self::default()
        }
    }

    /// What is compared of a group; why it cannot be, otherwise. A group without phases is one phase.
    pub fn of(group: &Group) -> Result<Self, Unfit> {
        if !group.axis.is_time() {
            return Err(Unfit::NotOverTime);
        }
        let half_width_ns = match (group.duration_half_width_ns, group.kept) {
            (Some(half_width_ns), _) => half_width_ns,
            (None, few @ ..4) => return Err(Unfit::TooFew(few)),
            (None, _) => return Err(Unfit::OlderVersion),
        };
        let degrees = f64::from(group.kept.clamp(2, GROUPS) - 1);
        let errors_in_half_width = fit::student_exceeded(0.025, degrees);
        let ends = [[0.0, 0.0], [1.0, 0.0]];
        let breaks = group.breaks.iter().map(|of| [of.at, of.half_width / errors_in_half_width]);
        let breaks = breaks.filter(|_| !group.phases.is_empty());
        let edges = [ends[0]].into_iter().chain(breaks).chain([ends[1]]).collect();
        let error_ns = half_width_ns / errors_in_half_width;
        let mut run = Self::new([group.mean_duration_ns / 1e6, error_ns / 1e6], edges);
        run.degrees = degrees;
        run.is_bent = has_no_steps(group);
        run.instances = group.kept;
        run.instructions = group.curves.iter().position(|curve| curve.instructions);
        let rate = |rate: f64, half_width: f64| {
            let error = half_width / errors_in_half_width;
            [rate, error * error]
        };
        let counter = |curve: &crate::folding::Curve| Counter {
            name: curve.counter.clone(),
            is_cycles: is_cycles(&curve.counter),
            joules: curve.joules,
            rates: match curve.phases.is_empty() {
                true => vec![[curve.mean_rate, 0.0]],
                false => curve.phases.iter().map(|of| rate(of.rate, of.half_width)).collect(),
            },
        };
        run.counters = group.curves.iter().map(counter).collect();
        for (&x, &place) in group.lines.x.iter().zip(&group.lines.place) {
            let Some(place) = group.places.get(place as usize) else { continue };
            let Some(routine) = group.routines.get(place.routine as usize) else { continue };
            run.sample(x, (routine.clone(), place.file.clone(), place.line));
        }
        for (place, &dispersion) in group.places.iter().zip(&group.dispersions) {
            let Some(routine) = group.routines.get(place.routine as usize) else { continue };
            let permille = (1000.0 * dispersion) as u32;
            if permille > 1000 {
                let place = (routine.clone(), place.file.clone(), place.line);
                run.dispersions_permille.insert(place, permille);
            }
        }
        Ok(run)
    }

    /// Adds a sample at folded time `x`.
    pub fn sample(&mut self, x: f64, place: Place) {
        let inner = self.edges.get(1..self.places.len()).unwrap_or_default();
        let at = inner.partition_point(|edge| *edge <= x);
        if let Some(places) = self.places.get_mut(at) {
            self.routines.insert(place.0.clone());
            *places.entry(place).or_default() += 1;
        }
    }

    /// Rates of the counter of this name.
    pub fn counter(&self, name: &str) -> Option<usize> {
        self.counters.iter().position(|counter| counter.name == name)
    }
}

#[cfg(test)]
impl Run {
    /// In two phases, 300 instances with two samples each of `a.c`: routine, line and its share of the time.
    pub fn sampled(
        random: &mut tracefold_generate::Random,
        ms: f64,
        lines: &[(&str, u32, f64)],
    ) -> Self {
        let all = lines.iter().map(|(.., share)| share).sum::<f64>();
        let mut run = Run::new([ms, 0.01], vec![[0.0, 0.0], [0.5, 1e-4], [1.0, 0.0]]);
        run.instances = 300;
        for _ in 0..600 {
            let x = random.uniform();
            let mut left = x * all;
            let of = lines.iter().find(|(.., share)| {
                left -= share;
                left < 0.0
            });
            let (routine, line, _) = of.unwrap_or(&lines[0]);
            run.sample(x, ((*routine).to_owned(), "a.c".to_owned(), *line));
        }
        run
    }
}
