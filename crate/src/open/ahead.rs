//! A packed file inflated by a thread of its own, while the slice before is read.

use std::io::Result;
use std::sync::mpsc::{channel, sync_channel};

use super::lines::{self, GoOn, Slice};
use crate::input::Member;

/// Slices that wait to be read, at most.
const AHEAD: usize = 4;

/// As [`lines::inflated`], in two threads.
pub fn inflated(file: &Member<'_>, take: &mut dyn FnMut(Slice<'_>) -> GoOn) -> Result<()> {
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel::<(Vec<u8>, u64, u64)>(AHEAD);
        // Slices that were read, to be filled again: each page of new memory is asked of the system.
        let (give_back, free) = channel::<Vec<u8>>();
        let inflating = scope.spawn(move || {
            // Nobody takes any more: enough was read.
            let mut send = |slice: &mut Vec<u8>, done, total| {
                let filled = std::mem::replace(slice, free.try_recv().unwrap_or_default());
                sender.send((filled, done, total)).is_ok()
            };
            lines::each_filled(file, &mut send)
        });
        for (slice, done, total) in &receiver {
            if !take((&slice, done, total)) {
                break;
            }
            // Nobody takes it if all is inflated.
            let _ = give_back.send(slice);
        }
        drop(receiver);
        inflating.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
