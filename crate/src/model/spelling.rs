//! The same event under the names that tools print for it.

/// The letters that perf puts after a name to say in which mode it counted.
const MODES: [char; 7] = ['u', 'k', 'h', 'p', 'P', 'G', 'H'];

/// The place in `available` of the counter that a model calls `asked`: one name, or several with
/// `|` between them, of which the first that is there is taken.
///
/// A name is met by the same one, else by one that differs only in case, in `.` for `:`, in perf's
/// `cpu/…/` around it or in perf's modes after it (`:u`). O(names).
pub fn find(asked: &str, available: &[&str]) -> Option<usize> {
    asked.split('|').find_map(|name| {
        let same = available.iter().position(|counter| *counter == name);
        same.or_else(|| available.iter().position(|counter| is_spelling(name, counter)))
    })
}

fn is_spelling(asked: &str, counter: &str) -> bool {
    let event = event(counter);
    let bare =
        event.rsplit_once(':').filter(|(_, modes)| modes.chars().all(|c| MODES.contains(&c)));
    folded(asked) == folded(event) || bare.is_some_and(|(bare, _)| folded(asked) == folded(bare))
}

/// `EVENT` of `cpu/EVENT/u`.
fn event(counter: &str) -> &str {
    let mut parts = counter.split('/');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(_), Some(event), Some(_), None) => event,
        _ => counter,
    }
}

fn folded(name: &str) -> String {
    name.to_ascii_lowercase().replace(':', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_known_by_the_names_that_tools_print() {
        let known = |asked: &str, counter: &str| find(asked, &[counter]).is_some();
        for counter in [
            "RESOURCE_STALLS:SB",
            "resource_stalls.sb",
            "RESOURCE_STALLS.SB:u",
            "cpu/resource_stalls.sb/",
            "cpu_core/resource_stalls.sb/ppk",
        ] {
            assert!(known("RESOURCE_STALLS:SB", counter), "{counter}");
        }
        for counter in [
            "RESOURCE_STALLS",
            "RESOURCE_STALLS:SB2",
            "RESOURCE_STALLS:ROB",
            "cpu/RESOURCE_STALLS:SB",
        ] {
            assert!(!known("RESOURCE_STALLS:SB", counter), "{counter}");
        }
        assert!(!known("RESOURCE_STALLS", "RESOURCE_STALLS:SB"));
    }

    #[test]
    fn the_same_name_comes_first_then_the_first_spelling_that_is_there() {
        assert_eq!(find("cycles", &["cycles:u", "cycles"]), Some(1));
        assert_eq!(find("A|B", &["b", "c"]), Some(0));
        assert_eq!(find("A|B", &["B", "a"]), Some(1));
        assert_eq!(find("A|B", &["C"]), None);
    }
}
