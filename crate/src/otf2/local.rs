//! What a location calls things by, and how its clock runs: the file `LOC.def`.

use super::Damage;
use super::bytes::Bytes;
use super::definitions::each_record;
use super::record::Record;

/// The numbers that a location has for what the archive defines, and its clock.
#[derive(Clone, Debug, Default)]
pub struct Local {
    pub regions: Map,
    pub metrics: Map,
    pub contexts: Map,
    /// By local time.
    pub offsets: Vec<Offset>,
    /// Records that could not be read; they were left out.
    pub unreadable: u64,
}

/// Numbers of the archive by those of the location. One that it lacks is the same in both.
#[derive(Clone, Debug, Default)]
pub enum Map {
    #[default]
    Same,
    /// By place.
    Dense(Vec<u64>),
    /// Pairs, rising.
    Sparse(Vec<(u64, u64)>),
}

/// At a time of the location's clock, in ticks, how far that of the archive is ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offset {
    pub at: u64,
    pub ahead: i64,
}

impl Map {
    #[inline]
    pub fn of(&self, local: u64) -> u64 {
        let known = match self {
            Self::Same => None,
            Self::Dense(all) => usize::try_from(local).ok().and_then(|at| all.get(at)),
            Self::Sparse(pairs) => crate::order::get(pairs, &local),
        };
        known.copied().unwrap_or(local)
    }

    fn read(body: &mut Bytes<'_>) -> Result<Self, Damage> {
        const DENSE: u8 = 0;
        let count = body.number_64()?;
        let is_dense = body.byte()? == DENSE;
        // Each takes a byte at least.
        let room = usize::try_from(count).unwrap_or(usize::MAX).min(body.left());
        if is_dense {
            let mut all = Vec::with_capacity(room);
            for _ in 0..count {
                all.push(body.number_64()?);
            }
            return Ok(Self::Dense(all));
        }
        let mut pairs = Vec::with_capacity(room / 2);
        for _ in 0..count {
            pairs.push((body.number_64()?, body.number_64()?));
        }
        crate::order::by_number(&mut pairs, |(local, _)| *local);
        Ok(Self::Sparse(pairs))
    }
}

impl Local {
    /// Takes the next chunk of `LOC.def`; whether another one may follow.
    ///
    /// An error, with where that is, if it begins with no header or ends inside a record.
    pub fn chunk(&mut self, chunk: &[u8], chunk_bytes: usize) -> Result<bool, (usize, Damage)> {
        each_record(chunk, chunk_bytes, &mut |record| {
            self.unreadable += u64::from(self.record(record).is_err());
        })
    }

    // Out of the closure that calls it, so that the page loads it for archives alone.
    #[inline(never)]
    fn record(&mut self, Record { id, mut body, .. }: Record<'_>) -> Result<(), Damage> {
        match id {
            5 => {
                let of = body.byte()?;
                let map = match of {
                    3 => &mut self.regions,
                    5 => &mut self.metrics,
                    10 => &mut self.contexts,
                    _ => return Ok(()),
                };
                *map = Map::read(&mut body)?;
            }
            6 => {
                let at = body.whole_64()?;
                self.offsets.push(Offset { at, ahead: body.number_64()? as i64 });
            }
            _ => {}
        }
        Ok(())
    }
}
