/// What `of` makes of each number below `count`, in order: counters, starts or groups that know
/// nothing of each other. Natively on all processors, in the page one after another; as each answer
/// is its own, there are the same bytes either way.
pub fn abreast<T: Send>(count: usize, of: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    #[cfg(not(target_arch = "wasm32"))]
    {
        use rayon::prelude::*;
        (0..count).into_par_iter().map(of).collect()
    }
    #[cfg(target_arch = "wasm32")]
    (0..count).map(of).collect()
}

/// Both, natively at once.
pub fn both<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(not(target_arch = "wasm32"))]
    {
        rayon::join(a, b)
    }
    #[cfg(target_arch = "wasm32")]
    (a(), b())
}
