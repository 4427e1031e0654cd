//! Where data objects lie in the address lane: a row each, and the holes between them.

use crate::folding::Group;
use crate::order;
use crate::paint::View;
use crate::paint::scene::Frame;

/// Objects with a row of their own, each of at least so many px with its share of holes; the others
/// share the lowest row.
const MOST: usize = 8;
const LOWEST: f64 = 20.0;

/// Height of a hole, and from how many bytes on it is one: less is padding between neighbours.
const HOLE: f64 = 12.0;
const LEAST_HOLE: u64 = 4096;

/// Holes take at most this share of the lane.
const HOLES: f64 = 0.3;

/// Px that marks leave free at the edges of a row, and for the name in a row of a narrow page.
const ROOM: f64 = 3.0;
const NAME_ROOM: f64 = 16.0;

/// Rows of objects from the bottom up, and what lies between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Objects {
    pub rows: Vec<Row>,
    pub holes: Vec<Hole>,
    /// For each object of the group where its bytes lie; `None` if it is not shown.
    pub places: Vec<Option<Place>>,
}

/// The rectangle of an object, or of all that have none of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub top: f64,
    pub bottom: f64,
    /// Indices into [`Group::objects`], one or many.
    pub objects: Vec<usize>,
}

/// Bytes that nobody references between two rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hole {
    pub top: f64,
    pub bottom: f64,
    pub bytes: u64,
}

/// Heights of an object's bytes: its first at `bottom`, its last at `top`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub top: f64,
    pub bottom: f64,
    last: f64,
}

impl Place {
    /// Where the byte at `offset` lies; beyond the object, on its edge.
    pub fn y(&self, offset: u64) -> f64 {
        let share = if self.last > 0.0 { (offset as f64 / self.last).min(1.0) } else { 0.5 };
        self.bottom - share * (self.bottom - self.top)
    }
}

impl Objects {
    /// The rows of a group's objects in a lane; with `view.object`, that one alone.
    pub fn of(group: &Group, view: &View) -> Objects {
        let frame = Frame::of(view);
        let alone =
            group.objects.iter().position(|object| Some(&object.name) == view.object.as_ref());
        let shown = match alone {
            Some(index) => vec![vec![index]],
            None => shared(group, ((frame.height / LOWEST) as usize).clamp(1, MOST)),
        };
        let gap = |below: &[usize], above: &[usize]| hole(group, below, above);
        let gaps: Vec<u64> = shown.windows(2).map(|pair| gap(&pair[0], &pair[1])).collect();
        let count = gaps.iter().filter(|&&bytes| bytes > 0).count() as f64;
        let hole = HOLE.min(HOLES * frame.height / count.max(1.0));
        let height = (frame.height - hole * count) / shown.len().max(1) as f64;

        let mut places = vec![None; group.objects.len()];
        let (mut rows, mut holes) = (Vec::new(), Vec::new());
        let mut bottom = frame.height;
        let gaps = [0].into_iter().chain(gaps);
        for (objects, bytes) in shown.into_iter().zip(gaps) {
            if bytes > 0 {
                holes.push(Hole { top: bottom - hole, bottom, bytes });
                bottom -= hole;
            }
            let row = Row { top: bottom - height, bottom, objects };
            row.put(group, &frame, &mut places);
            bottom = row.top;
            rows.push(row);
        }
        Objects { rows, holes, places }
    }
}

impl Row {
    /// The objects of the row above one another, by address.
    fn put(&self, group: &Group, frame: &Frame, places: &mut [Option<Place>]) {
        let name = if frame.narrow() { NAME_ROOM } else { ROOM };
        let high = self.bottom - self.top;
        let (top, bottom) = (self.top + name.min(high / 3.0), self.bottom - ROOM.min(high / 4.0));
        let step = (bottom - top) / self.objects.len().max(1) as f64;
        for (nth, &index) in self.objects.iter().enumerate() {
            let bytes = group.objects.get(index).map_or(0, |object| object.bytes);
            let bottom = bottom - nth as f64 * step;
            let last = bytes.saturating_sub(1) as f64;
            if let Some(place) = places.get_mut(index) {
                *place = Some(Place { top: bottom - step, bottom, last });
            }
        }
    }
}

