//! Parts in two passes: durations alone, a plan of them, and the samples that it says.

use tracefold::accumulate::{By, Keep, Plan};
use tracefold::instance::is_sample;
use tracefold::open;
use tracefold::partial::Partial;
use tracefold::settings::Settings;
use tracefold::trace::Only;
use tracefold_generate::{Random, Shape, generate};

use super::adding::{Files, folded, in_any_order, named, part, part_keeping, parts, same};
use super::{mini, of_generated};

fn kept(keep: &Keep, files: &Files, region: &str, by: By, of: u32) -> Vec<Partial> {
    let one = |number| part_keeping(keep, files, region, by, [number, of], &Only::default());
    (1..=of).map(one).collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}"))
}

fn samples(part: &Partial) -> usize {
    let of_piece = |piece: &tracefold::partial::Piece| {
        let trace = piece.trace.so_far();
        let threads = trace.threads.iter();
        threads.map(|of| of.moments().filter(|at| is_sample(&trace, at)).count()).sum::<usize>()
    };
    part.pieces.iter().map(of_piece).sum()
}

fn settings(texts: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    texts.iter().for_each(|(key, value)| settings.set(key, value).unwrap());
    settings
}

const LOOP: &str = "User function:main loop";

/// Of one group and of several, of sets that take turns, of ranks that are unlike; grouped by durations and not.
#[test]
fn they_fold_to_the_bytes_of_the_whole_with_the_samples_that_it_shows() {
    let cases = [
        (Shape::Example, LOOP, By::Bytes, &[("samples", "900")][..]),
        (Shape::Example, LOOP, By::Tasks, &[("samples", "900")]),
        (
            Shape::Example,
            LOOP,
            By::Bytes,
            &[("samples", "300"), ("group", "none"), ("outliers", "none")],
        ),
        (Shape::Sets, "User function:step", By::Bytes, &[("samples", "200")]),
        (Shape::Example, LOOP, By::Bytes, &[("samples", "60"), ("group", "gaps")]),
    ];
    for (shape, region, by, asked) in cases {
        let files = of_generated(generate(shape, 5));
        let what = format!("{shape:?} {by:?} {asked:?}");
        let trace = open::open(named(&files), &mut |_| {}).unwrap();
        let whole = folded(&trace, region, asked).unwrap();
        let all = in_any_order(parts(&files, region, by, 3), &mut Random::new(2));
        let durations = in_any_order(kept(&Keep::None, &files, region, by, 3), &mut Random::new(3));
        let [with, without] = [samples(&all), samples(&durations)];
        // What is read where instances begin and end stays, and all of those that lie across the parts' borders, or in
        // which a set changes.
        let most = if shape == Shape::Sets { with / 2 } else { with / 4 };
        assert!(without < most, "{what}: {without} of {with} samples are left");
        let plan =
            Plan::of(durations, &settings(&[asked, &[("region", region)]].concat())).unwrap();
        let keep = Keep::Planned(Plan::read(plan.write().as_bytes()).unwrap());
        let planned = in_any_order(kept(&keep, &files, region, by, 3), &mut Random::new(4));
        assert!(samples(&planned) < with, "{what}: {} of {with} are kept", samples(&planned));
        let trace = planned.trace().unwrap();
        same(&whole, &folded(&trace, region, asked).unwrap(), &what);
        let more = folded(&trace, region, &[]).unwrap_err();
        assert!(more.contains("or made without samples or by a plan"), "{what}: {more}");
    }
}

#[test]
fn a_part_without_samples_does_not_fold_and_says_what_to_do() {
    let files = of_generated(generate(Shape::Example, 4));
    let durations =
        in_any_order(kept(&Keep::None, &files, LOOP, By::Bytes, 2), &mut Random::new(1));
    let error = folded(&durations.trace().unwrap(), LOOP, &[]).unwrap_err();
    assert!(error.contains("or make them anew"), "{error}");
}

#[test]
fn a_plan_is_made_of_all_parts_and_holds_for_its_region_of_its_trace() {
    let files = of_generated(generate(Shape::Example, 4));
    let all = Settings::default();
    let half =
        part_keeping(&Keep::None, &files, LOOP, By::Bytes, [1, 2], &Only::default()).unwrap();
    let missing = Plan::of(half, &all).unwrap_err().to_string();
    assert!(missing.ends_with(" A plan is made of all parts"), "{missing}");
    let whole = part(&files, LOOP, By::Bytes, [1, 1], &Only::default()).unwrap();
    let keep = Keep::Planned(Plan::of(whole, &settings(&[("region", LOOP)])).unwrap());
    let refused = |files: &Files, region: &str| {
        part_keeping(&keep, files, region, By::Bytes, [1, 2], &Only::default()).unwrap_err()
    };
    let size = files[0].1.len();
    let planned = format!("the plan is for {LOOP} of a.prv of {size} bytes");
    assert_eq!(
        refused(&files, "User function:main"),
        format!("{planned}, the part is of User function:main of a.prv of {size} bytes")
    );
    assert_eq!(
        refused(&mini(), "kernel"),
        format!("{planned}, the part is of User function:kernel of a.prv of 593 bytes")
    );
}
