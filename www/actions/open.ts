// Opening: files, addresses, a shared link. What was open stays open until the new one is ready.

import { openLink, Picture } from '../wasm/painter.js';
import { shownFrom, type Asked } from '../fragment.ts';
import { fixed } from '../format.ts';
import * as state from '../state.ts';
import { laidOver } from '../view.ts';
import { consentNeeded, filesAt, nameAt } from './addresses.ts';
import { fetchAll } from './fetch.ts';
import { fold } from './fold.ts';
import { limits } from './limits.ts';
import { meter } from './meter.ts';
import { apart, foldedWithModels, keepModels, refuse } from './models.ts';
import type { Shared } from '../share/link.ts';
import type { Engine, Running } from '../engine/engine.ts';
import type { Offer, Offered } from '../source/offered.ts';
import type { EarlyFolding, Opened, Progressed, TraceChoice } from '../wasm/engine.js';

/** What the actions work on. */
export interface App {
  store: state.Store;
  engine: Engine;
  /** Loads a part of the painter that only some need; once. */
  prepare: (part: string) => Promise<unknown>;
  /** Source files that a person offered. */
  offered: Offered;
  /** Reads the open trace again: another part of it, what has come since (`anew`) or, after a crash, the same. */
  reopen: ((only?: Record<string, string>, anew?: boolean) => Promise<void>) | null;
  /** Opens one of several traces. */
  choose: ((choice: Choice) => Promise<void>) | null;
  /** Opened from this computer, for the browser's Back. */
  dropped: Dropped | null;
  /** The files of the open trace, and of the one that is read. */
  inputs: Dropped | null;
  coming: Dropped | null;
  /** A link to what is open and what lies beside it; `null` where nothing does. */
  linkToBoth: (onProgress: (share: number) => void) => Promise<Shared> | null;
  /** How often a fold was asked for: of several the last is meant. */
  folds: number;
  /** Whose turn it is: an opening that was overtaken loads and says nothing more. */
  turn: AbortController | null;
}

/** Files, and their names with the folders; source files apart; whether they are to be compared with what is open; and
 * the files as they are by now, where a page may ask for them. */
export type Dropped = { files: File[], names: string[], sources?: Offer[], isBeside?: boolean, again?: () => Promise<File[]> };

type Chosen = Omit<Asked, 'source'>;

/** Whom a reading works with. */
interface Reader {
  client: Running;
  onProgress: (progress: Progressed | EarlyFolding) => void;
  signal: AbortSignal;
  /** Which of several traces is meant. */
  choice?: Choice;
  /** Settings that choose a part of it. */
  only?: Record<string, string>;
  /** Whether the files are to be had as they are by now. */
  anew?: boolean;
}

/** Of several traces the one that is meant; `null` for all of them as ranks of one run. */
export type Choice = string | null;

const chosen = (choice?: Choice) => ({ choice: choice ?? undefined, ranks: choice === null });

type Read = (reader: Reader) => Promise<Opened | { choices: TraceChoice[] } | { profiles: true }>;

/** What files of TAU are mostly called, and XML that is no model: what reads them is loaded while the engine looks what
 * they are. */
const OF_TAU = /(?:^|\/)(?:(?:profile|snapshot)\.\d+\.\d+\.\d+|[^/]+\.(?:xml|ppk))(?:\.gz|\.bz2)?$/i;

export async function openFiles(app: App, all: Dropped, choices?: Chosen): Promise<void> {
  if (all.files.length === 0) return;
  const { models, rest } = await apart(all);
  if (rest.names.some((name) => OF_TAU.test(name))) {
    void app.prepare('profile').catch(() => {});
    import('../profile/profile.ts').then(({ prepare }) => prepare(), () => {});
  }
  if (models.length > 0) {
    if (!(await keepModels(app, models))) return;
    if (rest.files.length === 0) return followModels(app, models[0].name);
  }
  const trace = traceOf(app, rest);
  const dropped = trace ? beside(trace, rest) : rest;
  const { settings, view } = app.store.get();
  if (trace) choices ??= { settings, view };
  app.dropped = dropped;
  app.coming = dropped;
  const read = (async ({ client, onProgress, choice, only, anew }) => {
    if (anew && dropped.again) dropped.files = await dropped.again();
    const { files, names } = dropped;
    return client.call('open', { files, names, ...chosen(choice), only, ...limits() }, { onProgress });
  }) as Read;
  await open(app, { kind: 'files' }, largest(dropped.files).name, read, choices);
}

