//! The bare tokenizer: walks over the bytes of a trace, reads every number and adds them up. What
//! any reader of the format must do at least, and so the baseline of ours.
//!
//! The bench compiles it into itself, and alone to wasm for a worker of the browser.

/// How far the walk has come; a number may go on in the next piece.
pub struct Tokenizer {
    pub numbers: u64,
    pub sum: u64,
    value: u64,
    inside: bool,
}

impl Tokenizer {
    pub const fn new() -> Self {
        Self { numbers: 0, sum: 0, value: 0, inside: false }
    }

    pub fn walk(&mut self, bytes: &[u8]) {
        let Self { mut numbers, mut sum, mut value, mut inside } = *self;
        for &byte in bytes {
            let digit = byte.wrapping_sub(b'0');
            if digit < 10 {
                value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
                inside = true;
            } else if inside {
                sum = sum.wrapping_add(value);
                numbers += 1;
                value = 0;
                inside = false;
            }
        }
        *self = Self { numbers, sum, value, inside };
    }
}

#[cfg(target_arch = "wasm32")]
mod worker {
    use super::Tokenizer;

    const SLICE_BYTES: usize = 1 << 20;
    static mut SLICE: [u8; SLICE_BYTES] = [0; SLICE_BYTES];
    static mut WALK: Tokenizer = Tokenizer::new();

    /// Where the worker puts the next bytes, at most a megabyte.
    #[unsafe(no_mangle)]
    pub extern "C" fn slice() -> *mut u8 {
        (&raw mut SLICE).cast()
    }

    /// Walks over the first `length` bytes there; returns how many numbers there were so far.
    #[unsafe(no_mangle)]
    pub extern "C" fn walk(length: usize) -> f64 {
        // A worker has one thread, and nothing else touches the two.
        unsafe {
            let bytes = std::slice::from_raw_parts(
                (&raw const SLICE).cast::<u8>(),
                length.min(SLICE_BYTES),
            );
            let walk = &mut *(&raw mut WALK);
            walk.walk(bytes);
            walk.numbers as f64
        }
    }
}
