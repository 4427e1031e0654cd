// The page without a trace: what is seen at first, and ways in. All that works on a trace is loaded
// when the page is idle, or with the first trace.

import { giveConsent } from './actions/addresses.ts';
import { keepFragment } from './actions/history.ts';
import { mountGuide } from './controls/guide.ts';
import { mountOpen } from './controls/open.ts';
import { mountPage } from './controls/page.ts';
import { markBusy, mountStatus } from './controls/status.ts';
import { byId } from './dom.ts';
import { shownFrom, type Asked } from './fragment.ts';
import { oncePerFrame, whenIdle } from './frame.ts';
import * as state from './state.ts';
import type { ViewState } from './view.ts';
import type { Traced } from './traced.ts';

const asked = shownFrom(location.hash || fragmentInside());
const store = state.createStore({ ...state.emptyState, settings: asked.settings, view: asked.view });

/** What stands behind `#` of an address that nobody can put there, as in a frame of a notebook: JSON in a block of data. */
function fragmentInside(): string {
  try {
    const text = document.getElementById('tracefold-link')?.textContent;
    return text ? String(JSON.parse(text)) : '';
  } catch {
    return '';
  }
}

let loading: Promise<Traced> | null = null;
let traced: Traced | null = null;

/** Loads what works on a trace, once; what failed is tried again. */
function load(): Promise<Traced> {
  loading ??= import('./traced.ts').then(({ mountTraced }) => mountTraced(store)).then(
    (mounted) => (traced = mounted),
    (failure) => {
      loading = null;
      throw failure;
    },
  );
  return loading;
}

/** Does something with a trace, once that can be done; the page says that it is busy until then,
 * reading what is named. */
async function withTrace(name: string | null, work: (traced: Traced) => unknown) {
  if (!traced) {
    if (name !== null) store.set(state.openingBegan(store.get(), name));
    try {
      await load();
    } catch (failure: any) {
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
      // What is dropped beside what is open is of that run.
      if (sources.length > 0 && !dropped.isBeside) offerSources(sources);
      if (names.length > 0 || dropped.isBeside) return openFiles(dropped);
    });
  },
  openExample: (names) => void withTrace(names[0], ({ openExample }) => openExample(names)),
  refuse: (message) => store.set(state.failed(store.get(), { task: 'open', title: 'This could not be opened', failure: { message } })),
});
mountGuide();
const look = (change: Partial<ViewState>): void => store.set(state.viewChanged(store.get(), change));
const page = mountPage({
  chooseTheme: (theme) => look({ theme }),
  togglePanel: () => store.set({ ...store.get(), panel: !store.get().panel }),
  repaint: () => look({}),
});
const status = mountStatus({
  cancel: () => traced?.cancel(),
  listInstances: () => traced?.listInstances(),
  courseOf: (asked) => traced?.courseOf(asked),
  readAgain: () => traced?.readAgain(),
  back: () => store.set(state.backToPicture(store.get())),
  resetSettings: () => traced?.resetSettings(),
  chooseFiles: () => byId('open').click(),
  chooseTrace: (choice) => traced?.chooseTrace(choice),
  loadAnyway: giveConsent,
});

let isOnPaper = false;
const paint = () => {
  const state = store.get();
  // Paper is white in every theme, whatever is painted meanwhile.
  const now = isOnPaper ? { ...state, view: { ...state.view, theme: 'light' as const } } : state;
  page(now);
  traced?.update(now);
  status(now);
};
const repaint = oncePerFrame(paint);
const turnPaper = (isNow: boolean) => () => {
  isOnPaper = isNow;
  paint();
};
addEventListener('beforeprint', turnPaper(true));
addEventListener('afterprint', turnPaper(false));
store.subscribe(markBusy);
store.subscribe(repaint);
const follow = (asked: Asked) =>
  void withTrace(asked.source.kind === 'none' ? null : 'what the address names', ({ follow }) => follow(asked));
keepFragment(store, follow);
repaint();
if (asked.source.kind !== 'none') follow(asked);
else whenIdle(() => void load().then((mounted) => mounted.prepare(), () => {}));
