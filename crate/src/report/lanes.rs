//! What a lane shows, in words, for those who do not see it.

use super::{activity, callers, counted, gauge, path};
use crate::folding::{Axis, Curve, Group};
use crate::order;
use crate::paint::{self, View};
use crate::quantity::{Kind, Quantity, bytes, count, duration, extent, number, percent, short};

/// A lane of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    Activity,
    Source,
    Address,
    Performance,
    Gauge,
    Samples,
    Rail,
    Density,
}

/// Bands, and data objects, that are named one by one.
const MOST_BANDS: usize = 12;
const MOST_OBJECTS: usize = 8;

/// Routines that are named where no stretch belongs to one.
const MOST_ROUTINES: usize = 5;

impl Lane {
    /// By its name on the page.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "activity" => Self::Activity,
            "source" => Self::Source,
            "address" => Self::Address,
            "performance" => Self::Performance,
            "gauge" => Self::Gauge,
            "samples" => Self::Samples,
            "rail" => Self::Rail,
            "density" => Self::Density,
            _ => return None,
        })
    }
}

/// What `lane` shows of `group`, of a region called so.
pub fn words(region: &str, group: &Group, view: &View, lane: Lane) -> String {
    let words = match lane {
        Lane::Activity => doings(group),
        Lane::Source => source(group, view),
        Lane::Address => address(group, view),
        Lane::Performance => performance(group, view),
        Lane::Gauge => gauge::words(group, view),
        Lane::Samples => samples(group, view),
        Lane::Rail => rail(group),
        Lane::Density => format!("Where the {} samples lie.", number(f64::from(group.samples), 0)),
    };
    let mean = duration(group.mean_duration_ns);
    format!("{words} Over one folded instance of {region}, {mean}.")
}

/// `parts` one after the other, and whether there are more.
fn listed(parts: Vec<String>, are_all: bool, nothing: &str) -> String {
    let others = if are_all { "" } else { "; and others" };
    let all = if parts.is_empty() { nothing.to_owned() } else { parts.join("; ") };
    format!("{all}{others}.")
}

fn doings(group: &Group) -> String {
    let Some(activity) = &group.activity else { return "Activity: not known.".to_owned() };
    let mean = |part: &crate::folding::ActivityPart| {
        let share = part.shares.iter().sum::<f64>() / part.shares.len().max(1) as f64;
        format!("{} {}", part.doing.name(), percent(share, 1))
    };
    let means = activity.parts.iter().map(mean).collect();
    format!("Activity: {} {}", listed(means, true, "nothing"), activity::words(group, activity))
}

fn source(group: &Group, view: &View) -> String {
    if let Some(callers) = group.callers.as_ref().filter(|_| group.lines.x.is_empty()) {
        let ends = group.phases.iter().filter_map(|phase| {
            let (_, words) = callers.end_of(phase)?;
            Some(format!("{words} at {}", extent(group, phase.end)))
        });
        let ends = ends.collect::<Vec<_>>();
        let are_all = ends.len() <= MOST_BANDS;
        let named = ends.into_iter().take(MOST_BANDS).collect();
        let calls = callers.places.iter().map(|place| u64::from(place.samples)).sum();
        let ended = listed(named, are_all, "no routine that most instances agree on");
        return format!("Source: lines of {}; phases end with {ended}", counted(calls, "call"));
    }
    if group.routines.is_empty() {
        return "Source: no routine was sampled.".to_owned();
    }
    let bands = group.bands(f64::INFINITY);
    if bands.is_empty() {
        let named = group.routines.iter().take(MOST_ROUTINES).cloned().collect::<Vec<_>>();
        let others = if group.routines.len() > MOST_ROUTINES { " and others" } else { "" };
        return format!("Source: sampled lines of {}{others}.", named.join(", "));
    }
    let what = match view.icicle {
        true => {
            let levels = group.stretches.iter().map(|stretch| u64::from(stretch.level) + 1).max();
            let levels = counted(levels.unwrap_or(0), "level");
            format!("Source: an icicle of {levels}, callers over what they call; the innermost are")
        }
        false => "Source: bands of".to_owned(),
    };
    let band = |band: &crate::folding::Band| {
        let stretch = group.stretches.get(band.stretch as usize)?;
        let line = group.places.get(stretch.place as usize).map(|place| place.line);
        let name = group.routine(group.routine_of(stretch));
        let way = path(&callers(group, stretch.context), name, line.filter(|line| *line > 0));
        let [start, end] = [band.start, band.end].map(|at| extent(group, at));
        Some(format!("{way} from {start} to {end}"))
    };
    let named = bands.iter().take(MOST_BANDS).filter_map(band).collect();
    format!("{what} {}", listed(named, bands.len() <= MOST_BANDS, "nothing"))
}

