//! Sampled references: which object, which way, at what cost; on traces written out and on those of
//! the generator, whose truth is known.

use crate::traces::{fold_with_points, open};
use serde_json::Value;
use tracefold::export::{Format, export};
use tracefold::folding::{Folding, Group, ObjectKind, References, Stream};
use tracefold_generate::{Shape, generate};

const PCF: &str = "\
EVENT_TYPE
0    60000019    User function
0    30000000    Sampled functions
0    70000001    Caller at level 1
0    70000002    Caller at level 2
VALUES
0   End
3   kernel
4   solve

EVENT_TYPE
0    30000100    Sampled line functions
0    80000001    Caller line at level 1
0    80000002    Caller line at level 2
0    80000003    Caller line at level 3
VALUES
0   End
1   Unresolved
5   19 (k.c) [mini]
6   181 (main.c, mini)
7   20 (list.c, mini)
8   111 (new_allocator.h, mini)

EVENT_TYPE
0    32000007    Memory object referenced
VALUES
9   lost.c:5

EVENT_TYPE
0    41000000    Object addresses for task 1.1
VALUES
1   table [0x1000-0x1fff]
2   field [0x1100-0x110f]
3   nothing [0x1200-0x11ff]
4   grid [0x8000-0x8fff]
5   grid [0x7000-0x70ff]
";

/// A trace of one instance from 1000 to 2000 on each thread (task and thread), with these lines of
/// task, thread, time and events in it or before.
fn trace(
    pcf: &str,
    threads: &[(u32, u32)],
    lines: &[(u32, u32, u64, &str)],
) -> tracefold::trace::Trace {
    let tasks = threads.iter().map(|(task, _)| *task).max().unwrap();
    let of_task = |task| threads.iter().filter(|(of, _)| *of == task).count();
    let list = (1..=tasks).map(|task| format!("{}:1", of_task(task))).collect::<Vec<_>>();
    let mut prv =
        format!("#Paraver (01/02/2025 at 10:00):3000_ns:1(9):1:{tasks}({})\n", list.join(","));
    let mut records = lines.to_vec();
    for (task, thread) in threads {
        records.push((*task, *thread, 1000, "60000019:3"));
        records.push((*task, *thread, 2000, "60000019:0"));
    }
    records.sort_by_key(|record| record.2);
    for (task, thread, time, events) in records {
        prv += &format!("2:1:1:{task}:{thread}:{time}:{events}\n");
    }
    prv += "1:1:1:1:1:0:3000:1\n";
    open(&[("t.prv", prv.as_bytes()), ("t.pcf", pcf.as_bytes())])
}

/// The folding of a written-out trace, and its references.
fn folded(
    pcf: &str,
    threads: &[(u32, u32)],
    lines: &[(u32, u32, u64, &str)],
) -> (Folding, Option<References>) {
    let texts = ["region=User function:kernel", "group=none", "outliers=none"];
    let (folding, mut points) = fold_with_points(&trace(pcf, threads, lines), &texts);
    (folding, points.references.pop())
}

/// Object, offset and place of each reference, by place.
fn places(folding: &Folding, references: &References) -> Vec<(String, u64, f64)> {
    let objects = &folding.groups[0].objects;
    let name = |object: &u32| objects[*object as usize].name.clone();
    let names = references.object.iter().map(name);
    names.zip(&references.offset).zip(&references.x).map(|((n, o), x)| (n, *o, *x)).collect()
}

/// What is said, but that there are few samples.
fn notices(folding: &Folding) -> Vec<&str> {
    let texts = folding.notices.iter().map(|notice| notice.text.as_str());
    texts.filter(|text| !text.contains("fewer than 50 samples")).collect()
}

#[track_caller]
fn check(
    threads: &[(u32, u32)],
    lines: &[(u32, u32, u64, &str)],
    expected: &[(&str, u64, f64)],
) -> Folding {
    let (folding, references) = folded(PCF, threads, lines);
    let expected = expected.iter().map(|(name, offset, x)| ((*name).to_owned(), *offset, *x));
    assert_eq!(places(&folding, &references.unwrap()), expected.collect::<Vec<_>>());
    folding
}

