use serde::{Deserialize, Serialize};

use super::formula::Formula;
use super::spelling;

/// The axis that a component is drawn against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axis {
    #[default]
    Left,
    Right,
}

/// One quantity of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Component {
    /// What later components of the model call it; unique in the model.
    pub name: String,
    /// What a person reads.
    #[serde(default)]
    pub title: String,
    #[serde(rename = "right", with = "is_right", default)]
    pub axis: Axis,
    /// Red, green, blue, if the file asks for a colour.
    #[serde(default)]
    pub colour: Option<[u8; 3]>,
    /// A step on the way to other components, not drawn.
    #[serde(default)]
    pub hidden: bool,
    /// A sentence or two on what it means; empty if the file has none.
    #[serde(default)]
    pub explanation: String,
    /// Of the model's counters; earlier components are already put in.
    pub formula: Formula,
}

/// Formulas of counters that belong into one picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Model {
    pub name: String,
    pub title: String,
    /// The axis titles; empty if the file has none.
    pub left: String,
    pub right: String,
    /// Whether the components on the left axis are parts of a whole, drawn as areas on one another.
    pub stacked: bool,
    /// Where the formulas are from; empty if the file does not say.
    pub source: String,
    /// The model that has the same in more detail: where that one is possible, this one is not
    /// offered. Empty if there is none.
    #[serde(skip)]
    pub unless: String,
    /// Whether a person gave it: its words are not ours.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own: bool,
    /// As the file has them, in the order of first use: a name, or several with `|` between them.
    pub counters: Vec<String>,
    pub components: Vec<Component>,
}

impl Model {
    /// What its left axis is shares of, if its title says so: 1, or 100 %.
    pub fn whole(&self) -> Option<f64> {
        let titles = [("Share of ", 1.0), ("% of ", 100.0)];
        titles.iter().find(|(title, _)| self.left.starts_with(title)).map(|(_, whole)| *whole)
    }
}

/// An axis in JSON: whether it is the right one.
mod is_right {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Axis;

    pub fn serialize<S: Serializer>(axis: &Axis, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bool(*axis == Axis::Right)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Axis, D::Error> {
        Ok(if bool::deserialize(from)? { Axis::Right } else { Axis::Left })
    }
}

impl Model {
    /// The counters that are not among `available`, in the order of the model.
    pub fn missing(&self, available: &[&str]) -> Vec<&str> {
        let counters = self.counters.iter().map(String::as_str);
        counters.filter(|asked| spelling::find(asked, available).is_none()).collect()
    }

    /// For each counter of the model its place in `available`: `rates[n]` of a component's formula
    /// is the rate of `available[places[n]]`. `None` if one is missing.
    ///
    /// A counter is met by its own name, else by another spelling of the same event: other case,
    /// `.` for `:`, perf's `cpu/…/` around it or `:u` after it.
    pub fn places(&self, available: &[&str]) -> Option<Vec<usize>> {
        self.counters.iter().map(|asked| spelling::find(asked, available)).collect()
    }
}

/// The models whose counters are all among `available`, in the order given; one that stands in for
/// another only if that other is not possible.
pub fn possible<'a>(models: &'a [Model], available: &[&str]) -> Vec<&'a Model> {
    let is_possible = |model: &&Model| model.missing(available).is_empty();
    let found = models.iter().filter(is_possible).collect::<Vec<_>>();
    let stands_in = |model: &Model| found.iter().any(|other| other.name == model.unless);
    found.iter().copied().filter(|model| !stands_in(model)).collect()
}

#[cfg(test)]
mod tests {
    use crate::model::{possible, read};

    fn models() -> Vec<crate::model::Model> {
        let xml = "<models>\
            <model name='fine'><component name='x' where='y1'><operation type='-'>\
            <value>A|B</value><value>C</value></operation></component></model>\
            <model name='coarse' unless='fine'><component name='x' where='y1'>\
            <value>C</value></component></model></models>";
        read("m.xml", xml.as_bytes()).unwrap()
    }

    #[test]
    fn what_a_model_lacks_is_said_and_what_it_has_is_found() {
        let [fine, _] = models().try_into().unwrap();
        assert_eq!(fine.missing(&["X", "c"]), ["A|B"]);
        assert_eq!(fine.places(&["X", "c"]), None);
        assert_eq!(fine.places(&["B", "X", "c:u"]), Some(vec![0, 2]));
        assert_eq!(fine.components[0].formula.evaluate(&[5.0, 2.0]), Some(3.0));
    }

    #[test]
    fn a_coarser_model_is_offered_only_where_the_finer_is_not_possible() {
        let models = models();
        let names = |available: &[&str]| {
            possible(&models, available).iter().map(|m| m.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&["A", "C"]), ["fine"]);
        assert_eq!(names(&["C"]), ["coarse"]);
        assert!(names(&["A"]).is_empty());
    }
}
