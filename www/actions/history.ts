import { fragmentFrom, shownFrom, type Asked } from '../fragment.ts';
import { sourceOf, type Store } from '../state.ts';

/** Browsers refuse more than some hundred changes of the address in half a minute. */
const PAUSE_MS = 250;

/** Keeps the address and the state alike: what is shown is always in the fragment, and Back, Forward
 * or an edited fragment is followed. */
export function keepFragment(store: Store, follow: (asked: Asked) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };

  const write = (how: 'pushState' | 'replaceState') => {
    stop();
    const state = store.get();
    // While something is opened, or could not be, the address still says what was asked for.
    if (how === 'replaceState' && state.now.is !== 'ready' && state.now.is !== 'empty') return;
    const fragment = fragmentFrom({ ...state, source: sourceOf(state) });
    if (fragment === location.hash.slice(1)) return;
    history[how](null, '', `${location.pathname}${location.search}${fragment && '#'}${fragment}`);
  };

  store.subscribe((_, step) => {
    if (step === 'push') write('pushState');
    else timer ??= setTimeout(write, PAUSE_MS, 'replaceState');
  });

  addEventListener('popstate', () => {
    stop();
    follow(shownFrom(location.hash));
  });
}
