use super::{Node, NodeKind};
use crate::order::{Numbers, Texts};

/// What a node is called: a name and, where it is told, file and line. By number, each once.
pub type Words = u32;

/// The nodes of a profile while it is made, each numbered when it is met first.
#[derive(Default)]
pub struct Nodes {
    pub nodes: Vec<Node>,
    by_path: Numbers,
    texts: Texts,
    /// Name and file by number, and line.
    words: Vec<[u32; 3]>,
    by_words: Numbers,
}

impl Nodes {
    /// The node of this kind and these words below `parent`. O(log nodes).
    pub fn child(&mut self, parent: Option<u32>, kind: NodeKind, words: Words) -> u32 {
        let path = [parent.map_or(0, |parent| u64::from(parent) + 1), kind as u64, words.into()];
        let number = self.by_path.of(path);
        if number == self.nodes.len() {
            let [name, file, line] = self.words[words as usize];
            let [name, file] = [name, file].map(|at| self.texts.texts[at as usize].clone());
            self.nodes.push(Node { parent, kind, name, file, line, group: String::new() });
        }
        number as u32
    }

    /// The same, if there is one.
    pub fn get(&self, parent: Option<u32>, kind: NodeKind, words: Words) -> Option<u32> {
        let path = [parent.map_or(0, |parent| u64::from(parent) + 1), kind as u64, words.into()];
        self.by_path.get(path).map(|number| number as u32)
    }

    /// The context of what is sampled while the region of `probe` is innermost.
    pub fn context(&mut self, probe: u32) -> u32 {
        let name = self.nodes[probe as usize].name.clone();
        let words = self.words(&name, "", 0);
        self.child(Some(probe), NodeKind::Context, words)
    }

    pub fn words(&mut self, name: &str, file: &str, line: u32) -> Words {
        let words = [self.texts.of(name), self.texts.of(file), line];
        self.numbered(words)
    }

    /// The same name, whatever the line.
    pub fn without_line(&mut self, words: Words) -> Words {
        let words = [self.name(words), self.texts.of(""), 0];
        self.numbered(words)
    }

    /// Name, file and line.
    pub fn spelled(&self, words: Words) -> (&str, &str, u32) {
        let [name, file, line] = self.words[words as usize];
        let text = |number: u32| self.texts.texts[number as usize].as_str();
        (text(name), text(file), line)
    }

    /// Numbers of names are equal where the names are.
    pub fn name(&self, words: Words) -> u32 {
        self.words[words as usize][0]
    }

    fn numbered(&mut self, words: [u32; 3]) -> Words {
        let number = self.by_words.of(words.map(u64::from));
        if number == self.words.len() {
            self.words.push(words);
        }
        number as Words
    }
}
