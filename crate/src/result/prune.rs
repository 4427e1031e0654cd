//! What of a group's code and data a link carries: a sample for each cell of folded time, what all
//! samples add up to where that fits, and the places, contexts, routines and objects that are still named.

use super::Thinned;
use crate::folding::{Activity, Group, Lines, OtherObjects};
use crate::order::{self, Numbers};

/// Folded time is cut into so many cells; of each one sample is kept.
const CELLS: usize = 500;
/// Cells of what threads do, and steps that their shares are rounded to: finer than a lane shows.
const CELLS_OF_ACTIVITY: usize = 512;
const STEPS_OF_SHARE: f64 = 1024.0;
/// Levels and counters of sockets that travel along.
const GAUGES: usize = 8;
/// Data objects that travel along: those that are referenced most.
const OBJECTS: usize = 64;

/// Leaves what a picture of `group` needs, and of `references` to what it leaves.
pub fn prune(group: &mut Group, mut references: Option<&mut Thinned>) {
    let lines = in_cells(&group.lines);
    if let Some(of) = references.as_deref_mut() {
        lines_of(of, &group.lines, &lines);
    }
    group.lines = lines;
    group.stretches.retain(|stretch| !stretch.short);
    if let Some(callers) = &mut group.callers {
        callers.lines = in_cells(&callers.lines);
    }
    group.activity = group.activity.take().map(coarser);
    group.other_gauges += group.gauges.len().saturating_sub(GAUGES) as u32;
    group.gauges.truncate(GAUGES);
    objects_in_use(group, references);
    places_in_use(group);
    contexts_in_use(group);
    // Routines are told by their place in the list: those after the last one in use can go.
    let of_places = group.places.iter().map(|place| place.routine);
    let of_contexts = group.contexts.iter().map(|context| context.routine);
    let of_streams = group.streams.iter().filter_map(|stream| stream.routine);
    let named = of_places.chain(of_contexts).chain(of_streams);
    group.routines.truncate(named.max().map_or(0, |last| last as usize + 1));
    group.hues.truncate(group.routines.len());
}

/// Gives each reference a sample of the same line, called from the same context; what has none has no
/// line any more.
fn lines_of(Thinned { references, .. }: &mut Thinned, before: &Lines, left: &Lines) {
    let pair = |lines: &Lines, index: usize| {
        let context = lines.context.get(index).map_or(0, |context| u64::from(*context) + 1);
        lines.place.get(index).map(|place| [u64::from(*place), context, 0])
    };
    let mut known = Numbers::default();
    let mut first: Vec<u32> = vec![];
    for (index, key) in (0..left.place.len()).filter_map(|at| Some((at, pair(left, at)?))) {
        if known.of(key) == first.len() {
            first.push(index as u32);
        }
    }
    for line in &mut references.line {
        let of_pair = pair(before, *line as usize).and_then(|key| known.get(key));
        *line = of_pair.and_then(|at| first.get(at).copied()).unwrap_or(u32::MAX);
    }
}

/// What threads do in fewer cells, and its shares in steps, which pack well.
fn coarser(activity: Activity) -> Activity {
    let mut activity = activity.coarser(CELLS_OF_ACTIVITY);
    for share in activity.parts.iter_mut().flat_map(|part| &mut part.shares) {
        *share = libm::round(*share * STEPS_OF_SHARE) / STEPS_OF_SHARE;
    }
    activity
}

