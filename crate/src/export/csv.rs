//! What a folding says, as tables.

use super::table::{Table, field, or_empty};
use crate::folding::{Curve, Doing, Fate, Folding, Group, Phase, Points, Use};
use crate::order;
use crate::outline::{Block, SourceFile};
use crate::result::{Gap, PhaseCode};
use crate::text::shortest;

/// `region,group,counter,x,fitted,lower,upper,rate`, on the grid; then `computing`, where any counter has
/// rates of those threads that compute.
///
/// `lower` and `upper` are the ends of the 95 % band of `fitted`; empty where nothing tells. `rate` is of
/// all threads; `computing` is empty where it is the same, and where hardly any thread computes.
pub fn curves<'a>(foldings: impl Iterator<Item = &'a Folding> + Clone) -> String {
    let has_computing = has_computing(foldings.clone());
    let columns = "counter,x,fitted,lower,upper,rate";
    let columns = if has_computing { format!("{columns},computing") } else { columns.to_owned() };
    Table::of_groups(&columns, foldings, |table, _, group| {
        for curve in &group.curves {
            let counter = field(&curve.counter);
            let last = (curve.fitted.len().max(2) - 1) as f64;
            let of_all = curve.with_waiting.as_ref().map_or(&curve.rate, |of| &of.rate);
            let computing = curve.with_waiting.as_ref().map(|_| &curve.rate);
            for (j, (fitted, rate)) in curve.fitted.iter().zip(of_all).enumerate() {
                let computing = computing.and_then(|rate| rate.get(j));
                let computing =
                    or_empty(computing.filter(|rate| rate.is_finite()).map(|rate| shortest(*rate)));

                let half_width = curve.fitted_band.get(j);
                let end =
                    |sign: f64| or_empty(half_width.map(|half| shortest(fitted + sign * half)));
                let [x, fitted, rate] = [j as f64 / last, *fitted, *rate].map(shortest);
                let computing = has_computing.then_some(computing);
                table.line_with(&[&counter, &x, &fitted, &end(-1.0), &end(1.0), &rate], computing);
            }
        }
    })
}

/// `region,group,phase,start,end,` then the rate of each counter that any group has, in the order
/// in which they are met; empty where a group does not have it. Phases are numbered from 1.
///
/// Then, of each counter in the same order, `NAME half_width` of the 95 % interval of its rate, and
/// `NAME lowest` and `NAME highest` of its curve within the phase; the code that the phase is about as
/// the page tells it, `place,place_file,place_line`: a loop or routine that one of `sources` shows,
/// else the routine and the line most sampled; and at the end, where any counter has rates of those
/// threads that compute, `NAME computing` and `NAME computing half_width` of each. Empty where nothing
/// tells.
///
/// With `sources` also, between the two,
/// `block,block_name,routine,file,first_line,last_line,block_share`: the innermost `loop` or `routine`
/// with more than half of the phase's time, the routine it is in, its lines and its share of the
/// phase; empty where no source shows one.
pub fn phases<'a>(
    foldings: impl Iterator<Item = &'a Folding> + Clone,
    sources: Option<&[SourceFile]>,
) -> String {
    let counters = counters(foldings.clone());
    let block_columns = match sources {
        Some(_) => ",block,block_name,routine,file,first_line,last_line,block_share",
        None => "",
    };
    let mut columns = format!("phase,start,end{}{block_columns}", heads(&counters));
    for counter in &counters {
        for of in ["half_width", "lowest", "highest"] {
            columns += &format!(",{}", field(&format!("{counter} {of}")));
        }
    }
    columns += ",place,place_file,place_line";
    let has_computing = has_computing(foldings.clone());
    let mut groups = foldings.clone().flat_map(|folding| &folding.groups);
    let has_balance = groups.any(|of| of.phases.iter().any(|phase| phase.balance.is_some()));
    for counter in counters.iter().filter(|_| has_computing) {
        for of in ["computing", "computing half_width"] {
            columns += &format!(",{}", field(&format!("{counter} {of}")));
        }
    }
    if has_balance {
        columns += ",balance";
    }
    Table::of_groups(&columns, foldings, |table, _, group| {
        let codes = sources.map(|sources| group.code_of_phases(sources));
        let own = counters.iter().map(|counter| group.curve(counter)).collect::<Vec<_>>();
        let of_all = own.iter().map(|curve| curve.map(Curve::of_all)).collect::<Vec<_>>();
        for (index, phase) in group.phases.iter().enumerate() {
            let [start, end] = [phase.start, phase.end].map(shortest);
            let curves = of_all.iter().map(Option::as_deref);
            let rate = |curve: Option<&Curve>| curve?.phases.get(index).copied();
            let mut more = vec![];
            for curve in curves.clone() {
                more.push(or_empty(rate(curve).map(|rate| shortest(rate.rate))));
            }
            let code = codes.as_ref().and_then(|codes| codes.get(index)?.as_ref());
            if sources.is_some() {
                more.extend(block(code).unwrap_or_default());
            }
            for curve in curves {
                let half_width = rate(curve).map(|rate| rate.half_width).filter(|half| *half > 0.0);
                let range = curve.filter(|_| rate(curve).is_some());
                let range = range.and_then(|curve| curve.rates_between(phase.start, phase.end));
                more.push(or_empty(half_width.map(shortest)));
                more.push(or_empty(range.map(|[lowest, _]| shortest(lowest))));
                more.push(or_empty(range.map(|[_, highest]| shortest(highest))));
            }
            more.extend(match code {
                Some(code) => place(&code.words, &code.file, code.line),
                None => place_of(group, phase),
            });
            for curve in own.iter().filter(|_| has_computing) {
                let computing = curve.filter(|curve| curve.with_waiting.is_some());
                let computing = rate(computing).filter(|of| of.rate.is_finite());
                let half_width = computing.map(|of| of.half_width).filter(|half| *half > 0.0);
                more.push(or_empty(computing.map(|of| shortest(of.rate))));
                more.push(or_empty(half_width.map(shortest)));
            }
            if has_balance {
                more.push(or_empty(phase.balance.map(shortest)));
            }
            table.line_with(&[&(index + 1), &start, &end], more);
        }
    })
}

