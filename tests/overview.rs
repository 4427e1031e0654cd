//! What a profile is summed up to, its rows, pictures and words: of profiles written out here.

use tracefold::export::{self, ProfileFormat};
use tracefold::paint::{self, Axis, Bars, Heat, Order, OverTime, Pictured, ProfileView, Svg};
use tracefold::profile::{
    Asked, Beside, Columns, Interval, Measure, Metric, Node, NodeKind, Overview, Profile, Quality,
    Share, Shown, ThreadProfile, UserEvents, VERSION,
};
use tracefold::report::{self, BesideAsked, BesideBy, By, Over, ProfileSummary, Rows, RowsAsked};

use NodeKind::{Context, Part, Probe, Sample, Summary, Unresolved};

fn node(parent: Option<u32>, kind: NodeKind, name: &str, line: u32) -> Node {
    let file = if line > 0 { "src/solve.c" } else { "" };
    let group = if name.starts_with("MPI_") { "MPI" } else { "" };
    Node {
        parent,
        kind,
        name: name.to_owned(),
        file: file.to_owned(),
        line,
        group: group.to_owned(),
    }
}

/// main › solve, in which samples hit `dot` twice and something unknown; main › MPI_Wait.
fn nodes() -> Vec<Node> {
    vec![
        node(None, Probe, "main", 0),
        node(Some(0), Probe, "solve", 0),
        node(Some(1), Context, "solve", 0),
        node(Some(2), Summary, "dot", 0),
        node(Some(3), Sample, "dot", 20),
        node(Some(3), Sample, "dot", 21),
        node(Some(2), Unresolved, "libm.so", 0),
        node(Some(0), Probe, "MPI_Wait", 0),
        node(Some(1), Part, "size = 8", 0),
    ]
}

/// A thread with these nodes, each with count, exclusive ms and instructions in thousands.
fn thread(name: &str, nodes: &[Node], met: &[(u32, f64, f64, f64)]) -> ThreadProfile {
    let mut columns = Columns::of(2);
    for (node, count, ms, instructions) in met {
        let place = columns.push(*node);
        columns.counts[place] = *count;
        columns.exclusive[0][place] = ms * 1e6;
        columns.exclusive[1][place] = instructions * 1e3;
    }
    columns.include(nodes);
    let user_events = UserEvents::default();
    ThreadProfile { thread: name.to_owned(), node_context_thread: [0; 3], columns, user_events }
}

fn metrics() -> Vec<Metric> {
    let metric = |name: &str, unit: &str| Metric { name: name.to_owned(), unit: unit.to_owned() };
    vec![metric("TIME", "ns"), metric("PAPI_TOT_INS", "")]
}

/// Two threads; the second met no MPI_Wait.
fn profile() -> Profile {
    let nodes = nodes();
    let first = [
        (0, 1.0, 10.0, 10.0),
        (1, 10.0, 60.0, 120.0),
        (2, 60.0, 0.0, 0.0),
        (3, 50.0, 0.0, 0.0),
        (4, 40.0, 40.0, 80.0),
        (5, 10.0, 10.0, 20.0),
        (6, 10.0, 10.0, 10.0),
        (7, 4.0, 30.0, 3.0),
        (8, 5.0, 30.0, 60.0),
    ];
    let second = [
        (0, 1.0, 20.0, 20.0),
        (1, 10.0, 60.0, 60.0),
        (2, 40.0, 0.0, 0.0),
        (3, 40.0, 0.0, 0.0),
        (4, 40.0, 40.0, 40.0),
    ];
    let threads = vec![thread("1.1.1", &nodes, &first), thread("1.2.1", &nodes, &second)];
    let quality = Quality {
        samples: 100,
        unresolved: 10,
        taken: 200,
        dropped: 4,
        stating: 2,
        throttled: 1,
        period: "1000".to_owned(),
        source: "itimer".to_owned(),
        ..Quality::default()
    };
    let (user_events, metadata) = (vec![], vec![("Host".to_owned(), "a".to_owned())]);
    Profile {
        version: VERSION,
        name: "made".to_owned(),
        metrics: metrics(),
        nodes,
        threads,
        user_events,
        metadata,
        quality,
        intervals: vec![],
    }
}

fn overview(measure: &str, thread: Option<u32>) -> Overview {
    profile().overview(&Asked { measure: measure.to_owned(), thread }).unwrap()
}

fn pictured(measure: &str) -> Pictured {
    Pictured::of(overview(measure, None)).unwrap()
}

fn summary(of: &Pictured) -> ProfileSummary {
    report::profile(of)
}

fn plain(text: &str) -> String {
    text.replace('\u{202f}', " ")
}

