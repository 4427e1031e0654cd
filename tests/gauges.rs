//! Levels that another process reads while regions run: from the events of a trace to the table.

use std::fmt::Write;

use tracefold::export;
use tracefold::result::{Beside, Link};
use tracefold::settings::Settings;
use tracefold::trace::Trace;

use crate::traces::{fold, open};

const PCF: &str = "EVENT_TYPE\n9 60000019 User function\nVALUES\n1 main\n0 End\n\n\
                   EVENT_TYPE\n0 5000 Power (W)\n\nEVENT_TYPE\n0 50000000 PAPI_TOT_INS\n";

/// Eight instances of 10 µs, one after the other; every microsecond another application reads a level, ten
/// times as high in each tenth of an instance as its number.
fn trace() -> Trace {
    let mut prv = "#Paraver (01/01/20 at 00:00):90000_ns:1(2):2:1(1:1):1(1:1)\n".to_owned();
    for tenth in 0u32..90 {
        let ns = tenth * 1000;
        let place = tenth % 10;
        if place == 0 && tenth < 80 {
            writeln!(prv, "2:1:1:1:1:{ns}:60000019:1:50000000:1000").unwrap();
        }
        writeln!(prv, "2:2:2:1:1:{ns}:5000:{}", 10 * (place + 1)).unwrap();
        if place == 9 && tenth < 80 {
            writeln!(prv, "2:1:1:1:1:{}:60000019:0:50000000:1000", ns + 1000).unwrap();
        }
    }
    open(&[("a.prv", prv.as_bytes()), ("a.pcf", PCF.as_bytes())])
}

/// The column of values, in tenths of an instance.
fn values(trace: &Trace, holds: &str) -> Vec<f64> {
    let folding = fold(trace, &["region=User function:main", &format!("holds={holds}")]);
    let table = export::gauges(std::iter::once(&folding));
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("region,group,x,type,name,value,half_width"));
    let value = |line: &str| {
        let cells = line.split(',').collect::<Vec<_>>();
        assert_eq!(cells[3..5], ["5000", "Power (W)"], "{line}");
        cells[5].parse::<f64>().unwrap()
    };
    lines.map(value).collect()
}

#[test]
fn a_level_is_folded_as_it_was_read_and_holds_as_asked_for() {
    let trace = trace();
    let tens = (1..=10).map(|tenth| 10.0 * f64::from(tenth)).collect::<Vec<_>>();
    let mut shifted = tens.clone();
    shifted.rotate_left(1);
    let means = tens.iter().zip(&shifted).map(|(a, b)| (a + b) / 2.0).collect::<Vec<_>>();
    for (holds, expected) in [("next", &tens), ("previous", &shifted), ("mean", &means)] {
        let found = values(&trace, holds);
        assert_eq!(found.len(), 10, "as many cells as readings in an instance");
        let is_near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(is_near, "{holds}: {found:?}, expected {expected:?}");
    }
}

#[test]
fn a_link_carries_levels_and_along_a_counter_there_are_none() {
    let trace = trace();
    let folding = fold(&trace, &["region=User function:main"]);
    let link = Link::encode(&folding, 1, &Settings::default(), "", Beside::default()).unwrap();
    let back = Link::decode(&link).unwrap().folding;
    assert_eq!(back.groups[0].gauges, folding.groups[0].gauges);
    assert_eq!(back.groups[0].gauges.len(), 1);
    let along = fold(&trace, &["region=User function:main", "x=PAPI_TOT_INS"]);
    assert_eq!(along.groups[0].gauges, []);
}
