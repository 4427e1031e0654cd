//! Folding of whatever can be read: finite curves, and every picture and table of them.

use tracefold::export::{Format, export};
use tracefold::paraver;
use tracefold::pipeline;
use tracefold::settings::Settings;
use tracefold::trace::Builder;

use super::folding::assert_reads_back;
use super::prv::HEADER;
use super::{read_labels, read_records};

const LABELS: &[u8] = include_bytes!("../seeds/pcf/mini.pcf");

/// Lines of a `.prv`, without a header for a small one.
pub fn check(bytes: &[u8]) {
    let whole = if bytes.starts_with(b"#") { bytes.to_vec() } else { [HEADER, bytes].concat() };
    let mut labelled = Builder::new("a.prv", paraver::meaning);
    read_labels(LABELS, usize::MAX, &mut labelled);
    let Ok(trace) = read_records(&whole, usize::MAX, labelled) else { return };
    let (rows, _) = pipeline::catalogue(&trace, &Settings::default());
    for row in rows.iter().take(2) {
        let mut settings = Settings::default();
        settings.set("region", &row.region).expect("any text names a region");
        settings.set("points", "7").expect("a number of points");
        let Ok(folded) = pipeline::run(&trace, &settings) else { continue };
        let (folding, _) = &folded;
        for group in &folding.groups {
            assert!(group.mean_duration_ns.is_finite());
            for curve in &group.curves {
                assert!(curve.rate.iter().chain(&curve.fitted).all(|value| value.is_finite()));
            }
            assert_eq!(group.table(3).len(), 3);
        }
        assert_reads_back(folding);
        for (_, format) in Format::ALL {
            assert!(!export(std::slice::from_ref(&folded), format).is_empty());
        }
    }
}