#[test]
fn a_thread_that_did_not_meet_a_node_spent_nothing_there_but_has_no_rate() {
    let time = overview("", None);
    let [exclusive, inclusive] = &time.spread;
    assert_eq!((inclusive.least[0], inclusive.mean[0], inclusive.largest[0]), (80e6, 90e6, 100e6));
    assert_eq!((exclusive.least[7], exclusive.mean[7], exclusive.largest[7]), (0.0, 15e6, 30e6));
    assert_eq!(exclusive.balance(7), Some(0.5));
    assert_eq!((time.met[7], time.met[0]), (1.0, 2.0));
    assert_eq!(time.total().inclusive[0][1], 120e6);
    // Instructions per microsecond: 3000 / 30000 of the one that has it.
    let rate = overview("PAPI_TOT_INS", None);
    assert_eq!(rate.spread[0].mean[7], 1500.0);
    let formula = overview("mips=PAPI_TOT_INS", None);
    assert_eq!((formula.spread[0].least[7], formula.spread[0].mean[7]), (0.1, 0.1));
    assert_eq!(
        profile().over_threads(7, &profile().measure("x=PAPI_TOT_INS").unwrap(), Share::Exclusive)
            [0],
        0.1
    );
    assert!(
        profile().over_threads(7, &profile().measure("x=PAPI_TOT_INS").unwrap(), Share::Exclusive)
            [1]
        .is_nan()
    );
    assert_eq!(
        profile().over_threads(7, &profile().measure("TIME").unwrap(), Share::Exclusive),
        [30e6, 0.0]
    );
}

#[test]
fn one_thread_alone_is_its_own_whole() {
    let one = overview("", Some(1));
    assert_eq!((one.total().inclusive[0][0], one.threads_meant(), one.only), (80e6, 1, Some(1)));
    assert_eq!(one.threads, ["1.1.1", "1.2.1"]);
    // One that is not there is none.
    assert_eq!(overview("", Some(9)).only, None);
}

#[test]
fn bytes_tell_all_of_a_profile_and_bytes_that_are_cut_tell_nothing() {
    let profile = profile();
    let bytes = profile.to_bytes();
    assert_eq!(Profile::from_bytes(&bytes).as_ref(), Some(&profile));
    for cut in 0..bytes.len() {
        assert_eq!(Profile::from_bytes(&bytes[..cut]), None, "{cut}");
    }
    let overview = overview("mips=PAPI_TOT_INS", None);
    let bytes = overview.to_bytes();
    let read = Overview::from_bytes(&bytes).unwrap();
    // NaN is equal to nothing.
    assert_eq!(format!("{read:?}"), format!("{overview:?}"));
    for cut in 0..bytes.len() {
        assert!(Overview::from_bytes(&bytes[..cut]).is_none(), "{cut}");
    }
    // A count beyond what is left.
    let mut hostile = profile.to_bytes();
    hostile[..8].fill(0xff);
    assert_eq!(Profile::from_bytes(&hostile), None);
}

#[test]
fn what_was_sampled_stands_beside_the_probes_inside_its_region() {
    let shown = Shown::of(&profile());
    assert_eq!(shown.children[0], [1, 7]);
    assert_eq!(shown.children[1], [3, 6, 8]);
    assert_eq!(shown.children[2], Vec::<u32>::new());
    assert_eq!((shown.parents[3], shown.depths[4]), (Some(1), 3));
    assert_eq!(shown.upwards(4).collect::<Vec<_>>(), [4, 3, 1, 0]);
}

fn rows_of(asked: &RowsAsked) -> Vec<u32> {
    Rows::of(&pictured(""), asked).nodes
}

#[test]
fn rows_are_in_order_open_as_asked_and_found_with_what_they_lie_in() {
    let asked = RowsAsked::default();
    assert_eq!(rows_of(&asked), [0, 1, 3, 4, 5, 8, 6, 7]);
    assert_eq!(rows_of(&RowsAsked { by: By::Name, ..asked.clone() }), [0, 7, 1, 3, 4, 5, 6, 8]);
    assert_eq!(rows_of(&RowsAsked { turned: vec![1], ..asked.clone() }), [0, 1, 7]);
    assert_eq!(rows_of(&RowsAsked { search: "DOT".to_owned(), ..asked.clone() }), [0, 1, 3, 4, 5]);
    assert_eq!(
        rows_of(&RowsAsked { search: "solve.C".to_owned(), ..asked.clone() }),
        [0, 1, 3, 4, 5]
    );
    assert_eq!(rows_of(&RowsAsked { kind: "group:MPI".to_owned(), ..asked.clone() }), [0, 7]);
    assert_eq!(rows_of(&RowsAsked { kind: "unresolved".to_owned(), ..asked.clone() }), [0, 1, 6]);
    assert_eq!(
        rows_of(&RowsAsked { search: "nowhere".to_owned(), ..asked.clone() }),
        Vec::<u32>::new()
    );
    let found = Rows::of(&pictured(""), &RowsAsked { kind: "sample".to_owned(), ..asked });
    assert_eq!((found.matches, found.nodes), (3, vec![0, 1, 3, 4, 5, 6]));
}

