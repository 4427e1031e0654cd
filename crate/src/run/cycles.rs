//! Loops of one rank: sites called equally often, in one order in every pass.

use super::calls::CallsBySite;
use super::rotation::Edge;
use super::stretch::{Stretch, are_like, between, duration_ns, median, regular_ns};
use crate::order;

/// Sites that a rank calls one after the other, in the same order in every pass.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cycle {
    /// How often each is called; those that the trace cut off once less.
    pub count: u32,
    /// Numbers of the sites, in the order of a pass; the cut ones last.
    pub members: Vec<u32>,
    /// Of the chance that so much order is an accident.
    pub ln_p: f64,
}

/// Classes that the sites of one count may form: what is not in one of the first has no order that
/// could be told from chance, and comparing it with ever more would no longer be linear.
const MOST_CLASSES: usize = 16;

/// What is less likely than one in a million is no accident: ln 10⁻⁶.
const LN_P: f64 = -13.8;

/// A site alone has no order. It has passes if it is called this often ...
const LEAST_CALLS: usize = 8;

/// ... and if this share of the stretches between its calls hold the same calls, and of their time
/// this share is in durations that are alike.
const ALIKE: f64 = 0.8;

/// Sites with one count of which some are in a cycle.
#[derive(Clone, Copy, Debug)]
struct Choice {
    of: u32,
    chosen: u32,
    count: u32,
}

/// ln of how many cycles of so many sites are to be expected where the calls stand in any order:
/// ordered choices of the sites × ways to place them in this order / ways to place them at all.
/// Not above 0.
fn ln_p(choices: &[Choice]) -> f64 {
    let ln_factorial = |n: f64| libm::lgamma(n + 1.0);
    let one = |choice: &Choice| {
        let [of, chosen, count] = [choice.of, choice.chosen, choice.count].map(f64::from);
        ln_factorial(of) - ln_factorial(of - chosen) + chosen * ln_factorial(count)
    };
    let calls = |choice: &Choice| f64::from(choice.chosen) * f64::from(choice.count);
    let placed = ln_factorial(choices.iter().map(calls).sum());
    (choices.iter().map(one).sum::<f64>() - placed).min(0.0)
}

/// Sites of one count that take turns.
struct Class {
    /// How many sites of the rank have this count.
    of: u32,
    count: u32,
    /// In the order of a pass.
    members: Vec<u32>,
}

/// All cycles that are no accident, by count. O(calls), and sorting the sites.
pub(super) fn cycles(calls: &CallsBySite<'_>) -> Vec<Cycle> {
    let count = |number: u32| calls.of_site(number).len();
    let by_count = order::indices((0..calls.sites()).map(|number| count(number) as u64));
    let recurring = by_count.partition_point(|&number| count(number) < 2);
    let mut cycles = Vec::new();
    let mut shorter = Vec::new();
    for sites in
        by_count.get(recurring..).unwrap_or_default().chunk_by(|&a, &b| count(a) == count(b))
    {
        let mut alone = Vec::new();
        for class in classes(calls, sites) {
            match cut_off(calls, &class, &shorter) {
                Some((at, cut)) => {
                    shorter.remove(at);
                    cycles.push(cycle(class, Some(cut)));
                }
                None => alone.push(class),
            }
        }
        let complete = std::mem::replace(&mut shorter, alone);
        cycles.extend(complete.into_iter().map(|class| cycle(class, None)));
    }
    cycles.extend(shorter.into_iter().map(|class| cycle(class, None)));
    cycles.retain(|cycle| cycle.ln_p <= LN_P || is_alike(calls, cycle));
    cycles
}

