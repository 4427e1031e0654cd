//! Names that leave with a link: which, and others in their place.

use std::collections::BTreeMap;

use super::Input;
use crate::folding::{Folding, Group, Place};
use crate::settings::Settings;

/// What a name is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    /// Of a trace or of source text.
    File,
    Region,
    Routine,
    /// Of data.
    Object,
    /// Given by a person.
    Phase,
    /// Of a runtime, with the place that it is made from.
    Call,
    /// Of formulas that a person wrote or dropped.
    Formula,
    /// A level that nobody but the program describes.
    Gauge,
    /// From where source text is loaded.
    Address,
}

impl NameKind {
    /// One of them.
    pub fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Region => "region",
            Self::Routine => "routine",
            Self::Object => "object",
            Self::Phase => "phase",
            Self::Call => "call",
            Self::Formula => "formula",
            Self::Gauge => "gauge",
            Self::Address => "address",
        }
    }
}

/// The setting of formulas: their words are a person's own.
const FORMULAS: &str = "expressions";
/// Settings that are left out with pseudonyms: formulas and which of them are shown, and the call at which
/// passes of a loop begin.
const LEFT_OUT: [&str; 3] = [FORMULAS, "models", "boundary"];
const ADDRESSES: &str = "sourceURL";

/// Shorter names of routines and calls are words of notices, too.
const SHORTEST_IN_TEXTS: usize = 4;

/// Every name in a folding and of the files it was made of, by what it is of, in order of first use.
pub fn names(
    folding: &Folding,
    inputs: &[Input],
    settings: &BTreeMap<String, String>,
    view: &BTreeMap<String, String>,
) -> Vec<(NameKind, Vec<String>)> {
    let mut met = Met::default();
    let mut folding = folding.clone();
    each_name(&mut folding, &mut |kind, name| met.add(kind, name));
    inputs.iter().for_each(|input| met.add(NameKind::File, &input.name));
    let own = folding.models.iter().filter(|model| model.own);
    own.for_each(|model| met.add(NameKind::Formula, &model.title));
    settings.get(FORMULAS).into_iter().for_each(|text| met.add(NameKind::Formula, text));
    view.get(ADDRESSES).into_iter().for_each(|text| met.add(NameKind::Address, text));
    let mut kinds: Vec<(NameKind, Vec<String>)> = vec![];
    for (kind, name) in met.order {
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, names)) => names.push(name),
            None => kinds.push((kind, vec![name])),
        }
    }
    kinds.sort_by_key(|(kind, _)| *kind);
    kinds
}

#[derive(Default)]
struct Met {
    known: BTreeMap<(NameKind, String), u32>,
    order: Vec<(NameKind, String)>,
    of_kind: BTreeMap<NameKind, u32>,
}

impl Met {
    fn add(&mut self, kind: NameKind, name: &str) {
        let key = (kind, name.to_owned());
        if name.is_empty() || self.known.contains_key(&key) {
            return;
        }
        let number = self.of_kind.entry(kind).or_default();
        *number += 1;
        self.known.insert(key.clone(), *number);
        self.order.push(key);
    }
}

/// Visits every name of a folding; texts that mention names are not among them.
fn each_name(folding: &mut Folding, visit: &mut dyn FnMut(NameKind, &mut String)) {
    visit(NameKind::File, &mut folding.trace.name);
    visit(NameKind::Region, &mut folding.region);
    let of_places = |places: &mut Vec<Place>, visit: &mut dyn FnMut(NameKind, &mut String)| {
        places.iter_mut().for_each(|place| visit(NameKind::File, &mut place.file));
    };
    for group in &mut folding.groups {
        let Group {
            routines,
            places,
            objects,
            phases,
            breaks,
            activity,
            callers,
            part,
            gauges,
            ..
        } = group;
        routines.iter_mut().for_each(|name| visit(NameKind::Routine, name));
        of_places(places, visit);
        if let Some(callers) = callers {
            callers.routines.iter_mut().for_each(|name| visit(NameKind::Routine, name));
            of_places(&mut callers.places, visit);
        }
        let of_part = part.iter_mut().flat_map(|part| &mut part.objects).map(|(_, object)| object);
        let objects = objects.iter_mut().chain(of_part);
        objects.for_each(|object| visit(NameKind::Object, &mut object.name));
        phases.iter_mut().for_each(|phase| visit(NameKind::Phase, &mut phase.name));
        breaks.iter_mut().for_each(|between| visit(NameKind::Call, &mut between.site));
        let lowest = activity.iter_mut().flat_map(|activity| &mut activity.lowest);
        let calls = lowest.flat_map(|lowest| &mut lowest.call);
        calls.for_each(|call| visit(NameKind::Call, call));
        let levels = gauges.iter_mut().filter(|gauge| !gauge.is_rate);
        levels.for_each(|level| visit(NameKind::Gauge, &mut level.name));
    }
}

