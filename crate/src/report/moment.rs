//! What stands at the cursor: when, what threads do, which line, which data, at what cost, how fast, and how many
//! samples tell so.

use serde::Serialize;

use super::{activity, counted, gauge, path};
use crate::folding::{Curve, Folding, Group, MemoryLevel};
use crate::model::Component;
use crate::paint::{self, CurveAt, Nearest, View};
use crate::quantity::{Kind, Quantity, bytes, extent, number, percent, short, significant};

/// The answers at one moment of folded time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Moment {
    /// Where it is along the axis, with its unit.
    pub at: String,
    /// Number of the phase, from 1.
    pub phase: Option<u32>,
    /// The line of code that ran, as `LINE:FILE`; line 0 where the trace does not tell it.
    pub place: Option<String>,
    /// What it is, its value, and what that belongs to; the first row is the moment itself.
    pub answers: Vec<[String; 3]>,
    /// Every curve that is drawn: its value as its axis tells it, and where it lies.
    pub curves: Vec<CurveAt>,
    /// What the model says that is shown.
    pub components: Vec<ComponentAt>,
    /// The component of the model that the pointer is on.
    pub under: Option<Under>,
    /// The reference nearest to the cursor.
    pub near: Option<Near>,
}

/// A component of a model, with what it means.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Under {
    pub name: String,
    /// Its value; empty in a gap.
    pub text: String,
    /// Title of its axis; may be empty.
    pub per: String,
    /// A sentence or two; may be empty.
    pub explanation: String,
}

/// A component of a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct ComponentAt {
    pub component: String,
    pub value: Option<f64>,
    pub text: String,
}

/// A reference near the cursor.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct Near {
    /// The object that it lies in.
    pub object: Option<String>,
    /// Where it is drawn, in px of the address lane.
    pub x: f64,
    pub y: f64,
}

impl Near {
    pub fn of(group: &Group, near: &Nearest) -> Self {
        let object = group.objects.get(near.object as usize).map(|object| object.name.clone());
        Self { object, x: near.x, y: near.y }
    }
}

/// Answers after the first.
const MOST_ANSWERS: usize = 5;
/// Which of them tells how much there was so far.
const SO_FAR: usize = 5;
/// Which of them tells of a gauge.
const BESIDE: usize = 6;

/// How far from the pointer a line may lie, in px.
const REACH: f64 = 4.0;

/// A question's name, the answer, and what that is of.
type Answer = [String; 3];

/// What stands at folded time `x`, as the performance lane shows it; `near` is the reference nearest
/// to the cursor, `y` the height of the pointer over that lane.
pub fn moment(
    folding: &Folding,
    view: &View,
    x: f64,
    near: Option<&Nearest>,
    y: Option<f64>,
) -> Option<Moment> {
    let group = folding.group(view.group)?;
    let row = group.at(x);
    let phase = group.phase_at(row.x);
    let place = match phase {
        Some(phase) => format!("{} · phase {phase}", percent(row.x, 1)),
        None => percent(row.x, 1),
    };
    let at = extent(group, row.x);
    let speed = shown_curve(group, view).map(|curve| speed(group, curve, row.x));
    let [rate, so_far] = speed.map_or([None, None], |answers| answers.map(Some));
    let [object, load] = near.map_or([None, None], |near| data(group, near));
    let doing = activity::at(group, row.x);
    let memory = gauge::at(group, view, row.x);
    let rest = [doing, line(group, row.x), object, load, rate, so_far, memory, from(group, row.x)];
    let mut answers = rest.to_vec();
    // What is read beside the program has a lane of its own, and a line.
    let most = MOST_ANSWERS + usize::from(answers[BESIDE].is_some());
    if answers.iter().flatten().count() > most {
        // How much there was so far is what one can do without.
        answers.remove(SO_FAR);
    }
    let first = [String::new(), at.clone(), place];
    let answers = std::iter::once(first).chain(answers.into_iter().flatten().take(most));
    let curves = paint::curves_at(folding, view, row.x);
    let components = components(folding, group, view, row.x);
    let under = y.and_then(|y| under(folding, view, &components, &curves, y));
    Some(Moment {
        phase,
        place: line_and_file(group, row.x),
        answers: answers.collect(),
        curves,
        components,
        under,
        near: near.map(|near| Near::of(group, near)),
        at,
    })
}

