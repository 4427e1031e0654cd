//! What was odd but harmless, in the trace and in the folding, in sentences, each told once: what
//! makes numbers wrong, what makes them less sure, what is merely odd.

use super::counted::Grouped;
use super::registers::Refreshed;
use crate::address::{self, Allocations};
use crate::folding::{Alignment, Fate, FoldingNotice, Group, ObjectKind};
use crate::instance::{Grouping, How, Region, types_that_close};
use crate::model::Model;
use crate::result::Gap;
use crate::settings::Settings;
use crate::trace::{Kind, Nesting, Trace};

/// Under so many samples curves say little.
const FEW_SAMPLES: u32 = 50;

/// Of more samples than this share nearness alone says who called.
const MOST_AMBIGUOUS: f64 = 0.05;

type Notices = Vec<FoldingNotice>;

/// Adds a notice, or its count to the one of the same text.
fn add(notices: &mut Notices, text: String, count: u64, first: String) {
    match notices.iter_mut().find(|notice| notice.text == text) {
        Some(notice) => notice.count += count,
        None => notices.push(FoldingNotice { text, count, first, groups: vec![] }),
    }
}

/// Adds a notice about a group, or the group to the notice of the same text.
pub fn add_of_group(notices: &mut Notices, text: String, group: u32) {
    add(notices, text.clone(), 1, format!("group {group}"));
    let notice = notices.iter_mut().find(|notice| notice.text == text);
    notice.into_iter().for_each(|notice| notice.groups.push(group));
}

/// What was odd in the trace: what is damaged, or all else.
pub fn of_trace(trace: &Trace, is_damage: bool) -> impl Iterator<Item = FoldingNotice> {
    let of_weight = trace.notices.iter().filter(move |notice| notice.is_damage == is_damage);
    of_weight.map(|notice| FoldingNotice {
        text: notice.text.clone(),
        count: notice.count,
        first: notice.first.to_string(),
        groups: vec![],
    })
}

/// What is told of a run as a whole.
pub fn of_run(text: String) -> FoldingNotice {
    FoldingNotice { text, count: 1, first: String::new(), groups: vec![] }
}

/// Which instances no group took, or gave no samples, and of which groups the threads differ.
pub fn of_grouping(trace: &Trace, grouped: &Grouped, settings: &Settings) -> Notices {
    let mut notices = vec![];
    apart(&mut notices, grouped, settings);
    if let Some(along) = settings.x.as_ref().filter(|_| grouped.off_axis > 0) {
        let text = format!(
            "An instance in which {} is not read at the begin and the end, or counts nothing; \
             it has no place along it and was left out.",
            along.counter
        );
        add(&mut notices, text, grouped.off_axis as u64, String::new());
    }
    if let Region::Events { event_type, .. } = grouped.region {
        never_closes(&mut notices, trace, event_type);
    }
    let least =
        trace.reduced.as_ref().map_or(1, |of| 1u32.checked_shl(of.level).unwrap_or(u32::MAX));
    if least > 1 {
        let text = format!(
            "What was kept of the trace as it came had grown too large: about one in {least} \
             instances shows its samples, and all of them count for the totals."
        );
        add(&mut notices, text, 1, String::new());
    }
    for (group, giving) in grouped.groups.iter().zip(&grouped.giving) {
        let one_in = giving.one_in();
        if giving.is_none() {
            let text = "None of the instances of a group kept its samples, as what was kept of the \
                        trace as it came had grown too large: the totals are of all, the curves \
                        straight lines.";
            add_of_group(&mut notices, text.to_owned(), group.number);
        } else if one_in > least {
            let text = format!(
                "A group has more than {} samples; about one in {one_in} instances shows its \
                 samples, and all of them count for the totals.",
                grouped.most_samples
            );
            add_of_group(&mut notices, text, group.number);
        }
    }
    notices
}

