//! How near calling contexts and routines come to the truth, on generated traces of which only the
//! innermost frames are captured.

mod contexts;
mod odd;

use contexts::{Cell, Means, cells};
use tracefold::pipeline;
use tracefold::settings::Settings;
use tracefold_generate::Shape;

/// Where the published alignment finds less than half of the stacks, chains find nearly all, unless
/// two frames leave out every sample that would show a caller.
#[test]
fn chains_are_no_worse_than_pivots_anywhere() {
    for cell in cells() {
        let Means { full, chain, pivot } = cell.means();
        println!("{cell:?}\n  full {full:.4?}\n  chain {chain:.4?}\n  pivot {pivot:.4?}");
        assert!(chain.correct >= pivot.correct, "{cell:?}");
        assert!(chain.wrong_active <= pivot.wrong_active, "{cell:?}");
        assert!(chain.coverage >= pivot.coverage, "{cell:?}");
        if pivot.correct < 0.5 && cell.depth > 2 {
            assert!(chain.correct >= 0.99, "{cell:?}");
        }
        if cell.depth == 3 && cell.samples == 200 {
            assert!(chain.wrong_active - full.wrong_active <= 0.005, "{cell:?}");
        }
    }
}

/// What two frames cannot tell is said, and what to change.
#[test]
fn stacks_that_are_too_short_are_noticed() {
    let notices = |shape, depth| {
        let cell = Cell { shape, depth, samples: 200 };
        let (trace, _) = cell.trace(0, depth);
        let mut settings = Settings::default();
        for (key, value) in [("region", "User function:main loop"), ("group", "none")] {
            settings.set(key, value).unwrap();
        }
        let (folding, _) = pipeline::run(&trace, &settings).unwrap();
        let texts = folding.notices.into_iter().map(|notice| notice.text);
        texts
            .filter(|text| text.contains("all-stacks of") || text.contains("call-stacks"))
            .collect::<Vec<_>>()
    };
    for shape in [Shape::Bt, Shape::Deep] {
        let found = notices(shape, 2);
        let [notice] = found.as_slice() else { panic!("{found:?}") };
        assert!(notice.starts_with("Call-stacks of 2 frames are too short"), "{notice}");
        assert!(notice.contains("<sampling enabled=\"yes\">1-5</sampling>"), "{notice}");
        let found = notices(shape, 1);
        assert!(found.len() == 1 && found[0].starts_with("Only the innermost frame"), "{found:?}");
        assert_eq!(notices(shape, 4), [""; 0]);
    }
}