/// The curve shown alone, else that of instructions; along instructions, that of cycles. What the axis
/// counts has no rate: there is one at each.
fn shown_curve<'a>(group: &'a Group, view: &View) -> Option<&'a Curve> {
    let others = || group.curves.iter().filter(|curve| !group.is_axis(curve));
    match &view.counter {
        Some(counter) => others().find(|curve| curve.counter == *counter),
        None => others()
            .find(|curve| curve.instructions)
            .or_else(|| others().find(|curve| short(&curve.counter) == "Cycles")),
    }
}

/// The rate, and the share of the events by then.
fn speed(group: &Group, curve: &Curve, x: f64) -> [Answer; 2] {
    let value = group.at(x).values.into_iter().zip(&group.curves);
    let value = value.filter(|(_, of)| of.counter == curve.counter).map(|(value, _)| value).next();
    let (rate, fitted) = value.map_or((Some(0.0), 0.0), |value| (value.rate, value.fitted));
    let quantity = Quantity::of(group, curve, Kind::Rate);
    let quantity = quantity.clone().sized(rate.unwrap_or_default() * quantity.scale);
    let within = quantity.within(group.half_width_at(curve, x));
    let name = if quantity.unit == quantity.name { "" } else { &*quantity.name };
    let what = if quantity.is_power() { "Power" } else { "Rate" };
    let events = if curve.instructions { "instructions" } else { short(&curve.counter) };
    let rate = match rate {
        Some(rate) => [quantity.text(rate), format!("{within} {name}").trim().to_owned()],
        None => ["–".to_owned(), "hardly any rank computes".to_owned()],
    };
    let [value, of] = rate;
    let so_far = match curve.with_waiting_at(x) {
        Some(rate) => ["Of all".to_owned(), quantity.text(rate), "with waiting".to_owned()],
        None => ["So far".to_owned(), percent(fitted, 1), format!("of {events}")],
    };
    [[what.to_owned(), value, of], so_far]
}

fn line_and_file(group: &Group, x: f64) -> Option<String> {
    let place = group.place_at(x).filter(|place| !place.file.is_empty())?;
    Some(format!("{}:{}", place.line, place.file))
}

fn line(group: &Group, x: f64) -> Option<Answer> {
    let Some(place) = group.place_at(x) else { return ending(group, x) };
    let routine = Some(group.routine(place.routine)).filter(|routine| !routine.is_empty())?;
    let line = Some(place.line).filter(|line| *line > 0);
    Some(["Line".to_owned(), path(&[], routine, line), place.file.clone()])
}

/// Where no sample tells, the call with which the phase ends.
fn ending(group: &Group, x: f64) -> Option<Answer> {
    let phase = group.phases.get((group.phase_at(x)? as usize).checked_sub(1)?)?;
    let (place, words) = group.callers.as_ref()?.end_of(phase)?;
    Some(["Ends with".to_owned(), format!("→ {words}"), place.file.clone()])
}

/// The data object of a reference, and what the load cost.
fn data(group: &Group, near: &Nearest) -> [Option<Answer>; 2] {
    let Some(object) = group.objects.get(near.object as usize) else { return [None, None] };
    let place = format!("{} at {}", paint::kind(object), bytes(near.offset));
    let data = ["Data".to_owned(), object.name.clone(), place];
    let level = near.load.map(|(_, level)| level).filter(|level| *level != MemoryLevel::Unknown);
    let cycles = near.load.map(|(cost, _)| cost).filter(|cost| *cost > 0);
    let cycles = cycles.map(|cost| format!("{} cycles", number(f64::from(cost), 0)));
    let load = match (cycles, level) {
        (Some(cycles), level) => {
            let from = level.map(|level| format!("from {}", level.name()));
            Some(["Load".to_owned(), cycles, from.unwrap_or_default()])
        }
        (None, Some(level)) => Some(["Load".to_owned(), level.name().to_owned(), String::new()]),
        (None, None) => None,
    };
    [Some(data), load]
}

/// How many samples tell of it: those in the same cell of the strip of samples.
fn from(group: &Group, x: f64) -> Option<Answer> {
    let cells = group.density.len().max(1);
    let cell = group.density.get(((x * cells as f64) as usize).min(cells - 1));
    let samples = cell.copied().filter(|samples| *samples > 0)?;
    let wide = extent(group, 1.0 / cells as f64);
    Some(["From".to_owned(), counted(u64::from(samples), "sample"), format!("in {wide}")])
}