/// One sample of each cell, chosen so that in any stretch of time each line, as called from one
/// context, has about as large a share of those that are left as it had of all.
fn in_cells(lines: &Lines) -> Lines {
    let mut known = Numbers::default();
    let context = |index: usize| lines.context.get(index).copied();
    let pair = |index: usize| {
        let context = context(index).map_or(0, |context| u64::from(context) + 1);
        known.of([u64::from(lines.place[index]), context, 0])
    };
    let pairs: Vec<usize> = (0..lines.x.len().min(lines.place.len())).map(pair).collect();
    // By how many cells each pair has had less than its share so far.
    let mut owed = vec![0.0; known.len()];
    let cell = |index: &usize| ((lines.x[*index] * CELLS as f64) as usize).min(CELLS - 1);
    let mut left = Lines::default();
    let samples: Vec<usize> = (0..pairs.len()).collect();
    for samples in samples.chunk_by(|a, b| cell(a) == cell(b)) {
        samples.iter().for_each(|sample| owed[pairs[*sample]] += 1.0 / samples.len() as f64);
        // The first of those that are owed most.
        let most =
            samples.iter().rev().max_by(|a, b| owed[pairs[**a]].total_cmp(&owed[pairs[**b]]));
        let Some(&most) = most else { continue };
        owed[pairs[most]] -= 1.0;
        left.x.push((cell(&most) as f64 + 0.5) / CELLS as f64);
        left.place.push(lines.place[most]);
        left.context.extend(context(most));
    }
    left
}

fn places_in_use(group: &mut Group) {
    let of_stretches = group.stretches.iter().map(|stretch| stretch.place);
    let of_phases = group.phases.iter().filter_map(|phase| phase.place);
    let of_lines = group.lines.place.iter().copied();
    let of_objects = group.objects.iter().filter_map(|object| object.place);
    let of_times = group.code_times.iter().flat_map(|times| (0..).zip(&times.places));
    let of_times = of_times.filter(|(_, time)| time.samples > 0).map(|(place, _)| place);
    let of_part = group.part.iter().flat_map(|part| &part.objects);
    let of_part = of_part.filter_map(|(_, object)| object.place);
    let of_groups = of_stretches.chain(of_phases).chain(of_objects).chain(of_times).chain(of_part);
    let used = InUse::of(of_lines.chain(of_groups));
    let (lines, stretches) = (&mut group.lines.place, &mut group.stretches);
    lines.iter_mut().for_each(|place| *place = used.rank(*place));
    stretches.iter_mut().for_each(|stretch| stretch.place = used.rank(stretch.place));
    let of_phases = group.phases.iter_mut().flat_map(|phase| &mut phase.place);
    of_phases.for_each(|place| *place = used.rank(*place));
    let of_objects = group.objects.iter_mut().flat_map(|object| &mut object.place);
    of_objects.for_each(|place| *place = used.rank(*place));
    group.places = used.kept(&group.places);
    group.dispersions.clear();
    if let Some(times) = &mut group.code_times {
        times.places = used.kept(&times.places);
        let of_phases = times.phases.iter_mut().flatten();
        of_phases.for_each(|(place, _)| *place = used.rank(*place));
    }
    if let Some(part) = &mut group.part {
        part.code.places = used.kept(&part.code.places);
        let of_objects = part.objects.iter_mut().flat_map(|(_, object)| &mut object.place);
        of_objects.for_each(|place| *place = used.rank(*place));
    }
}

fn contexts_in_use(group: &mut Group) {
    let of_stretches = group.stretches.iter().filter_map(|stretch| stretch.context);
    let mut named = vec![false; group.contexts.len()];
    for context in group.lines.context.iter().copied().chain(of_stretches) {
        named.get_mut(context as usize).into_iter().for_each(|named| *named = true);
    }
    let of_times = group.code_times.iter().flat_map(|times| &times.contexts);
    named.iter_mut().zip(of_times).for_each(|(named, (_, samples))| *named |= *samples > 0);
    let of_phases = group.code_times.iter().flat_map(|times| &times.contexts_of_phases).flatten();
    for context in of_phases {
        named.get_mut(*context as usize).into_iter().for_each(|named| *named = true);
    }
    // Parents come before their children.
    for (index, context) in group.contexts.iter().enumerate().rev() {
        if let Some(parent) = context.parent.filter(|_| named[index]) {
            named[parent as usize] = true;
        }
    }
    let used = InUse::of((0..).zip(named).filter(|(_, named)| *named).map(|(index, _)| index));
    group.lines.context.iter_mut().for_each(|context| *context = used.rank(*context));
    let of_stretches = group.stretches.iter_mut().flat_map(|stretch| &mut stretch.context);
    of_stretches.for_each(|context| *context = used.rank(*context));
    group.contexts = used.kept(&group.contexts);
    if let Some(times) = &mut group.code_times {
        times.contexts = used.kept(&times.contexts);
        let of_phases = times.contexts_of_phases.iter_mut().flatten();
        of_phases.for_each(|context| *context = used.rank(*context));
    }
    if let Some(part) = &mut group.part {
        part.code.contexts = used.kept(&part.code.contexts);
    }
    let parents = group.contexts.iter_mut().flat_map(|context| &mut context.parent);
    parents.for_each(|parent| *parent = used.rank(*parent));
}