/// Classes of the sites of one count, which come in the order of their first calls. A site belongs
/// to the class with whose first site it takes turns, if it stands behind the sites taken before it
/// in every pass: without one order, sites called at random would make classes.
fn classes(calls: &CallsBySite<'_>, sites: &[u32]) -> Vec<Class> {
    let mut classes: Vec<Vec<u32>> = Vec::new();
    for &site in sites {
        let indices = calls.of_site(site);
        let takes_turns = |class: &Vec<u32>| take_turns(calls.of_site(class[0]), indices);
        match classes.iter().position(takes_turns) {
            Some(at) => classes[at].push(site),
            None if classes.len() < MOST_CLASSES => classes.push(vec![site]),
            None => {}
        }
    }
    let of = sites.len() as u32;
    let count = sites.first().map_or(0, |&site| calls.of_site(site).len()) as u32;
    let in_order = |members: Vec<u32>| in_order(calls, None, members);
    classes.into_iter().map(in_order).map(|members| Class { of, count, members }).collect()
}

/// Whether `a₁ < b₁ < a₂ < b₂ …`, the last of `a` being without one of `b` or not.
fn take_turns(a: &[u32], b: &[u32]) -> bool {
    let behind = a.iter().zip(b).all(|(a, b)| a < b);
    behind && b.iter().zip(a.iter().skip(1)).all(|(b, next)| b < next)
}

/// Those of `sites` whose calls all stand behind those of the one kept before, at first `last`.
fn in_order(calls: &CallsBySite<'_>, mut last: Option<u32>, mut sites: Vec<u32>) -> Vec<u32> {
    sites.retain(|&site| {
        let before = last.map_or(&[][..], |last| calls.of_site(last));
        let is_behind = before.iter().zip(calls.of_site(site)).all(|(before, own)| before < own);
        if is_behind {
            last = Some(site);
        }
        is_behind
    });
    sites
}

/// Which class of one call less belongs to the same loop, and its sites: they stand behind those of
/// `class` in every pass but one, which the trace's begin or end cut off. If a pass at a border is
/// unlike the others, it is none: `class` is also called before the loop, or after it.
fn cut_off(calls: &CallsBySite<'_>, class: &Class, shorter: &[Class]) -> Option<(usize, Class)> {
    let first = *class.members.first()?;
    for (at, short) in shorter.iter().enumerate().filter(|(_, s)| s.count + 1 == class.count) {
        let mut members = short.members.clone();
        members.retain(|&site| take_turns(calls.of_site(first), calls.of_site(site)));
        let members = in_order(calls, class.members.last().copied(), members);
        if !members.is_empty() && has_like_ends(&calls.times_ns(first, Edge::Begin)) {
            return Some((at, Class { members, ..*short }));
        }
    }
    None
}

/// Whether the first and the last of the stretches between times are as long as the others.
fn has_like_ends(times_ns: &[u64]) -> bool {
    let durations = between(times_ns).into_iter().map(duration_ns).collect::<Vec<_>>();
    let ends = durations.first().into_iter().chain(durations.last());
    median(durations.clone()).is_some_and(|usual| ends.clone().all(|&one| are_like(one, usual)))
}

fn cycle(class: Class, cut: Option<Class>) -> Cycle {
    let choice = |class: &Class| Choice {
        of: class.of,
        chosen: class.members.len() as u32,
        count: class.count,
    };
    let choices = std::iter::once(&class).chain(&cut).map(choice).collect::<Vec<_>>();
    let mut members = class.members;
    members.extend(cut.into_iter().flat_map(|cut| cut.members));
    Cycle { count: class.count, members, ln_p: ln_p(&choices) }
}

/// Whether what happens between the calls of the first site is nearly always the same.
fn is_alike(calls: &CallsBySite<'_>, cycle: &Cycle) -> bool {
    let Some(&site) = cycle.members.first() else { return false };
    let indices = calls.of_site(site);
    are_alike(calls, indices.iter().copied().zip(indices.iter().copied().skip(1)))
}

