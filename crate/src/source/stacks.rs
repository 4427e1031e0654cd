use super::CodeLine;
use super::dispersion::Dealt;
use super::frames::{Frame, FrameReader};
use super::numbered::Numbered;
use crate::folding::{Fate, Place};
use crate::instance::{Giving, Group, Rulers};
use crate::order;
use crate::trace::Trace;

/// The call-stacks of samples, by folded time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stacks {
    /// Routine names: those of most innermost frames first; of two alike, by name.
    pub routines: Vec<String>,
    /// Distinct places of all frames, by file, line and routine, with the samples whose innermost
    /// frame is there.
    pub places: Vec<Place>,
    /// Folded time of each sample, increasing.
    pub x: Vec<f64>,
    /// Where the frames of each sample begin, and where those of the last end: one longer than `x`.
    pub first: Vec<u32>,
    /// Index into `places` of each frame, of each sample outermost first; at least one of each.
    pub frames: Vec<u32>,
    /// Of each place: [`Group::dispersions`](crate::folding::Group::dispersions).
    pub dispersions: Vec<f64>,
}

impl Stacks {
    pub fn len(&self) -> usize {
        self.x.len()
    }

    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// Places of the frames of a sample, outermost first.
    #[inline]
    pub fn of(&self, sample: usize) -> &[u32] {
        &self.frames[self.first[sample] as usize..self.first[sample + 1] as usize]
    }

    /// Its routines, outermost first.
    pub fn routines_of(
        &self,
        sample: usize,
    ) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator {
        self.of(sample).iter().map(|&place| self.places[place as usize].routine)
    }

    /// Index into `places` of the innermost frame of each sample.
    pub fn innermost(&self) -> Vec<u32> {
        (0..self.len()).filter_map(|sample| self.of(sample).last().copied()).collect()
    }

    /// Frames of the longest.
    pub fn depth(&self) -> u32 {
        self.first.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0)
    }
}

/// Folds the call-stacks of the kept instances of `group`, of those that are `giving`, along `rulers`.
///
/// Frames whose routine is not known, and depths that are missing, are left out wherever they are:
/// the frames on either side of them count as caller and callee. Samples without a known frame are
/// left out. O(frames + n log n).
pub fn fold_stacks(trace: &Trace, group: &Group, rulers: &Rulers, giving: &Giving) -> Stacks {
    let mut numbers = Numbered::default();
    // Of each frame of the trace, by its number: its words, and the samples in which it is innermost.
    let mut met: Vec<Option<Met>> = Vec::new();
    let mut reader = FrameReader::default();
    let mut dealt = Dealt::default();
    let (mut x, mut frames, mut ends) = (vec![], vec![], vec![]);
    let given = group.instances.iter().enumerate().filter(|(at, _)| giving.has(*at));
    let used = given.filter(|(_, (_, fate))| *fate == Fate::Used);
    for (turn, (_, (instance, _))) in used.enumerate() {
        let thread = &trace.threads[instance.thread as usize];
        let ruler = rulers.ruler(trace, instance);
        for moment in thread.moments_between(instance.first, instance.last) {
            let start = frames.len();
            let mut number = |frame: Frame| {
                let number = numbers.of(frame.key()) as usize;
                if number == met.len() {
                    let words = frame.in_words(trace);
                    met.push(words.map(|words| Met { number, words, samples: 0 }));
                }
                met[number].is_some().then_some(number as u32)
            };
            frames.extend(reader.frames(trace, &moment).filter_map(&mut number));
            let place = (frames.len() > start).then(|| ruler.place(moment.time)).flatten();
            let Some(place) = place else {
                frames.truncate(start);
                continue;
            };
            if let Some(met) = &mut met[frames[start] as usize] {
                met.samples += 1;
            }
            dealt.count(frames[start] as usize, turn);
            frames[start..].reverse();
            x.push(place);
            ends.push(frames.len() as u32);
        }
    }
    let (routines, places, place_of_frame) = in_words(met);
    let dispersions = dealt.dispersions(&place_of_frame, places.len());
    let order = order::indices(x.iter().map(|x| order::of_float(*x)));
    let mut stacks = Stacks {
        routines,
        places,
        x: order.iter().map(|&sample| x[sample as usize]).collect(),
        first: Vec::with_capacity(x.len() + 1),
        frames: Vec::with_capacity(frames.len()),
        dispersions,
    };
    stacks.first.push(0);
    for sample in order {
        let start = (sample as usize).checked_sub(1).map_or(0, |before| ends[before] as usize);
        let of_sample = &frames[start..ends[sample as usize] as usize];
        stacks.frames.extend(of_sample.iter().map(|&frame| place_of_frame[frame as usize]));
        stacks.first.push(stacks.frames.len() as u32);
    }
    stacks
}

