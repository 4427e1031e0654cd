// The one state value of the page. It is replaced, never changed; every function here but
// `createStore` turns one state into the next and touches nothing else.

/**
 * @typedef {import('./tracefold.js').Opened} Opened
 * @typedef {import('./wasm/painter.js').Picture} Picture
 * @typedef {import('./engine/protocol.js').EngineFailure} EngineFailure
 *
 * @typedef {Object} ViewState what is shown of a folding; changes no number
 * @property {number | null} shown group on screen; `null` is the most populated
 * @property {'lanes' | 'table'} view
 * @property {string | null} counter shown alone
 * @property {string | null} model shown in place of the counters
 * @property {string[]} ratios counters beside MIPS in the table of phases; empty: the first two
 * @property {[number, number]} range visible folded time, within 0 to 1
 * @property {[number, number] | null} selection
 * @property {string[]} hidden counters switched off
 * @property {string | null} picked what all lanes show alone: `routine:NAME`, `line:NUMBER:FILE`, `object:NAME` or `level:NUMBER`
 * @property {string | null} object data object that has the address lane alone
 * @property {'latency' | 'level'} colour of loads
 * @property {'bands' | 'icicle'} stacks innermost routines, or all under those that call them
 * @property {string | null} pane what the source pane shows, as `LINE:FILE`; `null`: it is closed
 * @property {string[]} sources addresses of source files, or of folders of them, which end in a slash
 * @property {'auto' | 'light' | 'dark' | 'contrast'} theme
 *
 * @typedef {{kind: 'none'} | {kind: 'files'} | {kind: 'url', addresses: string[]} | {kind: 'link', text: string}} Source
 *
 * @typedef {Object} Reading what is going on
 * @property {'open' | 'fold'} task
 * @property {string} name of the file or region
 * @property {string} phase
 * @property {number} done
 * @property {number} total
 * @property {number} perSecond since the phase began
 *
 * @typedef {Object} Problem
 * @property {'open' | 'fold' | 'link' | 'ask' | 'choose'} task what was being done
 * @property {string} title
 * @property {EngineFailure} failure
 * @property {import('./tracefold.js').Choice[]} [choices] traces to choose from
 *
 * @typedef {Object} State
 * @property {'empty' | 'busy' | 'ready' | 'error'} status
 * @property {Source} source
 * @property {Opened | null} opened the open trace; `null` for a picture from a link
 * @property {Picture | null} picture
 * @property {import('./tracefold.js').Summary | null} summary of the picture
 * @property {import('./tracefold.js').Points | null} points of the counter shown alone
 * @property {number} referenced grows when a picture is given references
 * @property {Record<string, string>} settings other than default
 * @property {ViewState} view
 * @property {{settings: Record<string, string>, view: ViewState} | null} shownWith what the picture was made with
 * @property {boolean} deciding whether the picture waits for the decision of `fit=auto`
 * @property {number | null} early share of the trace that an early picture is of; `null`: it is final
 * @property {Kept | null} kept what was open before an early picture, and is still
 * @property {Reading | null} reading
 * @property {Problem | null} problem
 * @property {string} remark one sentence on what was just done
 * @property {{x: number, pointer: {x: number, y: number} | null} | null} cursor
 * @property {number | null} marked phase that the table points at
 * @property {import('./tracefold.js').ModelFile[]} models files of models that were dropped
 * @property {number} offered how often a person has offered source files
 * @property {{of: import('./tracefold.js').GroupSummary, words: string[]} | null} places what each phase of a group
 *   is about, as far as the source pane knows
 * @property {boolean} panel whether the side panel is shown
 * @property {number} resized grows with every change of the window
 *
 * @typedef {Pick<State, 'source' | 'opened' | 'picture' | 'summary' | 'points' | 'settings' | 'view' | 'shownWith' | 'deciding'>} Kept
 */

/** @type {ViewState} */
export const defaultView = {
  shown: null,
  view: 'lanes',
  counter: null,
  model: null,
  ratios: [],
  range: [0, 1],
  selection: null,
  hidden: [],
  picked: null,
  object: null,
  colour: 'latency',
  stacks: 'bands',
  pane: null,
  sources: [],
  theme: 'auto',
};

/** Settings that choose a part of a trace, which can be read alone. */
const OF_A_PART = ['objects', 'from', 'to', 'counters'];

/** Settings that name something of one region, and mean nothing in another. */
const OF_ONE_REGION = ['breaks', 'names', 'durations', 'instances'];

/** Settings that name something of one trace, and mean nothing in another. */
const OF_ONE_TRACE = ['region', ...OF_A_PART, ...OF_ONE_REGION];

/** Settings that a picture of the spline alone would show nothing of. */
const NOT_OF_THE_SPLINE = ['breaks', 'names', 'models', 'expressions', 'energy'];

/** @type {State} */
export const emptyState = {
  status: 'empty',
  source: { kind: 'none' },
  opened: null,
  picture: null,
  summary: null,
  points: null,
  referenced: 0,
  settings: {},
  view: defaultView,
  shownWith: null,
  deciding: false,
  early: null,
  kept: null,
  reading: null,
  problem: null,
  remark: '',
  cursor: null,
  marked: null,
  models: [],
  offered: 0,
  places: null,
  panel: true,
  resized: 0,
};