/// Others for the names of a folding: `routine 1`, `file 2`; the same for the same folding.
pub struct Pseudonyms {
    of: BTreeMap<(NameKind, String), String>,
    /// The same for notices, longest first: of what they mention, and names that are no words of theirs.
    in_texts: Vec<(String, String)>,
    /// Models that are not a person's own.
    models: Vec<String>,
}

impl Pseudonyms {
    /// `region`: the number of the region among those of the trace, by which it is found again.
    pub fn of(folding: &Folding, inputs: &[Input], region: u32) -> Self {
        let mut met = Met::default();
        each_name(&mut folding.clone(), &mut |kind, name| met.add(kind, name));
        inputs.iter().for_each(|input| met.add(NameKind::File, &input.name));
        let (own, models): (Vec<_>, Vec<_>) = folding.models.iter().partition(|model| model.own);
        own.iter().for_each(|model| met.add(NameKind::Formula, &model.title));
        let of = met.known.into_iter().map(|((kind, name), number)| {
            let number = if kind == NameKind::Region { region } else { number };
            let unit = if kind == NameKind::Gauge { unit(&name) } else { "" };
            let other = format!("{} {number}{unit}", kind.word());
            ((kind, name), other)
        });
        let of: BTreeMap<_, _> = of.collect();
        let is_mentioned = |((kind, name), _): &(&(NameKind, String), &String)| match kind {
            NameKind::File | NameKind::Region | NameKind::Formula => true,
            NameKind::Routine | NameKind::Call => name.len() >= SHORTEST_IN_TEXTS,
            _ => false,
        };
        let texts = of.iter().filter(is_mentioned);
        let texts = texts.map(|((_, name), other)| (name.clone(), other.clone()));
        let mut in_texts: Vec<_> = texts.collect();
        let of_type = folding.region.rsplit_once(':').map(|(of_type, _)| of_type.to_owned());
        in_texts.extend(of_type.map(|of_type| (of_type, format!("type of region {region}"))));
        in_texts.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let models = models.into_iter().map(|model| model.name.clone()).collect();
        Self { of, in_texts, models }
    }

    fn other(&self, kind: NameKind, name: &str) -> Option<String> {
        self.of.get(&(kind, name.to_owned())).cloned()
    }

    /// Takes the place of all names in `folding`. Formulas of a person go, and where notices were met.
    pub fn rename(&self, folding: &mut Folding) {
        each_name(folding, &mut |kind, name| {
            if let Some(other) = self.other(kind, name) {
                *name = other;
            }
        });
        folding.models.retain(|model| !model.own);
        for notice in &mut folding.notices {
            notice.text = self.text(&notice.text);
            notice.first.clear();
        }
        let of_trace = &mut folding.trace;
        of_trace.partial = of_trace.partial.as_deref().map(|words| self.text(words));
        of_trace.provenance.references = self.text(&of_trace.provenance.references);
    }

    /// The file of a trace under another name.
    pub fn file(&self, name: &str) -> String {
        self.other(NameKind::File, name).unwrap_or_default()
    }

    /// Settings that name nothing; what they cannot be without a name is left out.
    pub fn settings(&self, settings: &Settings) -> Settings {
        let names = settings.names.renamed(|name| self.other(NameKind::Phase, name));
        let mut texts = BTreeMap::from(Settings { names, ..settings.clone() });
        LEFT_OUT.iter().for_each(|key| _ = texts.remove(*key));
        if let Some(region) = texts.get_mut("region") {
            let other = self.of.iter().find(|((kind, _), _)| *kind == NameKind::Region);
            *region = other.map_or_else(String::new, |(_, other)| other.clone());
        }
        let mut renamed = Settings::default();
        for (key, value) in texts {
            // All were read from texts like these.
            let _ = renamed.set(&key, &value);
        }
        renamed
    }

