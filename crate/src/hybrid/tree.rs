use std::collections::BTreeMap;

use crate::order::Numbers;
use crate::profile::{Node, NodeKind};
use crate::source::{CodeLine, Frame, whole_name};
use crate::trace::{Event, Kind, Origin, Trace};

/// The root of every thread: from the first thing that is known of it to the last.
const ROOT: &str = "application";
/// In place of a routine that is not known.
const UNRESOLVED: &str = "unresolved";

/// What a node is called: a name and, of what is sampled, a line. By number, each once.
pub type Words = u32;

/// The nodes that probes and samples of all threads make, each numbered when it is met first.
pub struct Tree<'trace> {
    trace: &'trace Trace,
    pub nodes: Vec<Node>,
    by_path: Numbers,
    /// Names by number, and lines.
    words: Vec<(u32, CodeLine)>,
    by_words: BTreeMap<(u32, CodeLine), Words>,
    names: Vec<String>,
    by_name: BTreeMap<String, u32>,
    regions: Cache<Words>,
    /// `None` of frames that the tracer could not resolve.
    frames: Cache<Option<Words>>,
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
        let mut tree = Self {
            trace,
            nodes: vec![],
            by_path: Numbers::default(),
            words: vec![],
            by_words: BTreeMap::new(),
            names: vec![],
            by_name: BTreeMap::new(),
            regions: Cache::new(),
            frames: Cache::new(),
        };
        let root = tree.words(ROOT.to_owned(), CodeLine::default());
        tree.child(None, NodeKind::Probe, root);
        tree
    }

    pub fn root(&self) -> u32 {
        0
    }

    /// The node of this kind and these words below `parent`. O(log nodes).
    pub fn child(&mut self, parent: Option<u32>, kind: NodeKind, words: Words) -> u32 {
        let path = [parent.map_or(0, |parent| u64::from(parent) + 1), kind as u64, words.into()];
        let number = self.by_path.of(path);
        if number == self.nodes.len() {
            let (name, code_line) = self.words[words as usize].clone();
            let CodeLine { file, line } = code_line;
            let of_name = self.names[name as usize].clone();
            self.nodes.push(Node { parent, kind, name: of_name, file, line });
        }
        number as u32
    }

    /// The context of what is sampled while the region of `probe` is innermost.
    pub fn context(&mut self, probe: u32) -> u32 {
        let name = self.nodes[probe as usize].name.clone();
        let words = self.words(name, CodeLine::default());
        self.child(Some(probe), NodeKind::Context, words)
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
        let words = self.words(name, CodeLine::default());
        self.regions.found.push(words);
        words
    }

    /// Routine and line of a frame; `None` if the routine is not known.
    pub fn frame(&mut self, frame: Frame) -> Option<Words> {
        let number = self.frames.numbers.of(frame.key());
        if let Some(words) = self.frames.found.get(number) {
            return *words;
        }
        let words = frame.in_words(self.trace).map(|(line, routine)| self.words(routine, line));
        self.frames.found.push(words);
        words
    }

    /// The same routine, whatever the line.
    pub fn without_line(&mut self, words: Words) -> Words {
        let name = self.words[words as usize].0;
        self.numbered(name, CodeLine::default())
    }

    pub fn unresolved(&mut self) -> Words {
        self.words(UNRESOLVED.to_owned(), CodeLine::default())
    }

    /// Numbers of names are equal where the names are.
    pub fn name(&self, words: Words) -> u32 {
        self.words[words as usize].0
    }

    fn words(&mut self, name: String, code_line: CodeLine) -> Words {
        let next = self.names.len() as u32;
        let number = *self.by_name.entry(name.clone()).or_insert(next);
        if number == next {
            self.names.push(name);
        }
        self.numbered(number, code_line)
    }

    fn numbered(&mut self, name: u32, code_line: CodeLine) -> Words {
        let next = self.words.len() as u32;
        let number = *self.by_words.entry((name, code_line.clone())).or_insert(next);
        if number == next {
            self.words.push((name, code_line));
        }
        number
    }
}