fn objects_in_use(group: &mut Group, thinned: Option<&mut Thinned>) {
    let references = |index: &u32| {
        let object = &group.objects[*index as usize];
        u64::from(object.loads) + u64::from(object.stores)
    };
    let mut most: Vec<u32> = (0..group.objects.len() as u32).collect();
    order::by_number(&mut most, |index| !references(index));
    let others = most.split_off(most.len().min(OBJECTS));
    let mut sums = group.other_objects.unwrap_or_default();
    for index in &others {
        let object = &group.objects[*index as usize];
        sums.objects += 1;
        sums.references += references(index);
        sums.cycles += object.mean_cost.unwrap_or_default() * f64::from(object.loads);
    }
    group.other_objects = Some(sums).filter(|sums| *sums != OtherObjects::default());
    let used = InUse::of(most.into_iter());
    group.objects = used.kept(&group.objects);
    group.streams.retain(|stream| used.has(stream.object));
    group.streams.iter_mut().for_each(|stream| stream.object = used.rank(stream.object));
    if let Some(part) = &mut group.part {
        part.objects.retain(|(object, _)| used.has(*object));
        part.objects.iter_mut().for_each(|(object, _)| *object = used.rank(*object));
    }
    if let Some(thinned) = thinned {
        let rank = |object: u32| if used.has(object) { used.rank(object) } else { u32::MAX };
        thinned.references.object.iter_mut().for_each(|object| *object = rank(*object));
        *thinned = std::mem::take(thinned).within(group);
    }
}

/// Indices of what stays in a list, rising.
struct InUse(Vec<u64>);

impl InUse {
    fn of(indices: impl Iterator<Item = u32>) -> Self {
        Self(order::distinct(indices.map(u64::from)))
    }

    fn has(&self, index: u32) -> bool {
        self.0.binary_search(&u64::from(index)).is_ok()
    }

    /// Where the thing at `index` stands among those that stay.
    fn rank(&self, index: u32) -> u32 {
        self.0.partition_point(|used| *used < u64::from(index)) as u32
    }

