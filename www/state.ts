// The one state value of the page. It is replaced, never changed; every function here but
// `createStore` turns one state into the next, or tells a part of one, and touches nothing else.

import { carried, defaultView, lacking, within, type ViewState } from './view.ts';
import type { EngineFailure } from './engine/protocol.ts';
import type { ModelFile, NoticeLine, Opened, Regions, TraceChoice } from './wasm/engine.js';
import type { Brush, Colour, CoursePicture, GroupSummary, LinkFacts, Multiples, Picture, Points, Rates, Recheck, RunPicture, RunSummary, Summary } from './wasm/painter.js';

export type Source = { kind: 'none' } | TraceSource | LinkSource;
type TraceSource = { kind: 'files' } | { kind: 'url', addresses: string[] };
type LinkSource = { kind: 'link', text: string };

export type Settings = Record<string, string>;

/** What a person asks for; settings are those other than default. */
export interface Choices {
  settings: Settings;
  view: ViewState;
}

/** A trace, with the setting by which its regions are grouped, `null` if there are more by now; or a
 * link, which has none inside. */
export type From = { source: TraceSource, trace: Opened, regionsBy: string | null } | { source: LinkSource, trace: null };

/** What is open and can be looked at. */
export interface Folded {
  from: From;
  picture: Picture;
  summary: Summary;
  /** What it was folded with. */
  made: Choices;
  /** Of `fit=auto`: until it is made, the picture is that of the spline. */
  decision: 'decided' | 'deciding';
  /** Of a counter that was shown alone. */
  samples: { group: number, counter: string, points: Points } | null;
  /** Groups whose references the picture has. */
  referenced: number[];
}

/** A trace of which nothing is folded yet, and why not if that was tried. */
interface Unfolded {
  from: From;
  picture: null;
  problem: Problem | null;
}

type Open = Folded | Unfolded;

/** A picture of the beginning of a trace, while the rest is read. */
interface Early {
  picture: Picture;
  summary: Summary;
  /** Of the trace, 0 to 1. */
  share: number;
  /** The choices of what was open before, and is still. */
  covered: Choices;
}

/** A run that was looked at: of the trace that came from `source`. */
export interface Run {
  source: Source;
  /** How repetition was looked for. */
  by: string;
  picture: RunPicture;
  summary: RunSummary;
  /** Of the time line, with what it was asked for, and what its colours tell. */
  raster: { asked: string, by: Colour, bytes: Uint8Array } | null;
  /** What a counter counts between its readings, with what was asked for. */
  rates: { asked: string, rates: Rates | null } | null;
  /** All clusters folded as settings say; what there is to say in place of a picture. */
  multiples: { settings: string, picture: Multiples | null, words: string } | null;
}

/** The instances of a group over the run, of a picture, as they were asked for; what there is to say in place
 * of their own. */
export interface Course {
  of: Picture;
  group: number;
  asked: string;
  picture: CoursePicture | null;
  words: string;
}

/** A profile of files, read by a module of its own, which keeps it. */
export interface ProfileOf {
  source: TraceSource;
  name: string;
  sizeBytes: number;
  notices: NoticeLine[];
}

/** How far a trace has been read, in bytes or steps of a phase. */
export interface Reading {
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
  choices?: TraceChoice[];
  /** Whether all of them may be one run. */
  mayBeRanks?: boolean;
  /** From where a trace would be loaded. */
  addresses?: string[];
  /** Whether what is open was to be loaded anew. */
  isAnew?: boolean;
}

type Now =
  | { is: 'empty', open: null }
  | { is: 'reading', reading: Reading, open: Open | null, early: Early | null }
  // The run is seen first, and then something of it folded.
  | { is: 'looking', open: Unfolded }
  | { is: 'folding', open: Open }
  | { is: 'ready', open: Folded }
  | { is: 'failed', problem: Problem, open: Open | null };

