//! Bursts of traces without states: what lies between calls.

use crate::traces::open;
use tracefold::instance::BurstsFrom;
use tracefold::run::{bursts, bursts_from};
use tracefold::trace::Trace;

/// Thread (from 0), begin and end of the bursts of some records of four threads of one task, in
/// 1000 ns.
fn found(records: &str) -> Vec<(u32, u64, u64)> {
    let trace = traced(records);
    bursts(&trace).iter().map(|burst| (burst.thread, burst.begin_ns, burst.end_ns)).collect()
}

fn traced(records: &str) -> Trace {
    let text = format!("#Paraver (01/02/2026 at 10:00):1000_ns:1(4):1:1(4:1)\n{records}");
    open(&[("a.prv", text.as_bytes())])
}

/// Records of the first thread.
fn alone(events: &[(u64, &str)]) -> Vec<(u64, u64)> {
    let record = |(time, pairs): &(u64, &str)| format!("2:1:1:1:1:{time}:{pairs}\n");
    let bursts = found(&events.iter().map(record).collect::<String>());
    bursts.into_iter().map(|(_, begin, end)| (begin, end)).collect()
}

#[test]
fn a_thread_computes_between_calls_from_its_first_event_to_its_last() {
    for (events, expected) in [
        // MPI calls of two types, one of them in no time; a counter is no call.
        (
            vec![
                (5, "42000050:7"),
                (100, "50000001:3"),
                (150, "50000001:0"),
                (200, "50000003:43"),
                (200, "50000003:0"),
                (250, "50000002:10"),
                (300, "50000002:0"),
                (400, "42000050:7"),
            ],
            vec![(5, 100), (150, 250), (300, 400)],
        ),
        // From the tracing mode on, until the program ends; not while it is not recorded.
        (
            vec![
                (1, "40000001:1:40000002:1"),
                (10, "40000002:0"),
                (20, "40000018:2"),
                (100, "50000001:3"),
                (150, "50000001:0"),
                (300, "40000012:0"),
                (400, "40000012:1"),
                (500, "40000003:1"),
                (550, "40000003:0"),
                (600, "40000001:0"),
                (700, "50000001:0"),
            ],
            vec![(20, 100), (150, 300), (400, 500), (550, 600)],
        ),
        // A lock is waited for, held, given back.
        (
            vec![
                (0, "60000006:0"),
                (10, "60000006:3"),
                (20, "60000006:6:60000032:3"),
                (30, "60000006:5"),
                (40, "60000006:0"),
                (90, "42000050:1"),
            ],
            vec![(0, 10), (20, 30), (40, 90)],
        ),
        // Calls inside one another, of several runtimes; reading is work.
        (
            vec![
                (0, "61000006:1"),
                (10, "50000001:3"),
                (20, "61000006:0"),
                (30, "50000001:0"),
                (40, "40000004:1"),
                (50, "40000004:0"),
                (60, "63000000:4"),
            ],
            vec![(30, 60)],
        ),
        // A call that never ends, and one that is entered twice.
        (vec![(0, "42000050:1"), (10, "50000001:3"), (90, "42000050:1")], vec![(0, 10)]),
        (
            vec![(0, "50000001:3"), (10, "50000001:4"), (20, "50000001:0"), (50, "42000050:1")],
            vec![(20, 50)],
        ),
        // An exit without entry: the call was open since the start.
        (
            vec![(0, "42000050:1"), (10, "50000001:0"), (20, "50000001:3"), (30, "50000001:0")],
            vec![(10, 20)],
        ),
        // Nothing is called at all.
        (vec![(0, "42000050:1"), (10, "60000019:3"), (20, "60000019:0")], vec![]),
    ] {
        assert_eq!(alone(&events), expected, "{events:?}");
    }
}

