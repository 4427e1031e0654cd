//! A folding on its way from the worker to the page.

use super::{Folding, Lines};

/// Bytes of a length, and of an entry of each column of [`Lines`].
const LENGTH: usize = 4;

impl Folding {
    /// For the page's painter: as JSON, without the instances, which no picture shows, and behind it
    /// the lines as columns. As text, half a million of them would keep the page busy for long.
    pub fn to_bytes_for_picture(&self) -> Vec<u8> {
        let mut slim = self.clone();
        let mut columns = vec![];
        for group in &mut slim.groups {
            group.rows.clear();
            let Lines { x, place, context } = std::mem::take(&mut group.lines);
            push(&mut columns, &x, f64::to_le_bytes);
            push(&mut columns, &place, u32::to_le_bytes);
            push(&mut columns, &context, u32::to_le_bytes);
        }
        let json = slim.to_json();
        let mut bytes = (json.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(json.as_bytes());
        bytes.append(&mut columns);
        bytes
    }

    /// Reads what [`Folding::to_bytes_for_picture`] wrote; `None` if it is something else.
    pub fn from_bytes_for_picture(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let json_length = length(&mut rest)?;
        let (json, mut rest) = rest.split_at_checked(json_length)?;
        let mut folding = Self::from_json(json).ok()?;
        for group in &mut folding.groups {
            group.lines = Lines {
                x: column(&mut rest, f64::from_le_bytes)?,
                place: column(&mut rest, u32::from_le_bytes)?,
                context: column(&mut rest, u32::from_le_bytes)?,
            };
        }
        rest.is_empty().then_some(folding)
    }
}

/// Adds the number of values, and each as `N` bytes.
fn push<T: Copy, const N: usize>(bytes: &mut Vec<u8>, values: &[T], to_bytes: fn(T) -> [u8; N]) {
    bytes.extend_from_slice(&(values.len() as u32).to_le_bytes());
    bytes.extend(values.iter().flat_map(|value| to_bytes(*value)));
}

/// Takes the values that [`push`] added from the front of `bytes`.
fn column<T, const N: usize>(bytes: &mut &[u8], of_bytes: fn([u8; N]) -> T) -> Option<Vec<T>> {
    let count = length(bytes)?;
    let (column, rest) = bytes.split_at_checked(count.checked_mul(N)?)?;
    *bytes = rest;
    let (values, _) = column.as_chunks::<N>();
    Some(values.iter().map(|value| of_bytes(*value)).collect())
}

fn length(bytes: &mut &[u8]) -> Option<usize> {
    let (length, rest) = bytes.split_first_chunk::<LENGTH>()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_carried_is_the_folding_without_its_instances() {
        let mut folding = super::super::example::folding(2);
        let bytes = folding.to_bytes_for_picture();
        folding.groups.iter_mut().for_each(|group| group.rows.clear());
        assert!(Folding::from_bytes_for_picture(&bytes) == Some(folding));
    }

    #[test]
    fn what_is_cut_or_too_long_is_refused() {
        let mut bytes = super::super::example::folding(1).to_bytes_for_picture();
        for kept in (0..bytes.len()).step_by(7) {
            assert!(Folding::from_bytes_for_picture(&bytes[..kept]).is_none(), "{kept} bytes");
        }
        bytes.push(0);
        assert!(Folding::from_bytes_for_picture(&bytes).is_none());
    }
}
