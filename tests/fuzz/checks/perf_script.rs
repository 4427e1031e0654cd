//! Text of `perf script`: the same trace however the file is cut, and merged with itself.

use tracefold::merge;
use tracefold::perf_script::{self, Block, PerfReader, Scan};
use tracefold::text::{ParseError, WholeLines, Words, WordsRead};
use tracefold::trace::{Builder, Trace};

use super::{Stop, alike, assert_sound, stopped};

pub fn check(bytes: &[u8]) {
    let once = read(bytes, usize::MAX, PerfReader::new);
    if let Some(mut trace) = alike(once, read(bytes, 1 + bytes.len() % 61, PerfReader::new)) {
        assert_sound(&trace);
        if let Ok(mut recording) = read(bytes, usize::MAX, PerfReader::beside) {
            merge::merge(&mut trace, &recording);
            assert_sound(&trace);
            // As of another machine: by its markers.
            recording.start_on_clock_ns = None;
            merge::merge(&mut trace, &recording);
            assert_sound(&trace);
        }
    }
}

/// Reads pieces of so many bytes as blocks, each as another worker would hand it over.
fn read(bytes: &[u8], piece: usize, new: fn(&str) -> PerfReader) -> Result<Trace, ParseError> {
    let (mut trace, mut reader) = (Builder::new("a.perf", perf_script::meaning), new("a.perf"));
    let mut join = |scan: Scan| {
        let mut words = Words::default();
        scan.finish().write(&mut words);
        let block = Block::read(&mut WordsRead(&words.0)).expect("what was written");
        reader.join(&block, &mut trace)
    };
    let mut lines = WholeLines::default();
    for chunk in bytes.chunks(piece) {
        stopped(lines.push(chunk, |text| {
            let mut scan = Scan::default();
            scan.lines(text);
            join(scan).map_err(Stop::Wrong)
        }))?;
    }
    if let Some(last) = lines.finish() {
        let mut scan = Scan::default();
        scan.cut_line(&last);
        join(scan)?;
    }
    reader.finish(&mut trace)?;
    Ok(trace.finish())
}
