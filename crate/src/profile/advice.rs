use super::{NodeKind, Profile};
use crate::order::{self, Texts};

/// Probes that are called more often on a thread, and take less each time, are not worth their cost:
/// from there on TAU throttles, and ParaProf leaves them out of what is instrumented (TAU User Guide,
/// *Reducing Performance Overhead with TAU_THROTTLE* and *Selective Instrumentation File Generator*).
const MOST_CALLS: f64 = 100_000.0;
const LEAST_PER_CALL_NS: f64 = 10_000.0;

/// Where the cost of a call is known: a probe is not worth it if it costs more than this share of what it
/// measures, and than that of the time of its thread. Below the first its numbers are still good to a
/// tenth; below the second nobody gains by leaving it out.
const MOST_OF_ITSELF: f64 = 0.1;
const LEAST_OF_THREAD: f64 = 0.001;

/// Begins the groups of what no compiler instruments, so that no selection leaves it out: wrapped libraries,
/// phases and loops that the programmer chose.
const NOT_SELECTED: [&str; 4] = ["MPI", "TAU_PHASE", "TAU_PARAM", "TAU_USER"];
/// Of what the measurement throttled.
const THROTTLED: &str = "TAU_DISABLE";

/// A probe that costs more than it tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Costly {
    /// Of the routine, as the profile has it.
    pub name: String,
    /// Of all threads, and of the thread that calls it most.
    pub calls: f64,
    pub most_calls: f64,
    /// Inclusive time of a call, on average.
    pub per_call_ns: f64,
    /// What its calls cost on that thread, as a share of the thread's time; `None` where the cost of a call is not
    /// known.
    pub cost: Option<f64>,
    /// Whether the measurement stopped it.
    pub throttled: bool,
}

impl Profile {
    /// The probes that cost more than they tell, those that are called most first.
    ///
    /// `cost_ns`: what one call of a probe costs, begin and end, where that is known. Without it the
    /// rule of TAU holds. None of a profile without time.
    ///
    /// O(threads × nodes + nodes × depth).
    pub fn costly(&self, cost_ns: Option<f64>) -> Vec<Costly> {
        let Some(time) = self.time() else { return vec![] };
        let is_selected = |group: &str| !NOT_SELECTED.contains(&group);
        let is_routine = |at: u32| {
            let node = &self.nodes[at as usize];
            node.kind == NodeKind::Probe
                && node.parent.is_some()
                && node.group.split('|').all(is_selected)
        };
        let mut names = Texts::default();
        let routine = |at: u32, names: &mut Texts| names.of(&self.nodes[at as usize].name) as usize;
        let of_node =
            (0..self.nodes.len() as u32).map(|at| is_routine(at).then(|| routine(at, &mut names)));
        let of_node = of_node.collect::<Vec<_>>();
        // Of a routine inside itself only the outermost call tells how long it takes.
        let is_outermost = |at: u32| {
            let above = |at: &u32| self.nodes[*at as usize].parent;
            let mut above = std::iter::successors(above(&at), above);
            !above.any(|above| of_node[above as usize] == of_node[at as usize])
        };
        let outermost = (0..self.nodes.len() as u32).map(is_outermost).collect::<Vec<_>>();
        let count = names.texts.len();
        let (mut calls, mut most_calls) = (vec![0.0; count], vec![0.0_f64; count]);
        let (mut spent_ns, mut cost) = (vec![0.0; count], vec![0.0_f64; count]);
        for columns in self.threads.iter().map(|thread| &thread.columns) {
            let whole_ns = columns.inclusive[time].first().copied().unwrap_or(0.0);
            let mut own = vec![0.0; count];
            for (place, node) in columns.nodes.iter().enumerate() {
                let Some(routine) = of_node[*node as usize] else { continue };
                own[routine] += columns.counts[place];
                if outermost[*node as usize] {
                    spent_ns[routine] += columns.inclusive[time][place];
                }
            }
            for (routine, own) in own.into_iter().enumerate() {
                calls[routine] += own;
                most_calls[routine] = most_calls[routine].max(own);
                let share = own * cost_ns.unwrap_or(0.0) / whole_ns.max(1.0);
                cost[routine] = cost[routine].max(share);
            }
        }
        let mut throttled = vec![false; count];
        for (node, routine) in self.nodes.iter().zip(&of_node) {
            let is_throttled = node.group.split('|').any(|group| group == THROTTLED);
            routine.filter(|_| is_throttled).into_iter().for_each(|at| throttled[at] = true);
        }
        let costly = (0..count).filter(|at| {
            let per_call_ns = spent_ns[*at] / calls[*at].max(1.0);
            throttled[*at]
                || match cost_ns {
                    None => most_calls[*at] > MOST_CALLS && per_call_ns < LEAST_PER_CALL_NS,
                    Some(each_ns) => {
                        each_ns > MOST_OF_ITSELF * per_call_ns && cost[*at] > LEAST_OF_THREAD
                    }
                }
        });
        let costly = costly.map(|at| Costly {
            name: names.texts[at].clone(),
            calls: calls[at],
            most_calls: most_calls[at],
            per_call_ns: spent_ns[at] / calls[at].max(1.0),
            cost: cost_ns.map(|_| cost[at]),
            throttled: throttled[at],
        });
        let mut costly = costly.collect::<Vec<_>>();
        order::by_number(&mut costly, |of| order::of_float(-of.calls));
        costly
    }
}