#[test]
fn variables_are_met_by_their_addresses_the_smaller_of_two() {
    let folding = check(
        &[(1, 1)],
        &[
            (1, 1, 1100, "32000000:4096"),
            (1, 1, 1200, "32000001:4367:32000000:36863"),
            (1, 1, 1300, "32000000:4368"),
            (1, 1, 1400, "32000000:0:32000001:0"),
            (1, 1, 2500, "32000000:4096"),
        ],
        &[("table", 0, 0.1), ("field", 15, 0.2), ("grid", 4095, 0.2), ("table", 272, 0.3)],
    );
    let objects = folding.groups[0].objects.iter();
    let known = objects.map(|o| (o.name.as_str(), o.kind, o.address, o.bytes, o.loads, o.stores));
    assert_eq!(
        known.collect::<Vec<_>>(),
        [
            ("table", ObjectKind::Static, 0x1000, 4096, 2, 0),
            ("field", ObjectKind::Static, 0x1100, 16, 0, 1),
            ("grid", ObjectKind::Static, 0x8000, 4096, 1, 0),
        ]
    );
    assert_eq!(notices(&folding), [""; 0]);
}

const MALLOC: &str = "40000040:1:40000041";
const CALLER: &str = "70000001:3:80000001:6";

#[test]
fn memory_belongs_to_the_call_that_allocated_it_until_it_is_freed() {
    let first = format!("{MALLOC}:256:{CALLER}");
    // The nearest line is not known: the next one names it.
    let second = format!("{MALLOC}:512:70000001:3:80000001:1:70000002:4:80000002:7");
    let folding = check(
        &[(1, 1), (1, 2)],
        &[
            (1, 1, 100, &first),
            (1, 1, 110, "40000040:0:40000043:1048576"),
            // Freed by another thread of the task; the same memory is given out again.
            (1, 2, 1500, "40000040:2:40000042:1048576"),
            (1, 2, 1510, "40000040:0"),
            (1, 2, 1600, &second),
            (1, 2, 1610, "40000040:0:40000043:1048576"),
            (1, 1, 1400, "32000000:1048584"),
            (1, 1, 1550, "32000000:1048584"),
            (1, 1, 1700, "32000000:1048592"),
            (1, 2, 1800, "32000001:1049087"),
            (1, 2, 1900, "32000001:1049088"),
        ],
        &[
            ("main.c:181", 8, 0.4),
            ("0x100008", 0, 0.55),
            ("list.c:20", 16, 0.7),
            ("list.c:20", 511, 0.8),
            ("0x100008", 504, 0.9),
        ],
    );
    assert_eq!(notices(&folding), [""; 0]);
}

#[test]
fn an_object_is_named_by_the_nearest_line_of_the_program_or_else_a_routine() {
    for (callers, name) in [
        ("80000002:7:80000001:6", "main.c:181"),
        ("80000001:8:80000002:6:80000003:7", "main.c:181"),
        ("80000001:8:80000002:1", "new_allocator.h:111"),
        ("70000001:1:80000001:1:70000002:4", "solve"),
        ("32000009:9", "9"),
        ("70000001:2", "allocated"),
    ] {
        let call = format!("{callers}:{MALLOC}:64");
        let lines =
            [(1, 1, 100, &call[..]), (1, 1, 110, "40000043:65536"), (1, 1, 1500, "32000000:65536")];
        check(&[(1, 1)], &lines, &[(name, 0, 0.5)]);
    }
}

#[test]
fn what_grows_stays_what_it_was() {
    let first = format!("{MALLOC}:64:{CALLER}");
    let folding = check(
        &[(1, 1)],
        &[
            (1, 1, 100, &first),
            (1, 1, 110, "40000040:0:40000043:65536"),
            (1, 1, 1200, "40000040:3:40000041:4096:40000042:65536:80000001:7"),
            (1, 1, 1210, "40000040:0:40000043:131072"),
            // One that fails leaves what there is; one to nothing frees.
            (1, 1, 1400, "40000040:3:40000041:999999:40000042:131072:80000001:7"),
            (1, 1, 1410, "40000040:0:40000043:0"),
            (1, 1, 1600, "40000040:3:40000041:0:40000042:131072:80000001:7"),
            (1, 1, 1610, "40000040:0:40000043:0"),
            (1, 1, 1100, "32000000:65544"),
            (1, 1, 1300, "32000000:135167"),
            (1, 1, 1500, "32000000:131072"),
            (1, 1, 1700, "32000000:131072"),
        ],
        &[
            ("main.c:181", 8, 0.1),
            ("main.c:181", 4095, 0.3),
            ("main.c:181", 0, 0.5),
            ("0x20000", 0, 0.7),
        ],
    );
    assert_eq!(folding.groups[0].objects[0].bytes, 4096);
}

