//! What a person picked to see alone: a routine, a line, a data object or a memory level.

use serde::{Deserialize, Deserializer};

use crate::folding::MemoryLevel;

/// What was picked, by its name in the folding.
#[derive(Clone, Debug, PartialEq)]
pub enum Picked {
    Routine(String),
    Line { file: String, line: u32 },
    Object(String),
    Level(MemoryLevel),
}

impl Picked {
    /// From `routine:NAME`, `line:NUMBER:FILE`, `object:NAME` or `level:NUMBER`; `None` of anything
    /// else.
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, name) = text.split_once(':')?;
        match kind {
            "routine" => Some(Self::Routine(name.to_owned())),
            "object" => Some(Self::Object(name.to_owned())),
            "level" => Some(Self::Level(MemoryLevel::of(name.parse().ok()?))),
            "line" => {
                let (line, file) = name.split_once(':')?;
                Some(Self::Line { file: file.to_owned(), line: line.parse().ok()? })
            }
            _ => None,
        }
    }
}

/// As the page names it: what has no such form picks nothing.
pub fn of_text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Picked>, D::Error> {
    Ok(Option::<String>::deserialize(from)?.and_then(|text| Picked::parse(&text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_form() {
        let line = Picked::Line { file: "a:b.c".to_owned(), line: 12 };
        for (text, expected) in [
            ("routine:std::sort", Some(Picked::Routine("std::sort".to_owned()))),
            ("object:stream.c:181", Some(Picked::Object("stream.c:181".to_owned()))),
            ("line:12:a:b.c", Some(line)),
            ("level:7", Some(Picked::Level(MemoryLevel::Dram))),
            ("level:x", None),
            ("line:12", None),
            ("other:1", None),
            ("", None),
        ] {
            assert_eq!(Picked::parse(text), expected, "{text}");
        }
    }
}
