//! A part of a trace that is read as it comes: written again and again, in memory that has a bound.

use super::named::named;
use super::reduce::{reduce, samples};
use super::thin::thin_to;
use super::{AccumulateError, HELD_BYTES, Keep, MOST_SAMPLES, in_order, partial};
use crate::instance::Ends;
use crate::open::{Following, Opening, ReadPart};
use crate::partial::{End, Format, Partial, Split};
use crate::trace::Only;

/// Fewer samples are not thinned: they take less than a megabyte, so it is events that every fold needs of which
/// there is too much. A curve of as many is as good as any that is drawn.
const FEWEST_SAMPLES: u64 = 1 << 13;

/// One in a million instances keeps its samples then: as good as none.
const MOST_LEVEL: u32 = 20;

/// Of a region of which nothing has come: a part without it keeps no sample.
const NONE_YET: (u32, Option<u64>) = (u32::MAX, Some(u64::MAX));

/// A trace that comes, of which what the fold of one region looks at is kept.
///
/// What is kept is made smaller as it grows, as [`super::accumulate`] does it. When that is more than it may be,
/// the samples of every second instance are summed up, then those of every second one of the others, and so on:
/// which ones their keys say ([`crate::instance::Giving`]), so that it does not matter when. When hardly any
/// samples are left, no more is read.
pub struct Online {
    following: Following,
    asked: String,
    most_bytes: u64,
    step_bytes: u64,
    /// When it is made smaller next.
    held_bytes: u64,
    level: u32,
    is_full: bool,
}

impl Online {
    /// `most_bytes`: what is kept of the trace takes no more, for long; to write it takes twice as much again.
    ///
    /// # Errors
    ///
    /// If a trace of this kind is not read as it comes.
    pub fn new(
        opening: Opening<'_>,
        asked: &str,
        only: &Only,
        most_bytes: u64,
    ) -> Result<Self, AccumulateError> {
        let following = opening.following(only.clone())?;
        let asked = asked.to_owned();
        let online = Self {
            following,
            asked,
            most_bytes,
            step_bytes: 0,
            held_bytes: 0,
            level: 0,
            is_full: false,
        };
        Ok(online.in_steps_of(HELD_BYTES.min(most_bytes / 4)))
    }

    /// What is kept is made smaller whenever so many more bytes have come. The part is the same.
    pub fn in_steps_of(self, step_bytes: u64) -> Self {
        Self { step_bytes, held_bytes: step_bytes, ..self }
    }

    /// Reads the next bytes of the trace. Returns whether more of it can be read.
    ///
    /// # Errors
    ///
    /// If they cannot be read; if the trace has what adds up only as a whole; or if times of a thread go back,
    /// once it was made smaller.
    pub fn push(&mut self, bytes: &[u8]) -> Result<bool, AccumulateError> {
        if !self.is_full {
            self.following.push(bytes)?;
            if self.following.held_bytes() >= self.held_bytes {
                self.shrink()?;
            }
        }
        Ok(!self.is_full)
    }

    /// Bytes read.
    pub fn bytes(&self) -> u64 {
        self.following.bytes()
    }

    /// One in how many instances keeps its samples, about.
    pub fn one_in(&self) -> u32 {
        1u32.checked_shl(self.level).unwrap_or(u32::MAX)
    }

    /// Why there is no part yet, in words: which region is meant cannot be said; `None` once it can.
    pub fn waits(&mut self) -> Option<String> {
        self.following.named(|trace| named(trace, &self.asked)).err()
    }

    /// The part of what came so far. O(events kept).
    ///
    /// # Errors
    ///
    /// As of [`super::accumulate`].
    pub fn so_far(&self) -> Result<Partial, AccumulateError> {
        part(self.following.so_far()?, &self.asked, self.full().unwrap_or(End::Growing))
    }

    /// The part of all that came.
    ///
    /// # Errors
    ///
    /// As of [`super::accumulate`].
    pub fn end(self) -> Result<Partial, AccumulateError> {
        match self.full() {
            // A line that has not ended goes on behind it.
            Some(end) => part(self.following.so_far()?, &self.asked, end),
            None => part(self.following.end()?, &self.asked, End::Reached),
        }
    }

    fn full(&self) -> Option<End> {
        self.is_full.then(|| End::Full(self.following.held_bytes()))
    }

    fn shrink(&mut self) -> Result<(), AccumulateError> {
        let named = self.following.named(|trace| named(trace, &self.asked));
        let region = named.map_or(NONE_YET, |named| named.code);
        let trace = self.following.trace();
        in_order(trace)?;
        reduce(trace, region, Ends { is_last: false, ..Ends::WHOLE });
        while trace.held_bytes() > self.most_bytes || samples(trace) > MOST_SAMPLES {
            if samples(trace) < FEWEST_SAMPLES || self.level == MOST_LEVEL {
                self.is_full = true;
                break;
            }
            self.level += 1;
            thin_to(|_| self.level, trace, region);
            if let Some(reduced) = &mut trace.reduced {
                reduced.level = self.level;
            }
        }
        trace.go_on();
        self.held_bytes = trace.held_bytes() + self.step_bytes;
        Ok(())
    }
}

/// The part of a trace that was read from its begin on.
fn part(read: ReadPart, asked: &str, end: End) -> Result<Partial, AccumulateError> {
    let (split, range) = match read.format {
        Format::Prv => {
            in_order(&read.trace)?;
            let bytes = read.common.size_bytes;
            (Split::Bytes(bytes), 0..bytes)
        }
        _ => (Split::Tasks(1), 0..1),
    };
    let part = partial(read, asked, split, range, Ends::WHOLE, &Keep::All)?;
    Ok(Partial { end, ..part })
}
