import type { EngineFailure } from '../engine/protocol.ts';
import type { State, Store } from '../state.ts';

/** What a state lacks, as values that are the same as long as it is the same, and who gives it;
 * `null` if it lacks nothing. */
export type Request = (state: State) => {
  key: unknown[];
  ask: () => Promise<any>;
  /** The state with the answer in it. */
  arrived: (state: State, answer: any) => State;
  /** Of a trace, whether or not anything is folded of it. */
  unfolded?: boolean;
  /** A refusal is otherwise passed over. */
  refused?: (failure: EngineFailure) => unknown;
} | null;

/** Asks for all that the state comes to lack, when nothing else goes on: once as long as the key
 * holds. An answer to a key that holds no more is dropped. */
export function askFor(store: Store, requests: Request[]) {
  for (const request of requests) {
    let asked: unknown[] | null = null;
    store.subscribe(async (state) => {
      const lack = request(state);
      if (!lack) return void (asked = null);
      const { key, ask, arrived, refused, unfolded } = lack;
      const { is } = state.now;
      const rests = is === 'ready' || (unfolded && (is === 'failed' || is === 'looking'));
      if (!rests || isSame(key, asked)) return;
      asked = key;
      const holds = () => isSame(key, request(store.get())?.key);
      try {
        const answer = await ask();
        if (holds()) store.set(arrived(store.get(), answer));
      } catch (failure: any) {
        // Overtaken: if that comes to nothing, it is asked for again.
        if (failure.stale) asked = isSame(key, asked) ? null : asked;
        else if (holds()) refused?.(failure);
      }
    });
  }
}

function isSame(a: unknown[], b: unknown[] | null | undefined): boolean {
  return Boolean(b) && a.every((part, i) => part === b?.[i]);
}