/// Whether any counter has rates of those threads that compute.
fn has_computing<'a>(foldings: impl Iterator<Item = &'a Folding>) -> bool {
    let mut curves = foldings.flat_map(|folding| &folding.groups).flat_map(|group| &group.curves);
    curves.any(|curve| curve.with_waiting.is_some())
}

/// The most sampled line of a phase; where none was sampled `→` and what ends it, with its line.
fn place_of(group: &Group, phase: &Phase) -> [String; 3] {
    let sampled = phase.place.and_then(|place| group.places.get(place as usize));
    let ended = || {
        let (of, words) = group.callers.as_ref()?.end_of(phase)?;
        Some(place(&format!("→ {words}"), &of.file, of.line))
    };
    match sampled {
        Some(of) => place(group.routine(of.routine), &of.file, of.line),
        None => ended().unwrap_or_default(),
    }
}

fn place(words: &str, file: &str, line: u32) -> [String; 3] {
    [field(words), field(file), or_empty(Some(line).filter(|line| *line > 0))]
}

fn block(code: Option<&PhaseCode>) -> Option<[String; 7]> {
    let code = code?;
    let Block { kind, name, first, last, .. } = code.block.as_ref()?;
    let [name, routine, file] = [name, &code.routine, &code.file].map(|text| field(text));
    let [first, last] = [first, last].map(u32::to_string);
    Some([kind.name().to_owned(), name, routine, file, first, last, shortest(code.share)])
}

/// `region,group,model,component,x,value,doubt`, on the grid: what the components of each model that
/// the group has the counters for say, as their formulas give it; empty where one has no value. The
/// doubt says why a value is not drawn, `near zero` or `beyond whole` ([`Gap`](crate::result::Gap)).
pub fn models<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    Table::of_groups("model,component,x,value,doubt", foldings, |table, folding, group| {
        for modelled in folding.models.iter().filter_map(|model| group.modelled(model)) {
            let last = (modelled.points().max(2) - 1) as f64;
            let gaps = (0..modelled.points()).map(|j| modelled.gaps_on_grid(j)).collect::<Vec<_>>();
            for (index, component) in modelled.components().enumerate() {
                let names = [&modelled.model.name, &component.name].map(|name| field(name));
                for (j, gaps) in gaps.iter().enumerate() {
                    let value = or_empty(modelled.value_on_grid(component, j).map(shortest));
                    let gap = gaps.get(index).copied().flatten();
                    let doubt = gap.map_or("", Gap::name);
                    let x = shortest(j as f64 / last);
                    table.line(&[&names[0], &names[1], &x, &value, &doubt]);
                }
            }
        }
    })
}