#[test]
fn a_row_has_means_of_times_totals_of_counts_and_a_doubt_of_what_is_sampled() {
    let of = pictured("");
    let rows = Rows::of(&of, &RowsAsked::default());
    let printed = report::profile_rows(&of, &rows, Share::Inclusive, 0..99);
    let texts = |at: usize| {
        printed[at].figures.iter().map(|figure| plain(&figure.text)).collect::<Vec<_>>()
    };
    // main: 90 ms on average, 15 by itself, of 180 ms 30: MIPS is 213 k instructions in 180 ms.
    assert_eq!(texts(0), ["90.00", "15.00", "16.7", "2", "", "1"]);
    // dot [20]: 80 of 100 samples: by Wilson between .711 and .867, of 100 ms on two threads.
    assert_eq!(texts(3), ["40.00", "40.00", "44.4", "", "80", "2"]);
    assert_eq!(printed[3].figures[1].within, "±3.89");
    assert_eq!(
        (&*printed[3].place, printed[3].kind, printed[3].open),
        ("solve.c:20", "sample", None)
    );
    assert_eq!(printed[0].figures[1].within, "");
    assert_eq!(printed[7].spread, Some([0.0, 0.5, 1.0]));
    assert!(
        plain(&printed[7].words)
            .contains("least 0.00 ms, mean 15.00 ms, largest 30.00 ms; 1 met it"),
        "{}",
        printed[7].words
    );
}

#[test]
fn the_words_tell_where_it_goes_how_sure_that_is_and_what_limits_it() {
    let told = summary(&pictured(""));
    let (before, name, after) = &told.sentence;
    assert_eq!((&**before, &**name), ("Probes end at solve; samples go on:", "dot"));
    // 90 of 100 samples, by Wilson .826 to .945 of 100 ms of samples, of 180 ms.
    assert_eq!(plain(after), "holds 50.0 % [45.9, 52.5] of the time, most of it at solve.c:20.");
    assert_eq!(told.named, Some(3));
    let cells = told
        .quality
        .iter()
        .map(|cell| (&*cell.name, plain(&cell.value), cell.limits))
        .collect::<Vec<_>>();
    let expected = [
        ("samples", "100", false),
        ("dropped", "2.0 %", true),
        ("period", "1.00 ms", false),
        // 100 ms of samples, of 120 ms that solve has by itself.
        ("context over probe", "0.833", true),
        ("unresolved", "10.0 %", false),
        ("weights", "clipped at calls", false),
        ("throttled", "1 probe", true),
    ];
    assert_eq!(cells, expected.map(|(name, value, limits)| (name, value.to_owned(), limits)));
    let facts = told
        .facts
        .iter()
        .map(|(value, words)| plain(&format!("{value} {words}")))
        .collect::<Vec<_>>();
    assert_eq!(
        facts,
        [
            "2 threads",
            "90.00 ms on average",
            "2 metrics",
            "3 probes",
            "1 sampled routine",
            "4 levels"
        ]
    );
    let kinds = told.kinds.iter().map(|(key, _)| &**key).collect::<Vec<_>>();
    assert_eq!(kinds, ["probe", "sample", "part", "unresolved", "group:MPI"]);
}

#[test]
fn a_profile_without_samples_says_so_and_names_the_probe_with_most() {
    let mut alone = profile();
    alone.quality = Quality::default();
    alone.nodes.truncate(2);
    for thread in &mut alone.threads {
        let kept = thread.columns.nodes.iter().filter(|node| **node < 2).count();
        let columns = &mut thread.columns;
        [&mut columns.counts, &mut columns.subcalls]
            .into_iter()
            .chain(&mut columns.exclusive)
            .chain(&mut columns.inclusive)
            .for_each(|column| column.truncate(kept));
        columns.nodes.truncate(kept);
    }
    let of = Pictured::of(alone.overview(&Asked::default()).unwrap()).unwrap();
    let told = summary(&of);
    assert_eq!(
        plain(&format!("{} {} {}", told.sentence.0, told.sentence.1, told.sentence.2)),
        "Probes alone, no samples: solve holds 66.7 % of the time by itself."
    );
    assert_eq!((&*told.quality[0].value, told.has_samples), ("none", false));
    assert_eq!(Heat::of(&of), Heat::default());
    let picked = report::picked(&of, 1).unwrap();
    assert_eq!(
        (&*picked.room, &*picked.folds),
        ("No room to fold: no sample fell into solve.", "")
    );
}

#[test]
fn the_panel_tells_of_a_node_and_whether_its_region_can_be_folded() {
    let of = pictured("");
    let picked = report::picked(&of, 4).unwrap();
    let lines = picked
        .lines
        .iter()
        .map(|line| plain(&format!("{}: {} {}", line.name, line.value, line.words)))
        .collect::<Vec<_>>();
    assert_eq!(
        lines[..3],
        [
            "Inclusive: 40.00 ms ±3.89, 44.4 % of all",
            "Exclusive: 40.00 ms ±3.89, 44.4 % of all",
            "Balance: 1.00 mean over largest"
        ]
    );
    assert_eq!(plain(&picked.room), "5.0 samples per call of solve, 100 in all.");
    assert_eq!(picked.folds, "solve");
    assert_eq!(
        picked.path,
        [(0, "main".to_owned()), (1, "solve".to_owned()), (3, "dot".to_owned())]
    );
    assert!(report::picked(&of, 99).is_none());
}

fn view(width: f64, height: f64) -> ProfileView {
    ProfileView { width, height, ..ProfileView::default() }
}

