//! Counters that are registers, refreshed now and then and late by half of that, such as those of
//! energy.
//!
//! A register is refreshed every τ. A mean instance of at least 100 τ is folded as any counter, if
//! most kept instances read it at their borders; from 4 τ on its levels since the begin are then
//! placed τ/2 earlier and fitted with free ends, which give offset and total. Where most do not, it
//! is folded by the rises between consecutive readings anywhere, with the power between instances
//! as one more unknown and at most four instances between two readings ([`fit::levels_of_rises`]);
//! the samples are then its readings, as far from the curve as the rise up to them. Below 4 τ only
//! the total is known, by rises if there are enough.
//!
//! Source: Servat 2015, §4.7, where energy is not read at begin and end; the rest is ours.

use super::axis::Ruler;
use super::reading::{readings_inside, readings_of_thread};
use super::{Giving, Group, Instance};
use crate::fit::{self, Rise, Stretch};
use crate::folding::{Fate, FoldedCounter, FoldedSample};
use crate::order;
use crate::trace::{Thread, Trace};

/// From so many refreshes in an instance on, a register is as good as a counter.
const FINE: f64 = 100.0;
/// Below so many nothing resolves its course.
const COARSE: f64 = 4.0;
/// More instances than this between two readings say nothing of any of them.
const MOST_INSTANCES: usize = 4;
/// More readings than this are not looked at: they have told all by then.
const MOST_READINGS: usize = 1 << 18;
/// So many changes between near readings tell how often they come.
const ENOUGH_CHANGES: usize = 20;

/// A counter that is a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Index into [`Trace::types`].
    pub counter: u32,
    /// After how many nanoseconds it is refreshed.
    pub refresh_ns: u64,
}

/// How a register was folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// As any counter: it is refreshed often enough.
    Counted,
    /// Its levels since the begin, half a refresh earlier; the total is that of their curve.
    Levels,
    /// By what it rose between readings, wherever they are.
    Rises,
    /// Its total only.
    Total,
}

/// After how many nanoseconds the register is refreshed, where it is read faster than that.
///
/// Two readings that are nearer than a refresh are alike, or one refresh lies between them: how many
/// changes there are in how much time gives its period. `None` where too few readings are so near.
pub fn refresh_ns(trace: &Trace, counter: u32) -> Option<u64> {
    let with_counter = trace.shapes_with(|event_type, _| event_type == counter);
    let mut gaps = Vec::new();
    for thread in &trace.threads {
        let mut before = None;
        for (time_ns, rise) in readings_of_thread(trace, thread, &with_counter, counter) {
            let gap_ns = before.replace(time_ns).map(|before: u64| time_ns - before);
            gaps.extend(gap_ns.zip(rise).filter(|(gap_ns, _)| *gap_ns > 0));
            if gaps.len() >= MOST_READINGS {
                break;
            }
        }
    }
    let unchanged = gaps.iter().filter(|(_, rise)| *rise == 0).map(|(gap_ns, _)| *gap_ns as f64);
    // Each is shorter than a refresh, unless the register stood still; most did not.
    let (longest_ns, _) = fit::median_and_mad(&unchanged.collect::<Vec<_>>())?;
    let near = || gaps.iter().filter(|(gap_ns, _)| *gap_ns as f64 <= longest_ns);
    let changes = near().filter(|(_, rise)| *rise > 0).count();
    let time_ns = near().map(|(gap_ns, _)| *gap_ns as f64).sum::<f64>();
    (changes >= ENOUGH_CHANGES).then(|| (time_ns / changes as f64) as u64).filter(|ns| *ns > 0)
}

