//! JSON of any shape: what is no JSON is no folding, and what is one is sound.

use serde::de::IgnoredAny;
use tracefold::folding::Folding;

pub fn check(bytes: &[u8]) {
    let folding = Folding::from_json(bytes);
    // Its grammar has halves of surrogate pairs (RFC 8259, §8.2); in what is not read they harm nobody.
    if serde_json::from_slice::<IgnoredAny>(bytes).is_err() {
        assert!(folding.is_err(), "no JSON");
    }
    for group in folding.iter().flat_map(|folding| &folding.groups) {
        for (at, context) in (0..).zip(&group.contexts) {
            assert!(context.parent.is_none_or(|parent| parent < at), "a circle of callers");
        }
    }
}
