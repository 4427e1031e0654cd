//! Colours of references: loads by their latency or by the memory level that served them, stores
//! dark.

use serde::Serialize;

use plotters::style::RGBColor;

use crate::folding::{Group, MemoryLevel, References};
use crate::paint::View;
use crate::paint::scene::{css, rgb};
use crate::quantity::number;

/// Steps of the scale of latency.
const STEPS: usize = 8;

/// What a reference looks like: a step of latency, or a level as a number; else one of these.
pub const STORE: u8 = 10;
pub const NO_COST: u8 = 11;
/// Not shown: its object is not.
pub const HIDDEN: u8 = 12;

/// Hues of the levels from L1 on, out of those of routines: no other twelve are as far apart for
/// every sight. Cool ones are near, warm ones far.
const LEVELS: [usize; 9] = [7, 10, 2, 5, 8, 3, 9, 1, 11];

/// Costs are told apart up to this one; dearer ones count as it.
const DEAREST: usize = 1 << 16;

/// The scale of latency of a group, and what its references have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    /// The 1st and the 99th percentile of the loads whose cost is known, in cycles.
    pub ends: Option<(u32, u32)>,
    /// Where the second step begins, the third, and so on.
    bounds: Vec<u32>,
    /// Loads without a cost, and loads served by each level.
    pub unknown: u32,
    pub levels: [u32; 10],
    pub stores: u32,
}

/// What explains the colours of a lane.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct AddressKey {
    /// Cycles at both ends of the scale, as they are written; `None` where no latency was sampled.
    pub ends: Option<[String; 2]>,
    /// `#RRGGBB` of each step.
    pub steps: Vec<String>,
    /// Levels that served loads.
    pub levels: Vec<LevelKey>,
    /// Loads without a latency, and their colour.
    pub unknown: u32,
    pub unknown_colour: String,
    pub stores: u32,
    pub store_colour: String,
    /// Loads and stores are here, not only what is known of their objects.
    pub references: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct LevelKey {
    /// Its number, by which it is picked.
    pub level: u8,
    pub name: &'static str,
    pub loads: u32,
    pub colour: String,
}

impl Costs {
    /// O(references).
    pub fn of(references: &References) -> Costs {
        let mut costs = Costs::default();
        let mut counts = vec![0_u32; DEAREST];
        let each = references.cost.iter().zip(&references.store).zip(&references.level);
        for ((&cost, &store), &level) in each {
            if store != 0 {
                costs.stores += 1;
                continue;
            }
            let level = MemoryLevel::of(u64::from(level)) as usize;
            if let Some(count) = costs.levels.get_mut(level) {
                *count += 1;
            }
            match counts.get_mut((cost as usize).min(DEAREST - 1)) {
                Some(count) if cost > 0 => *count += 1,
                _ => costs.unknown += 1,
            }
        }
        let ends = ends(&counts);
        costs.between(ends)
    }

    /// The same with the scale of other references, of which these are some.
    pub fn between(mut self, ends: Option<(u32, u32)>) -> Costs {
        self.ends = ends;
        self.bounds.clear();
        if let Some((low, high)) = ends.filter(|(low, high)| high > low) {
            let ratio = f64::from(high) / f64::from(low);
            let bound = |step: usize| {
                let bound = f64::from(low) * libm::pow(ratio, step as f64 / STEPS as f64);
                libm::ceil(bound - 1e-9) as u32
            };
            self.bounds = (1..STEPS).map(bound).collect();
        }
        self
    }

    /// The step of a cost, from 0.
    pub fn step(&self, cost: u32) -> u8 {
        self.bounds.iter().filter(|bound| cost >= **bound).count() as u8
    }

    /// What a reference looks like.
    pub fn look(&self, store: u8, level: u8, cost: u32, by_level: bool) -> u8 {
        match (store, by_level) {
            (1.., _) => STORE,
            (_, true) => MemoryLevel::of(u64::from(level)) as u8,
            (_, false) if cost == 0 => NO_COST,
            _ => self.step(cost),
        }
    }
}

/// The 1st and the 99th percentile of what was counted by its value.
fn ends(counts: &[u32]) -> Option<(u32, u32)> {
    let total: u64 = counts.iter().map(|count| u64::from(*count)).sum();
    let at = |rank: u64| {
        let mut sum = 0;
        let reached = |count: &u32| {
            sum += u64::from(*count);
            sum > rank
        };
        counts.iter().position(reached).map(|value| value as u32)
    };
    Some((at(total / 100)?, at(total.saturating_sub(1 + total / 100))?))
}