#[test]
fn odd_calls_break_nothing() {
    let first = format!("{MALLOC}:256:{CALLER}");
    let other = format!("{MALLOC}:256:80000001:7");
    let folding = check(
        &[(1, 1)],
        &[
            // A free without allocation, of nothing, an end without begin, an allocation of nothing.
            (1, 1, 10, "40000040:2:40000042:5"),
            (1, 1, 20, "40000040:2:40000042:0"),
            (1, 1, 30, "40000040:0:40000043:9000000"),
            (1, 1, 40, "40000040:1:40000041:0:80000001:6"),
            (1, 1, 50, "40000040:0:40000043:8192000"),
            (1, 1, 60, "40000040:2:40000042:8192000"),
            // A begin that never ends, then two that lie over one another.
            (1, 1, 70, &first),
            (1, 1, 100, &first),
            (1, 1, 110, "40000040:0:40000043:1048576"),
            (1, 1, 1400, &other),
            (1, 1, 1410, "40000040:0:40000043:1048704"),
            // At the end of all addresses.
            (1, 1, 1420, &first),
            (1, 1, 1430, "40000040:0:40000043:18446744073709551600"),
            (1, 1, 1300, "32000000:1048710"),
            (1, 1, 1500, "32000000:1048710"),
            (1, 1, 1600, "32000000:18446744073709551615"),
            (1, 1, 1700, "32000000:9000000"),
        ],
        &[
            ("main.c:181", 134, 0.3),
            ("list.c:20", 6, 0.5),
            ("main.c:181", 15, 0.6),
            ("0x895440", 0, 0.7),
        ],
    );
    let notices = folding.notices.iter().map(|n| (n.text.as_str(), n.count));
    let overlaps =
        ("An allocation where memory was in use; the earlier one was taken as freed.", 1);
    assert!(notices.collect::<Vec<_>>().contains(&overlaps), "{:?}", folding.notices);
}

#[test]
fn a_free_inside_of_a_call_leaves_the_call_open() {
    let call = format!("{MALLOC}:256:{CALLER}");
    check(
        &[(1, 1)],
        &[
            (1, 1, 100, &call),
            (1, 1, 105, "40000040:2:40000042:65536"),
            (1, 1, 110, "40000040:0:40000043:1048576"),
            // Without an address at its end it has failed.
            (1, 1, 120, &call),
            (1, 1, 130, "40000040:0"),
            (1, 1, 140, "40000043:2097152"),
            (1, 1, 1100, "32000000:1048577"),
            (1, 1, 1200, "32000000:2097153"),
        ],
        &[("main.c:181", 1, 0.1), ("0x200001", 0, 0.2)],
    );
}

#[test]
fn blocks_side_by_side_are_objects_of_their_own_and_those_one_after_another_are_one() {
    let call = format!("{MALLOC}:64:{CALLER}");
    let other = format!("{MALLOC}:64:80000001:7");
    check(
        &[(1, 1)],
        &[
            (1, 1, 100, &call),
            (1, 1, 110, "40000043:65536"),
            (1, 1, 120, &call),
            (1, 1, 130, "40000043:131072"),
            (1, 1, 1200, "40000040:2:40000042:65536"),
            (1, 1, 1210, "40000040:2:40000042:131072"),
            // The smallest number that is free.
            (1, 1, 1300, &call),
            (1, 1, 1310, "40000043:196608"),
            (1, 1, 140, &other),
            (1, 1, 150, "40000043:1048576"),
            (1, 1, 1220, "40000040:2:40000042:1048576"),
            (1, 1, 1320, &other),
            (1, 1, 1330, "40000043:2097152"),
            (1, 1, 1100, "32000000:65544"),
            (1, 1, 1150, "32000000:131080"),
            (1, 1, 1180, "32000000:1048600"),
            (1, 1, 1400, "32000000:196616"),
            (1, 1, 1500, "32000000:2097184"),
        ],
        &[
            ("main.c:181 #1", 8, 0.1),
            ("main.c:181 #2", 8, 0.15),
            ("list.c:20", 24, 0.18),
            ("main.c:181 #1", 8, 0.4),
            ("list.c:20", 32, 0.5),
        ],
    );
}