/// The same of any stretches between two calls, from begin to begin.
pub(super) fn are_alike(
    calls: &CallsBySite<'_>,
    stretches: impl Iterator<Item = (u32, u32)> + Clone,
) -> bool {
    let contents = |(after, before): (u32, u32)| calls.contents(after, before);
    let Some(common) = majority(stretches.clone().map(contents)) else { return false };
    let begin = |index: u32| calls.time_ns(index, Edge::Begin);
    let alike = stretches.clone().filter(|&stretch| contents(stretch) == common);
    let times = alike.map(|(a, b)| (begin(a), begin(b))).collect::<Vec<Stretch>>();
    let all = stretches.count();
    let (regular_ns, all_ns) = regular_ns(&times);
    all + 1 >= LEAST_CALLS
        && times.len() as f64 >= ALIKE * all as f64
        && all_ns > 0
        && regular_ns as f64 >= ALIKE * all_ns as f64
}

/// What more than half of `values` are, if they are; else any of them.
///
/// Source: Boyer and Moore 1991, MJRTY: a fast majority vote algorithm.
fn majority(values: impl Iterator<Item = u64>) -> Option<u64> {
    let mut leading = None;
    let mut lead = 0u32;
    for value in values {
        if lead == 0 {
            leading = Some(value);
        }
        lead = if leading == Some(value) { lead + 1 } else { lead - 1 };
    }
    leading
}

#[cfg(test)]
mod tests {
    use tracefold_generate::Random;

    use super::super::made_up::Thread;
    use super::super::rotation::rotation;
    use super::*;

    /// Every different order of calls of sites that are called `counts` times.
    fn orders(counts: &[u32]) -> Vec<Vec<u32>> {
        if counts.iter().all(|count| *count == 0) {
            return vec![Vec::new()];
        }
        let mut orders = Vec::new();
        for site in (0..counts.len()).filter(|&site| counts[site] > 0) {
            let mut rest = counts.to_vec();
            rest[site] -= 1;
            for mut order in self::orders(&rest) {
                order.push(site as u32);
                orders.push(order);
            }
        }
        orders
    }

    /// Every ordered choice of `n` of `sites`.
    fn choices(sites: &[u32], n: usize) -> Vec<Vec<u32>> {
        if n == 0 {
            return vec![Vec::new()];
        }
        let with = |&first: &u32| {
            let others = sites.iter().copied().filter(|site| *site != first).collect::<Vec<_>>();
            choices(&others, n - 1).into_iter().map(move |rest| [vec![first], rest].concat())
        };
        sites.iter().flat_map(with).collect()
    }

    #[test]
    fn ln_p_is_that_of_the_mean_number_of_cycles_over_all_orders_of_the_calls() {
        // Sites of one count and how many of them are chosen; the same of one call less.
        let cases: [(u32, [usize; 2], [usize; 2]); 8] = [
            (2, [2, 2], [0, 0]),
            (3, [2, 2], [0, 0]),
            (2, [3, 3], [0, 0]),
            (2, [4, 3], [0, 0]),
            (2, [5, 3], [0, 0]),
            (3, [3, 3], [0, 0]),
            (3, [1, 1], [1, 1]),
            (3, [2, 1], [2, 2]),
        ];
        for (count, [of, chosen], [of_less, chosen_less]) in cases {
            let counts = [vec![count; of], vec![count - 1; of_less]].concat();
            let sites = (0..counts.len() as u32).collect::<Vec<_>>();
            let (whole, less) = sites.split_at(of);
            let pass = |(first, second): (Vec<u32>, &Vec<u32>)| [&first, &second[..]].concat();
            let passes = choices(whole, chosen).into_iter().flat_map(|first| {
                let seconds = choices(less, chosen_less);
                seconds.into_iter().map(|second| pass((first.clone(), &second))).collect::<Vec<_>>()
            });
            let passes = passes.collect::<Vec<_>>();
            let orders = orders(&counts);
            let is_cycle = |order: &Vec<u32>, pass: &Vec<u32>| {
                let calls = order.iter().filter(|site| pass.contains(site));
                calls.zip(pass.iter().cycle()).all(|(call, expected)| call == expected)
            };
            let cycles = |order| passes.iter().filter(|pass| is_cycle(order, pass)).count();
            let mean = orders.iter().map(cycles).sum::<usize>() as f64 / orders.len() as f64;
            let choice =
                |(of, chosen, count)| Choice { of: of as u32, chosen: chosen as u32, count };
            let both = [(of, chosen, count), (of_less, chosen_less, count - 1)].map(choice);
            let got = libm::exp(ln_p(&both));
            assert!((got - mean).abs() < 1e-12, "{count} {of} {of_less}: {got} for {mean}");
        }
    }

