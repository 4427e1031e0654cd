import { fragmentFrom, shownFrom, type Shown } from '../fragment.ts';
import type { Store } from '../state.ts';

/** Browsers refuse more than some hundred changes of the address in half a minute. */
const PAUSE_MS = 250;

/** Keeps the address and the state alike: what is shown is always in the fragment, and Back, Forward
 * or an edited fragment is followed. */
export function keepFragment(store: Store, follow: (shown: Shown) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };

  const write = (how: 'pushState' | 'replaceState') => {
    stop();
    const now = store.get();
    // While something is opened, or could not be, the address still says what was asked for.
    if (how === 'replaceState' && (now.status === 'busy' || now.status === 'error')) return;
    const fragment = fragmentFrom(now);
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