#[test]
fn a_block_makes_room_for_one_that_begins_where_or_when_it_ends() {
    let call = format!("{MALLOC}:64:{CALLER}");
    let other = format!("{MALLOC}:64:80000001:7");
    let folding = check(
        &[(1, 1), (1, 2)],
        &[
            (1, 1, 100, &call),
            (1, 1, 110, "40000043:65536"),
            // Right behind it.
            (1, 1, 120, &other),
            (1, 1, 130, "40000043:65600"),
            (1, 1, 1100, "32000000:65599"),
            (1, 1, 1200, "32000000:65600"),
            // Freed as another call is given the same memory.
            (1, 1, 1300, "40000040:2:40000042:65536"),
            (1, 2, 1250, &other),
            (1, 2, 1300, "40000043:65536"),
            (1, 1, 1400, "32000000:65540"),
            // Freed by another thread in the moment in which it is there.
            (1, 1, 1450, &call),
            (1, 1, 1500, "40000043:131072"),
            (1, 2, 1500, "40000040:2:40000042:131072"),
            (1, 1, 1600, "32000000:131080"),
        ],
        &[
            ("main.c:181", 63, 0.1),
            ("list.c:20 #1", 0, 0.2),
            ("list.c:20 #2", 4, 0.4),
            ("0x20008", 0, 0.6),
        ],
    );
    assert_eq!(notices(&folding), [""; 0]);
}

#[test]
fn many_blocks_of_one_call_are_one_object_in_which_they_lie_one_behind_the_other() {
    let call = format!("{MALLOC}:64:{CALLER}");
    let starts = (0..20u64).map(|n| format!("40000043:{}", 1_048_576 + 8192 * ((7 * n) % 20)));
    let starts = starts.collect::<Vec<_>>();
    let mut lines = vec![];
    for (n, start) in (0u64..).zip(&starts) {
        lines.push((1, 1, 100 + 10 * n, call.as_str()));
        lines.push((1, 1, 105 + 10 * n, start.as_str()));
    }
    lines.push((1, 1, 1500, "32000000:1048584"));
    let third = format!("32000000:{}", 1_048_576 + 8192 * 14 + 9);
    lines.push((1, 1, 1600, third.as_str()));
    let folding =
        check(&[(1, 1)], &lines, &[("main.c:181", 8, 0.5), ("main.c:181", 2 * 64 + 9, 0.6)]);
    assert_eq!(folding.groups[0].objects[0].bytes, 20 * 64);
}

#[test]
fn the_same_object_of_several_tasks_is_one() {
    let call = format!("{MALLOC}:256:{CALLER}");
    let mut pcf = PCF.to_owned();
    // Task 2 has its variables elsewhere; task 3 has those of the first.
    pcf +=
        "\nEVENT_TYPE\n0 41000001 Object addresses for task 1.2\nVALUES\n1 grid [0x9000-0x9fff]\n";
    let lines = [
        (1, 1, 100, call.as_str()),
        (1, 1, 110, "40000043:1048576"),
        (2, 1, 100, call.as_str()),
        (2, 1, 120, "40000043:52428800"),
        (1, 1, 1100, "32000000:1048580"),
        (2, 1, 1200, "32000000:52428804"),
        (2, 1, 1300, "32000000:36880"),
        (3, 1, 1400, "32000000:32784"),
        // The stacks of all tasks, each from its own lowest address on.
        (1, 1, 1500, "32000000:140733193392128"),
        (2, 1, 1600, "32000000:140733193396224"),
        (2, 1, 1700, "32000000:140733193396264"),
        // What the tracer knows by a number.
        (1, 1, 1800, "32000000:77777777:32000007:9"),
        (3, 1, 1900, "32000000:99999999:32000007:9"),
    ];
    let (folding, references) = folded(&pcf, &[(1, 1), (2, 1), (3, 1)], &lines);
    let expected = [
        ("main.c:181", 4, 0.1),
        ("main.c:181", 4, 0.2),
        ("grid", 16, 0.3),
        ("grid", 16, 0.4),
        ("stack", 0, 0.5),
        ("stack", 0, 0.6),
        ("stack", 40, 0.7),
        ("lost.c:5", 0, 0.8),
        ("lost.c:5", 0, 0.9),
    ];
    let expected = expected.map(|(name, offset, x)| (name.to_owned(), offset, x));
    assert_eq!(places(&folding, &references.unwrap()), expected);
    let objects = folding.groups[0].objects.iter().map(|o| (o.name.as_str(), o.kind, o.address));
    let expected = [
        ("grid", ObjectKind::Static, 0x9000),
        ("main.c:181", ObjectKind::Dynamic, 1_048_576),
        ("lost.c:5", ObjectKind::Dynamic, 77_777_777),
        ("stack", ObjectKind::Stack, 140_733_193_392_128),
    ];
    assert_eq!(objects.collect::<Vec<_>>(), expected);
}

