//! Counts what lies on the heap, to tell what a trace holds.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub struct Counted;

static HELD: AtomicU64 = AtomicU64::new(0);
static PEAK: AtomicU64 = AtomicU64::new(0);

/// Bytes held now.
pub fn held() -> u64 {
    HELD.load(Relaxed)
}

/// The most bytes held at a time since the last call.
pub fn peak() -> u64 {
    PEAK.swap(held(), Relaxed)
}

fn grown(bytes: usize) {
    PEAK.fetch_max(HELD.fetch_add(bytes as u64, Relaxed) + bytes as u64, Relaxed);
}

// Every call goes on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grown(size);
        HELD.fetch_sub(layout.size() as u64, Relaxed);
        unsafe { System.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size() as u64, Relaxed);
        unsafe { System.dealloc(place, layout) }
    }
}
