//! Parts put together.

use std::fmt;

use super::reduce::reduce;
use crate::instance::Ends;
use crate::partial::{NotAPart, Partial, Piece, Split};
use crate::text::{Packed, ParseError};
use crate::trace::Builder;

/// Why parts do not add up: what each of two says, named by who gave them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// They say unlike things of this.
    Unlike {
        what: &'static str,
        first: [String; 2],
        other: [String; 2],
    },
    /// Both have this.
    Overlap {
        both: String,
        names: [String; 2],
    },
    /// There is none.
    Nothing,
    NotAPart(NotAPart),
    Read(ParseError),
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlike { what, first: [one, first], other: [two, other] } => {
                write!(
                    out,
                    "parts of unlike {what} do not add up: {one} has {first}, {two} has {other}"
                )
            }
            Self::Overlap { both, names: [one, two] } => {
                write!(out, "{one} and {two} overlap: both have {both}; leave one of them out")
            }
            Self::NotAPart(error) => write!(out, "{error}"),
            Self::Nothing => out.write_str("there is no part to merge"),
            Self::Read(error) => write!(out, "{error:#}"),
        }
    }
}

/// Puts parts together, each with what it is called, in any order.
///
/// # Errors
///
/// If they are of another trace, region, reading or split, or if two of them have the same.
pub fn merge(parts: Vec<(String, Partial)>) -> Result<Partial, Refusal> {
    let mut parts = parts.into_iter();
    let (first, mut whole) = parts.next().ok_or(Refusal::Nothing)?;
    let mut pieces = std::mem::take(&mut whole.pieces);
    let mut names = vec![first.clone(); pieces.len()];
    let common = CommonOf::of(&whole);
    for (name, part) in parts {
        common.check(&first, &name, &CommonOf::of(&part))?;
        names.extend(part.pieces.iter().map(|_| name.clone()));
        pieces.extend(part.pieces);
    }
    let mut pieces = names.into_iter().zip(pieces).collect::<Vec<_>>();
    crate::order::by_number(&mut pieces, |(_, piece)| piece.range.start);
    for pair in pieces.windows(2) {
        let [(one, before), (two, after)] = pair else { continue };
        if before.range.end > after.range.start {
            let both = after.range.start..before.range.end.min(after.range.end);
            let both = whole.split.words(&both);
            return Err(Refusal::Overlap { both, names: [one.clone(), two.clone()] });
        }
    }
    let pieces = pieces.into_iter().map(|(_, piece)| piece).collect();
    whole.pieces = match whole.split {
        Split::Tasks(_) => pieces,
        Split::Bytes(bytes) => joined(pieces, bytes, whole.region_code).map_err(Refusal::Read)?,
    };
    Ok(whole)
}

/// Those that touch as one, in which what lies across the border is looked through again.
fn joined(
    pieces: Vec<Piece>,
    bytes: u64,
    region: (u32, Option<u64>),
) -> Result<Vec<Piece>, ParseError> {
    let mut joined: Vec<(Piece, bool)> = vec![];
    for piece in pieces {
        match joined.last_mut().filter(|(last, _)| last.range.end == piece.range.start) {
            Some((last, is_joined)) => {
                last.range.end = piece.range.end;
                *is_joined = true;
                match (&mut last.reader, piece.reader) {
                    (Some(reader), Some(later)) => {
                        reader.join(later, &mut last.trace, piece.trace)?
                    }
                    _ => last.trace.append(piece.trace, 0),
                }
            }
            None => joined.push((piece, false)),
        }
    }
    let looked_through = joined.into_iter().map(|(mut piece, is_joined)| {
        let Piece { range, trace, .. } = &mut piece;
        if is_joined && trace.unsorted().is_none() {
            let ends = Ends { is_first: range.start == 0, is_last: range.end == bytes };
            reduce(trace, region, ends);
        }
        piece
    });
    Ok(looked_through.collect())
}

/// What all parts that add up have alike.
struct CommonOf {
    /// What it is called, and what it is, in words.
    said: [(&'static str, String); 4],
    /// What things are called, and all else.
    labels: Vec<u8>,
}

impl CommonOf {
    fn of(part: &Partial) -> Self {
        let mut labels = Packed::default();
        part.common.pack_common(&mut labels);
        labels.0.extend(&part.header);
        let Builder { name, size_bytes, .. } = &part.common;
        let only = part.common.only().words();
        let (code, value) = part.region_code;
        let value = value.map_or_else(|| "*".to_owned(), |value| value.to_string());
        let said = [
            ("traces", format!("{name} of {size_bytes} bytes")),
            ("regions", format!("{} ({code}:{value})", part.region)),
            (
                "readings",
                only.map_or_else(|| "all of it".to_owned(), |only| format!("only {only}")),
            ),
            ("splits", part.split.to_string()),
        ];
        Self { said, labels: labels.0 }
    }

    fn check(&self, own: &str, name: &str, other: &Self) -> Result<(), Refusal> {
        let unlike = |what, first: String, second: String| Refusal::Unlike {
            what,
            first: [own.to_owned(), first],
            other: [name.to_owned(), second],
        };
        for ((what, first), (_, second)) in self.said.iter().zip(&other.said) {
            if first != second {
                return Err(unlike(what, first.clone(), second.clone()));
            }
        }
        if self.labels != other.labels {
            let sum = |bytes: &[u8]| {
                let mut sum = flate2::Crc::new();
                sum.update(bytes);
                format!("the sum {:08x}", sum.sum())
            };
            return Err(unlike("labels or headers", sum(&self.labels), sum(&other.labels)));
        }
        Ok(())
    }
}