    /// Cycles of one thread, with the sites by their own names.
    fn cycles_of(thread: &Thread) -> Vec<(u32, Vec<u32>)> {
        let ranks = [thread.rank()];
        let calls = &CallsBySite::of_ranks(&ranks, 200_000)[0];
        let names = |cycle: &Cycle| cycle.members.iter().map(|&m| calls.site(m)).collect();
        cycles(calls).iter().map(|cycle| (cycle.count, names(cycle))).collect()
    }

    #[test]
    fn sites_that_take_turns_are_a_cycle_in_the_order_of_the_pass() {
        let mut thread = Thread::new();
        (0..10).for_each(|_| thread.pass([5, 3, 9, 1], 100));
        assert_eq!(cycles_of(&thread), [(10, vec![5, 3, 9, 1])]);
    }

    #[test]
    fn two_calls_need_twelve_passes_and_two_passes_eight_sites() {
        // Of eleven and of seven there are passes, but no order that could not be chance; uneven
        // work keeps their stretches from being alike.
        for (sites, passes, is_cycle) in
            [(2, 12, true), (2, 11, false), (8, 2, true), (7, 2, false)]
        {
            let mut thread = Thread::new();
            (0..passes).for_each(|pass| thread.pass(0..sites, 100 << (4 * (pass % 4))));
            assert_eq!(cycles_of(&thread).len(), usize::from(is_cycle), "{sites} × {passes}");
        }
    }

    #[test]
    fn a_site_that_changes_its_place_in_the_pass_is_left_out_of_the_order() {
        let mut thread = Thread::new();
        for pass in 0..12 {
            thread.pass(if pass % 2 == 0 { [0, 1, 2, 3] } else { [0, 2, 1, 3] }, 100);
        }
        assert_eq!(cycles_of(&thread), [(12, vec![0, 1, 3])]);
    }

    #[test]
    fn parts_of_a_pass_that_change_places_are_two_cycles() {
        let mut thread = Thread::new();
        for pass in 0..12 {
            thread.pass(if pass % 2 == 0 { 0..5 } else { 5..10 }, 100);
            thread.pass(if pass % 2 == 0 { 5..10 } else { 0..5 }, 100);
        }
        let expected = [(12, (0..5).collect()), (12, (5..10).collect())];
        assert_eq!(cycles_of(&thread), expected);
    }

    #[test]
    fn a_period_that_the_end_of_the_trace_cuts_belongs_to_its_loop() {
        let mut thread = Thread::new();
        (0..9).for_each(|_| thread.pass(0..100, 10));
        thread.pass(0..90, 10);
        assert_eq!(cycles_of(&thread), [(10, (0..100).collect())]);
    }

    #[test]
    fn a_period_that_the_begin_of_the_trace_cuts_belongs_to_its_loop() {
        let mut thread = Thread::new();
        thread.pass(7..10, 10);
        (0..9).for_each(|_| thread.pass(0..10, 10));
        let pass = [7, 8, 9, 0, 1, 2, 3, 4, 5, 6];
        assert_eq!(cycles_of(&thread), [(10, pass.to_vec())]);
    }