export interface State extends Choices {
  now: Now;
  /** One sentence on what was just done. */
  remark: string;
  cursor: { x: number, pointer: { x: number, y: number } | null } | null;
  run: Run | null;
  /** What was opened last, if it was a profile: what was open before, is still. */
  profile: ProfileOf | null;
  /** Instances over the run that were looked at last. */
  course: Course | null;
  /** Cluster that the pointer is on, in the run. */
  pointed: number | null;
  /** What is measured of a group, and where the pointer is with which it is. */
  measured: { of: GroupSummary, ends: [number, number], pointer: { x: number, y: number } | null } | null;
  /** Phase that the table points at. */
  marked: number | null;
  /** Whether a range is being dragged: what is told of it waits until it is let go. */
  dragging: boolean;
  /** Whether counters are being chosen. */
  picking: boolean;
  /** Curves that are shown as long as a counter is pointed at, in place of those chosen. */
  preview: string[] | null;
  /** What each phase of a group is about, as far as the source pane knows. */
  places: { of: GroupSummary, words: string[] } | null;
  /** Whether what paints the address lane is loaded. */
  paintsMemory: boolean;
  /** Files of models that were dropped. */
  models: ModelFile[];
  /** How often a person has offered source files. */
  offered: number;
  /** Whether the side panel is shown. */
  panel: boolean;
  /** The link that was opened last, what it says of itself, and what came of comparing it with the trace
   * of a source. */
  linked: Linked | null;
  /** Grows with every change of the window. */
  resized: number;
}

export interface Linked {
  text: string;
  facts: LinkFacts;
  /** Of a picture of the trace: another one was not compared. */
  checked: { of: Source, picture: Picture, result: Recheck } | null;
}

/** Settings that choose a part of a trace, which can be read alone. */
const OF_A_PART = ['objects', 'from', 'to', 'counters'];

/** Settings that name something of one region, and mean nothing in another. */
export const OF_ONE_REGION = ['breaks', 'names', 'durations', 'instances'];

/** Settings that name something of one trace, and mean nothing in another. */
const OF_ONE_TRACE = ['region', 'boundary', ...OF_A_PART, ...OF_ONE_REGION];

/** Settings of how repetition is looked for. */
const OF_REPETITION = ['bursts', 'eps', 'boundary'];

/** Settings that leave the shape of the curves as it is, or of which a picture of the spline alone would
 * show nothing: with them the decision is asked for at once. */
const NOT_OF_THE_SPLINE = ['breaks', 'names', 'models', 'expressions', 'energy', 'align', 'routines'];

export const emptyState: State = {
  now: { is: 'empty', open: null },
  settings: {},
  view: defaultView,
  remark: '',
  cursor: null,
  run: null,
  profile: null,
  course: null,
  pointed: null,
  measured: null,
  marked: null,
  dragging: false,
  picking: false,
  preview: null,
  places: null,
  paintsMemory: false,
  models: [],
  offered: 0,
  panel: true,
  linked: null,
  resized: 0,
};

/** What is looked at. */
export interface Shown {
  picture: Picture;
  summary: Summary;
  group: GroupSummary;
  /** Of the trace that an early picture is of; `null`: it is final. */
  early: number | null;
  /** Whether its curves and phases will be replaced, those of an early picture too. */
  deciding: boolean;
  /** Whether the decision may bring what threads do: its place is held. */
  awaitsActivity: boolean;
  awaitsGauge: boolean;
  /** Of the counter shown alone. */
  points: Points | null;
  referenced: number[];
}

/** Brings a part of the page up to date, with what is shown of the state, and the trace that can be
 * folded again. */
export type Update = (state: State, shown: Shown | null, trace: Opened | null) => void;

/** An early picture is given no references. */
const NONE: number[] = [];

/** An early picture, else that of what is open. */
export function shownOf({ now, view, settings }: State): Shown | null {
  const early = now.is === 'reading' ? now.early : null;
  const open = now.open?.picture ? now.open : null;
  const { picture, summary } = early ?? open ?? {};
  const group = summary && shownGroup({ summary, view });
  if (!picture || !group) return null;
  if (early || !open) return { picture, summary, group, early: early?.share ?? null, deciding: atFirst(settings) !== null, awaitsActivity: false, awaitsGauge: false, points: null, referenced: NONE };
  const { samples, referenced, decision } = open;
  const points = samples?.group === group.number && samples.counter === view.counter ? samples.points : null;
  const deciding = decision === 'deciding';
  return { picture, summary, group, early: null, deciding, awaitsActivity: deciding && awaitsActivity(open, group), awaitsGauge: deciding && awaitsGauge(open, group), points, referenced };
}

/** Calls of a runtime are looked at for the decision only; of bursts, and along a counter, nothing is told. */
function awaitsActivity({ from, summary }: Folded, { activity, axis }: GroupSummary): boolean {
  return activity === null && from.trace?.hasCalls === true && !summary.bursts && axis.counter === null;
}

