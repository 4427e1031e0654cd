import { readingWentOn } from '../state.js';

/** Speed is worth a number after this many milliseconds of a phase. */
const SETTLED_MS = 300;

/**
 * Turns progress into the state of the reading, with its speed since the phase began.
 * @param {import('../state.js').Store} store
 * @param {() => number} [now] milliseconds
 * @returns {(progress: import('../tracefold.js').Progress) => void}
 */
export function meter(store, now = () => performance.now()) {
  let phase = '';
  let began = 0;
  let doneThen = 0;
  return (progress) => {
    if (progress.phase !== phase) {
      phase = progress.phase;
      began = now();
      doneThen = progress.done;
    }
    const elapsed = now() - began;
    const perSecond = elapsed > SETTLED_MS ? ((progress.done - doneThen) * 1000) / elapsed : 0;
    store.set(readingWentOn(store.get(), { ...progress, perSecond }));
  };
}