    /// What the page shows, without addresses and without what the link has no name for.
    pub fn view(&self, view: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let renamed = view.iter().filter_map(|(key, value)| {
            let other = self.of_view(key, value)?;
            Some((key.clone(), other))
        });
        renamed.collect()
    }

    /// What a key of the view is with other names; `None` if it names what has none.
    fn of_view(&self, key: &str, value: &str) -> Option<String> {
        let line = |text: &str| {
            let (line, file) = text.split_once(':')?;
            Some(format!("{line}:{}", self.other(NameKind::File, file)?))
        };
        match key {
            ADDRESSES => None,
            "object" => self.other(NameKind::Object, value),
            "pane" => line(value),
            "model" => self.models.iter().find(|name| *name == value).cloned(),
            "picked" => {
                let (kind, name) = value.split_once(':')?;
                let other = match kind {
                    "routine" => self.other(NameKind::Routine, name),
                    "object" => self.other(NameKind::Object, name),
                    "line" => line(name),
                    "level" => Some(name.to_owned()),
                    _ => None,
                };
                Some(format!("{kind}:{}", other?))
            }
            _ => Some(value.to_owned()),
        }
    }

    /// A text with other names in it, where they stand as words of their own. O(text × names).
    fn text(&self, text: &str) -> String {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let (mut renamed, mut rest, mut before) = (String::new(), text, ' ');
        while let Some(letter) = rest.chars().next() {
            let stands = |(name, _): &&(String, String)| {
                let ends = rest[..].strip_prefix(&name[..]).map(|after| {
                    let next = after.chars().next().unwrap_or(' ');
                    !(name.ends_with(is_word) && is_word(next))
                });
                ends == Some(true) && !(is_word(before) && name.starts_with(is_word))
            };
            match self.in_texts.iter().find(stands) {
                Some((name, other)) => {
                    renamed += other;
                    before = ' ';
                    rest = &rest[name.len()..];
                }
                None => {
                    renamed.push(letter);
                    before = letter;
                    rest = &rest[letter.len_utf8()..];
                }
            }
        }
        renamed
    }
}