/// `region,group,x,read,written,both,half_width`: what memory controllers read and write in each of
/// equal cells of folded time, at `x` in its middle, in GB/s, with the 95 % interval of both; no line of a
/// group of which it is not known, empty where nothing tells.
pub fn bandwidth<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    Table::of_groups("x,read,written,both,half_width", foldings, |table, _, group| {
        let Some(bandwidth) = &group.bandwidth else { return };
        let cells = bandwidth.cells();
        for cell in 0..cells {
            let x = shortest((cell as f64 + 0.5) / cells as f64);
            let of = |values: &[f64]| or_empty(values.get(cell).map(|value| shortest(*value)));
            let [read, written, both] =
                [&bandwidth.read, &bandwidth.written, &bandwidth.both].map(|of_| of(&of_.cells));
            let half_width = of(&bandwidth.both.half_widths);
            table.line(&[&x, &read, &written, &both, &half_width]);
        }
    })
}

/// `region,group,x,type,name,value,half_width`: each level and counter of a socket that is read meanwhile,
/// in each of equal cells of folded time, at `x` in its middle, in its own unit or in events per
/// microsecond, with the 95 % interval; empty where nothing tells.
pub fn gauges<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    Table::of_groups("x,type,name,value,half_width", foldings, |table, _, group| {
        for gauge in &group.gauges {
            let values = &gauge.values;
            for (cell, value) in values.cells.iter().enumerate() {
                let x = shortest((cell as f64 + 0.5) / values.cells.len() as f64);
                let half_width = or_empty(values.half_widths.get(cell).map(|of| shortest(*of)));
                let (code, name) = (gauge.code.to_string(), field(&gauge.name));
                table.line(&[&x, &code, &name, &shortest(*value), &half_width]);
            }
        }
    })
}

/// `region,group,x,useful,mpi,openmp,io,other`: what threads do in each of equal cells of folded time, at
/// `x` in its middle, in shares that add up to 1; no line of a group of which it is not known.
pub fn activity<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    Table::of_groups("x,useful,mpi,openmp,io,other", foldings, |table, _, group| {
        let Some(activity) = &group.activity else { return };
        for cell in 0..activity.cells() {
            let share = |doings: &[Doing]| {
                shortest(doings.iter().map(|doing| activity.share(*doing, cell)).sum())
            };
            let x = shortest((cell as f64 + 0.5) / activity.cells() as f64);
            let useful = share(&[Doing::Computing]);
            let mpi = share(&[Doing::PointToPoint, Doing::Collective, Doing::OtherMpi]);
            let [openmp, io, other] =
                [Doing::OpenMp, Doing::Io, Doing::Other].map(|of| share(&[of]));
            table.line(&[&x, &useful, &mpi, &openmp, &io, &other]);
        }
    })
}

/// `region,group,appl,task,thread,start_ns,duration_ns,used`, one line per instance; the group of
/// those that no group takes is 0.
pub fn groups<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    let mut table = Table::new("appl,task,thread,start_ns,duration_ns,used");
    for folding in foldings {
        let groups = folding.groups.iter().map(|group| (group.number, &group.rows));
        for (number, rows) in groups.chain([(0, &folding.apart)]) {
            table.about(folding, number);
            for row in rows {
                let [application, task, thread] = row.object;
                let used = u8::from(row.fate == Fate::Used);
                let (start_ns, duration_ns) = (row.start_ns, row.duration_ns);
                table.line(&[&application, &task, &thread, &start_ns, &duration_ns, &used]);
            }
        }
    }
    table.finish()
}