#[test]
fn levels_tlb_and_costs_are_what_was_sampled_or_unknown() {
    let (folding, references) = folded(
        PCF,
        &[(1, 1)],
        &[
            (
                1,
                1,
                1100,
                "30000000:3:30000100:5:32000000:4096:32000002:7:32000003:1:32000004:2:32000005:1:32000006:300",
            ),
            (1, 1, 1150, "30000000:3:30000100:5"),
            (1, 1, 1200, "32000000:4160:32000002:1:32000003:2:32000004:2:32000005:2:32000006:7"),
            (1, 1, 1300, "30000000:3:30000100:5:32000001:4161:32000002:77:32000004:0"),
            (1, 1, 1400, "32000000:18446603336221200384:32000006:18446744073709551615"),
        ],
    );
    let found = references.unwrap();
    assert_eq!(found.level, [7, 0, 0, 0]);
    assert_eq!(found.tlb, [2, 3, 3, 0]);
    assert_eq!(found.cost, [300, 7, 0, u32::MAX]);
    assert_eq!(found.store, [0, 0, 1, 0]);
    assert_eq!(found.address[3], 0xffff_8000_0000_1000);
    assert_eq!(found.line, [0, u32::MAX, 2, u32::MAX]);
    let group = &folding.groups[0];
    assert_eq!(group.lines.x, [0.1, 0.15, 0.3]);
    let table = &group.objects[0];
    assert_eq!((table.loads, table.stores, table.bytes_touched), (2, 1, 128));
    assert_eq!((table.mean_cost, table.high_cost), (Some(153.5), Some(300.0)));
    assert_eq!(table.levels, [2, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    assert_eq!(group.objects[1].name, "0xffff800000001000");
    // Of the routine: two references are too few to tell a direction.
    let streams = group.streams.iter().map(|s| (s.object, s.routine, s.phase, s.words()));
    assert_eq!(streams.collect::<Vec<_>>(), [(0, Some(0), None, String::new())]);
}

#[test]
fn without_references_there_is_nothing() {
    let (folding, references) = folded(PCF, &[(1, 1)], &[(1, 1, 1500, "30000000:3:32000002:1")]);
    let group = &folding.groups[0];
    assert_eq!((references, &group.objects, &group.streams), (None, &vec![], &vec![]));
    assert_eq!(notices(&folding), [""; 0]);
    // They are elsewhere: that is said.
    let (folding, references) = folded(PCF, &[(1, 1)], &[(1, 1, 500, "32000000:4096")]);
    let text = "No sampled addresses in this region; the trace has some elsewhere.";
    assert_eq!((references, notices(&folding)), (None, vec![text]));
}

#[test]
fn variables_that_lie_elsewhere_are_noticed() {
    let (folding, references) = folded(PCF, &[(1, 1)], &[(1, 1, 1500, "32000000:93824992235520")]);
    let name = format!("0x{:x}", 93_824_992_235_520u64);
    assert_eq!(places(&folding, &references.unwrap()), [(name, 0, 0.5)]);
    let [notice] = notices(&folding)[..] else { panic!("{:?}", folding.notices) };
    assert!(notice.contains("position-independent"), "{notice}");
}

#[test]
fn tables_name_what_was_referenced() {
    let lines = [
        (1, 1, 1100, "30000000:3:32000000:4096:32000002:8:32000004:1:32000006:9"),
        (1, 1, 1200, "32000001:36863"),
    ];
    let texts = ["region=User function:kernel", "group=none", "outliers=none"];
    let trace = trace(PCF, &[(1, 1)], &lines);
    let files = export(&trace, &[fold_with_points(&trace, &texts)], Format::Csv).unwrap();
    let text = |name: &str| {
        let file = files.iter().find(|file| file.name == name).unwrap();
        String::from_utf8(file.bytes.clone()).unwrap()
    };
    assert_eq!(
        text("references.csv"),
        "region,group,x,kind,address,object,level,cost\n\
         User function:kernel,1,0.1,load,0x1000,table,remote DRAM,9\n\
         User function:kernel,1,0.2,store,0x8fff,grid,,\n"
    );
    assert_eq!(
        text("objects.csv"),
        "region,group,object,kind,address,bytes,loads,stores,bytes_touched,mean_cost,high_cost,unknown,\
         L1,line-fill buffer,L2,L3,remote cache,\"remote cache, 2 hops\",DRAM,remote DRAM,\
         \"remote DRAM, 2 hops\"\n\
         User function:kernel,1,table,static,0x1000,4096,1,0,64,9,9,0,0,0,0,0,0,0,0,1,0\n\
         User function:kernel,1,grid,static,0x8000,4096,0,1,64,,,1,0,0,0,0,0,0,0,0,0\n"
    );
    assert_eq!(
        text("streams.csv"),
        "region,group,object,phase,routine,loads,stores,direction,bytes_per_us,step_bytes,mean_cost,\
         high_cost\n\
         User function:kernel,1,table,,kernel,1,0,unknown,0,0,9,9\n"
    );
}

fn folded_shape(shape: Shape, seed: u64) -> (Folding, References, Value) {
    let made = generate(shape, seed);
    let trace = open(&[("t.prv", &made.prv), ("t.pcf", &made.pcf)]);
    let (folding, mut points) = fold_with_points(&trace, &["group=none"]);
    let truth = serde_json::from_str(&made.truth).unwrap();
    (folding, points.references.remove(0), truth)
}

/// The streams of the object `name`.
fn streams_of<'a>(group: &'a Group, name: &str) -> Vec<&'a Stream> {
    let object = group.objects.iter().position(|object| object.name == name).unwrap();
    group.streams.iter().filter(|stream| stream.object as usize == object).collect()
}