/// Says how many instances no group takes, and of which groups the threads differ.
fn apart(notices: &mut Notices, grouped: &Grouped, settings: &Settings) {
    for (_, fate) in &grouped.apart {
        let text = match (fate, &settings.group) {
            (Fate::Apart, Grouping::Dbscan { .. }) => {
                "An instance that no group takes (noise); it was left out.".to_owned()
            }
            (Fate::ApartByTotal, Grouping::By(counter)) => format!(
                "An instance apart by its total of {counter}: fewer than 5, or than 2 % of all, \
                 count as much; it was left out."
            ),
            (Fate::Uncounted, Grouping::By(counter)) => format!(
                "An instance in which {counter} is not read at the begin and the end; no group by \
                 it takes it, and it was left out."
            ),
            _ => "An instance apart by duration: fewer than 5, or than 2 % of all, last as long; \
                  it was left out."
                .to_owned(),
        };
        add(notices, text, 1, String::new());
    }
    for group in grouped.groups.iter().filter(|group| group.modes > 1) {
        let text = "Threads of a group last a little longer than others of it, and are folded \
                    with them; objects=… folds one by itself."
            .to_owned();
        add_of_group(notices, text, group.number);
    }
}

/// Says of a code type without a single exit how it was read.
fn never_closes(notices: &mut Notices, trace: &Trace, event_type: u32) {
    let Some(of_type) = trace.types.get(event_type as usize) else { return };
    let is_stack = matches!(of_type.kind, Kind::Region(Nesting::Stack, _));
    if is_stack && !types_that_close(trace)[event_type as usize] {
        let name = &of_type.name;
        let text = format!("No exit of {name} is recorded; each one ends where the next begins.");
        add(notices, text, 1, String::new());
    }
}

/// Says in how many instances a counter was refused for a reading that is no count.
pub fn note_absurd(notices: &mut Notices, trace: &Trace, counter: u32, count: u32) {
    let Some(of_type) = trace.types.get(counter as usize).filter(|_| count > 0) else { return };
    let name = &of_type.name;
    let text = format!("An instance with a reading of {name} that is no count; it was left out.");
    add(notices, text, u64::from(count), String::new());
}

/// Says how a register was folded, where it was not as any counter.
pub fn note_register(
    notices: &mut Notices,
    trace: &Trace,
    group: u32,
    counter: u32,
    register: Refreshed,
) {
    let name = &trace.types[counter as usize].name;
    let often = |refresh_ns: u64| {
        format!("{name} is refreshed every {} ms", (refresh_ns / 1000) as f64 / 1e3)
    };
    let text = match register {
        Refreshed::Unknown { instances: 1.. } => format!(
            "How often {name} is refreshed cannot be seen; it is folded as other counters \
             are. If you know, say refresh=NS."
        ),
        Refreshed::NoRegister
        | Refreshed::Unknown { .. }
        | Refreshed::Every { instances: 0, .. }
        | Refreshed::Every { how: How::Counted, .. } => return,
        Refreshed::Every { refresh_ns, how: How::Levels, .. } => format!(
            "{}: its readings count half of that earlier, and its total is that of the \
             curve through them.",
            often(refresh_ns)
        ),
        Refreshed::Every { refresh_ns, how: How::Rises, .. } => format!(
            "{} and is not read at begins and ends: its curve and total are those of what \
             it rose between readings.",
            often(refresh_ns)
        ),
        Refreshed::Every { refresh_ns, how: How::Total, .. } => format!(
            "{}, and an instance lasts less than four times as long: its total is told, \
             and no course of it.",
            often(refresh_ns)
        ),
    };
    add_of_group(notices, text, group);
}

/// What cannot be, and is therefore not drawn: values of counters per instruction and of models.
pub fn of_values(groups: &[Group], models: &[Model]) -> Notices {
    let mut notices = vec![];
    for group in groups {
        let mut per_instruction = Gaps::default();
        for curve in group.curves.iter().filter(|curve| !curve.instructions) {
            let mut own = Gaps::default();
            group.ratios(curve).into_iter().for_each(|ratio| own.add(ratio.err()));
            // All of them divide by the same rate: that is said once.
            per_instruction.near_zero |= std::mem::take(&mut own.near_zero);
            own.say(&mut notices, &format!("{} per instruction", curve.counter), group.number);
        }
        per_instruction.say(&mut notices, "Counters per instruction", group.number);
        for model in models {
            let Some(modelled) = group.modelled(model) else { continue };
            let mut gaps = Gaps::default();
            let of_all = (0..modelled.points()).flat_map(|j| modelled.gaps_on_grid(j));
            of_all.for_each(|gap| gaps.add(gap));
            gaps.say(&mut notices, &model.title, group.number);
        }
    }
    notices
}