/** Models alone are for the trace that is open. */
async function followModels(app: App, name: string): Promise<void> {
  const { store, engine } = app;
  if (engine.isOpen) return fold(app, store.get(), 'replace');
  refuse(store, `${name} is a model`, 'A model says nothing without a trace; this one is kept: open a trace now.');
}

/** The files of the open trace, if timelines of it alone are dropped: it is read again with them. */
function traceOf(app: App, { names }: Dropped): Dropped | null {
  const isOpen = state.sourceOf(app.store.get()).kind === 'files';
  const areTimelines = names.every((name) => /\.csv(\.gz|\.bz2)?$/i.test(name));
  return isOpen && areTimelines ? app.dropped : null;
}

/** The files of a trace and more, which replace those of their name. */
function beside(trace: Dropped, more: Dropped): Dropped {
  const kept = trace.names.flatMap((name, i) => (more.names.includes(name) ? [] : [i]));
  return { files: [...kept.map((i) => trace.files[i]), ...more.files], names: [...kept.map((i) => trace.names[i]), ...more.names] };
}

/** Loads what `profileURL` names. Another host is asked about first. */
export async function openAddresses(app: App, addresses: string[], choices?: Chosen): Promise<void> {
  const { store } = app;
  try {
    const hosts = consentNeeded(addresses);
    if (hosts.length > 0) {
      const failure = { message: `This link loads ${addresses.join(', ')}. ${hosts.join(', ')} will see that you asked for it.` };
      const title = `Load a trace from ${hosts.join(', ')}?`;
      store.set({ ...state.failed(store.get(), { task: 'ask', title, failure, addresses }), ...choices });
      return;
    }
  } catch (failure: any) {
    store.set(state.failed(store.get(), { task: 'open', title: 'This address cannot be loaded', failure }));
    return;
  }
  let files: File[] | null = null;
  const read = (async ({ client, onProgress, signal, choice, only, anew }) => {
    if (anew) files = null;
    files ??= await fetchAll(filesAt(addresses), onProgress, signal);
    app.coming = { files, names: files.map(({ name }) => name) };
    return client.call('open', { ...app.coming, ...chosen(choice), only, ...limits() }, { onProgress });
  }) as Read;
  await open(app, { kind: 'url', addresses }, nameAt(addresses[0]), read, choices);
}

export async function openShared(app: App, text: string, choices: Chosen): Promise<void> {
  const { store, engine } = app;
  stopReading(app);
  // What was read so far of a trace is no part of it.
  if (store.get().now.is === 'reading') store.set(state.openingBegan(store.get(), 'the link'));
  const turn = (app.turn = new AbortController());
  try {
    await app.prepare('export');
    if (app.turn !== turn) return;
    const link = openLink(text, choices.settings);
    const facts = link.facts();
    const { settings, view: inside, newer } = facts;
    const within = shownFrom(String(new URLSearchParams(inside))).view;
    const picture = link.intoPicture();
    engine.close();
    const remark = newer === null ? '' : `This link was made by a newer Tracefold (version ${newer}). What is understood is shown.`;
    const view = choices.whole ? choices.view : laidOver(within, choices.view);
    store.set({ ...state.opened(store.get(), { source: { kind: 'link', text }, trace: null }, picture, { settings, view }), linked: { text, facts, checked: null }, remark });
  } catch (failure: any) {
    if (app.turn !== turn) return;
    store.set(state.failed(store.get(), { task: 'link', title: 'This link cannot be opened', failure }));
  }
}

/** The picture of a folding; one whose kind of curve is not decided tells no phases. */
export function pictureOf(bytes: Uint8Array, undecided: boolean): Picture {
  return undecided ? Picture.undecided(bytes) : new Picture(bytes);
}

export function cancel(app: App): void {
  const { store } = app;
  if (store.get().now.is !== 'reading') return;
  stopReading(app);
  store.set(state.openingStopped(store.get()));
}

type TraceSource = Extract<state.From, { trace: Opened }>['source'];

