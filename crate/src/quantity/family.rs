//! Which counters belong together, by what their names say that they count.

use super::name::is_numbered;

/// Families of counters in the order in which they are listed, each with what names of its counters
/// contain, in capitals; a counter is of the first that fits. Names are those of PAPI's presets, of its
/// native events on x86 and Arm, and of perf.
const FAMILIES: &[(&str, &[&str])] = &[
    ("Power", &["ENERGY", "POWER"]),
    ("Pages and TLBs", &["TLB", "PAGE", "WALK"]),
    ("Cycles and stalls", &["CYC", "STL", "STALL", "CLK", "CLOCK", "UNHALTED"]),
    ("Branches", &["BR_", "BRANCH", "BACLEAR"]),
    (
        "Caches and memory",
        &["L1", "L2", "L3", "LLC", "CACHE", "PRF", "MEM", "DRAM", "CAS_COUNT", "OFFCORE", "SNOOP"],
    ),
    (
        "Work",
        &[
            "INS", "OPS", "FP_", "VEC", "ARITH", "UOP", "LOAD", "STORE", "LD_", "SR_", "SIMD",
            "FLOP", "DIV",
        ],
    ),
];

/// What counters of no family, and those that are known by number alone, are listed under.
const OTHERS: &str = "Others";
const NUMBERED: &str = "Without a name";

/// Where the family of `counter` stands among all, and its title.
pub fn family(counter: &str) -> (u32, &'static str) {
    let name = counter.to_ascii_uppercase();
    let fits = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let own = match FAMILIES.iter().position(|(_, parts)| fits(parts)) {
        _ if is_numbered(counter) => FAMILIES.len() + 1,
        Some(place) => place,
        None => FAMILIES.len(),
    };
    (own as u32, title(own))
}

fn title(place: usize) -> &'static str {
    match FAMILIES.get(place) {
        Some((title, _)) => title,
        None if place == FAMILIES.len() => OTHERS,
        None => NUMBERED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_listed_with_what_counts_the_like() {
        for (counter, title) in [
            ("PAPI_TOT_CYC", "Cycles and stalls"),
            ("RESOURCE_STALLS:SB", "Cycles and stalls"),
            ("PAPI_TLB_DM", "Pages and TLBs"),
            ("page-faults", "Pages and TLBs"),
            ("PAPI_L1_DCM", "Caches and memory"),
            ("LLC_MISSES", "Caches and memory"),
            ("cache-misses", "Caches and memory"),
            ("PAPI_BR_MSP", "Branches"),
            ("branch-misses", "Branches"),
            ("PAPI_LD_INS", "Work"),
            ("ARITH:NUM_DIV", "Work"),
            ("rapl:::PACKAGE_ENERGY:PACKAGE0", "Power"),
            ("my_counter", "Others"),
            ("Event 42001008", "Without a name"),
        ] {
            assert_eq!(family(counter).1, title, "{counter}");
        }
        assert!(family("PAPI_TOT_CYC").0 < family("my_counter").0);
    }
}
