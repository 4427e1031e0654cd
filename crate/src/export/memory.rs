//! Tables of what was referenced: single references, objects, and how they are walked through.

use std::fmt::Display;

use super::table::{Table, field, or_empty};
use crate::folding::{DataObject, Folding, MemoryLevel, Points, Stream};
use crate::text::shortest;

/// `region,group,x,kind,address,object,level,cost`, by x: the sampled loads and stores of the kept
/// instances. `level` and `cost` are empty where they were not sampled. `put` takes it part by part,
/// as there may be millions.
pub fn references<'a>(
    foldings: impl Iterator<Item = (&'a Folding, &'a Points)>,
    put: &mut dyn FnMut(String),
) {
    let mut table = Table::new("x,kind,address,object,level,cost");
    let groups =
        foldings.flat_map(|(f, p)| f.groups.iter().map(move |g| (f, g, p.references(g.number))));
    for (folding, group, references) in groups {
        let Some(references) = references else { continue };
        table.about(folding, group.number);
        let names = group.objects.iter().map(|object| field(&object.name)).collect::<Vec<_>>();
        for (index, x) in references.x.iter().enumerate() {
            let kind = if references.store[index] == 1 { "store" } else { "load" };
            let address = format!("0x{:x}", references.address[index]);
            let object = names.get(references.object[index] as usize).map_or("", String::as_str);
            let level = Some(MemoryLevel::of(u64::from(references.level[index])));
            let level = level.filter(|level| *level != MemoryLevel::Unknown);
            let level = or_empty(level.map(|level| field(level.name())));
            let cost = or_empty(Some(references.cost[index]).filter(|cycles| *cycles > 0));
            table.line(&[&shortest(*x), &kind, &address, &object, &level, &cost]);
            table.hand_on(put);
        }
    }
    put(table.finish());
}

/// `region,group,object,kind,address,bytes,loads,stores,bytes_touched,mean_cost,high_cost,` then how
/// many references each memory level served.
pub fn objects<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    let levels = MemoryLevel::ALL.iter().map(|(_, name)| format!(",{}", field(name)));
    let columns = "object,kind,address,bytes,loads,stores,bytes_touched,mean_cost,high_cost";
    let columns = columns.to_owned() + &levels.collect::<String>();
    Table::of_groups(&columns, foldings, |table, _, group| {
        for object in &group.objects {
            let DataObject { name, kind, address, bytes, loads, stores, bytes_touched, .. } =
                object;
            let (name, address) = (field(name), format!("0x{address:x}"));
            let cost = |cost: Option<f64>| or_empty(cost.map(shortest));
            let (mean, high) = (cost(object.mean_cost), cost(object.high_cost));
            let served = |level: usize| object.levels.get(level).copied().unwrap_or(0).to_string();
            let levels = (0..MemoryLevel::ALL.len()).map(served);
            let fields: [&dyn Display; 9] =
                [&name, &kind.name(), &address, bytes, loads, stores, bytes_touched, &mean, &high];
            table.line_with(&fields, levels);
        }
    })
}

/// `region,group,object,phase,routine,loads,stores,direction,bytes_per_us,step_bytes,mean_cost,
/// high_cost`: how each object is walked through in each phase, counted from 1, and by each routine;
/// the other of the two is empty.
pub fn streams<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    let columns = "object,phase,routine,loads,stores,direction,bytes_per_us,step_bytes,mean_cost,\
                   high_cost";
    Table::of_groups(columns, foldings, |table, _, group| {
        for stream in &group.streams {
            let object = group.objects.get(stream.object as usize);
            let object = or_empty(object.map(|object| field(&object.name)));
            let phase = or_empty(stream.phase.map(|phase| phase + 1));
            let routine = or_empty(stream.routine.map(|index| field(group.routine(index))));
            let Stream { loads, stores, direction, step_bytes, mean_cost, high_cost, .. } = stream;
            let (direction, speed) = (direction.name(), shortest(stream.bytes_per_us));
            let [mean, high] = [mean_cost, high_cost].map(|cost| or_empty(cost.map(shortest)));
            table.line(&[
                &object, &phase, &routine, loads, stores, &direction, &speed, step_bytes, &mean,
                &high,
            ]);
        }
    })
}
