//! The bytes and lines of a file, and what is wrong with the file as a whole.

use std::io::Read;

use crate::input::{Damage, DamageKind, Member, SLICE_BYTES};
use crate::text::{LineBuffer, LineTooLong, MAX_LINE_BYTES, ParseError};
use crate::trace::Builder;

/// Labels that inflate to more than this are none.
const MAX_LABEL_BYTES: usize = 64 << 20;

/// A file on its way to its reader; `name`: how messages call it.
#[derive(Clone, Copy)]
pub struct Lines<'a> {
    pub file: &'a Member<'a>,
    pub name: &'a str,
}

/// A slice of a file's bytes, and how far the file is read: bytes of it, and its size.
pub type Slice<'a> = (&'a [u8], u64, u64);

/// Whether to go on reading.
pub type GoOn = bool;

impl Lines<'_> {
    /// Hands every line of a file of labels to `take(line, trace)`.
    ///
    /// An error if they are far more than any trace has: they would fill the memory.
    pub fn each_label(
        self,
        trace: &mut Builder,
        mut take: impl FnMut(&[u8], &mut Builder),
    ) -> Result<(), ParseError> {
        let mut lines = LineBuffer::default();
        let mut read = 0;
        let whole = self.slices(trace, |(slice, ..), trace| {
            read += slice.len();
            if read > MAX_LABEL_BYTES {
                let found = format!("more than {} MiB of labels", MAX_LABEL_BYTES >> 20);
                return Err(ParseError::of_file(self.name, &found, "the labels of one trace"));
            }
            let taken = lines.push(slice, |_, line| {
                take(line, trace);
                Ok(())
            });
            taken.map_err(|stop: Stop| stop.in_file(self.name, 0)).map(|()| true)
        })?;
        if whole {
            lines.finish(|_, line| {
                take(line, trace);
                Ok::<(), ParseError>(())
            })?;
        }
        Ok(())
    }

    /// Hands the inflated bytes to `take`, slice by slice, until it says that it has enough.
    ///
    /// Returns whether the last line is as it was written. Where threads are to be had, a packed
    /// file is inflated by one of its own.
    pub fn slices(
        self,
        trace: &mut Builder,
        mut take: impl FnMut(Slice<'_>, &mut Builder) -> Result<GoOn, ParseError>,
    ) -> Result<bool, ParseError> {
        self.file.refused(self.name)?;
        let mut wrong = None;
        let mut took = |slice: Slice<'_>| {
            take(slice, trace).unwrap_or_else(|error| {
                wrong = Some(error);
                false
            })
        };
        #[cfg(not(target_arch = "wasm32"))]
        let read = match self.file.is_packed() {
            true => super::ahead::inflated(self.file, &mut took),
            false => inflated(self.file, &mut took),
        };
        #[cfg(target_arch = "wasm32")]
        let read = inflated(self.file, &mut took);
        match (wrong, read) {
            (Some(error), _) => Err(error),
            (None, Ok(())) => Ok(true),
            (None, Err(error)) => self.ended(error, trace),
        }
    }

    /// What the end of damaged bytes means: whether their last line is whole.
    ///
    /// An error if nothing of use came before the damage, or if it is none.
    fn ended(self, error: std::io::Error, trace: &mut Builder) -> Result<bool, ParseError> {
        let Some(damage) = Damage::in_error(&error) else { return Err(self.cannot_read(&error)) };
        let packing = damage.packing;
        if trace.moments() == 0 && trace.labels.is_empty() {
            let found = match damage.kind {
                DamageKind::CutShort => format!("a {packing} that stops before its first record"),
                DamageKind::Broken => {
                    format!("a {packing} that is damaged before its first record")
                }
                DamageKind::Trailing => damage.to_string(),
            };
            return Err(ParseError::of_file(self.name, &found, &format!("a whole {packing}")));
        }
        trace.notices.damage(&damage.notice(), || self.file.path.clone());
        Ok(damage.kind == DamageKind::Trailing)
    }

    pub fn cannot_read(self, error: &std::io::Error) -> ParseError {
        ParseError::of_file(self.name, &error.to_string(), "a file that can be read")
    }
}

/// Hands the inflated bytes of `file` to `take` until it says that it has enough.
pub fn inflated(file: &Member<'_>, take: &mut dyn FnMut(Slice<'_>) -> GoOn) -> std::io::Result<()> {
    each_filled(file, &mut |filled, done, total| take((filled, done, total)))
}

/// The same in memory that `take` may keep, with other memory in its place.
pub fn each_filled(
    file: &Member<'_>,
    take: &mut dyn FnMut(&mut Vec<u8>, u64, u64) -> GoOn,
) -> std::io::Result<()> {
    let mut enough = false;
    let mut bytes = file.read(&mut |done, total| enough |= !take(&mut vec![], done, total))?;
    let mut slice = vec![];
    // A small file, of which there may be thousands, packs little.
    let slice_bytes = (file.size as usize).saturating_mul(4).clamp(SLICE_BYTES >> 4, SLICE_BYTES);
    while !enough {
        slice.resize(slice_bytes, 0);
        let count = bytes.read(&mut slice)?;
        if count == 0 {
            break;
        }
        slice.truncate(count);
        let (done, total) = bytes.progress();
        enough = !take(&mut slice, done, total);
    }
    Ok(())
}

/// Why the lines of a file are not read to their end.
pub enum Stop {
    Unreadable(ParseError),
    TooLong(LineTooLong),
}

impl From<LineTooLong> for Stop {
    fn from(long: LineTooLong) -> Self {
        Self::TooLong(long)
    }
}

impl Stop {
    /// `before`: lines before those among which the long one was counted.
    pub fn in_file(self, name: &str, before: u64) -> ParseError {
        match self {
            Self::Unreadable(error) => error,
            Self::TooLong(LineTooLong(line)) => {
                let line = if line == 0 { before + 1 } else { line };
                let found =
                    format!("a line of more than {} MiB (line {line})", MAX_LINE_BYTES >> 20);
                ParseError::of_file(name, &found, "lines of text, as tracers write them")
            }
        }
    }
}
