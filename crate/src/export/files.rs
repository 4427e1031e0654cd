use super::csv;
use crate::result::{Folding, Points};

/// A file format that a folding can be exported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Csv,
    Json,
    Svg,
}

impl Format {
    /// Every format with its name.
    pub const ALL: [(&'static str, Format); 3] =
        [("csv", Format::Csv), ("json", Format::Json), ("svg", Format::Svg)];

    /// The format of this name, if there is one.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }
}

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The files of one format for these foldings. The page and the command line write the same bytes.
pub fn export(foldings: &[(Folding, Points)], format: Format) -> Vec<Exported> {
    let each = || foldings.iter().map(|(folding, _)| folding);
    let file = |name: &str, text: String| Exported { name: name.to_owned(), bytes: text.into() };
    match format {
        Format::Csv => vec![
            file("curves.csv", csv::curves(each())),
            file("groups.csv", csv::groups(each())),
            file("points.csv", csv::points(foldings.iter().map(|(f, p)| (f, p)))),
            file("lines.csv", csv::lines(each())),
            file("routines.csv", csv::routines(each())),
        ],
        Format::Json => {
            let text = serde_json::to_string(&each().collect::<Vec<_>>()).unwrap_or_default();
            vec![file("folding.json", text)]
        }
        Format::Svg => vec![],
    }
}