/// Folds a register over the instances of `group`: `counted` is what folding it as a counter gave,
/// `instances` are those of all groups. Along time only.
pub fn fold_register(
    trace: &Trace,
    group: &Group,
    instances: &[Instance],
    giving: &Giving,
    register: Register,
    counted: FoldedCounter,
) -> (FoldedCounter, How) {
    let kept = group.kept().count();
    let kept_ns = group.kept().map(|instance| instance.duration_ns as f64).sum::<f64>();
    let refreshes = kept_ns / kept.max(1) as f64 / register.refresh_ns as f64;
    let has_borders = 2 * counted.instances as usize >= kept.max(1);
    let rises = || by_rises(trace, group, instances, giving, register);
    if refreshes < COARSE {
        let total = rises().unwrap_or(counted);
        return (FoldedCounter { samples: vec![], counted: vec![], ..total }, How::Total);
    }
    let (found, how) = match (refreshes >= FINE, has_borders) {
        (true, true) => (None, How::Counted),
        (false, true) => (by_levels(trace, group, register, &counted), How::Levels),
        (_, false) => (rises(), How::Rises),
    };
    found.map_or((counted, How::Counted), |found| (found, how))
}

/// The levels since the begin of each instance that carries the register at its borders.
fn by_levels(
    trace: &Trace,
    group: &Group,
    register: Register,
    counted: &FoldedCounter,
) -> Option<FoldedCounter> {
    let with_counter = trace.shapes_with(|event_type, _| event_type == register.counter);
    let mut samples = Vec::with_capacity(counted.samples.len());
    for of_instance in counted.samples.chunk_by(|a, b| a.instance == b.instance) {
        let FoldedSample { instance, kept, .. } = of_instance[0];
        let of = &group.instances[instance as usize].0;
        let Instance { start_ns, duration_ns, .. } = *of;
        let ruler = Ruler::Time { start_ns, duration_ns };
        for (time_ns, count) in readings_inside(trace, of, &with_counter, register.counter) {
            let read_ns = time_ns.saturating_sub(register.refresh_ns / 2);
            let place = ruler.place(read_ns);
            samples.extend(place.map(|x| FoldedSample { instance, x, y: count as f64, kept }));
        }
    }
    let levels = samples.iter().filter(|sample| sample.kept).map(|sample| (sample.x, sample.y));
    let [begin, end] = fit::ends_of_levels(&levels.collect::<Vec<_>>())?;
    let total = end - begin;
    if total <= 0.0 {
        return None;
    }
    for sample in &mut samples {
        sample.y = (sample.y - begin) / total;
    }
    let total = total * f64::from(counted.instances);
    // Totals that are late by up to a refresh lie on its steps, which are no families.
    Some(FoldedCounter { samples, total, counted: vec![], ..counted.clone() })
}

/// What a mean instance counts, by the rises between readings anywhere on the threads.
///
/// The samples are the readings inside kept instances, each as far from the curve as the rise up to
/// it is from that of the curve.
fn by_rises(
    trace: &Trace,
    group: &Group,
    instances: &[Instance],
    giving: &Giving,
    register: Register,
) -> Option<FoldedCounter> {
    let walk = Walk::new(trace, group, instances);
    let with_counter = trace.shapes_with(|event_type, _| event_type == register.counter);
    let mut rises = Vec::new();
    let mut ends = Vec::new();
    for (index, thread) in trace.threads.iter().enumerate() {
        walk.thread(index as u32, thread, &with_counter, register, &mut rises, &mut ends);
    }
    let levels = fit::levels_of_rises(&rises)?;
    let total = levels.total();
    let mut folded = FoldedCounter::default();
    let mut carries = vec![false; group.instances.len()];
    for (rise, end) in rises.iter().zip(ends) {
        let Some(instance) = end else { continue };
        let Some(x) = rise.stretches.last().map(|stretch| stretch.to) else { continue };
        carries[instance as usize] = true;
        if giving.has(instance as usize) {
            let apart = rise.height - levels.height(rise);
            let y = (levels.at(x) + apart) / total;
            folded.samples.push(FoldedSample { instance, x, y, kept: true });
        }
    }
    order::by_number(&mut folded.samples, |sample| u64::from(sample.instance));
    let carried = group.instances.iter().zip(carries).filter(|(_, carries)| *carries);
    for ((instance, _), _) in carried {
        folded.instances += 1;
        folded.total += total;
        folded.length += instance.duration_ns as f64 / 1e3;
    }
    (folded.instances > 0).then_some(folded)
}

