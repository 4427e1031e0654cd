//! SHA-256 of a file as it lies on disk.

use std::io::Result;

use sha2::{Digest, Sha256};

use super::Source;

/// So much is read at a time.
const SLICE_BYTES: usize = 1 << 20;

/// In hexadecimal. `report` is told how many bytes have been read. O(bytes).
#[inline(never)]
pub fn sha256(source: &dyn Source, report: &mut dyn FnMut(u64)) -> Result<String> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0; SLICE_BYTES];
    let mut done = 0;
    loop {
        let count = source.read_at(done, &mut buffer)?;
        if count == 0 {
            break;
        }
        digest.update(buffer.get(..count).unwrap_or_default());
        done += count as u64;
        report(done);
    }
    let sum = digest.finalize();
    Ok(sum.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standard() {
        // Source: FIPS 180-2, appendix B: one block, and a million times the letter a.
        let of = |bytes: Vec<u8>| sha256(&bytes, &mut |_| {}).unwrap();
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(of(b"abc".to_vec()), abc);
        let million = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
        assert_eq!(of(vec![b'a'; 1_000_000]), million);
    }

    #[test]
    fn what_is_read_is_told() {
        let mut told = vec![];
        sha256(&vec![7_u8; SLICE_BYTES + 5], &mut |done| told.push(done)).unwrap();
        assert_eq!(told, [SLICE_BYTES as u64, SLICE_BYTES as u64 + 5]);
    }
}
