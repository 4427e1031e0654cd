//! What a model says of a group: its formulas over the rates of the group's curves.

use super::gap::{Gap, within};
use super::table::between;
use crate::folding::{Curve, Group};
use crate::model::{Axis, Component, Formula, Model, Operator};

/// A model whose counters a group has.
pub struct Modelled<'a> {
    pub model: &'a Model,
    group: &'a Group,
    /// The curve of each of the model's counters.
    curves: Vec<usize>,
    /// The place of completed instructions among the model's counters.
    instructions: Option<u32>,
}

/// A value and how far it may be off: the half width of its 95 % interval, 0 where nothing tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uncertain {
    pub value: f64,
    pub half_width: f64,
}

impl Group {
    /// `model` over the curves of this group; `None` if one of its counters is missing.
    pub fn modelled<'a>(&'a self, model: &'a Model) -> Option<Modelled<'a>> {
        let available: Vec<&str> = self.curves.iter().map(|curve| &curve.counter[..]).collect();
        let curves = model.places(&available)?;
        let counts = |&place: &usize| self.curves.get(place).is_some_and(|c| c.instructions);
        let instructions = curves.iter().position(counts).map(|place| place as u32);
        Some(Modelled { model, group: self, curves, instructions })
    }
}

impl<'a> Modelled<'a> {
    /// The components that are shown, in the order of the model.
    pub fn components(&self) -> impl Iterator<Item = &'a Component> + use<'a> {
        self.model.components.iter().filter(|component| !component.hidden)
    }

    /// Those of them that mean what the model says of them on the axis of the group: along a counter
    /// there is no rate at the right, whose unit is per time. A ratio is what stays when all rates double.
    pub fn meant(&self) -> impl Iterator<Item = &'a Component> + use<'a> {
        let in_time = self.group.axis == crate::folding::Axis::Time;
        let curves = self.curves.iter().map(|&place| self.group.curves.get(place));
        let rates = curves.map(|curve| curve.map_or(f64::NAN, |curve| curve.mean_rate));
        let rates = rates.collect::<Vec<_>>();
        let doubled = rates.iter().map(|rate| 2.0 * rate).collect::<Vec<_>>();
        self.components().filter(move |component| {
            let formula = &component.formula;
            let is_ratio = || formula.evaluate(&rates) == formula.evaluate(&doubled);
            in_time || component.axis == Axis::Left || is_ratio()
        })
    }

    /// Whether `component` is an area of the stack.
    pub fn is_area(&self, component: &Component) -> bool {
        self.model.stacked && component.axis == Axis::Left
    }

    /// Grid points.
    pub fn points(&self) -> usize {
        self.curves
            .iter()
            .filter_map(|&at| Some(self.group.curves.get(at)?.rate.len()))
            .min()
            .unwrap_or(0)
    }

    /// What the formula of `component` says at grid point `j`, as it is: also below 0, and where few
    /// instructions leave it without meaning. `None` where it has no finite value.
    pub fn value_on_grid(&self, component: &Component, j: usize) -> Option<f64> {
        let rate = |&place: &usize| self.group.curves.get(place)?.rate.get(j).copied();
        let rates = self.curves.iter().map(|place| rate(place).unwrap_or(f64::NAN));
        component.formula.evaluate(&rates.collect::<Vec<_>>())
    }

    /// The running sums of `components` at grid point `j`: the first, the first two and so on. Areas
    /// of a stack count from 0.
    ///
    /// `None` where one of them has no value. A share of the instructions has none where fewer than
    /// 1 % of the mean instruction rate leaves it without meaning, as any ratio per instruction.
    /// Neither has what is divided by a value within its band of 0, nor a share of more than its
    /// whole, with all areas of its stack. Half widths are those of the rates, as if each were off by
    /// itself, in quadrature.
    pub fn sums_on_grid(&self, components: &[&Component], j: usize) -> Option<Vec<Uncertain>> {
        self.sums(components, &|values| values.get(j).copied()).ok()
    }

    /// Why [`Modelled::sums_on_grid`] is not told of each of the components by itself; `None` where it
    /// is. What is wrong with their stack is found once, not with each of its areas.
    pub fn gaps_on_grid(&self, j: usize) -> Vec<Option<Gap>> {
        let rates = self.rates(&|values| values.get(j).copied());
        let mut of_stack = None;
        let mut stack = || *of_stack.get_or_insert_with(|| self.stack_fits(&rates));
        let gap = |component| {
            let fits = self.shares_fit(&[component], &rates);
            fits.and_then(|_| if self.is_area(component) { stack() } else { Ok(()) }).err()
        };
        self.components().map(gap).collect()
    }