/** What is read beside the program is looked at then, too. */
function awaitsGauge({ from }: Folded, { gauges, axis }: GroupSummary): boolean {
  return gauges.length === 0 && from.trace?.hasGauges === true && axis.counter === null;
}

/** The group that a view shows. */
export function shownGroup({ summary, view }: { summary: Summary, view: ViewState }): GroupSummary | null {
  const find = (number: number | null) => summary.groups.find((group) => group.number === number);
  return find(view.shown) ?? find(summary.shown) ?? null;
}

/** Whether what is on screen is of a trace that is still being read. */
export function isEarly({ now }: State): boolean {
  return now.is === 'reading' && now.early !== null;
}

/** The trace that can be folded again; `null` of a link, and while there is an early picture. */
export function traceOf({ now }: State): Opened | null {
  return now.is === 'reading' && now.early ? null : (now.open?.from.trace ?? null);
}

/** What is looked at: the run, if no sampled region covers enough of it, unless a person chose. */
export function tabOf(state: State): Exclude<ViewState['tab'], 'auto'> {
  const trace = traceOf(state);
  if (!trace) return state.profile ? 'profile' : 'region';
  // Profiles that were dropped are of no trace.
  if (state.profile && state.view.tab === 'profile') return 'profile';
  return firstTab(trace, state);
}

/** What is looked at of a trace, with these choices. */
export function firstTab({ regionFirst, regionAlone }: Opened, { settings, view: { tab } }: Choices): Exclude<ViewState['tab'], 'auto'> {
  if (regionAlone !== null) return 'region';
  if (tab !== 'auto') return tab;
  return regionFirst || settings.region ? 'region' : 'run';
}

/** The run of the trace that is open, once it was looked at. */
export function runOf(state: State): Run | null {
  return traceOf(state) && state.run?.source === state.now.open?.from.source ? state.run : null;
}

/** How repetition is to be looked for, as one text. */
export function repetitionBy({ settings }: State): string {
  return JSON.stringify(OF_REPETITION.map((key) => settings[key] ?? null));
}

/** The trace was looked at: there are more regions than before. */
export function runArrived(state: State, by: string, picture: RunPicture): State {
  const { open } = state.now;
  if (!open?.from.trace) return state;
  const run = { source: open.from.source, by, picture, summary: picture.summary(), raster: null, rates: null, multiples: null };
  return withOpen({ ...state, run }, { ...open, from: { ...open.from, regionsBy: null } });
}

/** What is brushed of the points of a run, as the pictures take it. */
export function brushOf({ view: { brush, plane } }: State, { summary }: Run): Brush | undefined {
  if (brush === null) return undefined;
  const [left, right, low, high, ...corners] = brush;
  const outline = Array.from({ length: corners.length / 2 }, (_, at): [number, number] => [corners[2 * at], corners[2 * at + 1]]);
  return { across: [left, right], up: [low, high], durations: plane === 'duration' || !summary.hasWork, outline };
}

export function courseArrived(state: State, course: Course): State {
  state.course?.picture?.free();
  return { ...state, course };
}

export function rasterArrived(state: State, raster: Run['raster']): State {
  const run = runOf(state);
  return run ? { ...state, run: { ...run, raster } } : state;
}

export function ratesArrived(state: State, rates: Run['rates']): State {
  const run = runOf(state);
  return run ? { ...state, run: { ...run, rates } } : state;
}

export function multiplesArrived(state: State, multiples: Run['multiples']): State {
  const run = runOf(state);
  return run ? { ...state, run: { ...run, multiples } } : state;
}

/** Where what is open, or is asked about, comes from. */
export function sourceOf({ now, profile }: State): Source {
  if (now.is === 'failed' && now.problem.addresses) return { kind: 'url', addresses: now.problem.addresses };
  return now.open?.from.source ?? profile?.source ?? { kind: 'none' };
}

/** The part of the trace that the settings choose; empty for all of it. */
export function chosenPart({ settings }: State): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => OF_A_PART.includes(key)));
}

export function openingBegan(state: State, name: string): State {
  const reading = { name, phase: '', done: 0, total: 0, perSecond: 0 };
  return { ...uncovered(state), remark: '', now: { is: 'reading', reading, open: state.now.open, early: null } };
}

export function readingWentOn(state: State, progress: Partial<Reading>): State {
  const { now } = state;
  return now.is === 'reading' ? { ...state, now: { ...now, reading: { ...now.reading, ...progress } } } : state;
}