fn components(folding: &Folding, group: &Group, view: &View, x: f64) -> Vec<ComponentAt> {
    let named = |name: &String| folding.models.iter().find(|model| model.name == *name);
    let model = view.model.as_ref().filter(|_| view.counter.is_none()).and_then(named);
    let Some(modelled) = model.and_then(|model| group.modelled(model)) else { return vec![] };
    let at = |component: &Component| {
        let value = modelled.sums_at(&[component], x).and_then(|mut sums| sums.pop());
        let value = value.map(|uncertain| uncertain.value);
        let text = value.map_or_else(String::new, |value| significant(value, 3));
        ComponentAt { component: component.name.clone(), value, text }
    };
    modelled.meant().map(at).collect()
}

/// An area reaches down to the one below it; a line is where it is, within some px.
fn under(
    folding: &Folding,
    view: &View,
    components: &[ComponentAt],
    curves: &[CurveAt],
    y: f64,
) -> Option<Under> {
    let legend = paint::model_legend(folding, view);
    let at =
        |entry: &paint::ModelEntry| curves.iter().find(|curve| curve.counter == entry.component)?.y;
    let is_line = |entry: &&paint::ModelEntry| {
        !entry.area && at(entry).is_some_and(|own| (own - y).abs() <= REACH)
    };
    let is_over = |entry: &&paint::ModelEntry| entry.area && at(entry).is_some_and(|top| top <= y);
    let entry = legend.iter().find(is_line).or_else(|| legend.iter().find(is_over))?;
    let own = components.iter().find(|of| of.component == entry.component);
    let rate = curves.iter().find(|curve| curve.counter == entry.component);
    let text = own.map(|of| of.text.clone()).or_else(|| rate.map(|curve| curve.text.clone()));
    Some(Under {
        name: entry.name.clone(),
        text: text.unwrap_or_default(),
        per: entry.per.clone(),
        explanation: entry.explanation.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::example;

    #[test]
    fn what_the_pointer_is_on_of_a_model_is_explained() {
        let folding = example::modelled();
        let view =
            |model: &str| View { model: Some(model.to_owned()), ..example::view(976.0, 300.0) };
        let under = |view: &View, y: f64| {
            moment(&folding, view, 0.3, None, Some(y)).unwrap().under.map(|under| under.name)
        };
        let stack = view("stack");
        let edges = moment(&folding, &stack, 0.3, None, None).unwrap();
        assert_eq!((edges.under, edges.curves.len()), (None, 4), "three areas and the rate");
        let names = paint::model_legend(&folding, &stack);
        for (entry, curve) in names.iter().zip(&edges.curves).filter(|(entry, _)| entry.area) {
            assert_eq!(entry.component, curve.counter);
            let top = curve.y.unwrap();
            assert_eq!(under(&stack, top + 0.1).as_ref(), Some(&entry.name));
            assert_ne!(under(&stack, top - 0.1).as_ref(), Some(&entry.name));
        }
        let rate = edges.curves.last().unwrap().y.unwrap();
        assert_eq!(under(&stack, rate + 2.0).as_deref(), Some("MIPS"), "a line lies over areas");
        let counters = example::view(976.0, 300.0);
        assert_eq!(under(&counters, 200.0), None);
    }

    #[test]
    fn of_six_answers_how_much_there_was_so_far_gives_way() {
        let mut folding = example::addressed();
        folding.groups[0].density = vec![3];
        let view = example::view(976.0, 414.0);
        let load = Some((240, MemoryLevel::Dram));
        let near = Nearest { object: 0, offset: 8, store: false, x: 0.0, y: 0.0, load };
        let questions = |near: Option<&Nearest>| {
            let answers = moment(&folding, &view, 0.3, near, None).unwrap().answers;
            answers.into_iter().map(|[question, ..]| question).collect::<Vec<_>>()
        };
        assert_eq!(questions(None), ["", "Line", "Rate", "So far", "From"]);
        assert_eq!(questions(Some(&near)), ["", "Line", "Data", "Load", "Rate", "From"]);
    }
}
