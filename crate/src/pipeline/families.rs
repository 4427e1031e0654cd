//! Counters of which instances count so unlike that a curve runs between them.

use super::computing::counts;
use super::counted::Grouped;
use super::measured::Measured;
use super::notices::add_of_group;
use crate::folding::{Family, FoldingNotice};
use crate::instance::families;
use crate::settings::Settings;
use crate::trace::Trace;

/// Finds of each group which of its counters have several families of instances, and says so and how
/// they are folded apart. What threads count while they wait makes no family.
pub fn find(
    trace: &Trace,
    grouped: &Grouped,
    measured: &mut [Vec<Measured>],
    settings: &Settings,
) -> Vec<FoldingNotice> {
    let mut notices = vec![];
    for (over, measured) in grouped.each(trace).zip(measured) {
        let all = || measured.iter().map(|of| of.samples.counted.clone()).collect();
        let computed = over.has_waiting().then(|| counts(&over, measured, settings)).flatten();
        let counts = computed.unwrap_or_else(all);
        for (of, counts) in measured.iter_mut().zip(&counts) {
            let families = families(counts);
            if families.len() > 1 {
                let name = &trace.types[of.counter as usize].name;
                add_of_group(&mut notices, text(name, &families), over.group.number);
                of.families = families;
            }
        }
    }
    notices
}

fn text(counter: &str, families: &[Family]) -> String {
    let family = |Family { instances, total }: &Family| {
        // Four digits tell any two apart: they differ by a twentieth.
        let unit = 10u64.pow(total.checked_ilog10().unwrap_or(0).saturating_sub(3));
        format!("{instances} count about {}", total / unit * unit)
    };
    let all = families.iter().map(family).collect::<Vec<_>>().join(", ");
    format!(
        "{counter} has {} families of instances: {all}. Its curve runs between them; \
         group=by:{counter} folds each by itself.",
        families.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_told_with_what_they_count_in_four_digits() {
        let family = |(instances, total)| Family { instances, total };
        let told = text("L2", &[(2, 0), (3, 9876), (4, 123_456)].map(family));
        let start = "L2 has 3 families of instances: 2 count about 0, 3 count about 9876, \
                     4 count about 123400. ";
        assert!(told.starts_with(start), "{told}");
    }
}