/** @type {(state: State, name: string) => State} */
export function openingBegan(state, name) {
  const reading = { task: /** @type {const} */ ('open'), name, phase: '', done: 0, total: 0, perSecond: 0 };
  return { ...state, status: 'busy', reading, problem: null, remark: '' };
}

/** @type {(state: State, progress: Partial<Reading>) => State} */
export function readingWentOn(state, progress) {
  return state.reading ? { ...state, reading: { ...state.reading, ...progress } } : state;
}

/** @type {(state: State) => State} */
export function openingStopped(state) {
  const { done = 0, total = 0 } = state.reading ?? {};
  const percent = total > 0 ? Math.floor((100 * done) / total) : 0;
  return { ...settled({ ...restored(state), reading: null }), remark: `Stopped at ${percent}\u202f%.` };
}

/**
 * A picture of the beginning of a trace, while the rest is read. A first one takes the screen from
 * what was open, a later one keeps what a person looks at.
 * @type {(state: State, picture: Picture, share: number, choices: Pick<State, 'settings' | 'view'>) => State}
 */
export function earlyPicture(state, picture, share, { settings, view }) {
  const isFirst = state.early === null;
  const began = isFirst ? { ...state, settings, view, opened: null, cursor: null, deciding: false, kept: keptOf(state) } : state;
  const next = withKnownView({ ...began, early: share, picture, summary: picture.summary(), points: null });
  return { ...next, remark: state.remark };
}

/**
 * What was open before an early picture, which comes to nothing.
 * @type {(state: State) => State}
 */
export function restored(state) {
  return state.kept ? { ...state, ...state.kept, kept: null, early: null, cursor: null } : state;
}

/** @type {(state: State) => Kept} */
function keptOf({ source, opened, picture, summary, points, settings, view, shownWith, deciding }) {
  return { source, opened, picture, summary, points, settings, view, shownWith, deciding };
}

/**
 * The view of a trace that has been read: the one asked for or, after an early picture, the one
 * looked at. A group or counter that was not yet there is as asked for.
 * @type {(state: State, asked: ViewState) => ViewState}
 */
export function viewOfFinal(state, asked) {
  const { early, summary, view } = state;
  if (early === null) return asked;
  const hadGroup = asked.shown === null || summary?.groups.some(({ number }) => number === asked.shown);
  const hadCounter = asked.counter === null || shownGroup(state)?.counters.some(({ counter }) => counter === asked.counter);
  return { ...view, shown: hadGroup ? view.shown : asked.shown, counter: hadCounter ? view.counter : asked.counter };
}

/**
 * What a trace is first folded with: choices that belong to the trace before are dropped.
 * @type {(state: State) => Pick<State, 'settings' | 'view'>}
 */
export function carriedOver(state) {
  if (!state.picture && !state.opened) return { settings: state.settings, view: state.view };
  const general = Object.entries(state.settings).filter(([key]) => !OF_ONE_TRACE.includes(key));
  return {
    settings: Object.fromEntries(general),
    view: { ...defaultView, theme: state.view.theme, view: state.view.view, sources: state.view.sources },
  };
}

/**
 * A trace, or a picture from a link, takes the place of what was open.
 * @type {(state: State, next: Pick<State, 'source' | 'opened' | 'settings' | 'view'>) => State}
 */
export function openedAs(state, next) {
  const cursor = state.early === null ? null : state.cursor;
  return { ...state, ...next, reading: null, picture: null, summary: null, points: null, shownWith: null, deciding: false, early: null, kept: null, cursor, marked: null };
}

/** @type {(state: State) => State} */
export function foldingBegan(state) {
  const name = state.settings.region ?? state.summary?.region ?? '';
  const reading = { task: /** @type {const} */ ('fold'), name, phase: 'Folding', done: 0, total: 0, perSecond: 0 };
  return { ...state, status: 'busy', reading, problem: null, remark: '' };
}

/**
 * What `settings` are folded with at first: a decision that takes its time shows the spline until
 * it is made. `null` if there is nothing to wait for.
 * @type {(settings: Record<string, string>) => Record<string, string> | null}
 */
export function atFirst(settings) {
  return (settings.fit ?? 'auto') === 'auto' ? { ...settings, fit: 'kriging' } : null;
}

/**
 * Whether the curves are as they were, whichever they are, and only what is said of them is new.
 * @type {(a: Record<string, string>, b: Record<string, string>) => boolean}
 */
export function sameCurves(a, b) {
  const rest = (/** @type {Record<string, string>} */ settings) =>
    JSON.stringify(Object.entries(settings).filter(([key]) => !NOT_OF_THE_SPLINE.includes(key)).sort());
  return rest(a) === rest(b);
}

/** @type {(state: State, picture: Picture, deciding?: boolean) => State} */
export function folded(state, picture, deciding = false) {
  const now = withKnownView({ ...state, picture, summary: picture.summary(), points: null, marked: null, problem: null, deciding });
  const { settings, view } = now;
  return settled({ ...now, shownWith: { settings, view } });
}

