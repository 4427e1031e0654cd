//! The names of processors, nodes and threads: `.row`.

use crate::trace::Builder;

/// Reads a `.row` line by line.
///
/// Folding shows threads by number, as analysts name them; of this file only the mark of our
/// generator is kept.
#[derive(Default)]
pub struct RowReader;

impl RowReader {
    pub fn line(&mut self, line: &[u8], trace: &mut Builder) {
        trace.generated |= line.starts_with(b"#Tracefold generated");
    }
}