export function openingStopped(state: State): State {
  const { done, total } = state.now.is === 'reading' ? state.now.reading : { done: 0, total: 0 };
  const percent = total > 0 ? Math.floor((100 * done) / total) : 0;
  return { ...uncovered(state), now: atRest(state.now.open), remark: `Stopped at ${percent}\u202f%.` };
}

/** The first early picture takes the screen from what was open, a later one keeps what a person looks
 * at. */
export function earlyPicture(state: State, picture: Picture, share: number, asked: Choices): State {
  const { now, settings, view, remark } = state;
  if (now.is !== 'reading') return state;
  const began = now.early ? state : { ...state, ...asked, cursor: null };
  const early = { picture, summary: picture.summary(), share, covered: now.early?.covered ?? { settings, view } };
  return { ...fitted({ ...began, now: { ...now, early } }), remark };
}

/** A trace that has been read, or a link, takes the place of what was open. After an early picture the
 * view is the one looked at; what that did not have yet is as asked for. */
export function opened(state: State, from: From, picture: Picture, { settings, view }: Choices, decision: Folded['decision'] = 'decided'): State {
  const early = state.now.is === 'reading' && state.now.early;
  const group = early && shownGroup({ summary: early.summary, view });
  const late = group ? Object.fromEntries(lacking(view, group).map(([key]) => [key, view[key]])) : {};
  const next = early ? { view: { ...state.view, ...late } } : { view, cursor: null };
  return pictured({ ...state, ...next, settings, profile: null }, from, picture, decision);
}

/** What a trace is first folded with: choices that belong to the trace before are dropped. */
export function carriedOver(state: State): Choices {
  const { settings, view } = uncovered(state);
  if (!state.now.open) return { settings, view };
  const general = Object.entries(settings).filter(([key]) => !OF_ONE_TRACE.includes(key));
  return { settings: Object.fromEntries(general), view: carried(view, 'trace') };
}

/** A trace that has been read takes the place of what was open, and is looked at before anything is
 * folded of it. */
export function openedUnfolded(state: State, from: From, choices: Choices): State {
  return { ...state, ...choices, profile: null, cursor: null, marked: null, now: { is: 'looking', open: { from, picture: null, problem: null } } };
}

/** A profile that has been read is looked at; what was open is still. */
export function profileOpened(state: State, profile: ProfileOf, looked: string | null): State {
  const before = uncovered(state);
  return { ...before, view: { ...before.view, tab: 'profile', profile: looked }, profile, remark: '', now: atRest(state.now.open) };
}

/** While a trace is read, what is open is folded behind it. */
export function foldingBegan(state: State): State {
  const { now } = state;
  if (now.is === 'reading' || !now.open) return state;
  return { ...state, remark: '', now: { is: 'folding', open: now.open } };
}

export function folded(state: State, picture: Picture, decision: Folded['decision'] = 'decided'): State {
  const { now } = state;
  if (!now.open) return state;
  if (now.is !== 'reading') return pictured(state, now.open.from, picture, decision);
  const { settings, view } = uncovered(state);
  return { ...state, now: { ...now, open: openWith(now.open.from, picture, { settings, view }, decision) } };
}

/** The decision takes the place of the picture it was made for, shown or behind an early one, and of
 * nothing else; the samples are the same. Without a decision, the picture stays, and tells all it has. */
export function decided(state: State, first: Picture, picture: Picture | null): State {
  const { open } = state.now;
  if (!open?.picture || open.picture !== first) return state;
  const shown = picture ?? first;
  return fitted(withOpen(state, { ...open, decision: 'decided', picture: shown, summary: shown.summary() }));
}

/** What is open was folded with these choices, and not with those that led to it. */
export function madeWith(state: State, made: Choices): State {
  const { open } = state.now;
  return open?.picture ? { ...withOpen(state, { ...open, made }), ...made } : state;
}

export function samplesArrived(state: State, samples: Folded['samples']): State {
  const { open } = state.now;
  return open?.picture ? withOpen(state, { ...open, samples }) : state;
}

/** The picture has been given what was sampled of a group's memory. */
export function referencesArrived(state: State, group: number): State {
  const { open } = state.now;
  return open?.picture ? withOpen(state, { ...open, referenced: [...open.referenced, group] }) : state;
}

export function regionsArrived(state: State, regions: Regions, regionsBy: string): State {
  const { open } = state.now;
  if (!open?.from.trace) return state;
  return withOpen(state, { ...open, from: { ...open.from, trace: { ...open.from.trace, regions }, regionsBy } });
}