fn address(group: &Group, view: &View) -> String {
    let is_shown = |name: &str| view.object.as_ref().is_none_or(|object| object == name);
    let shown = (0u32..).zip(&group.objects).filter(|(_, object)| is_shown(&object.name));
    let mut shown = shown.collect::<Vec<_>>();
    order::by_number(&mut shown, |(_, object)| {
        !(u64::from(object.loads) + u64::from(object.stores))
    });
    let object = |(index, object): &(u32, &crate::folding::DataObject)| {
        let cost =
            object.mean_cost.map(|cost| format!(" at {} cycles on average", number(cost, 0)));
        let mut words = vec![format!(
            "{}, {}, {}: {}{} and {}",
            object.name,
            paint::kind(object),
            bytes(object.bytes),
            counted(u64::from(object.loads), "load"),
            cost.unwrap_or_default(),
            counted(u64::from(object.stores), "store")
        )];
        let own = group.streams.iter().filter(|stream| stream.object == *index);
        words.extend(own.filter_map(|stream| {
            let how = Some(stream.words()).filter(|words| !words.is_empty())?;
            Some(format!("phase {} {how}", stream.phase? + 1))
        }));
        words.join(", ")
    };
    let named = shown.iter().take(MOST_OBJECTS).map(object).collect();
    format!("Address: {}", listed(named, shown.len() <= MOST_OBJECTS, "no object"))
}

fn performance(group: &Group, view: &View) -> String {
    let (shown, others) = paint::shown_counters(group, view);
    let is_shown = |counter: &String| match &view.counter {
        Some(alone) => alone == counter,
        None => shown.contains(counter),
    };
    // Of what the axis counts there is one at each: what one can know is how many they are.
    let axis = match &group.axis {
        Axis::Counter { name, total } => {
            format!(" The axis counts {} {}.", count(*total), short(name))
        }
        Axis::Time => String::new(),
    };
    let drawn = |curve: &&Curve| is_shown(&curve.counter) && !group.is_axis(curve);
    let curves = group.curves.iter().filter(drawn).map(|curve| {
        let rate = Quantity::of(group, curve, Kind::Rate);
        let rate = rate.clone().sized(curve.mean_rate * rate.scale);
        format!("{}, mean {}", rate.name, rate.text(curve.mean_rate))
    });
    let are_all = others == 0 || view.counter.is_some();
    format!("Performance: curves of {}{axis}", listed(curves.collect(), are_all, "no counter"))
}

fn samples(group: &Group, view: &View) -> String {
    let alone = view.counter.as_ref().and_then(|counter| group.curve(counter));
    let Some(curve) = alone else { return "Samples.".to_owned() };
    let [used, unused, excluded] =
        [curve.used, curve.unused, curve.excluded].map(|samples| number(f64::from(samples), 0));
    format!(
        "Samples of {}: {used} used, {unused} not used, {excluded} of instances left out, against \
         the fitted curve, as share of events minus share of time.",
        short(&curve.counter)
    )
}

fn rail(group: &Group) -> String {
    let phases = group.phases.iter().zip(1..).map(|(phase, number)| {
        let name = if phase.name.is_empty() { String::new() } else { format!("{}, ", phase.name) };
        format!("{number} {name}{}", extent(group, phase.end - phase.start))
    });
    format!("Phases: {}", listed(phases.collect(), true, "no break was found"))
}
