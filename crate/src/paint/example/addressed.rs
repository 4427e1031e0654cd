//! The Stream of [`example`](super::example) with what it does to memory, made by hand.
//!
//! Source: the modified Stream of Servat 2015, §4.6.

use super::{mixed, stream};
use crate::folding::{DataObject, Direction, Folding, MemoryLevel, ObjectKind, References, Stream};

/// Bytes of each of its three arrays.
pub const BYTES: u64 = 80_000_000;

/// By address: `a` and `b` side by side, and far above what was allocated.
const ADDRESSES: [(&str, ObjectKind, u64); 3] = [
    ("a", ObjectKind::Static, 0x60_2000),
    ("b", ObjectKind::Static, 0x60_2000 + BYTES),
    ("stream.c:181", ObjectKind::Dynamic, 0x7f12_3456_7000),
];

/// [`stream`] with objects and their streams.
pub fn addressed() -> Folding {
    let mut folding = stream();
    let group = &mut folding.groups[0];
    let object = |&(name, kind, address): &(&str, ObjectKind, u64)| DataObject {
        name: name.to_string(),
        kind,
        address,
        bytes: BYTES,
        loads: 700,
        stores: 300,
        bytes_touched: 64_000,
        mean_cost: Some(40.5),
        high_cost: Some(240.0),
        cost_error: None,
        levels: vec![0, 500, 0, 100, 50, 0, 0, 350, 0, 0],
        place: None,
    };
    group.objects = ADDRESSES.iter().map(object).collect();
    let stream = |object, phase, direction, bytes_per_us| Stream {
        object,
        phase: Some(phase),
        loads: 300,
        direction,
        bytes_per_us,
        step_bytes: 64,
        mean_cost: Some(24.0),
        ..Stream::default()
    };
    group.streams = vec![
        stream(0, 0, Direction::Descending, -5700.0),
        stream(1, 1, Direction::Ascending, 6100.0),
        stream(2, 1, Direction::Random, 0.0),
    ];
    folding
}

/// One reference to a sample: copy runs downwards, scale gathers at random, the others upwards.
pub fn references() -> References {
    let group = &addressed().groups[0];
    let mut all = References { group: 1, ..References::default() };
    let ends = [0.0, 0.22, 0.42, 0.70, 1.0];
    for (line, &x) in (0_u32..).zip(&group.lines.x) {
        let phase = ends.windows(2).position(|span| x < span[1]).unwrap_or(3);
        let along = (x - ends[phase]) / (ends[phase + 1] - ends[phase]);
        let drawn = mixed(u64::from(line));
        let store = drawn.is_multiple_of(3);
        let (object, share) = match (phase, store) {
            (0, false) => (0, 1.0 - along),
            (0, true) => (2, 1.0 - along),
            (1, false) => (2, (drawn % 1009) as f64 / 1009.0),
            (1, true) => (1, along),
            (2, false) => (u32::from(drawn.is_multiple_of(2)), along),
            (2, true) => (2, along),
            (_, false) => (1 + u32::from(drawn.is_multiple_of(2)), along),
            (_, true) => (0, along),
        };
        let far = phase == 1 && !store;
        let (level, cost) = match (far, drawn % 10) {
            (true, 2..) => (MemoryLevel::Dram, 180 + drawn % 220),
            (_, 0..2) => (MemoryLevel::L2, 18 + drawn % 9),
            _ => (MemoryLevel::L1, 6 + drawn % 4),
        };
        let offset = (share * (BYTES - 8) as f64) as u64 / 8 * 8;
        all.x.push(x);
        all.object.push(object);
        all.offset.push(offset);
        all.address.push(ADDRESSES[object as usize].2 + offset);
        all.store.push(u8::from(store));
        all.level.push(level as u8);
        all.tlb.push(1);
        all.cost.push(if store { 0 } else { cost as u32 });
        all.line.push(line);
    }
    all
}

/// `count` references over the same objects, many to a moment.
pub fn many(count: u32) -> References {
    let few = references();
    let of = |i: u32| (f64::from(i) / f64::from(count) * few.x.len() as f64) as usize;
    let rows: Vec<usize> = (0..count).map(of).collect();
    let x = |(i, _): (usize, &usize)| i as f64 / f64::from(count);
    References {
        group: 1,
        x: rows.iter().enumerate().map(x).collect(),
        address: rows.iter().map(|&row| few.address[row]).collect(),
        object: rows.iter().map(|&row| few.object[row]).collect(),
        offset: rows.iter().map(|&row| few.offset[row]).collect(),
        store: rows.iter().map(|&row| few.store[row]).collect(),
        level: rows.iter().map(|&row| few.level[row]).collect(),
        tlb: rows.iter().map(|&row| few.tlb[row]).collect(),
        cost: rows.iter().map(|&row| few.cost[row]).collect(),
        line: rows.iter().map(|&row| few.line[row]).collect(),
    }
}
