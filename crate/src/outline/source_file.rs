//! One source file: its lines, its language and, as far as it was looked at, its blocks.

use super::language::{Grammar, Language, Outlined, language_of};
use super::source_text::{NoText, lines_of};
use super::syntax_tree::{Node, blocks_of_nodes};
use super::{Outline, fortran, indentation};

/// The text of a source file and its routines and loops.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceFile {
    /// As the trace calls it.
    pub name: String,
    /// Without their ends.
    pub lines: Vec<String>,
    pub outline: Outline,
    language: Language,
}

impl SourceFile {
    /// A file with its routines and loops. Those of a language that needs a parser are empty, until
    /// [`SourceFile::outline_by_nodes`] is told what a parser says.
    pub fn new(name: &str, bytes: &[u8]) -> Result<Self, NoText> {
        let lines = lines_of(bytes)?;
        let language = language_of(name);
        let outline = match language.outlined {
            Outlined::Fortran => fortran::outline(name, &lines),
            Outlined::Indentation => indentation::outline(&lines),
            Outlined::Parsed(_) | Outlined::Nothing => Outline::default(),
        };
        Ok(Self { name: name.to_owned(), lines, outline, language })
    }

    /// A file of C or C++ is parsed, too.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn parsed(name: &str, bytes: &[u8]) -> Result<Self, NoText> {
        let mut file = Self::new(name, bytes)?;
        if let Some(grammar) = file.grammar() {
            file.outline_by_nodes(&super::parser::nodes(grammar, &file.text()));
        }
        Ok(file)
    }

    /// What parses it, if that is needed.
    pub fn grammar(&self) -> Option<Grammar> {
        match self.language.outlined {
            Outlined::Parsed(grammar) => Some(grammar),
            _ => None,
        }
    }

    /// What a highlighter calls its language.
    pub fn colours(&self) -> Option<&'static str> {
        self.language.colours
    }

    /// What a parser is to read.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// Takes routines and loops out of a syntax tree of [`SourceFile::text`].
    pub fn outline_by_nodes(&mut self, nodes: &[Node]) {
        self.outline = blocks_of_nodes(nodes);
    }

    /// Whether no instruction comes from a line: it is blank, a comment or nothing but closing signs.
    /// The ends of loops do get samples, so that one alone says little.
    pub fn is_without_code(&self, line: u32) -> bool {
        let index = (line as usize).wrapping_sub(1);
        self.lines.get(index).is_some_and(|text| {
            text.trim().chars().all(|c| "}]),;".contains(c)) || self.language.is_comment(text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_code_are_blank_closing_or_comment() {
        let text = b"int f() {\n  // adds\n  x = 1;\n\n  *p = 2;\n  });\n  }, x;\n}\n";
        let file = SourceFile::new("a.c", text).unwrap();
        let without: Vec<_> = (0..12).filter(|line| file.is_without_code(*line)).collect();
        assert_eq!(without, [2, 4, 6, 8]);
    }
}