/// A frame or a place in words: code line and routine.
pub(super) struct Met {
    /// Of the frame, in the order of appearance.
    pub number: usize,
    pub words: (CodeLine, String),
    /// In which it is innermost.
    pub samples: u32,
}

pub(super) type InWords = (Vec<String>, Vec<Place>, Vec<u32>);

/// Routines, places, and the place of each frame. Two numbers of frames may carry one name.
pub(super) fn in_words(met: Vec<Option<Met>>) -> InWords {
    let mut place_of_frame = vec![0; met.len()];
    let mut met = met.into_iter().flatten().collect::<Vec<_>>();
    order::by(&mut met, |a, b| a.words.cmp(&b.words));
    let mut places: Vec<Met> = Vec::new();
    for frame in met {
        let number = frame.number;
        match places.last_mut().filter(|place| place.words == frame.words) {
            Some(place) => place.samples += frame.samples,
            None => places.push(frame),
        }
        place_of_frame[number] = places.len() as u32 - 1;
    }

    let routine = |place: &Met| (place.words.1.clone(), place.samples);
    let mut by_name = places.iter().map(routine).collect::<Vec<_>>();
    order::by(&mut by_name, |(a, _), (b, _)| a.cmp(b));
    by_name.dedup_by(|(name, samples), (kept, sum)| {
        let same = name == kept;
        *sum += if same { *samples } else { 0 };
        same
    });
    let order = order::indices(by_name.iter().map(|(_, samples)| !u64::from(*samples)));
    let mut rank = vec![0; by_name.len()];
    for (place, &at) in (0u32..).zip(&order) {
        rank[at as usize] = place;
    }
    let place = |Met { words: (line, routine), samples, .. }: Met| {
        let at = by_name.binary_search_by(|(name, _)| name.cmp(&routine)).unwrap_or(0);
        Place { routine: rank[at], line: line.line, file: line.file, samples }
    };
    let places = places.into_iter().map(place).collect();
    (order.into_iter().map(|at| by_name[at as usize].0.clone()).collect(), places, place_of_frame)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Samples at equal distances, with the routines of each from the outermost on; a routine has
    /// one line, its place in the order of names.
    pub fn named<T: AsRef<str>>(samples: &[Vec<T>]) -> Stacks {
        let mut names = samples.iter().flatten().map(|name| name.as_ref().to_owned());
        let mut routines = names.by_ref().collect::<Vec<_>>();
        routines.sort();
        routines.dedup();
        let number =
            |name: &T| routines.iter().position(|known| known == name.as_ref()).unwrap() as u32;
        let mut stacks = Stacks { first: vec![0], ..Stacks::default() };
        for (at, sample) in samples.iter().enumerate() {
            stacks.x.push((at as f64 + 0.5) / samples.len() as f64);
            stacks.frames.extend(sample.iter().map(number));
            stacks.first.push(stacks.frames.len() as u32);
        }
        let place =
            |routine| Place { routine, line: routine + 1, file: "a.c".to_owned(), samples: 0 };
        stacks.places = (0..routines.len() as u32).map(place).collect();
        stacks.routines = routines;
        stacks
    }
}