    #[test]
    fn a_call_before_the_loop_is_no_pass_that_was_cut() {
        let mut thread = Thread::new();
        thread.pass([8, 9], 10);
        thread.work(100_000);
        (0..9).for_each(|_| thread.pass(0..10, 10));
        assert!(cycles_of(&thread).contains(&(9, (0..8).collect())));
    }

    #[test]
    fn classes_of_counts_that_differ_by_two_are_two_loops() {
        let mut thread = Thread::new();
        (0..10).for_each(|_| thread.pass(0..5, 10));
        (0..2).for_each(|_| thread.pass(0..3, 10));
        assert_eq!(cycles_of(&thread), [(10, vec![3, 4]), (12, vec![0, 1, 2])]);
    }

    #[test]
    fn one_site_is_a_loop_if_what_is_between_its_calls_is_nearly_always_the_same() {
        // How many of 20 passes call something else once, and how many last ten times as long.
        let cases = [(0, 0, true), (3, 0, true), (5, 0, false), (0, 0, true), (0, 4, false)];
        for (other, long, is_loop) in cases {
            let mut thread = Thread::new();
            for pass in 0..20 {
                thread.pass([0], if pass % 5 == 1 && pass / 5 < long { 1000 } else { 100 });
                if pass % 4 == 1 && pass / 4 < other {
                    thread.call(10 + pass);
                }
            }
            let expected = is_loop.then_some((20, vec![0]));
            assert_eq!(cycles_of(&thread), Vec::from_iter(expected), "{other} {long}");
        }
    }

    #[test]
    fn what_more_than_half_of_the_values_are_leads() {
        let mut random = Random::new(5);
        for n in 1..60 {
            let most = 1 + n / 2;
            let others = (0..n - most).map(|_| 1 + random.below(3));
            let mut values = (0..most).map(|_| 9).chain(others).collect::<Vec<_>>();
            for at in (1..values.len()).rev() {
                values.swap(at, random.below(at as u64 + 1) as usize);
            }
            assert_eq!(majority(values.into_iter()), Some(9));
        }
        assert_eq!(majority(std::iter::empty()), None);
    }

    #[test]
    fn seven_calls_of_one_site_are_too_few() {
        for (passes, cycles) in [(7, 0), (8, 1)] {
            let mut thread = Thread::new();
            (0..passes).for_each(|_| thread.pass([0], 100));
            assert_eq!(cycles_of(&thread).len(), cycles);
        }
    }

    #[test]
    fn sites_called_at_random_are_no_cycle() {
        let mut random = Random::new(11);
        for _ in 0..300 {
            let mut thread = Thread::new();
            let (sites, passes) = (3 + random.below(30) as u32, 2 + random.below(30));
            let mut order = (0..passes).flat_map(|_| 0..sites).collect::<Vec<_>>();
            for at in (1..order.len()).rev() {
                order.swap(at, random.below(at as u64 + 1) as usize);
            }
            thread.pass(order, 100);
            assert_eq!(cycles_of(&thread), [], "{sites} × {passes}");
        }
    }

    #[test]
    fn a_hundred_thousand_sites_of_which_ten_recur_are_one_cycle() {
        let mut thread = Thread::new();
        for pass in 0..10_000 {
            thread.pass(0..10, 100);
            thread.pass((10..20).map(|site| 10 * pass + site), 10);
        }
        assert_eq!(cycles_of(&thread), [(10_000, (0..10).collect())]);
    }

    #[test]
    fn a_hundred_thousand_sites_called_twice_are_one_cycle() {
        let mut thread = Thread::new();
        (0..2).for_each(|_| thread.pass(0..100_000, 10));
        assert_eq!(cycles_of(&thread), [(2, (0..100_000).collect())]);
        let ranks = [thread.rank()];
        let calls = &CallsBySite::of_ranks(&ranks, 100_000)[0];
        let passes = rotation(calls, 0, ranks[0].span_ns, &cycles(calls)[0]).unwrap();
        assert_eq!(passes.instances_ns.len(), 2);
    }
}
