//! Which task and thread a location is.

use super::bytes::UNDEFINED;
use super::definitions::{Definitions, LocationKind, Scope};
use super::table::Table;
use crate::order;
use crate::trace::{Beside, Object};

/// The threads of an archive.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    of_locations: Table<Object>,
    /// Of processes, by their numbers.
    tasks: Table<u32>,
    /// The numbers of nodes in the archive, by that of the trace, from 1.
    computers: Vec<u64>,
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
        let mut threads = definitions
            .locations
            .iter()
            .filter_map(|(id, location)| {
                let is_stream = match location.kind {
                    LocationKind::CpuThread => false,
                    LocationKind::AcceleratorStream => true,
                    _ => return None,
                };
                Some((task_of(definitions, &tasks, location.group)?, is_stream, id))
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
        let computers = order::distinct(nodes.iter().copied().map(u64::from));
        let mut own = Self { of_locations, tasks, computers, nodes: vec![] };
        own.nodes = nodes.into_iter().map(|node| own.node(node).unwrap_or(0)).collect();
        own
    }

    /// The number of a computer with processes.
    fn node(&self, node: u32) -> Option<u32> {
        let at = self.computers.binary_search(&u64::from(node)).ok();
        at.filter(|_| u64::from(node) != UNDEFINED).map(|at| at as u32 + 1)
    }

    /// `None` if it is no thread, or nobody says whose.
    pub fn get(&self, location: u64) -> Option<Object> {
        self.of_locations.get(location).copied()
    }

    /// Whose level a location reads by a metric: what that is of, or else that of its own thread or
    /// process. `None` if nobody says. O(log n + depth of the system tree).
    pub fn of_level(
        &self,
        definitions: &Definitions,
        metric: u64,
        location: u64,
    ) -> Option<Object> {
        let task_of = |group| task_of(definitions, &self.tasks, group);
        let task_of_location = |location| task_of(definitions.locations.get(location)?.group);
        let own_task = task_of_location(location);
        let scope = definitions.instances.get(metric).map_or(Scope::Other, |of| of.scope);
        let beside = match scope {
            Scope::Location(of) if of != location => task_of_location(of).map(Beside::Task),
            Scope::Group(of) => task_of(of as u32).map(Beside::Task),
            Scope::Node(of) => {
                // Of more than one computer: of that which reads it.
                let own = || self.nodes.get(own_task?.checked_sub(1)? as usize).copied();
                self.node(node_of(definitions, of as u32)).or_else(own).map(Beside::Node)
            }
            Scope::Location(_) | Scope::Other => None,
        };
        if beside.is_none()
            && let Some(thread) = self.get(location)
        {
            return Some(thread);
        }
        let number = definitions.locations.place(location)? as u32 + 1;
        Some(Object::reader(beside.or(own_task.map(Beside::Task))?, number))
    }
}

/// The task of a group: the process that it is, or that what belongs to an accelerator is of.
fn task_of(definitions: &Definitions, tasks: &Table<u32>, group: u32) -> Option<u32> {
    let of = definitions.groups.get(u64::from(group))?;
    let process = if of.is_process { group } else { of.creator };
    tasks.get(u64::from(process)).copied()
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
