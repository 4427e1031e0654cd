import { readingWentOn, type Store } from '../state.ts';
import type { Progressed } from '../wasm/engine.js';

/** Speed is worth a number after this many milliseconds of a phase. */
const SETTLED_MS = 300;

/** Turns progress into the state of the reading, with its speed since the phase began. */
export function meter(store: Store, now: () => number = () => performance.now()): (progress: Progressed) => void {
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