async function open(app: App, source: TraceSource, name: string, read: Read, choices?: Chosen, choice?: Choice, only?: Record<string, string>, anew = false): Promise<void> {
  const { store, engine } = app;
  endTurn(app);
  const { settings, view } = choices ?? state.carriedOver(store.get());
  const turn = (app.turn = new AbortController());
  const measure = meter(store);
  const onProgress = (progress: Progressed | EarlyFolding) => {
    if (app.turn !== turn || store.get().now.is !== 'reading') return;
    if ('phase' in progress) measure(progress);
    else store.set(state.earlyPicture(store.get(), pictureOf(progress.folding, state.atFirst(settings) !== null), progress.share, { settings, view }));
  };
  store.set(state.openingBegan(store.get(), name));
  let trace: Opened | null = null;
  try {
    const client = await engine.start();
    let what = 'trace';
    let answer = await read({ client, onProgress, signal: turn.signal, choice, only, anew });
    if (app.turn !== turn) return;
    if ('profiles' in answer) {
      what = 'profile';
      await app.prepare('profile');
      const { openProfile } = await import('../profile/profile.ts');
      answer = await openProfile(app, source, turn, onProgress, choice ?? undefined, view.profile);
      if (app.turn !== turn || !('choices' in answer)) return;
    }
    if ('choices' in answer) {
      engine.cancel();
      app.choose = (choice) => open(app, source, choice ?? name, read, { settings, view }, choice);
      return store.set(state.failed(store.get(), whichOf(answer.choices, what)));
    }
    trace = await looked(app, client, answer, settings);
    const adopt = () => {
      engine.adopt();
      app.inputs = app.coming;
      app.reopen = (other = only, anew) => open(app, source, name, read, { settings: store.get().settings, view: store.get().view }, choice, other, anew);
    };
    if (state.firstTab(trace, { settings, view }) !== 'region' && !state.isEarly(store.get())) {
      adopt();
      return store.set(state.openedUnfolded(store.get(), { source, trace, regionsBy: '' }, { settings, view }), 'push');
    }
    store.set(state.readingWentOn(store.get(), { phase: 'Curves', done: 0, total: 0, perSecond: 0 }));
    const first = state.atFirst(settings);
    if (first === null && (trace.hasRun || trace.hasGauges)) await client.call('see');
    const { bytes, tell } = await foldedWithModels(app, (args) => client.call('fold', args), first ?? settings);
    adopt();
    store.set(state.opened(store.get(), { source, trace, regionsBy: '' }, pictureOf(bytes, first !== null), { settings, view }, first ? 'deciding' : 'decided'), 'push');
    tell();
  } catch (failure: any) {
    if (failure.stale || app.turn !== turn) return;
    const title = trace ? `${trace.name} could not be folded` : `${failure.file || name} could not be read`;
    const problem: state.Problem = { task: trace ? 'fold' : 'open', title, failure: withAdvice(failure), isAnew: anew };
    const isSound = trace?.holds && !store.get().now.open?.picture && !failure.crashed;
    if (isSound) {
      engine.adopt();
      app.inputs = app.coming;
    }
    engine.cancel();
    const before = trace && isSound ? state.openedUnfolded(store.get(), { source, trace, regionsBy: '' }, { settings, view }) : store.get();
    store.set(state.failed(before, problem));
  }
}

/** The trace with what repeats in it, where no event marks what is shown. */
export async function looked(app: App, client: Running, trace: Opened, settings: state.Settings): Promise<Opened> {
  const { region } = settings;
  const isOfEvents = region === undefined ? trace.answers : trace.regions.lines.some((line) => line.region.startsWith(region.replace('*', '')));
  if (isOfEvents) return trace;
  // Most likely it is seen next: what paints it is there by then. If not, it is asked for again.
  app.prepare('run').catch(() => {});
  return client.call('look', { settings });
}

/** What is read for another trace is given up. */
function stopReading(app: App) {
  endTurn(app);
  app.engine.cancel();
}

/** The opening that goes on, if any, loads and says nothing more. */
export function endTurn(app: App) {
  app.turn?.abort();
  app.turn = null;
}

function whichOf(choices: TraceChoice[], what: string): state.Problem {
  const message = `There are ${fixed(choices.length)} ${what}s. One is opened at a time.`;
  return { task: 'choose', title: `Which ${what}?`, failure: { message }, choices, mayBeRanks: what === 'trace' };
}

export function withAdvice(failure: any): any {
  if (!failure.crashed) return failure;
  return { ...failure, message: `The engine stopped unexpectedly: ${failure.message}. This is a fault of Tracefold, not of the trace; please report this message.` };
}

function largest(files: File[]): File {
  return files.reduce((most, file) => (file.size > most.size ? file : most));
}