    /// The same at folded time `x`, from rates between grid points.
    pub fn sums_at(&self, components: &[&Component], x: f64) -> Option<Vec<Uncertain>> {
        let x = if x.is_finite() { x.clamp(0.0, 1.0) } else { 0.0 };
        self.sums(components, &|values| (!values.is_empty()).then(|| between(values, x))).ok()
    }

    fn sums(
        &self,
        components: &[&Component],
        at: &dyn Fn(&[f64]) -> Option<f64>,
    ) -> Result<Vec<Uncertain>, Gap> {
        let rates = self.rates(at);
        let sums = self.shares_fit(components, &rates)?;
        if components.iter().any(|component| self.is_area(component)) {
            self.stack_fits(&rates)?;
        }
        Ok(self.uncertain(components, &rates, &sums))
    }

    /// The rate of each of the model's counters, which `at` finds in the values of a curve.
    fn rates(&self, at: &dyn Fn(&[f64]) -> Option<f64>) -> Vec<Uncertain> {
        let rate = |&place: &usize| {
            let curve = self.group.curves.get(place);
            let of = |values: fn(&Curve) -> &[f64]| curve.and_then(|curve| at(values(curve)));
            let value = of(|curve| &curve.rate).unwrap_or(f64::NAN);
            Uncertain { value, half_width: of(|curve| &curve.rate_band).unwrap_or(0.0) }
        };
        self.curves.iter().map(rate).collect()
    }

    /// The running sums of `components`; an error if one of shares is more than their whole.
    fn shares_fit(&self, components: &[&Component], rates: &[Uncertain]) -> Result<Vec<f64>, Gap> {
        let sums = self.sums_of(components, rates)?;
        let is_share = |at: usize| components.get(at).is_some_and(|of| of.axis == Axis::Left);
        self.fit(components, rates, &sums, &is_share)?;
        Ok(sums)
    }

    /// An error if all areas of the stack are more than their whole together.
    fn stack_fits(&self, rates: &[Uncertain]) -> Result<(), Gap> {
        if self.model.whole().is_none() {
            return Ok(());
        }
        let areas = self.components().filter(|component| self.is_area(component));
        let areas = areas.collect::<Vec<_>>();
        let sums = self.sums_of(&areas, rates)?;
        self.fit(&areas, rates, &sums, &|at| at + 1 == areas.len())
    }

    /// An error if one of those running sums that are shares is more than their whole, also by its
    /// half width, which is asked for only where the value alone is more.
    fn fit(
        &self,
        components: &[&Component],
        rates: &[Uncertain],
        sums: &[f64],
        is_share: &dyn Fn(usize) -> bool,
    ) -> Result<(), Gap> {
        let Some(whole) = self.model.whole() else { return Ok(()) };
        let is_more = |&value: &f64| within(Uncertain { value, half_width: 0.0 }, whole).is_err();
        if !sums.iter().enumerate().any(|(at, sum)| is_share(at) && is_more(sum)) {
            return Ok(());
        }
        let sums = self.uncertain(components, rates, sums).into_iter().enumerate();
        sums.filter(|(at, _)| is_share(*at)).try_for_each(|(_, sum)| within(sum, whole).map(drop))
    }

    /// The running sums of `components` over these rates, where they have a meaning.
    fn sums_of(&self, components: &[&Component], rates: &[Uncertain]) -> Result<Vec<f64>, Gap> {
        let values = values_of(rates);
        let formulas = || components.iter().map(|component| &component.formula);
        if formulas().any(|formula| self.is_too_small(formula, &values)) {
            return Err(Gap::Absent);
        }
        let sums = self.values(components, &values).ok_or(Gap::Absent)?;
        let is_near_zero = formulas().any(|formula| divides_by_next_to_nothing(formula, rates));
        if is_near_zero { Err(Gap::NearZero) } else { Ok(sums) }
    }

    /// The running sums of `components` over these rates, with how far they may be off.
    fn uncertain(
        &self,
        components: &[&Component],
        rates: &[Uncertain],
        sums: &[f64],
    ) -> Vec<Uncertain> {
        let uses = |place| components.iter().any(|component| has(&component.formula, place));
        moved(rates, &uses, sums, &|rates| self.values(components, rates))
    }

    /// The running sums of `components` over these rates.
    fn values(&self, components: &[&Component], rates: &[f64]) -> Option<Vec<f64>> {
        let mut sum = 0.0;
        let value = |component: &&Component| {
            let value = match self.is_area(component) {
                true => component.formula.shown(rates),
                false => component.formula.evaluate(rates),
            };
            sum += value?;
            Some(sum)
        };
        components.iter().map(value).collect()
    }