#[test]
fn cells_of_the_icicle_are_as_wide_as_their_shares_and_tell_what_lies_at_a_place() {
    let of = pictured("");
    let view = view(180.0, 200.0);
    let at = |x: f64, row: f64| paint::node_at(&of, &view, (x, row * 26.0 + 5.0));
    // 180 ms over 180 px: solve 120, MPI_Wait 30, then what main has by itself.
    assert_eq!([at(1.0, 0.0), at(179.0, 0.0)], [Some(0), Some(0)]);
    assert_eq!(
        [at(119.0, 1.0), at(121.0, 1.0), at(149.0, 1.0), at(151.0, 1.0)],
        [Some(1), Some(7), Some(7), None]
    );
    // What is told once more is no part of the whole: dot 90, unresolved 10, and 20 that no sample tells.
    assert_eq!([at(89.0, 2.0), at(91.0, 2.0), at(101.0, 2.0)], [Some(3), Some(6), None]);
    assert_eq!(
        [at(79.0, 3.0), at(81.0, 3.0), at(1.0, 4.0), at(-1.0, 0.0)],
        [Some(4), Some(5), None, None]
    );
    let zoomed = ProfileView { root: Some(1), ..view.clone() };
    assert_eq!(paint::node_at(&of, &zoomed, (179.0, 5.0)), Some(1));
    assert_eq!(paint::node_at(&of, &zoomed, (134.0, 31.0)), Some(3));
    assert_eq!(paint::icicle_height(&of, &view), 4.0 * 26.0 + 22.0);
    // A link may name a node that there is not.
    let lost = ProfileView { root: Some(99), picked: Some(98), thread: Some(97), ..view.clone() };
    assert_eq!(paint::node_at(&of, &lost, (1.0, 5.0)), Some(0));
    paint::icicle(&Svg::default(), &of, &lost);
    paint::bars(&Svg::default(), &of, &lost, &[1.0, 2.0]);
    let asked = RowsAsked { picked: Some(98), turned: vec![97, 1], ..RowsAsked::default() };
    assert_eq!(rows_of(&asked), [0, 1, 7]);
    let pen = Svg::default();
    paint::icicle(&pen, &of, &view);
    assert!(!pen.elements().contains("MPI_Wait"), "a name that does not fit is left out");
}

#[test]
fn samples_that_say_more_than_their_region_has_do_not_leave_its_cell() {
    let mut profile = profile();
    for thread in &mut profile.threads {
        for place in 0..thread.columns.len() {
            if [4, 5].contains(&thread.columns.nodes[place]) {
                thread.columns.exclusive[0][place] *= 4.0;
            }
        }
        let nodes = profile.nodes.clone();
        thread.columns.include(&nodes);
    }
    let of = Pictured::of(profile.overview(&Asked::default()).unwrap()).unwrap();
    let view = view(180.0, 200.0);
    assert_eq!(paint::node_at(&of, &view, (119.0, 2.0 * 26.0 + 5.0)), Some(6));
    assert_eq!(paint::node_at(&of, &view, (121.0, 2.0 * 26.0 + 5.0)), None);
    let told = summary(&of);
    let cover = told.quality.iter().find(|cell| cell.name == "context over probe").unwrap();
    assert!(cover.limits, "{cover:?}");
}

#[test]
fn a_picture_of_ten_thousand_threads_shows_some_in_each_px() {
    let values = (0..10_000).map(f64::from).collect::<Vec<_>>();
    let view = ProfileView { left: 100.0, right: 100.0, ..view(700.0, 120.0) };
    let bars = Bars::of(&view, &values);
    assert_eq!(bars.at(100.5), (0..20).collect::<Vec<_>>());
    assert_eq!(bars.at(99.0), Vec::<u32>::new());
    assert_eq!(bars.at(599.9).last(), Some(&9999));
    let largest_first = ProfileView { order: Order::Value, ..view.clone() };
    assert_eq!(Bars::of(&largest_first, &values).at(100.5)[0], 9999);
    // What has no value stands last, whatever stands before it.
    let odd = Bars::of(&largest_first, &[1.0, f64::NAN, 3.0]);
    let each = [0.0, 1.0, 2.0].map(|at| odd.at(100.0 + (at + 0.5) * 500.0 / 3.0)[0]);
    assert_eq!(each, [2, 0, 1]);
    let of = pictured("");
    for order in [Order::Thread, Order::Value, Order::Histogram] {
        let pen = Svg::default();
        paint::bars(&pen, &of, &ProfileView { order, ..view.clone() }, &values);
        assert!(pen.elements().len() < 200_000);
        paint::bars(&Svg::default(), &of, &ProfileView { order, ..view.clone() }, &[]);
        paint::bars(&Svg::default(), &of, &ProfileView { order, ..view.clone() }, &[f64::NAN; 3]);
    }
}

