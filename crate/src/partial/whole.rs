//! From parts to the trace that they are of.

use super::{End, Format, Partial, Piece, Split};
use crate::paraver::PrvReader;
use crate::text::ParseError;
use crate::trace::{Builder, Notice, Notices, Trace};

impl Partial {
    /// The trace, with the samples of the region alone, as far as its parts are there.
    ///
    /// # Errors
    ///
    /// If what the parts say together is no trace; or if times of a thread go back across the border of
    /// two of them.
    // On the page it is loaded for parts alone.
    #[inline(never)]
    pub fn trace(self) -> Result<Trace, ParseError> {
        let missing = self.missing_words();
        let Self { split, end, format, header, mut common, pieces, region_code, .. } = self;
        let name = common.name.clone();
        let mut whole = match format {
            Format::Prv => Some(PrvReader::with_header(&name, &header, &mut common)?),
            _ => None,
        };
        let mut told = vec![];
        let mut at = 0;
        let is_begun = pieces.first().is_none_or(|piece| piece.range.start == 0);
        for (number, Piece { range, reader, mut trace }) in pieces.into_iter().enumerate() {
            match split {
                Split::Bytes(_) if at < range.start && number > 0 => common.break_off(),
                Split::Bytes(_) => {}
                Split::Tasks(_) => once(&mut told, &mut trace, number == 0),
            }
            if format != Format::Prv {
                common.provenance.boundaries = trace.provenance.boundaries;
                common.provenance.clock.clone_from(&trace.provenance.clock);
                common.provenance.markers_lost =
                    common.provenance.markers_lost.max(trace.provenance.markers_lost);
            }
            at = range.end;
            // Every share of tasks has read the whole file.
            let is_first = matches!(split, Split::Bytes(_)) || number == 0;
            match (&mut whole, reader.filter(|_| is_first)) {
                (Some(whole), Some(reader)) => whole.join(reader, &mut common, trace)?,
                _ => common.append(trace, 0),
            }
        }
        if let (Split::Bytes(_), Some(object)) = (split, common.unsorted()) {
            let found =
                format!("times of the thread {object} that go back across the border of two parts");
            let expected = "times that rise; accumulate by tasks (--by objects)";
            return Err(ParseError::of_file(&name, &found, expected));
        }
        if !is_begun && matches!(split, Split::Bytes(_)) {
            common.begin_broken_off();
        }
        if missing.is_none()
            && let Some(whole) = whole
        {
            whole.finish(&mut common)?;
        }
        let mut reduced = common.reduced.take().unwrap_or_default();
        reduced.region = region_code;
        reduced.missing = missing;
        reduced.grows = end == End::Growing;
        common.reduced = Some(reduced);
        Ok(common.finish())
    }
}

/// Of shares of tasks, each of which has read the whole file: what all of them say is said once. `told`: what
/// the first one says.
fn once(told: &mut Vec<Notice>, part: &mut Builder, is_first: bool) {
    if is_first {
        told.extend(part.notices.iter().cloned());
        return;
    }
    part.provenance.objects_dropped = 0;
    let mut notices = Notices::default();
    for notice in part.notices.iter().filter(|notice| !told.contains(notice)) {
        notices.add_again(notice.clone());
    }
    part.notices = notices;
}