/// `region,group,counter,x,y,used`, by x; samples passed over or left out have `used` 0. `put` takes it
/// part by part, as there may be millions.
pub fn points<'a>(
    foldings: impl Iterator<Item = (&'a Folding, &'a Points)>,
    put: &mut dyn FnMut(String),
) {
    let mut table = Table::new("counter,x,y,used");
    for (folding, cloud) in foldings.flat_map(|(f, p)| p.clouds().map(move |c| (f, c))) {
        table.about(folding, cloud.group);
        let counter = field(&cloud.counter);
        for index in order::indices(cloud.x.iter().map(|&x| order::of_float(x))) {
            let index = index as usize;
            let [x, y] = [cloud.x[index], cloud.y[index]].map(shortest);
            table.line(&[&counter, &x, &y, &u8::from(cloud.used[index] == Use::Used)]);
            table.hand_on(put);
        }
    }
    put(table.finish());
}

/// `region,group,level,start,end,routine,line,file,samples`: which routines are on the call-stack,
/// outer ones before those in them; short ones are left out.
pub fn routines<'a>(foldings: impl Iterator<Item = &'a Folding>) -> String {
    Table::of_groups("level,start,end,routine,line,file,samples", foldings, |table, _, group| {
        for stretch in group.stretches.iter().filter(|stretch| !stretch.short) {
            let Some(place) = group.places.get(stretch.place as usize) else { continue };
            let routine = field(group.routine(group.routine_of(stretch)));
            let ([start, end], file) =
                ([stretch.start, stretch.end].map(shortest), field(&place.file));
            let (level, samples) = (stretch.level, stretch.samples);
            table.line(&[&level, &start, &end, &routine, &place.line, &file, &samples]);
        }
    })
}

/// `region,group,x,routine,line,file`: the innermost frame of every sample. `put` takes it part by
/// part, as there may be millions.
pub fn lines<'a>(foldings: impl Iterator<Item = &'a Folding>, put: &mut dyn FnMut(String)) {
    let mut table = Table::new("x,routine,line,file");
    for (folding, group) in foldings.flat_map(|f| f.groups.iter().map(move |g| (f, g))) {
        table.about(folding, group.number);
        for (x, place) in group.lines.x.iter().zip(&group.lines.place) {
            let Some(place) = group.places.get(*place as usize) else { continue };
            let [routine, file] = [group.routine(place.routine), &place.file].map(field);
            table.line(&[&shortest(*x), &routine, &place.line, &file]);
            table.hand_on(put);
        }
    }
    put(table.finish());
}

/// The counters that any group has, in the order in which they are met.
pub(super) fn counters<'a>(foldings: impl Iterator<Item = &'a Folding>) -> Vec<&'a str> {
    let mut counters: Vec<&str> = Vec::new();
    for curve in foldings.flat_map(|folding| &folding.groups).flat_map(|group| &group.curves) {
        if !counters.contains(&curve.counter.as_str()) {
            counters.push(&curve.counter);
        }
    }
    counters
}