/// Which kinds of gaps there are in a curve.
#[derive(Default)]
struct Gaps {
    near_zero: bool,
    beyond_whole: bool,
}

impl Gaps {
    fn add(&mut self, gap: Option<Gap>) {
        self.near_zero |= gap == Some(Gap::NearZero);
        self.beyond_whole |= matches!(gap, Some(Gap::BeyondWhole(_)));
    }

    /// Says them of `what` is shown of a group.
    fn say(&self, notices: &mut Notices, what: &str, group: u32) {
        for (is_there, why) in [
            (
                self.beyond_whole,
                "more than all in places, which cannot be. A counter may count something else than \
                 its name says, such as operations of vectors; it is not shown there.",
            ),
            (
                self.near_zero,
                "divided by a rate within its band of 0 in places; it is not shown there.",
            ),
        ] {
            if is_there {
                add_of_group(notices, format!("{what}: {why}"), group);
            }
        }
    }
}

/// What is odd of the groups, once they are folded.
pub fn of_groups(trace: &Trace, allocations: &Allocations, groups: &[Group]) -> Notices {
    let mut notices = vec![];
    few_samples(&mut notices, groups);
    short_stacks(&mut notices, groups);
    references(&mut notices, trace, allocations, groups);
    notices
}

/// Says which groups have so few samples that their curves say little.
fn few_samples(notices: &mut Notices, groups: &[Group]) {
    for group in groups.iter().filter(|group| group.samples < FEW_SAMPLES) {
        let text = format!("A group has fewer than {FEW_SAMPLES} samples; its curves say little.");
        add_of_group(notices, text, group.number);
    }
}

/// Says of groups whose call-stacks are too short to tell callers apart what would help; those of
/// one depth together, with what is worst among them.
fn short_stacks(notices: &mut Notices, groups: &[Group]) {
    for group in groups {
        let Alignment { depth, ambiguous, .. } = group.alignment;
        let alike = groups.iter().map(|other| &other.alignment).filter(|o| o.depth == depth);
        let worst = alike.clone().map(|other| other.ambiguous).fold(ambiguous, f64::max);
        let components = alike.map(|other| other.components).max().unwrap_or(0);
        let percent = (worst * 100.0 + 0.5) as u32;
        let what = match depth {
            1 if group.routines.len() > 1 => {
                "Only the innermost frame of call-stacks was captured, which tells no caller"
                    .to_owned()
            }
            _ if ambiguous > MOST_AMBIGUOUS => format!(
                "Call-stacks of {depth} frames are too short to tell callers apart: for up \
                 to {percent} % of the samples only nearness in time says who called"
            ),
            2 if group.alignment.components > 1 => format!(
                "Call-stacks of 2 frames are too short to tell callers apart; they make up \
                 to {components} trees that nothing joins"
            ),
            _ => continue,
        };
        let text = format!(
            "{what}. Capture more of them: in extrae.xml, below <callers>, \
             <sampling enabled=\"yes\">1-{}</sampling>; with perf record, --call-graph dwarf.",
            depth + 3
        );
        add_of_group(notices, text, group.number);
    }
}