#[test]
fn the_modified_stream_is_told_as_it_was_made_on_every_seed() {
    for seed in 0..20 {
        let (folding, references, truth) = folded_shape(Shape::References, seed);
        let group = &folding.groups[0];
        let objects = group.objects.iter().map(|o| (o.name.as_str(), o.kind.name(), o.bytes));
        let told = truth["objects"].as_array().unwrap().iter();
        let text = |value: &Value, key: &str| value[key].as_str().unwrap().to_owned();
        let told = told.map(|o| (text(o, "name"), text(o, "kind"), o["bytes"].as_u64().unwrap()));
        let told = told.collect::<Vec<_>>();
        let told = told.iter().map(|(name, kind, bytes)| (&name[..], &kind[..], *bytes));
        assert_eq!(objects.collect::<Vec<_>>(), told.collect::<Vec<_>>(), "seed {seed}");
        assert!(references.line.iter().all(|line| *line != u32::MAX));

        for told in truth["streams"].as_array().unwrap() {
            let planned = &truth["folded"]["phases"][told["phase"].as_u64().unwrap() as usize];
            let edge = |key: &str| planned[key].as_f64().unwrap();
            let middle = (edge("mean_start") + edge("mean_end")) / 2.0;
            let phase = group.phases.partition_point(|phase| phase.end <= middle) as u32;
            let (routine, object) = (text(told, "routine"), text(told, "object"));
            let step = told["step_bytes"].as_u64().unwrap();
            let way = match text(told, "direction").as_str() {
                "random" => "random".to_owned(),
                direction => format!("{direction}, {step} B per step"),
            };
            let is_it = |stream: &&&Stream| match stream.routine {
                Some(index) => group.routines[index as usize] == routine,
                None => stream.phase == Some(phase),
            };
            let streams = streams_of(group, &object);
            let found = streams.iter().filter(is_it).collect::<Vec<_>>();
            assert_eq!(found.len(), 2, "seed {seed}: {told}");
            for stream in found {
                assert!(stream.words().starts_with(&way), "seed {seed}: {} {told}", stream.words());
                if way != "random" {
                    // The whole array in the phase's time.
                    let us = planned["ms"].as_f64().unwrap() * 1e3;
                    let speed = stream.bytes_per_us.abs() * us / 8e7;
                    assert!((speed - 1.0).abs() < 0.05, "seed {seed}: {speed} {told}");
                }
            }
        }
    }
}

#[test]
fn the_bundled_example_has_a_full_address_lane() {
    let (folding, references, _) = folded_shape(Shape::Example, 1);
    let group = &folding.groups[0];
    let names = group.objects.iter().map(|o| o.name.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["a", "b", "stream.c:181"]);
    assert!(references.x.len() > 2000, "{}", references.x.len());
    // The gather is dear, all else is not.
    let scale = streams_of(group, "stream.c:181").into_iter().filter(|s| s.words() == "random");
    let scale = scale.collect::<Vec<_>>();
    assert!(!scale.is_empty() && scale.iter().all(|s| s.mean_cost.unwrap() > 150.0), "{scale:?}");
    let dearest = group.streams.iter().filter(|s| s.words() != "random" && s.loads > 20);
    assert!(dearest.filter_map(|s| s.mean_cost).all(|cost| cost < 60.0));
}
