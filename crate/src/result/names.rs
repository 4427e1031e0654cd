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
            Self::Address => "address",
        }
    }
}

/// Settings of formulas, which are left out with pseudonyms: their words are a person's own.
const FORMULAS: &str = "expressions";
/// View keys that name something of the trace; what they name that is not in the link is left out.
const NAMING: [&str; 3] = ["picked", "object", "pane"];
const ADDRESSES: &str = "sourceURL";

/// Every name in a folding and of the files it was made of, by what it is of, in order of first use.
pub fn names(
    folding: &Folding,
    inputs: &[Input],
    settings: &BTreeMap<String, String>,
    view: &BTreeMap<String, String>,
) -> Vec<(NameKind, Vec<String>)> {
    let mut found = Found::default();
    let mut folding = folding.clone();
    each_name(&mut folding, &mut |kind, name| found.add(kind, name));
    inputs.iter().for_each(|input| found.add(NameKind::File, &input.name));
    let own = folding.models.iter().filter(|model| model.own);
    own.for_each(|model| found.add(NameKind::Formula, &model.title));
    settings.get(FORMULAS).into_iter().for_each(|text| found.add(NameKind::Formula, text));
    view.get(ADDRESSES).into_iter().for_each(|text| found.add(NameKind::Address, text));
    let mut kinds: Vec<(NameKind, Vec<String>)> = vec![];
    for (kind, name) in found.order {
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, names)) => names.push(name),
            None => kinds.push((kind, vec![name])),
        }
    }
    kinds.sort_by_key(|(kind, _)| *kind);
    kinds
}

#[derive(Default)]
struct Found {
    known: BTreeMap<(NameKind, String), u32>,
    order: Vec<(NameKind, String)>,
    of_kind: BTreeMap<NameKind, u32>,
}

impl Found {
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
        let Group { routines, places, objects, phases, breaks, activity, callers, part, .. } =
            group;
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
    }
}

/// Others for the names of a folding: `routine 1`, `file 2`; the same for the same folding.
pub struct Pseudonyms {
    of: BTreeMap<(NameKind, String), String>,
    /// The same for texts, longest first.
    in_texts: Vec<(String, String)>,
}

impl Pseudonyms {
    /// `region`: the number of the region among those of the trace, by which it is found again.
    pub fn of(folding: &Folding, inputs: &[Input], region: u32) -> Self {
        let mut found = Found::default();
        each_name(&mut folding.clone(), &mut |kind, name| found.add(kind, name));
        inputs.iter().for_each(|input| found.add(NameKind::File, &input.name));
        let of = found.known.into_iter().map(|((kind, name), number)| {
            let number = if kind == NameKind::Region { region } else { number };
            ((kind, name), format!("{} {number}", kind.word()))
        });
        let of: BTreeMap<_, _> = of.collect();
        let texts = of.iter().map(|((_, name), other)| (name.clone(), other.clone()));
        let mut in_texts: Vec<_> = texts.collect();
        in_texts.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Self { of, in_texts }
    }

    /// Takes the place of all names in `folding`. Formulas of a person go, and where notices were met.
    pub fn rename(&self, folding: &mut Folding) {
        each_name(folding, &mut |kind, name| {
            if let Some(other) = self.of.get(&(kind, name.clone())) {
                name.clone_from(other);
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
        self.of.get(&(NameKind::File, name.to_owned())).cloned().unwrap_or_default()
    }

    /// Settings that name nothing; what they cannot be without a name is left out.
    pub fn settings(&self, settings: &Settings) -> Settings {
        let mut texts = BTreeMap::from(settings.clone());
        texts.remove(FORMULAS);
        if let Some(region) = texts.get_mut("region") {
            let other = self.of.iter().find(|((kind, _), _)| *kind == NameKind::Region);
            *region = other.map_or_else(String::new, |(_, other)| other.clone());
        }
        let mut renamed = Settings::default();
        for (key, value) in texts {
            // What does not read back is of a name, and changes no number here.
            let _ = renamed.set(&key, &self.text(&value));
        }
        renamed
    }

    /// What the page shows, without addresses and without what the link has no name for.
    pub fn view(&self, view: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let renamed = view.iter().filter_map(|(key, value)| {
            let other = self.text(value);
            let is_left_out = key == ADDRESSES || NAMING.contains(&&key[..]) && other == *value;
            (!is_left_out).then(|| (key.clone(), other))
        });
        renamed.collect()
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
