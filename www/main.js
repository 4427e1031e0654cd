// The page without a trace: what is seen at first, and ways in. All that works on a trace is loaded
// when the page is idle, or with the first trace.

import { giveConsent } from './actions/addresses.js';
import { keepFragment } from './actions/history.js';
import { mountOpen } from './controls/open.js';
import { mountPage } from './controls/page.js';
import { markBusy, mountStatus } from './controls/status.js';
import { byId } from './dom.js';
import { shownFrom } from './fragment.js';
import { oncePerFrame, whenIdle } from './frame.js';
import * as state from './state.js';

/** @typedef {import('./traced.js').Traced} Traced */

const asked = shownFrom(location.hash);
const store = state.createStore({ ...state.emptyState, settings: asked.settings, view: asked.view });

/** @type {Promise<Traced> | null} */
let loading = null;
/** @type {Traced | null} */
let traced = null;

/**
 * Loads what works on a trace, once; what failed is tried again.
 * @returns {Promise<Traced>}
 */
function load() {
  loading ??= import('./traced.js').then(({ mountTraced }) => mountTraced(store)).then(
    (mounted) => (traced = mounted),
    (failure) => {
      loading = null;
      throw failure;
    },
  );
  return loading;
}

/**
 * Does something with a trace, once that can be done; the page says that it is busy until then.
 * @param {string | null} name of the trace; `null`: of none
 * @param {(traced: Traced) => unknown} work
 */
async function withTrace(name, work) {
  if (!traced) {
    if (name !== null) store.set(state.openingBegan(store.get(), name));
    try {
      await load();
    } catch (/** @type {any} */ failure) {
      const title = 'A part of this page could not be loaded';
      return store.set(state.failed(store.get(), { task: 'open', title, failure: { message: failure.message } }));
    }
  }
  if (traced) work(traced);
}

mountOpen({
  openFiles: (dropped) => {
    const { names, sources = [] } = dropped;
    void withTrace(names[0] ?? null, ({ openFiles, offerSources }) => {
      if (sources.length > 0) offerSources(sources);
      if (names.length > 0) return openFiles(dropped);
    });
  },
  openExample: (names) => void withTrace(names[0], ({ openExample }) => openExample(names)),
  refuse: (message) => store.set(state.failed(store.get(), { task: 'open', title: 'This could not be opened', failure: { message } })),
});
/** @type {(change: Partial<state.ViewState>) => void} */
const look = (change) => store.set(state.viewChanged(store.get(), change));
const page = mountPage({
  chooseTheme: (theme) => look({ theme }),
  togglePanel: () => store.set({ ...store.get(), panel: !store.get().panel }),
  repaint: () => look({}),
});
const status = mountStatus({
  cancel: () => traced?.cancel(),
  listInstances: () => traced?.listInstances(),
  readAgain: () => traced?.readAgain(),
  back: () => store.set(state.backToPicture(store.get())),
  resetSettings: () => traced?.resetSettings(),
  chooseFiles: () => byId('open').click(),
  chooseTrace: (name) => traced?.chooseTrace(name),
  loadAnyway: giveConsent,
});

const repaint = oncePerFrame(() => {
  const now = store.get();
  page(now);
  traced?.update(now);
  status(now);
});
store.subscribe(markBusy);
store.subscribe(repaint);
const follow = (/** @type {import('./fragment.js').Shown} */ shown) =>
  void withTrace(shown.source.kind === 'none' ? null : 'what the address names', ({ follow }) => follow(shown));
keepFragment(store, follow);
repaint();
if (asked.source.kind !== 'none') follow(asked);
else whenIdle(() => void load().then((mounted) => mounted.prepare(), () => {}));
