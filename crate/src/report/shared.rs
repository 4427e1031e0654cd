//! What a shared picture is, and what opening its trace adds, in words.

use super::counted;
use crate::quantity::number;
use crate::result::Link;

/// Sentences on a picture that came from a link: of which trace it is and who made it, what of it stayed
/// behind, and what the trace adds.
pub fn shared(link: &Link) -> Vec<String> {
    let folding = &link.folding;
    let by = match &link.origin.version[..] {
        "" => String::new(),
        version => format!(", made by Tracefold {version}"),
    };
    let names = if link.origin.pseudonyms { "; names are pseudonyms" } else { "" };
    let mut words = vec![format!("A shared picture of {}{by}{names}.", folding.trace.name)];
    words.extend(left_out(link));
    words.push(
        "Opening the trace adds its instances, all samples, other regions and other settings."
            .to_owned(),
    );
    words
}

/// What pictures or tables have less of than those of the trace.
fn left_out(link: &Link) -> Option<String> {
    let folding = &link.folding;
    let mut parts = vec![];
    let some = |here: usize, of: u32, what: &str| {
        let is_less = here < of as usize;
        is_less
            .then(|| format!("{} of {} {what}", number(here as f64, 0), number(f64::from(of), 0)))
    };
    if folding.groups_left_out > 0 {
        let all = folding.groups_left_out + folding.groups.len() as u32;
        parts.extend(some(folding.groups.len(), all, "groups"));
    }
    let references = link.references.as_ref();
    parts.extend(references.and_then(|of| some(of.references.x.len(), of.of, "references")));
    let samples = link.samples.as_ref();
    parts.extend(
        samples.and_then(|of| {
            some(of.cloud.x.len(), of.of, &format!("samples of {}", of.cloud.counter))
        }),
    );
    let others = folding.groups.iter().filter_map(|group| group.other_objects);
    let objects = others.map(|others| u64::from(others.objects)).sum::<u64>();
    let mut sentence = match parts.len() {
        0 => String::new(),
        _ => format!("It has {}.", parts.join(", ")),
    };
    if objects > 0 {
        let what = counted(objects, "data object");
        sentence += &format!(" {what} that few references are to stayed behind.");
    }
    let gauges = folding.groups.iter().map(|group| group.other_gauges).max().unwrap_or(0);
    if gauges > 0 {
        sentence += &format!(" {} stayed behind.", counted(u64::from(gauges), "gauge"));
    }
    let others = folding.groups.iter().filter_map(|group| group.code_times.as_ref());
    let lines = others.map(|times| times.others.iter().map(|of| u64::from(of.places)).sum::<u64>());
    let lines = lines.sum::<u64>();
    if lines > 0 {
        let what = counted(lines, "line");
        sentence += &format!(" {what} of few samples stayed behind; routines have their time.");
    }
    let is_coarse =
        |group: &crate::folding::Group| !group.lines.x.is_empty() && group.code_times.is_none();
    if folding.groups.iter().any(is_coarse) {
        sentence += " Tables of code are of the samples that it has, not of all.";
    }
    let mut curves = folding.groups.iter().flat_map(|group| &group.curves);
    // Older links have no such numbers.
    if !link.origin.version.is_empty() && curves.any(|curve| curve.tabled.is_none()) {
        sentence += " Numbers of curves are as coarse as these.";
    }
    let sentence = sentence.trim().to_owned();
    (!sentence.is_empty()).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::example::folding;
    use crate::folding::{Gauge, Group, OtherObjects};
    use crate::result::{Beside, Origin};
    use crate::settings::Settings;

    #[test]
    fn what_stayed_behind_is_told_and_what_the_trace_adds() {
        let mut before = folding(2);
        before.trace.name = "a.prv".to_owned();
        let of = |folding: &crate::folding::Folding, origin: &Origin| {
            let beside = Beside { origin: Some(origin), ..Beside::default() };
            let text = Link::encode(folding, 1, &Settings::default(), "", beside).unwrap();
            shared(&Link::decode(&text).unwrap())
        };
        let adds =
            "Opening the trace adds its instances, all samples, other regions and other settings.";
        let of_nobody = of(&before, &Origin::default());
        assert_eq!(of_nobody, ["A shared picture of a.prv.", adds]);
        before.groups_left_out = 1;
        before.groups.push(Group { number: 2, ..before.groups[0].clone() });
        before.groups[0].other_objects =
            Some(OtherObjects { objects: 3, references: 9, cycles: 0.0 });
        let level = |code| Gauge { name: format!("level {code}"), code, ..Gauge::default() };
        before.groups[1].gauges = (0..10).map(level).collect();
        let origin = Origin { version: "7.1".to_owned(), pseudonyms: true, ..Origin::default() };
        let told = of(&before, &origin);
        let expected = [
            "A shared picture of a.prv, made by Tracefold 7.1; names are pseudonyms.",
            "It has 2 of 3 groups. 3 data objects that few references are to stayed behind. 2 gauges stayed behind.",
            adds,
        ];
        assert_eq!(told, expected);
    }
}
