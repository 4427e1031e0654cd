//! Tables of what was referenced: single references, objects, and how they are walked through.

use super::csv::{begin, field, line};
use crate::folding::{DataObject, Folding, Group, MemoryLevel, Points};
use crate::text::shortest;

/// `region,group,x,kind,address,object,level,cost`, by x: the sampled loads and stores of the kept
/// instances. `level` and `cost` are empty where they were not sampled.
pub fn references<'a>(foldings: impl Iterator<Item = (&'a Folding, &'a Points)>) -> String {
    let mut table = "region,group,x,kind,address,object,level,cost\n".to_owned();
    let groups =
        foldings.flat_map(|(f, p)| f.groups.iter().map(move |g| (f, g, p.references(g.number))));
    for (folding, group, references) in groups {
        let Some(references) = references else { continue };
        let begin = begin(folding, group.number, None);
        let names = group.objects.iter().map(|object| field(&object.name)).collect::<Vec<_>>();
        for (index, x) in references.x.iter().enumerate() {
            let kind = if references.store[index] == 1 { "store" } else { "load" };
            let object = names.get(references.object[index] as usize).map_or("", String::as_str);
            let level = match MemoryLevel::of(u64::from(references.level[index])) {
                MemoryLevel::Unknown => String::new(),
                level => field(level.name()),
            };
            let cost = match references.cost[index] {
                0 => String::new(),
                cycles => cycles.to_string(),
            };
            let (x, address) = (shortest(*x), references.address[index]);
            line(
                &mut table,
                format_args!("{begin}{x},{kind},0x{address:x},{object},{level},{cost}"),
            );
        }
    }
    table
}

/// `region,group,object,kind,address,bytes,loads,stores,bytes_touched,mean_cost,high_cost,` then how
/// many references each memory level served.
pub fn objects<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    let mut table = "region,group,object,kind,address,bytes,loads,stores,bytes_touched,mean_cost,\
                     high_cost"
        .to_owned();
    for (_, name) in MemoryLevel::ALL {
        table += &format!(",{}", field(name));
    }
    table.push('\n');
    for (folding, group) in foldings.flat_map(|f| f.groups.iter().map(move |g| (f, g))) {
        let begin = begin(folding, group.number, None);
        for object in &group.objects {
            let DataObject { name, kind, address, bytes, loads, stores, bytes_touched, .. } =
                object;
            let (mean, high) = (known(object.mean_cost), known(object.high_cost));
            let level = |index: usize| object.levels.get(index).copied().unwrap_or(0);
            let levels = (0..MemoryLevel::ALL.len()).map(|index| format!(",{}", level(index)));
            let (name, kind, levels) = (field(name), kind.name(), levels.collect::<String>());
            line(
                &mut table,
                format_args!(
                    "{begin}{name},{kind},0x{address:x},{bytes},{loads},{stores},{bytes_touched},\
                     {mean},{high}{levels}"
                ),
            );
        }
    }
    table
}

/// `region,group,object,phase,routine,loads,stores,direction,bytes_per_us,step_bytes,mean_cost,
/// high_cost`: how each object is walked through in each phase, counted from 1, and by each routine;
/// the other of the two is empty.
pub fn streams<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    let mut table = "region,group,object,phase,routine,loads,stores,direction,bytes_per_us,\
                     step_bytes,mean_cost,high_cost\n"
        .to_owned();
    for (folding, group) in foldings.flat_map(|f| f.groups.iter().map(move |g| (f, g))) {
        let begin = begin(folding, group.number, None);
        for stream in &group.streams {
            let object = group.objects.get(stream.object as usize);
            let object = object.map_or_else(String::new, |object| field(&object.name));
            let phase = stream.phase.map_or_else(String::new, |phase| (phase + 1).to_string());
            let routine = stream.routine.map_or_else(String::new, |index| routine(group, index));
            let (loads, stores, step) = (stream.loads, stream.stores, stream.step_bytes);
            let (direction, speed) = (stream.direction.name(), shortest(stream.bytes_per_us));
            let (mean, high) = (known(stream.mean_cost), known(stream.high_cost));
            line(
                &mut table,
                format_args!(
                    "{begin}{object},{phase},{routine},{loads},{stores},{direction},{speed},{step},\
                     {mean},{high}"
                ),
            );
        }
    }
    table
}

fn routine(group: &Group, index: u32) -> String {
    group.routines.get(index as usize).map_or_else(String::new, |name| field(name))
}

fn known(value: Option<f64>) -> String {
    value.map_or_else(String::new, shortest)
}
