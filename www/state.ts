// The one state value of the page. It is replaced, never changed; every function here but
// `createStore` turns one state into the next and touches nothing else.

import { carried, defaultView, within, type ViewState } from './view.ts';
import type { EngineFailure } from './engine/protocol.ts';
import type { Choice, GroupSummary, ModelFile, Opened, Points, Summary } from './tracefold.d.ts';
import type { Picture } from './wasm/painter.js';

export type Source = { kind: 'none' } | { kind: 'files' } | { kind: 'url', addresses: string[] } | { kind: 'link', text: string };

/** What is going on. */
export interface Reading {
  task: 'open' | 'fold';
  /** Of the file or region. */
  name: string;
  phase: string;
  done: number;
  total: number;
  /** Since the phase began. */
  perSecond: number;
}

export interface Problem {
  /** What was being done. */
  task: 'open' | 'fold' | 'link' | 'ask' | 'choose';
  title: string;
  failure: EngineFailure;
  /** Traces to choose from. */
  choices?: Choice[];
}

export interface State {
  status: 'empty' | 'busy' | 'ready' | 'error';
  source: Source;
  /** The open trace; `null` for a picture from a link. */
  opened: Opened | null;
  picture: Picture | null;
  /** Of the picture. */
  summary: Summary | null;
  /** Of the counter shown alone. */
  points: Points | null;
  /** Grows when a picture is given references. */
  referenced: number;
  /** Other than default. */
  settings: Record<string, string>;
  view: ViewState;
  /** What the picture was made with. */
  shownWith: { settings: Record<string, string>, view: ViewState } | null;
  /** Whether the picture waits for the decision of `fit=auto`. */
  deciding: boolean;
  /** Share of the trace that an early picture is of; `null`: it is final. */
  early: number | null;
  /** What was open before an early picture, and is still. */
  kept: Kept | null;
  reading: Reading | null;
  problem: Problem | null;
  /** One sentence on what was just done. */
  remark: string;
  cursor: { x: number, pointer: { x: number, y: number } | null } | null;
  /** Phase that the table points at. */
  marked: number | null;
  /** Files of models that were dropped. */
  models: ModelFile[];
  /** How often a person has offered source files. */
  offered: number;
  /** What each phase of a group is about, as far as the source pane knows. */
  places: { of: GroupSummary, words: string[] } | null;
  /** Whether the side panel is shown. */
  panel: boolean;
  /** Grows with every change of the window. */
  resized: number;
}

type Kept = Pick<State, 'source' | 'opened' | 'picture' | 'summary' | 'points' | 'settings' | 'view' | 'shownWith' | 'deciding'>;

/** Settings that choose a part of a trace, which can be read alone. */
const OF_A_PART = ['objects', 'from', 'to', 'counters'];

/** Settings that name something of one region, and mean nothing in another. */
const OF_ONE_REGION = ['breaks', 'names', 'durations', 'instances'];

/** Settings that name something of one trace, and mean nothing in another. */
const OF_ONE_TRACE = ['region', ...OF_A_PART, ...OF_ONE_REGION];

/** Settings that a picture of the spline alone would show nothing of. */
const NOT_OF_THE_SPLINE = ['breaks', 'names', 'models', 'expressions', 'energy'];