/// Colours by look.
pub fn colours(view: &View) -> [RGBColor; 12] {
    let tokens = view.theme.tokens();
    let colour = |look: usize| match view.by_level {
        _ if look == STORE as usize => tokens.store,
        false => tokens.latency.get(look).map_or(tokens.axis, |hex| rgb(*hex)),
        true => {
            let hue = look.checked_sub(1).and_then(|level| LEVELS.get(level));
            hue.map_or(tokens.axis, |&hue| tokens.routine(hue))
        }
    };
    std::array::from_fn(colour)
}

fn written((low, high): (u32, u32)) -> [String; 2] {
    [low, high].map(|cycles| number(f64::from(cycles), 0))
}

/// What explains the colours of a group's references; without them, of what its objects tell.
pub fn address_key(group: &Group, costs: Option<&Costs>, view: &View) -> AddressKey {
    let by_level = colours(&View { by_level: true, ..view.clone() });
    let by_latency = colours(&View { by_level: false, ..view.clone() });
    let loads = |level: usize| match costs {
        Some(costs) => costs.levels.get(level).copied().unwrap_or(0),
        None => group.objects.iter().filter_map(|object| object.levels.get(level)).sum(),
    };
    let all = MemoryLevel::ALL.iter().map(|(level, _)| LevelKey {
        level: *level as u8,
        name: level.name(),
        loads: loads(*level as usize),
        colour: by_level.get(*level as usize).map(|colour| css(*colour)).unwrap_or_default(),
    });
    AddressKey {
        ends: costs.and_then(|costs| costs.ends).map(written),
        steps: by_latency.iter().take(STEPS).map(|colour| css(*colour)).collect(),
        levels: all.filter(|key| key.loads > 0).collect(),
        unknown: costs.map_or(0, |costs| costs.unknown),
        unknown_colour: css(by_latency[NO_COST as usize]),
        stores: costs.map_or(0, |costs| costs.stores),
        store_colour: css(by_latency[STORE as usize]),
        references: costs.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::Theme;
    use crate::paint::scene::contrast;
    use crate::paint::scene::mix;

    fn loads(costs: &[u32]) -> References {
        References {
            cost: costs.to_vec(),
            store: vec![0; costs.len()],
            level: vec![1; costs.len()],
            ..References::default()
        }
    }

    #[test]
    fn the_scale_runs_from_the_first_to_the_99th_percentile() {
        let costs = Costs::of(&loads(&(1..=1000).collect::<Vec<_>>()));
        assert_eq!(costs.ends, Some((11, 990)));
        assert_eq!(
            (costs.step(1), costs.step(11), costs.step(990), costs.step(9999)),
            (0, 0, 7, 7)
        );
        for cost in 11..990 {
            let share = libm::log(f64::from(cost) / 11.0) / libm::log(990.0 / 11.0);
            let step = (share * 8.0 + 1e-9).floor() as u8;
            assert_eq!(costs.step(cost), step, "{cost}");
        }
    }

    #[test]
    fn without_costs_there_is_no_scale_and_with_one_cost_one_step() {
        let none = Costs::of(&loads(&[0; 20]));
        assert_eq!((none.ends, none.unknown), (None, 20));
        assert_eq!(none.look(0, 1, 0, false), NO_COST);
        let one = Costs::of(&loads(&[7; 20]));
        assert_eq!((one.ends, one.step(7)), (Some((7, 7)), 0));
        assert_eq!(Costs::of(&loads(&[u32::MAX; 3])).ends, Some((65535, 65535)));
    }

    #[test]
    fn every_look_is_seen_on_both_grounds() {
        for theme in [Theme::Light, Theme::Dark, Theme::Contrast] {
            for by_level in [false, true] {
                let view = crate::paint::example::view(976.0, 198.0);
                let view = View { theme, by_level, ..view };
                let tokens = theme.tokens();
                for colour in colours(&view) {
                    let sunken = mix(tokens.sunken, tokens.routine(0), tokens.tint);
                    assert!(contrast(colour, tokens.surface) >= 3.0, "{theme:?} {colour:?}");
                    assert!(contrast(colour, sunken) >= 2.5, "{theme:?} {colour:?}");
                }
            }
        }
    }
}
