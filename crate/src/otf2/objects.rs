//! Which task and thread a location is.

use super::bytes::UNDEFINED;
use super::definitions::{Definitions, Location, LocationKind};
use super::table::Table;
use crate::order;
use crate::trace::Object;

/// The threads of an archive.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    of_locations: Table<Object>,
    /// By task, from 1: the number of the node that it runs on.
    pub nodes: Vec<u32>,
}

impl Objects {
    /// Tasks are the processes by their numbers; the threads of a task are those of its processor by
    /// their numbers, then the streams of its accelerators. O(n log n).
    pub fn of(definitions: &Definitions) -> Self {
        let mut tasks = Table::default();
        let mut nodes = Vec::new();
        for (id, group) in definitions.groups.iter().filter(|(_, group)| group.is_process) {
            nodes.push(node_of(definitions, group.node));
            tasks.add(id, nodes.len() as u32);
        }
        tasks.finish();
        let task_of = |location: &Location| {
            let id = u64::from(location.group);
            let group = definitions.groups.get(id)?;
            let process = if group.is_process { id } else { u64::from(group.creator) };
            tasks.get(process).copied()
        };
        let mut threads = definitions
            .locations
            .iter()
            .filter_map(|(id, location)| {
                let is_stream = match location.kind {
                    LocationKind::CpuThread => false,
                    LocationKind::AcceleratorStream => true,
                    _ => return None,
                };
                Some((task_of(location)?, is_stream, id))
            })
            .collect::<Vec<_>>();
        order::by(&mut threads, Ord::cmp);
        let mut of_locations = Table::default();
        for of_task in threads.chunk_by(|a, b| a.0 == b.0) {
            for (thread, (task, _, id)) in (1..).zip(of_task) {
                of_locations.add(*id, Object { application: 1, task: *task, thread });
            }
        }
        of_locations.finish();
        // Nodes are numbered from 1, too, in the order of their definitions.
        let known = order::distinct(nodes.iter().copied().map(u64::from));
        let number = |node: &u32| match u64::from(*node) {
            UNDEFINED => 0,
            node => known.partition_point(|known| *known < node) as u32 + 1,
        };
        let nodes = nodes.iter().map(number).collect();
        Self { of_locations, nodes }
    }

    /// `None` if it is no thread, or nobody says whose.
    pub fn get(&self, location: u64) -> Option<Object> {
        self.of_locations.get(location).copied()
    }
}

/// The computer that a node of the system tree lies in: itself where no node above says that it is one.
fn node_of(definitions: &Definitions, node: u32) -> u32 {
    // Parents may form a ring.
    const MOST_STEPS: usize = 1024;
    let mut at = node;
    for _ in 0..MOST_STEPS {
        let Some(known) = definitions.nodes.get(u64::from(at)) else { break };
        if definitions.strings.get(known.class).as_deref() == Some("node") {
            return at;
        }
        at = known.parent;
    }
    node
}