/// What stands in brackets at the end of the name of a level, with the blank before it.
fn unit(name: &str) -> &str {
    let begin = name.rfind(['(', '[']).filter(|_| name.ends_with([')', ']']));
    let name_ends = begin.map(|begin| name[..begin].trim_end().len());
    name_ends.map_or("", |end| &name[end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::FoldingNotice;
    use crate::folding::example::folding;

    fn pseudonyms(folding: &Folding) -> Pseudonyms {
        let input = Input { name: "secret.pcf".to_owned(), ..Input::default() };
        Pseudonyms::of(folding, &[input], 7)
    }

    #[test]
    fn no_name_is_left_and_no_number_changes() {
        let mut before = folding(2);
        before.region = "User function:solve_it".to_owned();
        before.trace.name = "secret.prv".to_owned();
        before.groups[0].routines[0] = "solve_it".to_owned();
        before.groups[0].routines[1] = "helper<int>".to_owned();
        let text = "In helper<int> of secret.prv, called by solve_it2 and (solve_it).".to_owned();
        before.notices = vec![FoldingNotice {
            text,
            count: 1,
            first: "secret.prv:3".to_owned(),
            groups: vec![],
        }];
        let mut after = before.clone();
        pseudonyms(&before).rename(&mut after);
        assert_eq!((&after.region[..], &after.trace.name[..]), ("region 7", "file 1"));
        assert_eq!(after.groups[0].routines[..3], ["routine 1", "routine 2", "routine 3"]);
        let told = "In routine 2 of file 1, called by solve_it2 and (routine 1).";
        assert_eq!((&after.notices[0].text[..], &after.notices[0].first[..]), (told, ""));
        let json = after.to_json();
        for (kind, names) in names(&before, &[], &BTreeMap::new(), &BTreeMap::new()) {
            for name in names.iter().filter(|name| name.len() > 3) {
                assert!(!json.contains(&format!("\"{name}\"")), "{kind:?} {name}");
            }
        }
        // Names are all that differs.
        each_name(&mut before, &mut |_, name| name.clear());
        each_name(&mut after, &mut |_, name| name.clear());
        (before.notices, after.notices) = (vec![], vec![]);
        assert_eq!(before, after);
    }

    #[test]
    fn no_setting_and_no_view_keeps_a_name_or_loses_a_number() {
        let mut folding = folding(1);
        let group = &mut folding.groups[0];
        group.routines[0] = "solve".to_owned();
        group.objects[0].name = "a".to_owned();
        group.phases[0].name = "3".to_owned();
        group.phases[1].name = "Acme, solve=1".to_owned();
        group.places[0].file = "solve.acme.c".to_owned();
        let level =
            crate::folding::Gauge { name: "Acme queue (jobs)".to_owned(), ..Default::default() };
        group.gauges = vec![level];
        let notice = "a value of solve is divided by 3; No exit of User function is recorded.";
        folding.region = "User function:main".to_owned();
        folding.notices = vec![FoldingNotice { text: notice.to_owned(), ..Default::default() }];
        let pseudonyms = pseudonyms(&folding);
        let mut settings = Settings::default();
        for (key, value) in [
            ("names", "1:1=3,2=Acme%2C solve%3D1,3=gone"),
            ("outliers", "mean:3"),
            ("models", "secret-ratio"),
            ("expressions", "secret-ratio=A/B"),
        ] {
            settings.set(key, value).unwrap();
        }
        let texts = BTreeMap::from(pseudonyms.settings(&settings));
        let names = &texts["names"];
        assert!(names.contains("1=phase") && names.contains("2=phase"), "{names}");
        assert!(!names.contains("Acme") && !names.contains("gone"), "{names}");
        assert_eq!(texts["outliers"], "mean:3");
        assert!(!["models", "expressions"].iter().any(|key| texts.contains_key(*key)), "{texts:?}");
        let view = [
            ("shown", "3"),
            ("selection", "0.2_0.3"),
            ("model", "secret-ratio"),
            ("pane", "12:solve.acme.c"),
            ("picked", "line:12:solve.other.c"),
            ("object", "a"),
        ];
        let view = view.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let renamed = pseudonyms.view(&BTreeMap::from(view));
        let keys = renamed.keys().map(String::as_str).collect::<Vec<_>>();
        assert_eq!(keys, ["object", "pane", "selection", "shown"]);
        assert_eq!((&renamed["shown"][..], &renamed["selection"][..]), ("3", "0.2_0.3"));
        assert!(
            renamed["pane"].starts_with("12:file ") && renamed["object"].starts_with("object ")
        );
        let mut after = folding.clone();
        pseudonyms.rename(&mut after);
        assert_eq!(after.groups[0].gauges[0].name, "gauge 1 (jobs)");
        let expected =
            "a value of routine 1 is divided by 3; No exit of type of region 7 is recorded.";
        assert_eq!(after.notices[0].text, expected);
    }

    #[test]
    fn what_a_person_chose_by_name_is_chosen_by_its_pseudonym() {
        let mut folding = folding(1);
        folding.groups[0].routines[0] = "solve".to_owned();
        let pseudonyms = pseudonyms(&folding);
        let mut settings = Settings::default();
        settings.set("region", "User function:main").unwrap();
        settings.set("group", "none").unwrap();
        let texts = BTreeMap::from(pseudonyms.settings(&settings));
        assert_eq!((&texts["region"][..], &texts["group"][..]), ("region 7", "none"));
        let view = [
            ("picked", "routine:solve"),
            ("object", "elsewhere"),
            ("sourceURL", "https://a/"),
            ("range", "0_0.5"),
        ];
        let view = view.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let renamed = pseudonyms.view(&BTreeMap::from(view));
        let expected = [("picked", "routine:routine 1"), ("range", "0_0.5")];
        let found = renamed.iter().map(|(key, value)| (&key[..], &value[..]));
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