#[test]
fn the_point_that_is_near_is_that_of_the_thread() {
    let axis = |values: &[f64]| Axis { values: values.to_vec(), ..Axis::default() };
    let axes =
        [axis(&[0.0, 10.0, f64::NAN]), axis(&[0.0, 5.0, 1.0]), axis(&[]), axis(&[1.0, 2.0, 3.0])];
    let view = view(300.0, 200.0);
    let layout = paint::thread_points(&Svg::default(), &view, &axes);
    let corner = (layout.plot.left, layout.plot.bottom);
    assert_eq!(paint::nearest_thread(&view, &axes, corner), Some(0));
    assert_eq!(paint::nearest_thread(&view, &axes, (corner.0 + 60.0, corner.1)), None);
    let none = [axis(&[]), axis(&[]), axis(&[]), axis(&[])];
    assert_eq!(paint::nearest_thread(&view, &none, corner), None);
    paint::thread_points(&Svg::default(), &view, &none);
}

#[test]
fn contexts_against_routines_count_each_sample_once() {
    let heat = Heat::of(&pictured(""));
    assert_eq!(
        (heat.contexts, heat.routines),
        (vec![1], vec!["dot".to_owned(), "unresolved".to_owned()])
    );
    assert_eq!((heat.samples, heat.of_context), (vec![vec![90.0, 10.0]], vec![100.0]));
}

/// One thread whose routines are called so often, in so many microseconds each.
fn probes(of: &[(&str, &str, f64, f64)]) -> Profile {
    let mut nodes = vec![node(None, Probe, "main", 0)];
    nodes.extend(of.iter().map(|(name, group, ..)| Node {
        group: (*group).to_owned(),
        ..node(Some(0), Probe, name, 0)
    }));
    let calls = |(at, (_, _, calls, us)): (usize, &(&str, &str, f64, f64))| {
        (at as u32 + 1, *calls, calls * us / 1e3, 0.0)
    };
    let met = of.iter().enumerate().map(calls).collect::<Vec<_>>();
    let thread = thread("0.0.0", &nodes, &[&[(0, 1.0, 0.0, 0.0)], met.as_slice()].concat());
    Profile { nodes, threads: vec![thread], ..profile() }
}

fn costly_of(profile: &Profile, cost_ns: Option<f64>) -> Vec<String> {
    profile.costly(cost_ns).into_iter().map(|of| of.name).collect()
}

#[test]
fn probes_that_are_called_often_for_little_are_not_worth_their_cost() {
    let of = probes(&[
        ("often", "TAU_DEFAULT", 200_000.0, 9.0),
        ("often and long", "TAU_DEFAULT", 200_000.0, 11.0),
        ("short and seldom", "TAU_DEFAULT", 90_000.0, 1.0),
        ("MPI_Test()", "MPI", 900_000.0, 0.1),
        ("stopped", "TAU_DISABLE", 100.0, 50.0),
        ("step", "TAU_PHASE", 900_000.0, 0.1),
    ]);
    assert_eq!(costly_of(&of, None), ["often", "stopped"]);
    // A call of 1 µs: of a routine that takes 9 it is more than a tenth, of one that takes 11 not; all calls of
    // the short one cost 90 ms of 4.3 s.
    assert_eq!(costly_of(&of, Some(1000.0)), ["often", "short and seldom", "stopped"]);
    assert_eq!(costly_of(&of, Some(1.0)), ["stopped"]);
    let often = &of.costly(Some(1000.0))[0];
    assert_eq!((often.calls, often.per_call_ns), (200_000.0, 9000.0));
    assert!((often.cost.unwrap() - 0.2 / 4.275).abs() < 1e-3, "{often:?}");
}

#[test]
fn of_a_routine_inside_itself_the_outermost_call_tells_how_long_it_takes() {
    // fib calls itself: 300 000 calls in 0.6 s, of which half are inside the others.
    let nodes = vec![
        node(None, Probe, "main", 0),
        node(Some(0), Probe, "fib", 0),
        node(Some(1), Probe, "fib", 0),
    ];
    let met = [(0, 1.0, 0.0, 0.0), (1, 150_000.0, 300.0, 0.0), (2, 150_000.0, 300.0, 0.0)];
    let threads = vec![thread("0.0.0", &nodes, &met)];
    let costly = Profile { nodes, threads, ..profile() }.costly(None);
    assert_eq!((costly.len(), costly[0].calls, costly[0].per_call_ns), (1, 300_000.0, 2000.0));
}

#[test]
fn a_selection_names_what_is_left_out_and_why() {
    let of = probes(&[("tiny(int) C", "TAU_DEFAULT", 200_000.0, 0.005)]);
    let files = export::profile(&of, &[], ProfileFormat::Select { cost_ns: None });
    let text = String::from_utf8(files[0].bytes.clone()).unwrap();
    assert_eq!(files[0].name, "select.tau");
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        [
            "# Probes of made that cost more than they tell: called more than 100000 times on a thread, in less \
             than 10 us each; or throttled.",
            "# 200000 calls, 0.005 us each: tiny(int) C",
            "BEGIN_EXCLUDE_LIST",
            "tiny(int) C",
            "END_EXCLUDE_LIST",
        ]
    );
    let lines = report::costly(&of.costly(Some(1.0)));
    assert_eq!(
        plain(&lines[0].words),
        "tiny(int) C: 200 000 calls, 5.000 ns each, 20.0 % of a thread."
    );
}

