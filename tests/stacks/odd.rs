//! Call-stacks as they should not be.

use tracefold::folding::{Alignment, Group, Method};
use tracefold::input::NamedFile;
use tracefold::settings::Settings;
use tracefold::{open, pipeline};

/// One instance with a sample for each list of (depth, routine).
fn folded(samples: &[&[(u32, u64)]], pcf: &str, align: &str) -> Group {
    let end = samples.len() * 100 + 200;
    let mut prv = format!("#Paraver (01/02/2025 at 10:00):{end}_ns:1(1):1:1(1:1)\n");
    prv += "2:1:1:1:1:100:60000019:3\n";
    for (at, sample) in samples.iter().enumerate() {
        let frames = sample.iter().map(|(depth, routine)| {
            let line = routine + 10;
            format!(":{}:{routine}:{}:{line}", 30_000_000 + depth, 30_000_100 + depth)
        });
        prv += &format!("2:1:1:1:1:{}{}\n", at * 100 + 150, frames.collect::<String>());
    }
    prv += &format!("2:1:1:1:1:{}:60000019:0\n", samples.len() * 100 + 100);
    group(&[("a.prv", prv.as_bytes()), ("a.pcf", pcf.as_bytes())], align)
}

fn group(files: &[(&str, &[u8])], align: &str) -> Group {
    let files = files.iter().map(|(name, bytes)| NamedFile::new(*name, *bytes));
    let trace = open::open(files.collect(), &mut |_| {}).unwrap();
    let mut settings = Settings::default();
    settings.set("align", align).unwrap();
    pipeline::run(&trace, &settings).unwrap().0.groups.swap_remove(0)
}

/// Routines of each sample that has a stack, from the root on.
fn stacks(group: &Group) -> Vec<String> {
    let stack = |context: &u32| {
        let names =
            group.callers(*context).into_iter().map(|at| group.routines[at as usize].clone());
        names.collect::<Vec<_>>().join(">")
    };
    group.lines.context.iter().map(stack).collect()
}

const PCF: &str = "EVENT_TYPE\n0 30000000 Sampled functions\n0 30000001 Sampled functions\n\
    0 30000002 Sampled functions\n0 30000003 Sampled functions\n0 30000004 Sampled functions\n\
    VALUES\n0 End\n1 Unresolved\n2 _NOT_Found\n3 f\n4 g\n5 main\n";

#[test]
fn unknown_frames_are_left_out_wherever_they_are() {
    let samples: [&[(u32, u64)]; 7] = [
        // At either end.
        &[(0, 1), (1, 3), (2, 5), (3, 2), (4, 0)],
        // Inside: those on either side count as caller and callee.
        &[(0, 4), (1, 1), (2, 3), (3, 2), (4, 5)],
        // A depth that is missing, and depths in another order.
        &[(0, 4), (3, 5)],
        &[(2, 5), (0, 4), (1, 3)],
        // The same depth twice: the first counts.
        &[(0, 3), (0, 4), (1, 5)],
        // Nothing known, and nothing at all.
        &[(0, 1), (1, 2), (2, 0)],
        &[],
    ];
    let group = folded(&samples, PCF, "chain");
    assert_eq!(stacks(&group), ["main>f", "main>f>g", "main>g", "main>f>g", "main>f"]);
    assert_eq!(group.alignment.method, Method::Full);
    // The innermost known frame has the line, also where it was not the innermost.
    let place = &group.places[group.lines.place[0] as usize];
    assert_eq!((group.routines[place.routine as usize].as_str(), place.samples), ("f", 2));
}

#[test]
fn recursion_of_any_depth_ends() {
    let [f, g] = [3, 4];
    let cycle: [&[(u32, u64)]; 6] = [
        &[(0, f), (1, g), (2, f)],
        &[(0, g), (1, f), (2, g)],
        &[(0, f), (1, f), (2, f)],
        &[(0, f), (1, g), (2, g)],
        &[(0, g), (1, f), (2, f)],
        &[(0, f)],
    ];
    for align in ["chain", "pivot"] {
        let group = folded(&cycle, PCF, align);
        let stacks = stacks(&group);
        assert_eq!(stacks.len(), 6);
        assert!(stacks.iter().all(|stack| stack.len() < 40), "{align} {stacks:?}");
        assert!(stacks[1].ends_with("g>f>g"), "what was captured stays: {stacks:?}");
    }
}

#[test]
fn stacks_of_one_frame_and_of_more_than_have_codes_are_folded() {
    let one: [&[(u32, u64)]; 3] = [&[(0, 3)], &[(0, 4)], &[(0, 3)]];
    let group = folded(&one, PCF, "chain");
    let Alignment { depth, components, coverage, .. } = &group.alignment;
    assert_eq!((*depth, *components), (1, 2));
    assert!((coverage - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!(stacks(&group), ["f", "g", "f"]);

    // Of 200 frames perf's reader keeps the innermost hundred.
    let mut text = String::new();
    for (at, marker) in [(1, "p:step"), (2, ""), (3, ""), (4, "p:step__return")] {
        let event = if marker.is_empty() { "cpu-clock" } else { marker };
        text += &format!("app 7/7 [000] 1.00{at}000: 100 {event}: \n");
        for frame in 0..200 {
            text += &format!("\t{:x} f{frame}+0x1 (/a/app)\n", 4096 + frame);
        }
        text += "\n";
    }
    let group = group_of_perf(&text);
    assert_eq!(group.alignment.depth, 100);
    assert_eq!(stacks(&group)[0].split('>').count(), 100);
    assert_eq!(group.stretches.len(), 100);
    assert!(group.stretches.windows(2).all(|pair| pair[0].level < pair[1].level));
}

fn group_of_perf(text: &str) -> Group {
    group(&[("a.perf-script", text.as_bytes())], "chain")
}

#[test]
fn names_of_ten_thousand_letters_and_one_name_in_two_files() {
    let long = "x".repeat(10_000);
    let pcf = PCF.replace("3 f\n", &format!("3 {long}\n"))
        + "\nEVENT_TYPE\n0 30000100 Sampled lines\n0 30000101 Sampled lines\nVALUES\n\
           13 7 (a.c)\n14 7 (b.c)\n15 9 (main.c)\n";
    // `g` at line 7 of one file; the long one calls it.
    let samples: [&[(u32, u64)]; 2] = [&[(0, 4), (1, 3)], &[(0, 4), (1, 3)]];
    let group = folded(&samples, &pcf, "chain");
    assert_eq!(stacks(&group)[0], format!("{long}>g"));
    let files = group.places.iter().map(|place| place.file.as_str()).collect::<Vec<_>>();
    assert_eq!(files, ["a.c", "b.c"]);
    assert_eq!(group.places.iter().map(|place| place.samples).collect::<Vec<_>>(), [0, 2]);
}