/// A column for each counter, with the comma before it.
pub(super) fn heads(counters: &[&str]) -> String {
    counters.iter().map(|counter| format!(",{}", field(counter))).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::folding::{
        Axis, FoldedCounter, FoldedSample, Lines, PhaseRate, Place, Sampled, Stretch, TraceSummary,
    };

    fn folding(region: &str, groups: Vec<Group>) -> Folding {
        let trace = TraceSummary {
            name: "a.prv".to_owned(),
            size_bytes: 0,
            duration_ns: 0,
            threads: 1,
            generated: false,
            provenance: Default::default(),
            partial: None,
        };
        Folding {
            apart: vec![],
            version: Folding::VERSION,
            trace,
            region: region.to_owned(),
            groups,
            shown: 1,
            notices: vec![],
            models: vec![],
            missing_models: vec![],
            ..Folding::default()
        }
    }

    fn group(number: u32, rates: &[(&str, &[f64])], ends: &[f64]) -> Group {
        let rate = |&rate: &f64| PhaseRate { rate, half_width: 0.5 };
        let curve = |(counter, rates): &(&str, &[f64])| Curve {
            counter: (*counter).to_owned(),
            phases: rates.iter().map(rate).collect(),
            ..Curve::default()
        };
        let starts = [0.0].iter().chain(ends);
        let phase = |(&start, &end): (&f64, &f64)| Phase { start, end, ..Phase::default() };
        let phases = starts.zip(ends).map(phase).collect();
        let curves = rates.iter().map(curve).collect();
        Group { number, curves, phases, axis: Axis::Time, ..Group::default() }
    }

    #[test]
    fn phases_have_a_column_for_each_counter_of_all_regions() {
        let mut first = group(1, &[("INS", &[10.0, 20.5])], &[0.25, 1.0]);
        first.curves[0].rate = vec![10.0, 9.0, 20.0, 22.0, 21.0, 20.0];
        // Nothing tells how sure the second is.
        first.curves[0].phases[1].half_width = 0.0;
        let foldings = [
            folding("f:a", vec![first, group(2, &[("CYC", &[7.0])], &[1.0])]),
            folding("f:b,c", vec![group(1, &[("L1", &[3.0]), ("INS", &[4.0])], &[1.0])]),
            folding("f:none", vec![group(1, &[("INS", &[])], &[])]),
        ];
        let place = "place,place_file,place_line";
        let doubts = |name: &str| format!("{name} half_width,{name} lowest,{name} highest");
        let [ins, cyc, l1] = ["INS", "CYC", "L1"].map(doubts);
        assert_eq!(
            phases(foldings.iter(), None),
            format!(
                "region,group,phase,start,end,INS,CYC,L1,{ins},{cyc},{l1},{place}\n\
                 f:a,1,1,0,0.25,10,,,0.5,9,10,,,,,,,,,\n\
                 f:a,1,2,0.25,1,20.5,,,,20,22,,,,,,,,,\n\
                 f:a,2,1,0,1,,7,,,,,0.5,,,,,,,,\n\
                 \"f:b,c\",1,1,0,1,4,,3,0.5,,,,,,0.5,,,,,\n"
            )
        );
        assert_eq!(phases([].iter(), None), format!("region,group,phase,start,end,{place}\n"));
    }

    #[test]
    fn without_sources_the_place_of_a_phase_is_a_line() {
        let mut group = group(1, &[("INS", &[10.0, 20.5])], &[0.5, 1.0]);
        group.places = vec![Place { routine: 0, line: 7, file: "a.c".to_owned(), samples: 2 }];
        group.routines = vec!["f<a, b>".to_owned()];
        group.phases[0].place = Some(0);
        let table = phases([folding("f:a", vec![group])].iter(), None);
        let ends = table.lines().skip(1).map(|line| line.split_once("0.5,,,").unwrap().1);
        assert_eq!(ends.collect::<Vec<_>>(), ["\"f<a, b>\",a.c,7", ",,"]);
    }

    #[test]
    fn with_sources_phases_have_their_loop() {
        let mut group = group(1, &[("INS", &[10.0, 20.5])], &[0.5, 1.0]);
        let place = |line| Place { routine: 0, line, file: "a,b.f90".to_owned(), samples: 1 };
        group.routines = vec!["solve_".to_owned()];
        group.places = [3, 9].map(place).to_vec();
        group.lines = Lines { x: vec![0.25, 0.75], place: vec![0, 1], context: vec![] };
        let foldings = [folding("f:a", vec![group])];
        let text = b"subroutine solve\nouter: do i = 1, 2\nx = 1\nend do outer\nend\n";
        let source = SourceFile::parsed("a,b.f90", text).unwrap();
        assert_eq!(
            phases(foldings.iter(), Some(&[source])),
            "region,group,phase,start,end,INS,\
             block,block_name,routine,file,first_line,last_line,block_share,\
             INS half_width,INS lowest,INS highest,place,place_file,place_line\n\
             f:a,1,1,0,0.5,10,loop,outer,solve,\"a,b.f90\",2,4,1,0.5,,,loop outer 2–4 in solve,\"a,b.f90\",3\n\
             f:a,1,2,0.5,1,20.5,,,,,,,,0.5,,,\"solve_ [9] in a,b.f90\",\"a,b.f90\",9\n"
        );
    }

    #[test]
    fn a_component_has_its_value_or_none_at_every_point() {
        let xml = "<models><model name='m,1' y1='Share of all' y1-stacked='yes'>\
            <component name='ipc' where='y1'><operation type='/'><value>INS</value>\
            <value>CYC</value></operation></component>\
            <component name='rest' where='y1'><operation type='-'><value>3</value>\
            <value>ipc</value></operation></component></model>\
            <model name='other'><component name='x' where='y1'><value>L1</value></component>\
            </model></models>";
        let mut group = group(1, &[("INS", &[]), ("CYC", &[])], &[]);
        for (curve, rate) in group.curves.iter_mut().zip([[8.0, 1.0, 6.0], [2.0, 0.0, 4.0]]) {
            curve.rate = rate.to_vec();
        }
        group.curves[1].rate_band = vec![0.1, 0.1, 4.0];
        let mut folding = folding("f:a", vec![group]);
        folding.models = crate::model::read("m.xml", xml.as_bytes()).unwrap();
        assert_eq!(
            models([folding].iter()),
            "region,group,model,component,x,value,doubt\n\
             f:a,1,\"m,1\",ipc,0,4,beyond whole\n\
             f:a,1,\"m,1\",ipc,0.5,,\n\
             f:a,1,\"m,1\",ipc,1,1.5,near zero\n\
             f:a,1,\"m,1\",rest,0,-1,beyond whole\n\
             f:a,1,\"m,1\",rest,0.5,,\n\
             f:a,1,\"m,1\",rest,1,1.5,near zero\n"
        );
    }

    #[test]
    fn a_band_fills_lower_and_upper() {
        let mut group = group(1, &[("INS", &[]), ("CYC", &[])], &[]);
        for curve in &mut group.curves {
            (curve.fitted, curve.rate) = (vec![0.0, 1.0], vec![2.0, 3.0]);
        }
        group.curves[1].fitted_band = vec![0.25, 0.125];
        assert_eq!(
            curves([folding("f:a", vec![group])].iter()),
            "region,group,counter,x,fitted,lower,upper,rate\n\
             f:a,1,INS,0,0,,,2\n\
             f:a,1,INS,1,1,,,3\n\
             f:a,1,CYC,0,0,-0.25,0.25,2\n\
             f:a,1,CYC,1,1,0.875,1.125,3\n"
        );
    }

    #[test]
    fn routines_are_those_of_stretches_that_are_not_short() {
        let mut group = group(1, &[], &[]);
        group.routines = vec!["main".to_owned(), "solve".to_owned()];
        let place = |routine, line| Place { routine, line, file: "a.c".to_owned(), samples: 1 };
        group.places = vec![place(0, 3), place(1, 9)];
        let stretch = |start, end, level, place, short| Stretch {
            start,
            end,
            level,
            place,
            short,
            samples: 5,
            ..Stretch::default()
        };
        group.stretches = vec![
            stretch(0.0, 1.0, 0, 0, false),
            stretch(0.25, 0.5, 1, 1, false),
            stretch(0.75, 0.8, 1, 1, true),
        ];
        assert_eq!(
            routines([folding("f:a", vec![group])].iter()),
            "region,group,level,start,end,routine,line,file,samples\n\
             f:a,1,0,0,1,main,3,a.c,5\n\
             f:a,1,1,0.25,0.5,solve,9,a.c,5\n"
        );
    }

    #[test]
    fn points_stand_by_x_and_say_whether_the_curve_was_fitted_to_them() {
        let sample = |x, y| FoldedSample { instance: 0, x, y, kept: true };
        let samples = vec![sample(0.5, 0.75), sample(0.125, 0.25), sample(0.875, 1.0)];
        let sampled = Sampled {
            group: 1,
            counter: "INS".to_owned(),
            folded: Arc::new(FoldedCounter { samples, ..FoldedCounter::default() }),
            uses: [Use::Used, Use::Unused, Use::Excluded].into(),
        };
        let of = Points { counters: vec![sampled], ..Points::default() };
        let mut table = String::new();
        points(std::iter::once((&folding("f:a", vec![]), &of)), &mut |part| table += &part);
        assert_eq!(
            table,
            "region,group,counter,x,y,used\n\
             f:a,1,INS,0.125,0.25,0\n\
             f:a,1,INS,0.5,0.75,1\n\
             f:a,1,INS,0.875,1,0\n"
        );
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("plain text"), "plain text");
        assert_eq!(field("f<a, b>(\"x\")"), "\"f<a, b>(\"\"x\"\")\"");
        assert_eq!(field("two\nlines"), "\"two\nlines\"");
    }
}