#[test]
fn regions_with_calls_and_samples_enough_have_room_to_fold() {
    let room = report::room_to_fold(&pictured(""));
    assert_eq!(room.len(), 1);
    assert_eq!(
        (room[0].0, plain(&room[0].1)),
        (1, "5.0 samples per call of solve, 100 in all.".to_owned())
    );
}

/// The other version: the line of dot has moved, MPI_Wait is gone, and there are three threads.
fn other() -> Profile {
    let mut nodes = nodes();
    nodes[4].line = 30;
    nodes[7].name = "relax".to_owned();
    nodes[7].group = String::new();
    let met = [
        (0, 1.0, 10.0, 10.0),
        (1, 10.0, 30.0, 60.0),
        (2, 30.0, 0.0, 0.0),
        (3, 30.0, 0.0, 0.0),
        (4, 30.0, 24.0, 40.0),
        (7, 2.0, 6.0, 1.0),
    ];
    let threads = ["0.0.0", "0.0.1", "0.0.2"].map(|name| thread(name, &nodes, &met)).to_vec();
    Profile { nodes, threads, ..profile() }
}

#[test]
fn two_profiles_side_by_side_are_told_over_their_threads() {
    let [a, b] = [profile(), other()];
    let beside = Beside::of(&a, &b);
    let of = |name: &str, kind: NodeKind, share: Share| {
        let nodes = &beside.sides[0].nodes;
        let at = nodes.iter().position(|node| node.name == name && node.kind == kind).unwrap();
        let time = [Measure::Metric(0), Measure::Metric(0)];
        beside.over_threads(at as u32, &time, share)
    };
    // The lines of a routine are one node: 50 and 40 ms, 24 of each.
    let [first, second] = of("dot", Sample, Share::Exclusive).map(Option::unwrap);
    assert_eq!((first.mean, first.least, first.largest, first.deviation), (45e6, 40e6, 50e6, 5e6));
    assert_eq!((second.met, second.mean, second.total, second.deviation), (3, 24e6, 72e6, 0.0));
    assert_eq!(of("MPI_Wait", Probe, Share::Exclusive)[1], None);
    assert_eq!(of("relax", Probe, Share::Exclusive)[0], None);
    assert_eq!(of("MPI_Wait", Probe, Share::Exclusive)[0].unwrap().mean, 15e6);
    assert_eq!(of("main", Probe, Share::Inclusive)[1].unwrap().mean, 46e6);
    // Of A 280 ms of probes and samples, 30 of MPI_Wait and 30 of what is told again, 10 unresolved.
    let shared = beside.shared();
    assert!((shared[1] - 64.0 / 70.0).abs() < 1e-12, "{shared:?}");
    // A profile beside itself differs in nothing.
    let itself = Beside::of(&a, &a);
    assert_eq!(itself.sides[0], itself.sides[1]);
    assert_eq!(itself.shared(), [1.0, 1.0]);
    let csv = export::profiles_beside(&beside, &[[Measure::Metric(0), Measure::Metric(0)]]);
    let lines = csv.lines().collect::<Vec<_>>();
    assert!(lines[0].ends_with(",mean difference,mean ratio,total difference,total ratio"));
    let relax = lines.iter().find(|line| line.contains(",relax,TIME ns,exclusive,")).unwrap();
    assert!(relax.ends_with(",,,,,,3,18000000,6000000,6000000,6000000,0,,,,"), "{relax}");
    let columns = lines[0].split(',').count();
    assert!(lines.iter().all(|line| line.split(',').count() == columns));
}

#[test]
fn summaries_change_nothing_of_two_profiles_side_by_side() {
    // The lines of dot have a summary on one side, and none on the other, where one line was sampled.
    let mut plain = nodes();
    plain.remove(3);
    for node in &mut plain[3..5] {
        node.parent = Some(2);
    }
    plain[7 - 1].parent = Some(0);
    let met = [
        (0, 1.0, 5.0, 1.0),
        (1, 4.0, 9.0, 1.0),
        (2, 6.0, 0.0, 0.0),
        (3, 4.0, 6.0, 1.0),
        (4, 2.0, 3.0, 1.0),
    ];
    let threads = vec![thread("0.0.0", &plain, &met)];
    let unsummarised = Profile { nodes: plain, threads, ..profile() };
    let summarised = unsummarised.clone().summarised();
    assert!(summarised.nodes.iter().any(|node| node.kind == Summary));
    let measures = [[Measure::Metric(0), Measure::Metric(0)]];
    let csv = |a: &Profile, b: &Profile| export::profiles_beside(&Beside::of(a, b), &measures);
    let other = other();
    assert_eq!(csv(&summarised, &other), csv(&unsummarised, &other));
    assert_eq!(csv(&other, &summarised), csv(&other, &unsummarised));
    // What is picked of both leads to the summary of its lines, and to it from each of them.
    let both = Beside::of(&summarised, &other);
    let of = |kind: NodeKind| {
        summarised.nodes.iter().position(|node| node.kind == kind && node.name == "dot")
    };
    let [summary, line] = [Summary, Sample].map(|kind| of(kind).unwrap() as u32);
    let pair = both.place(0, line).unwrap();
    assert_eq!(both.place(0, summary), Some(pair));
    assert_eq!(both.sides[0].nodes[pair as usize].name, "dot");
    assert_eq!(both.node_of(0, pair, &summarised), Some(summary));
}

