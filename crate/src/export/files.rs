use super::csv;
use crate::paint::{self, Theme, View};
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
            let all = each().map(Folding::to_json).collect::<Vec<_>>();
            vec![file("folding.json", format!("[{}]", all.join(",")))]
        }
        // The page's engine cannot paint: its painter writes pictures.
        Format::Svg if cfg!(not(feature = "painter")) => vec![],
        Format::Svg => pictures(foldings),
    }
}

/// Size of an exported picture in CSS px, with the gutters of the page.
const PICTURE: (f64, f64) = (976.0, 720.0);
const GUTTERS: (f64, f64) = (112.0, 68.0);

/// One picture a group: `folding.svg`, or `folding-REGION-GROUP.svg` by number if there are several.
fn pictures(foldings: &[(Folding, Points)]) -> Vec<Exported> {
    let count = foldings.iter().map(|(folding, _)| folding.groups.len()).sum::<usize>();
    let picture = |region: usize, folding: &Folding, group: u32| {
        let view = View {
            group,
            from: 0.0,
            to: 1.0,
            theme: Theme::Light,
            width: PICTURE.0,
            height: PICTURE.1,
            left: GUTTERS.0,
            right: GUTTERS.1,
            counter: None,
            hidden: vec![],
        };
        let alone = count == 1;
        let name = if alone { "folding".to_owned() } else { format!("folding-{region}-{group}") };
        let bytes = paint::picture_svg(folding, &view, None).into();
        Exported { name: name + ".svg", bytes }
    };
    let regions = foldings.iter().zip(1..);
    let groups = regions.flat_map(|((folding, _), region)| {
        folding.groups.iter().map(move |group| (region, folding, group.number))
    });
    groups.map(|(region, folding, group)| picture(region, folding, group)).collect()
}
