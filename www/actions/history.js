import { fragmentFrom, shownFrom } from '../fragment.js';

/** Browsers refuse more than some hundred changes of the address in half a minute. */
const PAUSE_MS = 250;

/**
 * Keeps the address and the state alike: what is shown is always in the fragment, and Back,
 * Forward or an edited fragment is followed.
 * @param {import('../state.js').Store} store
 * @param {(shown: import('../fragment.js').Shown) => void} follow
 */
export function keepFragment(store, follow) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const write = (/** @type {'pushState' | 'replaceState'} */ how) => {
    clearTimeout(timer);
    const fragment = fragmentFrom(store.get());
    if (fragment === location.hash.slice(1)) return;
    history[how](null, '', `${location.pathname}${location.search}${fragment && '#'}${fragment}`);
  };

  store.subscribe((_, step) => {
    clearTimeout(timer);
    if (step === 'push') write('pushState');
    else timer = setTimeout(write, PAUSE_MS, 'replaceState');
  });

  addEventListener('popstate', () => {
    clearTimeout(timer);
    follow(shownFrom(location.hash));
  });
}