    /// Whether `formula` divides by instructions where there are hardly any.
    fn is_too_small(&self, formula: &Formula, rates: &[f64]) -> bool {
        let Some(place) = self.instructions else { return false };
        let Some(rate) = rates.get(place as usize) else { return false };
        let mean = self.group.instructions().map_or(0.0, |curve| curve.mean_rate);
        *rate < 0.01 * mean && divides_by(formula, place)
    }
}

/// `values`, which `of` says of the rates that it `uses`, by place, with how far they move if each is
/// off by its half width alone, in quadrature.
fn moved(
    rates: &[Uncertain],
    uses: &dyn Fn(u32) -> bool,
    values: &[f64],
    of: &dyn Fn(&[f64]) -> Option<Vec<f64>>,
) -> Vec<Uncertain> {
    let mut squares = vec![0.0; values.len()];
    let mut moved_rates = values_of(rates);
    let moving = (0u32..).zip(rates).filter(|(at, rate)| rate.half_width > 0.0 && uses(*at));
    for (place, rate) in moving {
        let place = place as usize;
        let mut moved_to = |rate: f64| {
            moved_rates[place] = rate;
            of(&moved_rates).unwrap_or_default()
        };
        let up = moved_to(rate.value + rate.half_width);
        let down = moved_to(rate.value - rate.half_width);
        moved_rates[place] = rate.value;
        for (index, (sum, value)) in squares.iter_mut().zip(values).enumerate() {
            let far = |values: &[f64]| values.get(index).map_or(0.0, |v| (v - value).abs());
            let most = far(&up).max(far(&down));
            *sum += most * most;
        }
    }
    let uncertain = |(&value, square): (&f64, f64)| {
        let half_width = square.sqrt();
        Uncertain { value, half_width: if half_width.is_finite() { half_width } else { 0.0 } }
    };
    values.iter().zip(squares).map(uncertain).collect()
}

fn values_of(rates: &[Uncertain]) -> Vec<f64> {
    rates.iter().map(|rate| rate.value).collect()
}

/// Whether `formula` divides by what lies within its band of 0.
fn divides_by_next_to_nothing(formula: &Formula, rates: &[Uncertain]) -> bool {
    let Formula::Operation(operator, sides) = formula else { return false };
    let is_next_to_nothing = |below: &Formula| {
        let value = |rates: &[f64]| below.evaluate(rates).map(|value| vec![value]);
        let Some(at_rates) = value(&values_of(rates)) else { return false };
        let of = moved(rates, &|place| has(below, place), &at_rates, &value);
        of[0].half_width > 0.0 && of[0].value.abs() <= of[0].half_width
    };
    *operator == Operator::Divide && is_next_to_nothing(&sides[1])
        || sides.iter().any(|side| divides_by_next_to_nothing(side, rates))
}

fn divides_by(formula: &Formula, counter: u32) -> bool {
    let Formula::Operation(operator, sides) = formula else { return false };
    let below = *operator == Operator::Divide && has(&sides[1], counter);
    below || sides.iter().any(|side| divides_by(side, counter))
}