fn beside(asked: BesideAsked) -> report::BesideTable {
    report::beside(&Beside::of(&profile(), &other()), &asked).unwrap()
}

#[test]
fn rows_of_two_profiles_tell_what_differs_most_with_what_samples_leave_open() {
    let table = beside(BesideAsked::default());
    let texts = |at: usize| {
        table.rows[at].figures.iter().map(|figure| plain(&figure.text)).collect::<Vec<_>>()
    };
    let names = table.rows.iter().map(|row| (&*row.name, &*row.only)).collect::<Vec<_>>();
    // By themselves: solve 60 → 30 ms, dot 45 → 24, MPI_Wait 15 → 0, relax 0 → 6.
    assert_eq!(names[..3], [("solve", ""), ("dot", ""), ("MPI_Wait", "only A")]);
    assert_eq!(texts(1), ["45.00", "24.00", "−21.00", "0.533", "50.00", "24.00"]);
    assert_eq!(texts(2), ["15.00", "–", "−15.00", "–", "30.00", "–"]);
    let relax = table.rows.iter().find(|row| row.name == "relax").unwrap();
    let change = plain(&relax.figures[2].text);
    assert_eq!((&*relax.only, &*relax.above, &*change), ("only B", "main", "+6.00"));
    // dot is 90 of 100 samples of A, .9 ± .0596 by Wilson; of B all of 90 are, 1 − .0409.
    assert_eq!(table.rows[1].figures[0].within, "±2.98");
    assert_eq!(table.rows[1].figures[1].within, "±0.49");
    assert_eq!(table.rows[1].figures[2].within, "±3.02");
    assert_eq!((table.rows[1].change, table.rows[1].bar), ("less", -0.7));
    assert_eq!(table.rows[0].figures[0].within, "", "probes measure");
    assert!(table.doubts[1].starts_with("A has 2 threads, B 3"), "{:?}", table.doubts);
    // Nobody picked one: that which differs most.
    assert_eq!(table.pair.unwrap().name, "solve");
    let dot = Beside::of(&profile(), &other()).place(0, 4);
    let table = beside(BesideAsked { pair: dot, ..BesideAsked::default() });
    let pair = table.pair.unwrap();
    assert_eq!(
        (&*pair.name, &*pair.met),
        ("dot", "met by 2 of 2 threads of A and 3 of 3 threads of B")
    );
    let lines =
        pair.lines.iter().map(|(metric, over, _)| format!("{metric} {over}")).collect::<Vec<_>>();
    assert_eq!(
        lines[..5],
        ["Time ms mean", "Time ms largest", "Time ms least", "Time ms deviation", "Time ms total"]
    );
    assert_eq!(lines.len(), 10);
    let text = |line: usize| {
        pair.lines[line].2.iter().map(|figure| plain(&figure.text)).collect::<Vec<_>>()
    };
    assert_eq!(text(4), ["90.00", "72.00", "−18.00", "0.800"]);
}

#[test]
fn rows_of_two_profiles_can_be_put_in_order_counted_otherwise_and_searched() {
    let names =
        |asked: BesideAsked| beside(asked).rows.into_iter().map(|row| row.name).collect::<Vec<_>>();
    let by = |by: BesideBy| BesideAsked { by, ..BesideAsked::default() };
    assert_eq!(names(by(BesideBy::B))[..2], ["solve", "dot"]);
    assert_eq!(names(by(BesideBy::Name))[..2], ["MPI_Wait", "dot"]);
    let found = beside(BesideAsked { search: "WAIT".to_owned(), ..BesideAsked::default() });
    assert_eq!(found.rows.len(), 1);
    // Totals of two threads and of three.
    let total = beside(BesideAsked {
        over: Over::Total,
        search: "dot".to_owned(),
        ..BesideAsked::default()
    });
    assert_eq!(plain(&total.rows[0].figures[1].text), "72.00");
    let below = beside(BesideAsked {
        inclusive: true,
        search: "main".to_owned(),
        ..BesideAsked::default()
    });
    assert_eq!(plain(&below.rows[0].figures[0].text), "90.00");
    let few = beside(BesideAsked { most: Some(1), ..BesideAsked::default() });
    assert!(few.rows.len() == 1 && few.rest.contains("more differ by less"), "{}", few.rest);
    let none =
        report::beside(&Beside::of(&profile(), &profile()), &BesideAsked::default()).unwrap();
    assert!(none.rows.is_empty() && none.rest.contains("do not differ"), "{}", none.rest);
    let wrong = BesideAsked { measure: "CYCLES".to_owned(), ..BesideAsked::default() };
    let wrong = report::beside(&Beside::of(&profile(), &other()), &wrong).unwrap_err();
    assert!(wrong.to_string().contains("neither a metric nor a formula"), "{wrong}");
    let renamed = Metric { name: "PAPI_L1_DCM".to_owned(), unit: String::new() };
    let apart = Profile { metrics: vec![renamed.clone(), renamed], ..other() };
    let apart =
        report::beside(&Beside::of(&profile(), &apart), &BesideAsked::default()).unwrap_err();
    assert_eq!(apart.to_string(), "the profiles have no metric in common");
}