/// The instances of all threads, in order.
struct Walk<'a> {
    trace: &'a Trace,
    /// By thread, then start: the instance and its index in the group, if it is kept there.
    instances: Vec<(Instance, Option<u32>)>,
    mean_ns: f64,
}

impl<'a> Walk<'a> {
    fn new(trace: &'a Trace, group: &Group, instances: &[Instance]) -> Self {
        let mut index = Vec::new();
        for (at, (instance, _)) in (0u32..).zip(&group.instances) {
            index.push((instance.number, at));
        }
        order::by_number(&mut index, |(number, _)| u64::from(*number));
        let kept_of = |instance: &Instance| {
            let at = order::get(&index, &instance.number).copied()?;
            (group.instances[at as usize].1 == Fate::Used).then_some(at)
        };
        let mut instances =
            instances.iter().map(|instance| (*instance, kept_of(instance))).collect::<Vec<_>>();
        order::by_number(&mut instances, |(instance, _)| instance.start_ns);
        order::by_number(&mut instances, |(instance, _)| u64::from(instance.thread));
        let kept_ns = group.kept().map(|instance| instance.duration_ns as f64).sum::<f64>();
        let mean_ns = kept_ns / group.kept().count().max(1) as f64;
        Self { trace, instances, mean_ns }
    }

    /// Adds the rises between the readings of a thread, each with the kept instance in which it
    /// ends. Left out are those that touch an instance that is not kept, too many of them, or the
    /// time before the first or after the last.
    fn thread(
        &self,
        index: u32,
        thread: &Thread,
        with_counter: &[bool],
        register: Register,
        rises: &mut Vec<Rise>,
        ends: &mut Vec<Option<u32>>,
    ) {
        let begin = self.instances.partition_point(|(instance, _)| instance.thread < index);
        let end = self.instances.partition_point(|(instance, _)| instance.thread <= index);
        let mut ahead = &self.instances[begin..end];
        let mut before_is_kept = false;
        let mut before_ns = None;
        for (time_ns, rise) in
            readings_of_thread(self.trace, thread, with_counter, register.counter)
        {
            let to_ns = time_ns.saturating_sub(register.refresh_ns / 2);
            let from_ns = before_ns.replace(to_ns);
            let (Some(from_ns), Some(height)) = (from_ns, rise) else { continue };
            while let Some(((instance, kept), rest)) = ahead.split_first()
                && instance.start_ns + instance.duration_ns <= from_ns
            {
                (ahead, before_is_kept) = (rest, kept.is_some());
            }
            let between = ahead.iter().take_while(|(instance, _)| instance.start_ns < to_ns);
            let between = &ahead[..between.count()];
            let next_is_kept = ahead.first().is_some_and(|(_, kept)| kept.is_some());
            let known = match between {
                [] => before_is_kept && next_is_kept,
                between => between.iter().all(|(_, kept)| kept.is_some()),
            };
            let few = between.len() <= MOST_INSTANCES && rises.len() < MOST_READINGS;
            if known && few && to_ns > from_ns {
                rises.push(self.rise(from_ns, to_ns, height as f64, between));
                let last = between
                    .last()
                    .filter(|(instance, _)| to_ns < instance.start_ns + instance.duration_ns);
                ends.push(last.and_then(|(_, kept)| *kept));
            }
        }
    }

    fn rise(
        &self,
        from_ns: u64,
        to_ns: u64,
        height: f64,
        between: &[(Instance, Option<u32>)],
    ) -> Rise {
        let mut inside_ns = 0;
        let mut stretches = Vec::with_capacity(between.len());
        for (Instance { start_ns, duration_ns, .. }, _) in between {
            let from = from_ns.max(*start_ns) - start_ns;
            let to = to_ns.min(start_ns + duration_ns) - start_ns;
            inside_ns += to - from;
            let share = |ns: u64| ns as f64 / *duration_ns as f64;
            let scale = *duration_ns as f64 / self.mean_ns;
            stretches.push(Stretch { scale, from: share(from), to: share(to) });
        }
        let outside = (to_ns - from_ns - inside_ns) as f64 / self.mean_ns;
        Rise { stretches, outside, height }
    }
}