export const emptyState: State = {
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

export function openingBegan(state: State, name: string): State {
  const reading = { task: 'open' as const, name, phase: '', done: 0, total: 0, perSecond: 0 };
  return { ...state, status: 'busy', reading, problem: null, remark: '' };
}

export function readingWentOn(state: State, progress: Partial<Reading>): State {
  return state.reading ? { ...state, reading: { ...state.reading, ...progress } } : state;
}

export function openingStopped(state: State): State {
  const { done = 0, total = 0 } = state.reading ?? {};
  const percent = total > 0 ? Math.floor((100 * done) / total) : 0;
  return { ...settled({ ...restored(state), reading: null }), remark: `Stopped at ${percent}\u202f%.` };
}

/** A picture of the beginning of a trace, while the rest is read. A first one takes the screen from
 * what was open, a later one keeps what a person looks at. */
export function earlyPicture(state: State, picture: Picture, share: number, { settings, view }: Pick<State, 'settings' | 'view'>): State {
  const isFirst = state.early === null;
  const began = isFirst ? { ...state, settings, view, opened: null, cursor: null, deciding: false, kept: keptOf(state) } : state;
  const next = withKnownView({ ...began, early: share, picture, summary: picture.summary(), points: null });
  return { ...next, remark: state.remark };
}

/** What was open before an early picture, which comes to nothing. */
export function restored(state: State): State {
  return state.kept ? { ...state, ...state.kept, kept: null, early: null, cursor: null } : state;
}

function keptOf({ source, opened, picture, summary, points, settings, view, shownWith, deciding }: State): Kept {
  return { source, opened, picture, summary, points, settings, view, shownWith, deciding };
}

/** The view of a trace that has been read: the one asked for or, after an early picture, the one
 * looked at. A group or counter that was not yet there is as asked for. */
export function viewOfFinal(state: State, asked: ViewState): ViewState {
  const { early, summary, view } = state;
  if (early === null) return asked;
  const hadGroup = asked.shown === null || summary?.groups.some(({ number }) => number === asked.shown);
  const hadCounter = asked.counter === null || shownGroup(state)?.counters.some(({ counter }) => counter === asked.counter);
  return { ...view, shown: hadGroup ? view.shown : asked.shown, counter: hadCounter ? view.counter : asked.counter };
}

/** What a trace is first folded with: choices that belong to the trace before are dropped. */
export function carriedOver(state: State): Pick<State, 'settings' | 'view'> {
  if (!state.picture && !state.opened) return { settings: state.settings, view: state.view };
  const general = Object.entries(state.settings).filter(([key]) => !OF_ONE_TRACE.includes(key));
  return {
    settings: Object.fromEntries(general),
    view: carried(state.view, 'trace'),
  };
}

/** A trace, or a picture from a link, takes the place of what was open. */
export function openedAs(state: State, next: Pick<State, 'source' | 'opened' | 'settings' | 'view'>): State {
  const cursor = state.early === null ? null : state.cursor;
  return { ...state, ...next, reading: null, picture: null, summary: null, points: null, shownWith: null, deciding: false, early: null, kept: null, cursor, marked: null };
}

export function foldingBegan(state: State): State {
  const name = state.settings.region ?? state.summary?.region ?? '';
  const reading = { task: 'fold' as const, name, phase: 'Folding', done: 0, total: 0, perSecond: 0 };
  return { ...state, status: 'busy', reading, problem: null, remark: '' };
}

/** What `settings` are folded with at first: a decision that takes its time shows the spline until
 * it is made. `null` if there is nothing to wait for. */
export function atFirst(settings: Record<string, string>): Record<string, string> | null {
  return (settings.fit ?? 'auto') === 'auto' ? { ...settings, fit: 'kriging' } : null;
}

/** Whether the curves are as they were, whichever they are, and only what is said of them is new. */
export function sameCurves(a: Record<string, string>, b: Record<string, string>): boolean {
  const rest = (settings: Record<string, string>) =>
    JSON.stringify(Object.entries(settings).filter(([key]) => !NOT_OF_THE_SPLINE.includes(key)).sort());
  return rest(a) === rest(b);
}

export function folded(state: State, picture: Picture, deciding = false): State {
  const now = withKnownView({ ...state, picture, summary: picture.summary(), points: null, marked: null, problem: null, deciding });
  const { settings, view } = now;
  return settled({ ...now, shownWith: { settings, view } });
}

/** The decision takes the place of the picture it was made for, shown or kept, and of nothing else;
 * the samples are the same. Without a decision, the picture stays. */
export function decided(state: State, first: Picture, decided: Picture | null): State {
  const change = decided ? { picture: decided, summary: decided.summary(), deciding: false } : { deciding: false };
  if (state.picture === first) return withKnownView({ ...state, ...change });
  if (state.kept?.picture === first) return { ...state, kept: { ...state.kept, ...change } };
  return state;
}

export function pointsArrived(state: State, points: Points | null): State {
  return { ...state, points };
}

export function failed(state: State, problem: Problem): State {
  return { ...restored(state), status: 'error', reading: null, problem };
}

/** Back to the picture that stayed open, with the choices it was made with. */
export function backToPicture(state: State): State {
  return settled({ ...state, ...state.shownWith, problem: null });
}

/** The part of the trace that the settings choose; empty for all of it. */
export function chosenPart({ settings }: State): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => OF_A_PART.includes(key)));
}

export function settingChosen(state: State, key: string, value: string | null): State {
  const settings = { ...state.settings };
  if (value === null) delete settings[key];
  else settings[key] = value;
  return { ...state, settings };
}

export function regionChosen(state: State, region: string, group: number | null = null): State {
  const view = { ...carried(state.view, 'region'), shown: group };
  const isOther = region !== state.summary?.region;
  const kept = Object.entries(state.settings).filter(([key]) => !isOther || !OF_ONE_REGION.includes(key));
  return { ...settingChosen({ ...state, settings: Object.fromEntries(kept) }, 'region', region), view };
}

export function viewChanged(state: State, change: Partial<ViewState>): State {
  const view = { ...state.view, ...change };
  const points = view.counter === state.view.counter && view.shown === state.view.shown ? state.points : null;
  return withKnownView({ ...state, view, points });
}

export function counterToggled(state: State, counter: string): State {
  const { hidden } = state.view;
  const without = hidden.filter((name) => name !== counter);
  return viewChanged(state, { hidden: without.length < hidden.length ? without : [...hidden, counter] });
}

export function shownGroup({ summary, view }: State): GroupSummary | null {
  const find = (number: number | null) => summary?.groups.find((group) => group.number === number);
  return find(view.shown) ?? find(summary?.shown ?? null) ?? null;
}

function withKnownView(state: State): State {
  const group = shownGroup(state);
  if (!group) return state;
  const { view, remark } = within(state.view, group);
  return { ...state, view, remark: remark || state.remark };
}

function settled(state: State): State {
  if (state.reading?.task === 'open') return { ...state, status: 'busy' };
  return { ...state, reading: null, status: state.picture ? 'ready' : 'empty' };
}

/** Holds the state. `set(state, 'push')` is a step that a person took and can take back with the
 * browser's Back; the default, `'replace'`, is none. */
export function createStore(initial: State) {
  let state = initial;
  const listeners: ((state: State, step: 'push' | 'replace') => void)[] = [];
  return {
    get: () => state,
    set(next: State, step: 'push' | 'replace' = 'replace'): void {
      state = next;
      for (const listener of listeners) listener(state, step);
    },
    subscribe: (listener: (state: State, step: 'push' | 'replace') => void): void => void listeners.push(listener),
  };
}

export type Store = ReturnType<typeof createStore>;