/** A trace of which nothing can be folded stays, so that another region can be chosen. */
export function failed(state: State, problem: Problem): State {
  const { open } = state.now;
  const isUnfolded = open?.picture === null && problem.task === 'fold';
  return { ...uncovered(state), now: { is: 'failed', problem, open: isUnfolded ? { ...open, problem } : open } };
}

/** Back to the picture that stayed open, with the choices it was made with. */
export function backToPicture(state: State): State {
  const { now } = state;
  if (now.is === 'reading' && now.early) return state;
  return { ...state, ...(now.open?.picture && now.open.made), now: now.is === 'reading' ? now : atRest(now.open) };
}

/** What `settings` are folded with at first: a decision that takes its time shows the spline until
 * it is made. `null` if there is nothing to wait for. */
export function atFirst(settings: Settings): Settings | null {
  return (settings.fit ?? 'auto') === 'auto' ? { ...settings, fit: 'kriging' } : null;
}

/** Whether the curves are as they were, whichever they are, and only what is said of them is new. */
export function sameCurves(a: Settings, b: Settings): boolean {
  const rest = (settings: Settings) =>
    JSON.stringify(Object.entries(settings).filter(([key]) => !NOT_OF_THE_SPLINE.includes(key)).sort());
  return rest(a) === rest(b);
}

export function settingChosen<S extends Choices>(state: S, key: string, value: string | null): S {
  const settings = { ...state.settings };
  if (value === null) delete settings[key];
  else settings[key] = value;
  return { ...state, settings };
}

export function regionChosen(state: State, region: string, group: number | null = null): State {
  const view = { ...carried(state.view, 'region'), shown: group };
  const isOther = region !== shownOf(state)?.summary.region;
  const kept = Object.entries(state.settings).filter(([key]) => !isOther || !OF_ONE_REGION.includes(key));
  return { ...settingChosen({ ...state, settings: Object.fromEntries(kept) }, 'region', region), view };
}

export function viewChanged(state: State, change: Partial<ViewState>): State {
  return fitted({ ...state, view: { ...state.view, ...change } });
}

export function counterToggled(state: State, counter: string): State {
  const { hidden } = state.view;
  const without = hidden.filter((name) => name !== counter);
  return viewChanged(state, { hidden: without.length < hidden.length ? without : [...hidden, counter] });
}

/** With the choices of what is open, which an early picture has covered. */
function uncovered(state: State): State {
  const { now } = state;
  return now.is === 'reading' && now.early ? { ...state, ...now.early.covered, cursor: null } : state;
}

/** With nothing going on. */
function atRest(open: Open | null): Now {
  if (!open) return { is: 'empty', open };
  if (open.picture) return { is: 'ready', open };
  return open.problem ? { is: 'failed', problem: open.problem, open } : { is: 'looking', open };
}

function pictured(state: State, from: From, picture: Picture, decision: Folded['decision']): State {
  const { settings, view } = state;
  const open = openWith(from, picture, { settings, view }, decision);
  const next = fitted({ ...state, marked: null, now: { is: 'ready', open } });
  return withOpen(next, { ...open, made: { settings, view: next.view } });
}

function openWith(from: From, picture: Picture, made: Choices, decision: Folded['decision']): Folded {
  return { from, picture, summary: picture.summary(), made, decision, samples: null, referenced: [] };
}

function withOpen(state: State, open: Open): State {
  return state.now.is === 'empty' ? state : { ...state, now: { ...state.now, open } as Now };
}

/** What the group on screen does not have cannot be shown: the page shows what there is, and says
 * so. */
function fitted(state: State): State {
  const shown = shownOf(state);
  if (!shown) return state;
  const { view, remark } = within(state.view, shown.group);
  return { ...state, view, remark: remark || state.remark };
}

/** Holds the state. `set(state, 'push')` is a step that a person took and can take back with the
 * browser's Back; the default, `'replace'`, is none. */
export function createStore(initial: State) {
  let state = initial;
  const listeners = new Set<(state: State, step: 'push' | 'replace') => void>();
  return {
    get: () => state,
    set(next: State, step: 'push' | 'replace' = 'replace'): void {
      state = next;
      for (const listener of listeners) listener(state, step);
    },
    /** Gives what ends it. */
    subscribe(listener: (state: State, step: 'push' | 'replace') => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type Store = ReturnType<typeof createStore>;
