use std::collections::HashMap;

use super::{Node, NodeKind};
use crate::order::Numbers;

/// What a node is called: a name and, where it is told, file and line. By number, each once.
pub type Words = u32;

/// The nodes of a profile while it is made, each numbered when it is met first.
#[derive(Default)]
pub struct Nodes {
    pub nodes: Vec<Node>,
    by_path: Numbers,
    /// Names by number, file and line.
    words: Vec<(u32, String, u32)>,
    by_words: HashMap<(u32, String, u32), Words>,
    names: Vec<String>,
    by_name: HashMap<String, u32>,
}

impl Nodes {
    /// The node of this kind and these words below `parent`. O(log nodes).
    pub fn child(&mut self, parent: Option<u32>, kind: NodeKind, words: Words) -> u32 {
        let path = [parent.map_or(0, |parent| u64::from(parent) + 1), kind as u64, words.into()];
        let number = self.by_path.of(path);
        if number == self.nodes.len() {
            let (name, file, line) = self.words[words as usize].clone();
            let name = self.names[name as usize].clone();
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
        let number = match self.by_name.get(name) {
            Some(number) => *number,
            None => {
                let next = self.names.len() as u32;
                self.names.push(name.to_owned());
                self.by_name.insert(name.to_owned(), next);
                next
            }
        };
        self.numbered(number, file.to_owned(), line)
    }

    /// The same name, whatever the line.
    pub fn without_line(&mut self, words: Words) -> Words {
        let name = self.name(words);
        self.numbered(name, String::new(), 0)
    }

    /// Numbers of names are equal where the names are.
    pub fn name(&self, words: Words) -> u32 {
        self.words[words as usize].0
    }

    fn numbered(&mut self, name: u32, file: String, line: u32) -> Words {
        let next = self.words.len() as u32;
        let number = *self.by_words.entry((name, file.clone(), line)).or_insert(next);
        if number == next {
            self.words.push((name, file, line));
        }
        number
    }
}