#[test]
fn a_worker_computes_only_in_what_is_handed_to_it() {
    let records = "2:1:1:1:1:0:42000050:1
2:1:1:1:2:0:42000050:1
2:1:1:1:3:0:42000050:1
2:1:1:1:1:100:60000001:1
2:1:1:1:1:110:60000018:7
2:1:1:1:2:120:60000018:7
2:1:1:1:2:150:60000005:1
2:1:1:1:2:160:60000005:0
2:1:1:1:2:200:60000018:0
2:1:1:1:1:210:60000018:0:60000016:1
2:1:1:1:1:220:60000016:0:60000001:0
2:1:1:1:2:500:42000050:1
2:1:1:1:3:600:60000023:0
2:1:1:1:1:900:42000050:1
2:1:1:1:4:950:42000050:1
";
    // The third was in a task from the start; the fourth is told nothing to do.
    let expected = [(0, 0, 210), (0, 220, 900), (1, 120, 150), (1, 160, 200), (2, 0, 600)];
    assert_eq!(found(records), expected);
}

#[test]
fn states_say_it_for_the_whole_task_where_one_thread_has_them() {
    let records = "1:1:1:1:1:10:40:1
2:1:1:1:1:20:50000001:3
2:1:1:1:1:30:50000001:0
2:1:1:1:2:20:50000001:3
2:1:1:1:2:30:50000001:0
2:1:1:1:2:90:42000050:1
";
    assert_eq!(found(records), [(0, 10, 40)]);
}

#[test]
fn what_a_cutter_wrote_to_close_the_trace_ends_nothing() {
    let records = "2:1:1:1:1:0:42000050:1
2:1:1:1:1:10:50000001:3
2:1:1:1:1:20:50000001:0
2:1:1:1:1:90:50000001:0:50000002:0:30000000:0
";
    // Nor is a call of the second type, which is never entered, open since the start.
    assert_eq!(found(records), [(0, 0, 10), (0, 20, 90)]);
}

#[test]
fn states_or_calls_say_when_threads_compute_and_of_a_task_without_states_only_calls_can() {
    let with_states = "1:1:1:1:1:10:40:1
2:1:1:1:1:20:50000001:3
2:1:1:1:1:30:50000001:0
2:1:1:1:1:50:40000004:1
2:1:1:1:1:60:40000004:0
2:1:1:1:1:90:42000050:1
";
    let without = with_states.split_once('\n').unwrap().1;
    let by_calls = vec![[30, 90]];
    let by_files = vec![[30, 50], [60, 90]];
    for (from, of_states, of_none) in [
        (BurstsFrom::Auto, vec![[10, 40]], by_calls.clone()),
        (BurstsFrom::States, vec![[10, 40]], vec![]),
        (BurstsFrom::Calls, by_calls.clone(), by_calls),
        (BurstsFrom::CallsAndIo, by_files.clone(), by_files),
    ] {
        for (records, expected) in [(with_states, of_states), (without, of_none)] {
            let found = bursts_from(&traced(records), from).bursts;
            let times = found.iter().map(|burst| [burst.begin_ns, burst.end_ns]);
            assert_eq!(times.collect::<Vec<_>>(), expected, "{from}");
        }
    }
}

#[test]
fn a_burst_in_which_the_tracing_wrote_to_disk_is_left_out_and_told() {
    // In the second burst all of it, in the fourth the begin; at the borders of the others.
    let records = "1:1:1:1:1:0:100:1
1:1:1:1:1:200:300:1
1:1:1:1:1:400:500:1
1:1:1:1:1:600:700:1
2:1:1:1:1:100:40000003:1
2:1:1:1:1:200:40000003:0
2:1:1:1:1:210:40000003:1
2:1:1:1:1:220:40000003:0
2:1:1:1:1:650:40000003:1
2:1:1:1:1:700:40000003:0
";
    let found = bursts_from(&traced(records), BurstsFrom::Auto);
    let times = found.bursts.iter().map(|burst| [burst.begin_ns, burst.end_ns]);
    assert_eq!(times.collect::<Vec<_>>(), [[0, 100], [400, 500]]);
    let sentence = "2 bursts are left out: the tracing wrote its buffer to disk inside.";
    assert_eq!(found.sentence().as_deref(), Some(sentence));
    let whole = bursts_from(&traced("1:1:1:1:1:0:100:1\n"), BurstsFrom::Auto);
    assert_eq!((whole.bursts.len(), whole.sentence()), (1, None));
    // Where calls tell, it is a call.
    let by_calls = bursts_from(&traced(records), BurstsFrom::Calls);
    assert_eq!((by_calls.bursts.len(), by_calls.flushed), (2, 0));
}