/// Says what is odd about the references of all groups.
fn references(notices: &mut Notices, trace: &Trace, allocations: &Allocations, groups: &[Group]) {
    if !address::has_references(trace) {
        return;
    }
    let objects = || groups.iter().flat_map(|group| &group.objects);
    let referenced = |wanted: Option<ObjectKind>| {
        let of_kind = objects().filter(|object| wanted.is_none_or(|kind| object.kind == kind));
        of_kind.map(|object| u64::from(object.loads) + u64::from(object.stores)).sum::<u64>()
    };
    let [all, unknown] = [None, Some(ObjectKind::Unknown)].map(referenced);
    // Of a program that runs where it was linked, some would lie in its variables.
    let is_elsewhere = !trace.variables.is_empty() && referenced(Some(ObjectKind::Static)) == 0;
    let mut say = |text: &str, count: u64| add(notices, text.to_owned(), count, String::new());
    if all == 0 {
        say("No sampled addresses in this region; the trace has some elsewhere.", 1);
    } else if is_elsewhere && 2 * unknown >= all {
        say(
            "A sampled address in no known object, and none in a variable: those of a \
             position-independent program are listed where it was linked, not where it ran.",
            unknown,
        );
    }
    if allocations.overlapping > 0 {
        say(
            "An allocation where memory was in use; the earlier one was taken as freed.",
            allocations.overlapping,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::Curve;

    #[test]
    fn what_cannot_be_is_said_of_counters_and_models_and_nothing_else_is() {
        let curve = |counter: &str, rate: f64, half_width: f64| Curve {
            counter: counter.to_owned(),
            instructions: counter == "PAPI_TOT_INS",
            mean_rate: rate,
            rate: vec![rate; 3],
            rate_band: vec![half_width; 3],
            ..Curve::default()
        };
        let group = |number, floating_point, of_instructions| Group {
            number,
            curves: vec![
                curve("PAPI_TOT_INS", 100.0, of_instructions),
                curve("PAPI_FP_INS", floating_point, 1.0),
                curve("PAPI_L2_TCM", 3.0, 4.0),
            ],
            ..Group::default()
        };
        let xml = "<models><model name='mix' title-name='Mix' y1='Share of instructions' \
            y1-stacked='yes'><component name='fp' where='y1'><operation type='/'>\
            <value>PAPI_FP_INS</value><value>PAPI_TOT_INS</value></operation></component></model>\
            <model name='per' title-name='Per miss' y1='Instructions per miss'>\
            <component name='ins' where='y1'><operation type='/'><value>PAPI_TOT_INS</value>\
            <value>PAPI_L2_TCM</value></operation></component></model></models>";
        let models = crate::model::read("m.xml", xml.as_bytes()).unwrap();
        let notices = of_values(
            &[
                group(1, 180.0, 1.0),
                group(2, 99.0, 1.0),
                group(3, 120.0, 1.0),
                group(4, 1.0, 101.0),
            ],
            &models,
        );
        let told = notices.iter().map(|notice| {
            let (what, why) = notice.text.split_once(": ").unwrap();
            (what, why.split(' ').next().unwrap(), notice.groups.as_slice())
        });
        let expected = [
            ("PAPI_FP_INS per instruction", "more", &[1, 3][..]),
            ("Mix", "more", &[1, 3]),
            ("Per miss", "divided", &[1, 2, 3, 4]),
            ("Counters per instruction", "divided", &[4]),
            ("Mix", "divided", &[4]),
        ];
        assert_eq!(told.collect::<Vec<_>>(), expected);
        let alone = Group { curves: vec![curve("PAPI_TOT_INS", 100.0, 101.0)], ..Group::default() };
        assert_eq!(of_values(&[alone], &[]), []);
    }

    #[test]
    fn what_is_said_of_several_groups_is_said_once_with_what_is_worst() {
        let group = |number, samples, ambiguous| Group {
            number,
            samples,
            alignment: Alignment { depth: 3, ambiguous, ..Alignment::default() },
            ..Group::default()
        };
        let groups = [group(1, 49, 0.2), group(2, 50, 0.04), group(3, 7, 0.3)];
        let mut notices = vec![];
        few_samples(&mut notices, &groups);
        short_stacks(&mut notices, &groups);
        let told = notices.iter().map(|notice| (notice.count, notice.groups.as_slice()));
        assert_eq!(told.collect::<Vec<_>>(), [(2, &[1, 3][..]), (2, &[1, 3])]);
        assert_eq!(notices[0].text, "A group has fewer than 50 samples; its curves say little.");
        assert!(notices[1].text.contains("for up to 30 % of the samples"), "{}", notices[1].text);
    }
}
