//! Links: a link that is read can be made again, and says the same then.

use std::io::Write;

use flate2::{Compression, write::DeflateEncoder};
use tracefold::folding::Group;
use tracefold::result::{Beside, Link};

/// The text of a link, or, where it begins as JSON does, what a link would hold.
pub fn check(bytes: &[u8]) {
    let text = match bytes.first() {
        Some(b'{') => packed(bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => return,
        },
    };
    let Ok(link) = Link::decode(&text) else { return };
    let shown = link.folding.groups.first().map_or(1, |group| group.number);
    let encode = |link: &Link| {
        let beside = Beside {
            references: link.references.as_ref().map(|thinned| &thinned.references),
            ends_of_costs: None,
            cloud: link.samples.as_ref().map(|samples| &samples.cloud),
            origin: Some(&link.origin),
            longest: None,
        };
        Link::encode(&link.folding, shown, &link.settings, &link.view, beside)
    };
    // What is too large for a link is refused; what is in a link comes out of it.
    let Ok(text) = encode(&link) else { return };
    let again = Link::decode(&text).expect("what was made is read");
    assert_eq!((&again.settings, &again.view, again.newer), (&link.settings, &link.view, None));
    assert_eq!(again.folding.region, link.folding.region);
    assert!(again.folding.groups.len() <= link.folding.groups.len());
    for group in &again.folding.groups {
        let same =
            |before: &Group| (before.number, before.instances) == (group.number, group.instances);
        assert!(link.folding.groups.iter().any(same));
    }
}

/// As links are made, by version 1: a byte and deflated JSON in base64url.
fn packed(json: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(vec![1], Compression::fast());
    encoder.write_all(json).expect("memory takes every byte");
    base64url(&encoder.finish().expect("memory takes every byte"))
}

fn base64url(bytes: &[u8]) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let letter = |bits: u32| char::from(letters[bits as usize % 64]);
    let four = |three: &[u8]| {
        let bits = (0..3).fold(0, |bits, i| bits << 8 | u32::from(*three.get(i).unwrap_or(&0)));
        (0..=three.len()).map(|place| letter(bits >> (18 - 6 * place))).collect::<String>()
    };
    bytes.chunks(3).map(four).collect()
}