    fn kept<T: Clone>(&self, things: &[T]) -> Vec<T> {
        self.0.iter().filter_map(|&index| things.get(index as usize).cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::{Context, DataObject, Phase, Place, Stream, Stretch, example};

    #[test]
    fn a_line_keeps_its_share_even_where_others_are_sampled_more() {
        // Of ten samples in each cell seven, two and one are on the lines 0, 1 and 2.
        let count = 10 * CELLS;
        let line = |i: usize| [0, 0, 1, 0, 0, 2, 0, 1, 0, 0][i % 10];
        let lines = Lines {
            x: (0..count).map(|i| i as f64 / count as f64).collect(),
            place: (0..count).map(line).collect(),
            context: vec![],
        };
        let left = in_cells(&lines);
        assert_eq!(left.x.len(), CELLS);
        for half in [&left.place[..CELLS / 2], &left.place[CELLS / 2..]] {
            for (line, share) in [(0, 0.7), (1, 0.2), (2, 0.1)] {
                let kept = half.iter().filter(|place| **place == line).count() as f64;
                assert!((kept - share * 250.0).abs() <= 1.0, "{line}: {kept}");
            }
        }
    }

    #[test]
    fn what_threads_do_keeps_its_shares_in_fewer_cells() {
        let mut group = example::folding(1).groups.remove(0);
        let whole = group.activity.clone().unwrap();
        prune(&mut group, None);
        let pruned = group.activity.unwrap();
        assert_eq!((whole.cells(), pruned.cells()), (1024, CELLS_OF_ACTIVITY));
        assert_eq!((pruned.efficiency, &pruned.lowest), (whole.efficiency, &whole.lowest));
        for part in &whole.parts {
            for cell in 0..pruned.cells() {
                let pair = &part.shares[2 * cell..2 * cell + 2];
                let share = pruned.share(part.doing, cell);
                let mean = (pair[0] + pair[1]) / 2.0;
                assert!((share - mean).abs() <= 0.5 / STEPS_OF_SHARE, "{cell}: {share} {mean}");
            }
        }
    }

    #[test]
    fn contexts_in_use_stay_with_all_that_call_them() {
        let of = |parent, routine| Context { parent, routine, samples: 0 };
        let mut group = Group {
            routines: ["a", "b", "c", "d", "never"].map(str::to_owned).to_vec(),
            places: (0..4)
                .map(|line| Place { routine: line, line, file: String::new(), samples: 1 })
                .collect(),
            contexts: vec![
                of(None, 0),
                of(None, 3),
                of(Some(1), 4),
                of(Some(1), 1),
                of(Some(3), 2),
            ],
            lines: Lines { x: vec![0.25, 0.75], place: vec![2, 2], context: vec![4, 4] },
            stretches: vec![Stretch {
                start: 0.0,
                end: 1.0,
                place: 1,
                context: Some(3),
                ..Stretch::default()
            }],
            ..Group::default()
        };
        prune(&mut group, None);
        let parents: Vec<_> = group.contexts.iter().map(|context| context.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(1)]);
        assert_eq!(group.callers(group.lines.context[0]), [3, 1, 2]);
        assert_eq!(group.callers(group.stretches[0].context.unwrap()), [3, 1]);
        assert_eq!(group.places.iter().map(|place| place.line).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(group.routines, ["a", "b", "c", "d"]);
    }

    #[test]
    fn what_phases_and_streams_name_stays_and_short_stretches_go() {
        let place = |line| Place { routine: 0, line, file: String::new(), samples: 1 };
        let mut group = Group {
            routines: ["a", "b", "of a stream", "never"].map(str::to_owned).to_vec(),
            places: [5, 6, 7].map(place).to_vec(),
            phases: vec![
                Phase { start: 0.0, end: 0.5, place: Some(2), ..Phase::default() },
                Phase { start: 0.5, end: 1.0, ..Phase::default() },
            ],
            stretches: vec![Stretch { end: 1.0, place: 1, short: true, ..Stretch::default() }],
            objects: vec![DataObject { place: Some(0), ..DataObject::default() }],
            streams: vec![Stream { routine: Some(2), ..Stream::default() }],
            ..Group::default()
        };
        prune(&mut group, None);
        assert_eq!(group.places.iter().map(|place| place.line).collect::<Vec<_>>(), [5, 7]);
        assert_eq!(
            group.phases.iter().map(|phase| phase.place).collect::<Vec<_>>(),
            [Some(1), None]
        );
        assert_eq!(group.objects[0].place, Some(0));
        assert_eq!(group.routines, ["a", "b", "of a stream"]);
        assert_eq!(group.stretches, []);
    }

    #[test]
    fn objects_that_are_referenced_most_stay_with_their_streams() {
        let object = |i: u32| DataObject { name: i.to_string(), loads: i, ..DataObject::default() };
        let stream = |object| Stream { object, ..Stream::default() };
        let mut group = Group {
            objects: (0..100).map(object).collect(),
            streams: vec![stream(3), stream(36), stream(99)],
            ..Group::default()
        };
        prune(&mut group, None);
        let named = |stream: &Stream| group.objects[stream.object as usize].name.clone();
        assert_eq!(group.objects.len(), OBJECTS);
        assert_eq!(group.streams.iter().map(named).collect::<Vec<_>>(), ["36", "99"]);
    }
}