/**
 * The decision takes the place of the picture it was made for, shown or kept, and of nothing else;
 * the samples are the same. Without a decision, the picture stays.
 * @type {(state: State, first: Picture, decided: Picture | null) => State}
 */
export function decided(state, first, decided) {
  const change = decided ? { picture: decided, summary: decided.summary(), deciding: false } : { deciding: false };
  if (state.picture === first) return withKnownView({ ...state, ...change });
  if (state.kept?.picture === first) return { ...state, kept: { ...state.kept, ...change } };
  return state;
}

/** @type {(state: State, points: import('./tracefold.js').Points | null) => State} */
export function pointsArrived(state, points) {
  return { ...state, points };
}

/** @type {(state: State, problem: Problem) => State} */
export function failed(state, problem) {
  return { ...restored(state), status: 'error', reading: null, problem };
}

/**
 * Back to the picture that stayed open, with the choices it was made with.
 * @type {(state: State) => State}
 */
export function backToPicture(state) {
  return settled({ ...state, ...state.shownWith, problem: null });
}

/**
 * The part of the trace that the settings choose; empty for all of it.
 * @type {(state: State) => Record<string, string>}
 */
export function chosenPart({ settings }) {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => OF_A_PART.includes(key)));
}

/** @type {(state: State, key: string, value: string | null) => State} */
export function settingChosen(state, key, value) {
  const settings = { ...state.settings };
  if (value === null) delete settings[key];
  else settings[key] = value;
  return { ...state, settings };
}

/** @type {(state: State, region: string, group?: number | null) => State} */
export function regionChosen(state, region, group = null) {
  const view = { ...state.view, shown: group, range: defaultView.range, selection: null };
  const isOther = region !== state.summary?.region;
  const kept = Object.entries(state.settings).filter(([key]) => !isOther || !OF_ONE_REGION.includes(key));
  return { ...settingChosen({ ...state, settings: Object.fromEntries(kept) }, 'region', region), view };
}

/** @type {(state: State, change: Partial<ViewState>) => State} */
export function viewChanged(state, change) {
  const view = { ...state.view, ...change };
  const points = view.counter === state.view.counter && view.shown === state.view.shown ? state.points : null;
  return withKnownView({ ...state, view, points });
}

/** @type {(state: State, counter: string) => State} */
export function counterToggled(state, counter) {
  const { hidden } = state.view;
  const without = hidden.filter((name) => name !== counter);
  return viewChanged(state, { hidden: without.length < hidden.length ? without : [...hidden, counter] });
}

/** @type {(state: State) => import('./tracefold.js').GroupSummary | null} */
export function shownGroup({ summary, view }) {
  const find = (/** @type {number | null} */ number) => summary?.groups.find((group) => group.number === number);
  return find(view.shown) ?? find(summary?.shown ?? null) ?? null;
}

/**
 * A group, or a counter alone, that does not exist cannot be shown: the page shows what there is,
 * and says so.
 * @type {(state: State) => State}
 */
function withKnownView(state) {
  const group = shownGroup(state);
  if (!group) return state;
  let { view, remark } = state;
  const { shown, counter } = view;
  if (shown !== null && shown !== group.number) {
    remark = `There is no group ${shown} here; group ${group.number} is shown.`;
    view = { ...view, shown: null };
  }
  if (counter !== null && !group.counters.some((known) => known.counter === counter)) {
    remark = `There is no counter ${counter} here; all counters are shown.`;
    view = { ...view, counter: null };
  }
  if (view.model !== null && !group.models.some(({ name }) => name === view.model)) {
    remark = `There is no model ${view.model} here; the counters are shown.`;
    view = { ...view, model: null };
  }
  if (view.object !== null && !group.objects.some(({ name }) => name === view.object)) view = { ...view, object: null };
  const picked = /^(routine|object):(.*)$/s.exec(view.picked ?? '');
  if (picked) {
    const names = picked[1] === 'routine' ? group.routines : group.objects.map(({ name }) => name);
    if (!names.includes(picked[2])) {
      remark = `There is no ${picked[1]} ${picked[2]} here; nothing is picked.`;
      view = { ...view, picked: null };
    }
  }
  return { ...state, view, remark };
}

/** @type {(state: State) => State} */
function settled(state) {
  if (state.reading?.task === 'open') return { ...state, status: 'busy' };
  return { ...state, reading: null, status: state.picture ? 'ready' : 'empty' };
}

/**
 * Holds the state. `set(state, 'push')` is a step that a person took and can take back with the
 * browser's Back; the default, `'replace'`, is none.
 * @param {State} initial
 */
export function createStore(initial) {
  let state = initial;
  /** @type {((state: State, step: 'push' | 'replace') => void)[]} */
  const listeners = [];
  return {
    get: () => state,
    /** @type {(next: State, step?: 'push' | 'replace') => void} */
    set(next, step = 'replace') {
      state = next;
      for (const listener of listeners) listener(state, step);
    },
    /** @type {(listener: (state: State, step: 'push' | 'replace') => void) => void} */
    subscribe: (listener) => void listeners.push(listener),
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */
