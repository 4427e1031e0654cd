//! A part of a fold, without the sum at its end: any bytes would else be damaged and no more.

use flate2::Crc;
use tracefold::accumulate::{merge, thin};
use tracefold::partial::Partial;
use tracefold::pipeline;
use tracefold::settings::Settings;

/// What is read is written as bytes that read as the same; it merges, thins and folds, or says why not, and
/// has no more in it than bytes can say.
pub fn check(bytes: &[u8]) {
    let summed = |bytes: &[u8]| {
        let mut sum = Crc::new();
        sum.update(bytes);
        [bytes, &sum.sum().to_le_bytes()].concat()
    };
    let Ok(part) = Partial::read(&summed(bytes)) else { return };
    let written = part.write();
    let again = || Partial::read(&written).unwrap();
    assert!(again().write() == written, "what is written again is the same");
    let alone = merge(vec![(String::new(), again())]).unwrap();
    assert!(alone.write() == written, "merged alone it is the same");
    let mut settings = Settings::default();
    settings.set("samples", "2").unwrap();
    let _ = thin(again(), &settings);
    let Ok(trace) = again().trace() else { return };
    let moments = trace.threads.iter().map(|thread| thread.len()).sum::<usize>();
    assert!(moments <= bytes.len() && trace.threads.len() <= bytes.len() / 12);
    let _ = pipeline::catalogue(&trace, &settings);
    let _ = pipeline::run(&trace, &settings);
}
