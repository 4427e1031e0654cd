use crate::order::Numbers;
use crate::profile::{NodeKind, Nodes, Words};
use crate::source::{Frame, whole_name};
use crate::trace::{Event, Kind, Origin, Paradigm, Trace};

/// The root of every thread: from the first thing that is known of it to the last.
const ROOT: &str = "application";
/// In place of a routine that is not known.
const UNRESOLVED: &str = "unresolved";

/// The nodes that probes and samples of all threads make.
pub struct Tree<'trace> {
    trace: &'trace Trace,
    pub nodes: Nodes,
    regions: Cache<Words>,
    /// `None` of frames that the tracer could not resolve.
    frames: Cache<Option<Words>>,
    /// By region and the place it is called from.
    sites: Cache<u32>,
}

/// What numbers of the trace stand for, found once.
struct Cache<T> {
    numbers: Numbers,
    found: Vec<T>,
}

impl<T: Copy> Cache<T> {
    fn new() -> Self {
        Self { numbers: Numbers::default(), found: vec![] }
    }
}

impl<'trace> Tree<'trace> {
    pub fn new(trace: &'trace Trace) -> Self {
        let mut nodes = Nodes::default();
        let root = nodes.words(ROOT, "", 0);
        nodes.child(None, NodeKind::Probe, root);
        Self { trace, nodes, regions: Cache::new(), frames: Cache::new(), sites: Cache::new() }
    }

    pub fn root(&self) -> u32 {
        0
    }

    /// The node of the region that begins with an event, and its name by number.
    pub fn probe(&mut self, parent: u32, event: Event) -> (u32, u32) {
        let words = self.region(event);
        let node = self.nodes.child(Some(parent), NodeKind::Probe, words);
        let group = &mut self.nodes.nodes[node as usize].group;
        if group.is_empty() {
            group.push_str(group_of(self.trace.kind(event.event_type)));
        }
        (node, self.nodes.name(words))
    }

    /// The part of a region's calls that come from one place, called as TAU calls it.
    pub fn call_site(&mut self, region: u32, site: Words) -> u32 {
        let number = self.sites.numbers.of([region.into(), site.into(), 0]);
        if let Some(part) = self.sites.found.get(number) {
            return *part;
        }
        let callee = &self.nodes.nodes[region as usize].name;
        let (caller, file, line) = self.nodes.spelled(site);
        let (name, file) = (format!("[CALLSITE] {callee} [@] {caller}"), file.to_owned());
        let words = self.nodes.words(&name, &file, line);
        let part = self.nodes.child(Some(region), NodeKind::Part, words);
        self.sites.found.push(part);
        part
    }

    /// What the region is called that begins with an event: a routine by its name, a call of a runtime
    /// by its own, anything else as `TYPE:VALUE`, and as `TYPE` where the value has no name.
    pub fn region(&mut self, event: Event) -> Words {
        let number = self.regions.numbers.of([event.event_type.into(), event.value, 0]);
        if let Some(words) = self.regions.found.get(number) {
            return *words;
        }
        let Event { event_type, value } = event;
        let known = self.trace.types.get(event_type as usize);
        let label = known.and_then(|known| self.trace.labels.of_value(known.code, value));
        let of_type = known.map_or("", |known| known.name.as_str());
        let name = match (self.trace.kind(event_type), label) {
            (_, Some("")) => of_type.to_owned(),
            (Kind::Region(_, Origin::Code | Origin::Outlined), Some(label)) => {
                whole_name(label).to_owned()
            }
            (Kind::Region(_, Origin::Runtime(_)), Some(label)) => label.to_owned(),
            _ => format!("{of_type}:{}", self.trace.value_name(event_type, value)),
        };
        let words = self.nodes.words(&name, "", 0);
        self.regions.found.push(words);
        words
    }

    /// Routine and line of a frame; `None` if the routine is not known.
    pub fn frame(&mut self, frame: Frame) -> Option<Words> {
        let number = self.frames.numbers.of(frame.key());
        if let Some(words) = self.frames.found.get(number) {
            return *words;
        }
        let words = frame.in_words(self.trace).map(|(code_line, routine)| {
            self.nodes.words(&routine, &code_line.file, code_line.line)
        });
        self.frames.found.push(words);
        words
    }

    pub fn unresolved(&mut self) -> Words {
        self.nodes.words(UNRESOLVED, "", 0)
    }
}

/// What a region belongs to, in words of TAU where it has some; empty of what is the program's own.
fn group_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Region(_, Origin::Runtime(paradigm)) => match paradigm {
            Paradigm::Mpi => "MPI",
            Paradigm::OpenMp | Paradigm::OpenMpWork | Paradigm::Lock | Paradigm::Critical => {
                "OpenMP"
            }
            Paradigm::Pthread => "PTHREAD",
            Paradigm::Accelerator => "ACCELERATOR",
            Paradigm::Io => "IO",
            Paradigm::System => "SYSTEM",
        },
        _ => "",
    }
}
