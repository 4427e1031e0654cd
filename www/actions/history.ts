import { fragmentFrom, shownFrom, type Asked } from '../fragment.ts';
import { sourceOf, type State, type Store } from '../state.ts';
import type { ViewState } from '../view.ts';

/** Browsers refuse more than some hundred changes of the address in half a minute. */
const PAUSE_MS = 250;
/** A zoom that is not changed for this long is a step. */
const REST_MS = 400;

/** Keeps the address and the state alike: what is shown is always in the fragment, and Back, Forward
 * or an edited fragment is followed. Steps of Back are those that a person took, a trace that was
 * opened, and each zoom that rests. */
export function keepFragment(store: Store, follow: (asked: Asked) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** What the address does not tell yet; and as it was before what goes on now: all that one click does
   * is one step. */
  let waiting: State | null = null;
  let before: State | null = null;
  let aging: ReturnType<typeof setTimeout> | undefined;
  let { view } = store.get();
  let source = sourceOf(store.get());

  const write = (state: State, isStep: boolean) => {
    const isOpened = isStep && sourceOf(state).kind === 'files' && sourceOf(state) !== source;
    view = state.view;
    source = sourceOf(state);
    const fragment = fragmentFrom({ ...state, source });
    if (fragment === location.hash.slice(1) && !isOpened) return;
    // Not by the path alone: in a frame of a notebook that leads from the page around it.
    const [here] = location.href.split('#');
    const address = `${here}${fragment && '#'}${fragment}`;
    history[isStep ? 'pushState' : 'replaceState'](null, '', address);
  };

  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = before = null;
  };

  const settle = (rested: State | null) => {
    stop();
    // While something is opened, or could not be, the address still says what was asked for.
    // What a link has inside is no zoom either.
    if (rested?.now.is === 'ready' || rested?.now.is === 'empty') write(rested, sourceOf(rested) === source && isZoomed(view, rested.view));
  };

  store.subscribe((state, step) => {
    if (step === 'push') {
      settle(before);
      write(state, true);
      return;
    }
    const zooms = waiting !== null && isZoomed(waiting.view, state.view);
    if (zooms) clearTimeout(timer);
    if (zooms || timer === undefined) timer = setTimeout(() => settle(waiting), isZoomed(view, state.view) ? REST_MS : PAUSE_MS);
    waiting = state;
    aging ??= setTimeout(() => {
      aging = undefined;
      before = waiting;
    });
  });

  addEventListener('popstate', () => {
    stop();
    const asked = shownFrom(location.hash);
    view = asked.view;
    follow(asked);
  });

  // What was dropped is not in the address, and gone with the page.
  addEventListener('beforeunload', (event) => {
    if (sourceOf(store.get()).kind === 'files') event.preventDefault();
  });
}

/** Whether another stretch of the region, or of the run, is visible. */
function isZoomed(before: ViewState, { range, window }: ViewState): boolean {
  return String(before.range) !== String(range) || String(before.window) !== String(window);
}