fn has(formula: &Formula, counter: u32) -> bool {
    match formula {
        Formula::Number(_) => false,
        Formula::Counter(place) => *place == counter,
        Formula::Operation(_, sides) => sides.iter().any(|side| has(side, counter)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::read;

    fn group() -> Group {
        let curve = |counter: &str, rate: &[f64], rate_band: &[f64]| Curve {
            counter: counter.to_owned(),
            instructions: counter == "PAPI_TOT_INS",
            mean_rate: 100.0,
            rate: rate.to_vec(),
            rate_band: rate_band.to_vec(),
            ..Curve::default()
        };
        let curves = vec![
            curve("PAPI_TOT_INS", &[100.0, 200.0, 0.5], &[3.0, 0.0, 0.0]),
            curve("loads:u", &[50.0, 20.0, 7.0], &[2.0, 1.0, 0.0]),
            curve("PAPI_BR_INS", &[10.0, 30.0, 1.0], &[]),
        ];
        Group { curves, ..Group::default() }
    }

    fn model() -> Model {
        let ratio = |counter| {
            format!(
                "<operation type='/'><value>{counter}</value><value>PAPI_TOT_INS</value></operation>"
            )
        };
        let xml = format!(
            "<models><model name='mix' y1-stacked='yes'>\
             <component name='loads' where='y1'>{}</component>\
             <component name='branches' where='y1'>{}</component>\
             <component name='rest' where='y1'><operation type='-'><value>1</value>\
             <operation type='+'><value>loads</value><value>branches</value></operation>\
             </operation></component>\
             <component name='mips' where='y2'><value>PAPI_TOT_INS</value></component>\
             <component name='step' where='y1' hidden='yes'><value>1</value></component>\
             </model></models>",
            ratio("LOADS|PAPI_LD_INS"),
            ratio("PAPI_BR_INS")
        );
        read("m.xml", xml.as_bytes()).unwrap().remove(0)
    }

    #[test]
    fn values_are_the_formula_of_the_rates() {
        let (group, model) = (group(), model());
        let modelled = group.modelled(&model).unwrap();
        let names: Vec<_> = modelled.components().map(|c| &c.name[..]).collect();
        assert_eq!(names, ["loads", "branches", "rest", "mips"]);
        let values = |j| -> Vec<Option<f64>> {
            let value = |c| modelled.sums_on_grid(&[c], j).map(|found| found[0].value);
            modelled.components().map(value).collect()
        };
        assert_eq!(values(0), [0.5, 0.1, 0.4, 100.0].map(Some));
        assert_eq!(values(1)[..2], [0.1, 0.15].map(Some));
        assert_eq!(values(2), [None, None, None, Some(0.5)], "hardly any instructions");
        assert_eq!((values(3), modelled.points()), (vec![None; 4], 3));
        let between = modelled.sums_at(&[&model.components[3]], 0.25).unwrap();
        assert_eq!(between[0].value, 150.0);
    }

    #[test]
    fn no_share_of_a_stack_is_told_where_all_together_exceed_the_whole() {
        let (mut group, mut model) = (group(), model());
        model.left = "Share of instructions".to_owned();
        // 0.5 and 0.7 of the instructions.
        group.curves[2].rate[0] = 70.0;
        let gap = |group: &Group| {
            let modelled = group.modelled(&model).unwrap();
            let gaps = (0..modelled.points()).map(|j| modelled.gaps_on_grid(j)).collect::<Vec<_>>();
            for (j, of_all) in gaps.iter().enumerate() {
                for (component, gap) in modelled.components().zip(of_all) {
                    let alone = modelled.sums(&[component], &|values| values.get(j).copied());
                    assert_eq!(alone.err(), *gap, "{} at {j}", component.name);
                }
            }
            gaps[0][0]
        };
        assert_eq!(gap(&group), Some(Gap::BeyondWhole(1.2)));
        // What stands at the right is no share.
        let modelled = group.modelled(&model).unwrap();
        assert_eq!(modelled.gaps_on_grid(0)[3], None);
        // By its band it may be the whole.
        group.curves[2].rate_band = vec![20.0, 0.0, 0.0];
        assert_eq!(gap(&group), None);
        // A loads-only group divides by instructions that may be none.
        group.curves[0].rate_band[0] = 100.0;
        assert_eq!(gap(&group), Some(Gap::NearZero));
    }

    #[test]
    fn a_share_that_stands_alone_exceeds_the_whole_by_itself() {
        let (mut group, mut model) = (group(), model());
        (model.left, model.stacked) = ("Share of instructions".to_owned(), false);
        group.curves[1].rate[0] = 120.0;
        let modelled = group.modelled(&model).unwrap();
        assert_eq!(modelled.gaps_on_grid(0)[..2], [Some(Gap::BeyondWhole(1.2)), None]);
    }

    #[test]
    fn a_half_width_is_that_of_the_side_that_moves_further() {
        let (mut group, model) = (group(), model());
        (group.curves[0].rate_band[0], group.curves[1].rate_band[0]) = (50.0, 0.0);
        let modelled = group.modelled(&model).unwrap();
        let loads = modelled.sums_on_grid(&[&model.components[0]], 0).unwrap()[0];
        // 50 of 100 ± 50: from a half up to all, and down to a third.
        assert_eq!(loads, Uncertain { value: 0.5, half_width: 0.5 });
    }

    #[test]
    fn half_widths_are_those_of_the_rates_in_quadrature() {
        let (group, model) = (group(), model());
        let modelled = group.modelled(&model).unwrap();
        let all: Vec<_> = modelled.components().take(3).collect();
        let of = |components: &[&Component], j| {
            *modelled.sums_on_grid(components, j).unwrap().last().unwrap()
        };
        assert!((of(&all[..1], 1).half_width - 1.0 / 200.0).abs() < 1e-12);
        // 4 % and 3 % are 5 %, but for the curvature of a quotient.
        assert!((of(&all[..1], 0).half_width - 0.025).abs() < 5e-4);
        let whole = of(&all, 0);
        assert!((whole.value - 1.0).abs() < 1e-12 && whole.half_width < 1e-12, "{whole:?}");
    }

    #[test]
    fn a_model_whose_counters_are_missing_has_no_values() {
        let (mut group, model) = (group(), model());
        group.curves.pop();
        assert!(group.modelled(&model).is_none());
    }
}