/// Objects row by row from the bottom up: all but the `most` with the most references together at
/// the bottom.
fn shared(group: &Group, most: usize) -> Vec<Vec<usize>> {
    let all = group.objects.len();
    if all <= most {
        return (0..all).map(|index| vec![index]).collect();
    }
    let references = |index: &usize| {
        let object = group.objects.get(*index);
        object.map_or(0, |object| u64::from(object.loads) + u64::from(object.stores))
    };
    let mut ranked: Vec<usize> = (0..all).collect();
    order::by_number(&mut ranked, |index| !references(index));
    let mut rest = ranked.split_off(most);
    order::by_number(&mut ranked, |index| *index as u64);
    order::by_number(&mut rest, |index| *index as u64);
    let alone = ranked.into_iter().map(|index| vec![index]);
    std::iter::once(rest).chain(alone).collect()
}

/// Bytes between the end of one row's object and the begin of the next; 0 if there is no hole, or
/// no order.
fn hole(group: &Group, below: &[usize], above: &[usize]) -> u64 {
    let ([below], [above]) = (below, above) else { return 0 };
    let (Some(below), Some(above)) = (group.objects.get(*below), group.objects.get(*above)) else {
        return 0;
    };
    let bytes = above.address.saturating_sub(below.address.saturating_add(below.bytes));
    if bytes < LEAST_HOLE { 0 } else { bytes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::DataObject;
    use crate::paint::example;

    fn group(spans: &[(u64, u64, u32)]) -> Group {
        let object = |(index, &(address, bytes, loads)): (usize, &(u64, u64, u32))| DataObject {
            name: index.to_string(),
            address,
            bytes,
            loads,
            ..DataObject::default()
        };
        let objects = spans.iter().enumerate().map(object).collect();
        Group { number: 1, objects, ..Group::default() }
    }

    #[test]
    fn holes_are_where_no_object_is_and_have_its_size() {
        let page = 4096;
        let spans = [(page, 100, 1), (2 * page, 64, 1), (10 * page, 1, 1), (10 * page, 9, 1)];
        let objects = Objects::of(&group(&spans), &example::view(976.0, 200.0));
        let bytes: Vec<u64> = objects.holes.iter().map(|hole| hole.bytes).collect();
        assert_eq!(bytes, [8 * page - 64], "less than a page is padding, overlaps have no hole");
        let [hole] = objects.holes.as_slice() else { panic!("holes") };
        assert_eq!(hole.bottom - hole.top, 12.0);
        assert_eq!((objects.rows[1].top, objects.rows[2].bottom), (hole.bottom, hole.top));
        let heights: Vec<f64> = objects.rows.iter().map(|row| row.bottom - row.top).collect();
        assert!(heights.iter().all(|high| (high - 47.0).abs() < 1e-9), "{heights:?}");
    }

    #[test]
    fn eight_objects_have_a_row_and_the_others_share_one() {
        let spans: Vec<_> = (0..20_u64).map(|i| (i << 30, 64, 7 * i as u32 % 20)).collect();
        let objects = Objects::of(&group(&spans), &example::view(976.0, 400.0));
        assert_eq!(objects.rows.len(), 9);
        assert_eq!(objects.rows[0].objects.len(), 12);
        let least = objects.rows[1..].iter().map(|row| spans[row.objects[0]].2).min().unwrap();
        assert!(objects.rows[0].objects.iter().all(|index| spans[*index].2 < least));
        for place in &objects.places {
            let place = place.unwrap();
            assert!(0.0 <= place.top && place.top < place.bottom && place.bottom <= 400.0);
        }
    }

    #[test]
    fn any_addresses_make_sound_rows() {
        let wild = [
            vec![(u64::MAX, u64::MAX, u32::MAX), (0, 0, 0), (u64::MAX - 1, 1, 0)],
            (0..300).map(|i| (i << 50, u64::MAX, 1)).collect(),
            vec![],
        ];
        for spans in wild {
            for view in example::odd_views() {
                let objects = Objects::of(&group(&spans), &view);
                for place in objects.places.iter().flatten() {
                    for offset in [0, 1, u64::MAX] {
                        assert!(place.y(offset).is_finite() && place.top <= place.bottom);
                    }
                }
            }
        }
    }
}