#[test]
fn what_the_program_told_is_joined_over_threads() {
    let mut told = profile();
    told.user_events =
        vec!["Size : main => send".to_owned(), "Heap".to_owned(), "Never".to_owned()];
    // 2 and 4 on the first thread, 9 on the second; the heap on one, and something that nobody told.
    told.threads[0].user_events.push(0, [2.0, 2.0, 4.0, 3.0, 20.0]);
    told.threads[0].user_events.push(2, [0.0, 0.0, 0.0, 0.0, 0.0]);
    told.threads[1].user_events.push(0, [1.0, 9.0, 9.0, 9.0, 81.0]);
    told.threads[1].user_events.push(1, [1.0, 0.5, 0.5, 0.5, 0.25]);
    let (lines, more) = report::user_events(&told, None);
    let texts =
        |at: usize| lines[at].figures.iter().map(|figure| plain(&figure.text)).collect::<Vec<_>>();
    assert_eq!((lines.len(), more), (2, 0));
    assert_eq!(
        (&*lines[0].name, &*lines[1].name, &*lines[1].context),
        ("Heap", "Size", "main => send")
    );
    // 2, 4, 9: mean 5, √(101/3 − 25).
    assert_eq!(texts(1), ["3", "5", "2", "9", "2.9439", "15"]);
    assert_eq!(plain(&lines[1].words), "2 threads");
    let (lines, _) = report::user_events(&told, Some(0));
    assert_eq!((lines.len(), lines[0].figures[0].value), (1, Some(2.0)));
}

/// The profile with two intervals, of 60 and of 120 ms of two threads together.
fn over_time() -> Pictured {
    let of = profile();
    let interval = |until: &str, met: &[(u32, f64, f64, f64)]| Interval {
        until: until.to_owned(),
        threads: 2,
        columns: thread("", &of.nodes, met).columns,
    };
    // solve has 50 ms by itself, of which samples tell 45; then it has none.
    let first = [
        (0, 1.0, 10.0, 0.0),
        (1, 5.0, 50.0, 0.0),
        (2, 9.0, 0.0, 0.0),
        (3, 9.0, 0.0, 0.0),
        (4, 9.0, 45.0, 90.0),
    ];
    let second = [(0, 0.0, 20.0, 30.0), (7, 4.0, 100.0, 10.0)];
    let intervals = vec![interval("step 1", &first), interval("", &second)];
    Pictured::of(Profile { intervals, ..of }.overview(&Asked::default()).unwrap()).unwrap()
}

#[test]
fn intervals_are_made_of_what_was_sampled_and_of_probes_that_nothing_tells_more_of() {
    let pictured = over_time();
    let of = OverTime::of(&pictured);
    assert_eq!((of.in_time, of.threads, of.intervals()), (true, 2, 2));
    assert_eq!(of.edges, [0.0, 30e6, 90e6]);
    let table = report::over_time(&pictured, &of);
    // MPI_Wait has most, then dot; main and what samples leave of solve is the rest.
    assert_eq!(table.heads, ["MPI_Wait", "dot", "the rest"]);
    let rows = table.rows.iter().map(|(span, until, numbers)| {
        format!(
            "{} | {until} | {}",
            plain(span),
            numbers.iter().map(|of| plain(of)).collect::<Vec<_>>().join(" | ")
        )
    });
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            "0.00 to 30.00 ms | step 1 | 0.0 % | 75.0 % | 25.0 %",
            "30.00 to 90.00 ms |  | 83.3 % | 0.0 % | 16.7 %",
        ]
    );
    let view = ProfileView {
        width: 1000.0,
        height: 128.0,
        left: 50.0,
        right: 50.0,
        picked: Some(4),
        ..ProfileView::default()
    };
    // 900 px are 90 ms, 100 px all of an interval, from the bottom up.
    let at = |x: f64, y: f64| paint::interval_at(&pictured, &view, &of, (x, y));
    assert_eq!(at(100.0, 60.0), Some((0, Some(1))));
    assert_eq!(at(100.0, 15.0), Some((0, Some(2))));
    assert_eq!(at(600.0, 60.0), Some((1, Some(0))));
    assert_eq!(at(20.0, 60.0), None);
    assert_eq!(
        plain(&report::interval(&pictured, &of, 0, Some(1))),
        "0.00 to 30.00 ms until step 1: dot 75.0 %"
    );
    let pen = Svg::default();
    paint::over_time(&pen, &pictured, &view, &of);
    let elements = pen.elements();
    assert!([">%<", ">0 ms<", ">20<"].iter().all(|text| elements.contains(text)), "{elements}");
    assert_eq!(OverTime::of(&self::pictured("")), OverTime::default());
}
