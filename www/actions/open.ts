// Opening: files, addresses, a shared link. What was open stays open until the new one is ready.

import { openLink, Picture } from '../wasm/painter.js';
import { shownFrom } from '../fragment.ts';
import { fileSize, fixed } from '../format.ts';
import * as state from '../state.ts';
import { consentNeeded, filesAt, nameAt } from './addresses.ts';
import { fetchAll } from './fetch.ts';
import { fold } from './fold.ts';
import { limits } from './limits.ts';
import { meter } from './meter.ts';
import { apart, foldedWithModels, keepModels, refuse } from './models.ts';
import type { EngineClient } from '../engine/client.ts';
import type { Engine } from '../engine/engine.ts';
import type { Offer } from '../source/offered.ts';
import type { Choice, Choices, Opened } from '../tracefold.d.ts';

/** What the actions work on. */
export interface App {
  store: state.Store;
  engine: Engine;
  /** Reads the open trace again: another part of it or, after a crash, the same. */
  reopen: ((only?: Record<string, string>) => Promise<void>) | null;
  /** Opens one of several traces. */
  choose: ((name: string) => Promise<void>) | null;
  /** Opened from this computer, for the browser's Back. */
  dropped: Dropped | null;
  /** Whose turn it is: an opening that was overtaken loads and says nothing more. */
  turn: AbortController | null;
}

/** Files, and their names with the folders; source files apart. */
export type Dropped = { files: File[], names: string[], sources?: Offer[] };

type Chosen = Pick<state.State, 'settings' | 'view'> & { whole?: boolean };

/** Whom a reading works with. */
interface Reader {
  client: EngineClient;
  onProgress: (progress: any) => void;
  signal: AbortSignal;
  /** Which of several traces is meant. */
  choice?: string;
  /** Settings that choose a part of it. */
  only?: Record<string, string>;
}

type Read = (reader: Reader) => Promise<Opened | Choices>;

export async function openFiles(app: App, all: Dropped, choices?: Chosen): Promise<void> {
  if (all.files.length === 0) return;
  const { models, rest: dropped } = apart(all);
  if (models.length > 0) {
    if (!(await keepModels(app, models))) return;
    if (dropped.files.length === 0) return followModels(app, models[0].name);
  }
  app.dropped = dropped;
  const read = (({ client, onProgress, choice, only }) => client.call('open', { ...dropped, choice, only, ...limits() }, { onProgress })) as Read;
  await open(app, { kind: 'files' }, largest(dropped.files).name, read, choices);
}

/** Models alone are for the trace that is open. */
async function followModels(app: App, name: string): Promise<void> {
  const { store, engine } = app;
  if (engine.isOpen) return fold(app, store.get(), 'replace');
  refuse(store, `${name} is a model`, 'A model says nothing without a trace; this one is kept: open a trace now.');
}

/** Loads what `profileURL` names. Another host is asked about first. */
export async function openAddresses(app: App, addresses: string[], choices?: Chosen): Promise<void> {
  const { store } = app;
  const source = { kind: 'url', addresses } as state.Source;
  try {
    const hosts = consentNeeded(addresses);
    if (hosts.length > 0) {
      const failure = { message: `This link loads ${addresses.join(', ')}. ${hosts.join(', ')} will see that you asked for it.` };
      const asking = { ...store.get(), source, ...choices };
      store.set(state.failed(asking, { task: 'ask', title: `Load a trace from ${hosts.join(', ')}?`, failure }));
      return;
    }
  } catch (failure: any) {
    store.set(state.failed(store.get(), { task: 'open', title: 'This address cannot be loaded', failure }));
    return;
  }
  let files: File[] | null = null;
  const read = (async ({ client, onProgress, signal, choice, only }) => {
    files ??= await fetchAll(filesAt(addresses), onProgress, signal);
    return client.call('open', { files, names: files.map(({ name }) => name), choice, only, ...limits() }, { onProgress });
  }) as Read;
  await open(app, source, nameAt(addresses[0]), read, choices);
}

export function openShared({ store, engine }: App, text: string, choices: Chosen): void {
  try {
    const link = openLink(text, choices.settings);
    const { settings } = link;
    const inside = new URLSearchParams((link.view ?? {}) as any);
    const view = choices.whole ? choices.view : { ...shownFrom(String(inside)).view, ...changed(choices.view) };
    engine.close();
    const opened = state.openedAs(store.get(), { source: { kind: 'link', text }, opened: null, settings, view });
    const remark = link.newer ? `This link was made by a newer Tracefold (version ${link.version}). What is understood is shown.` : '';
    store.set({ ...state.folded(opened, link.picture), remark });
  } catch (failure: any) {
    store.set(state.failed(store.get(), { task: 'link', title: 'This link cannot be opened', failure }));
  }
}

export function cancel(app: App): void {
  const { store, engine } = app;
  if (store.get().reading?.task !== 'open') return;
  endTurn(app);
  engine.cancel();
  store.set(state.openingStopped(store.get()));
}

async function open(app: App, source: state.Source, name: string, read: Read, choices?: Chosen, choice?: string, only?: Record<string, string>): Promise<void> {
  const { store, engine } = app;
  endTurn(app);
  store.set(state.restored(store.get()));
  const { settings, view } = choices ?? state.carriedOver(store.get());
  const turn = (app.turn = new AbortController());
  const measure = meter(store);
  const onProgress = (progress: any) => {
    if (app.turn !== turn) return;
    if (!progress.folding) measure(progress);
    else store.set(state.earlyPicture(store.get(), new Picture(progress.folding), progress.share, { settings, view }));
  };
  store.set(state.openingBegan(store.get(), name));
  let opened: Opened | null = null;
  try {
    const client = await engine.start();
    const answer = await read({ client, onProgress, signal: turn.signal, choice, only });
    if (app.turn !== turn) return;
    if ('choices' in answer) {
      engine.cancel();
      app.choose = (choice) => open(app, source, choice, read, { settings, view }, choice);
      return store.set(state.failed(store.get(), whichOf(answer.choices)));
    }
    opened = answer;
    if (opened.first === null && !settings.region) throw nothingToFold(opened);
    store.set(state.readingWentOn(store.get(), { phase: 'Curves', done: 0, total: 0, perSecond: 0 }));
    const first = state.atFirst(settings);
    const { bytes, tell } = await foldedWithModels(app, (args) => client.call('fold', args), first ?? settings);
    engine.adopt();
    app.reopen = (other = only) => open(app, source, name, read, { settings: store.get().settings, view: store.get().view }, choice, other);
    const now = store.get();
    const next = state.openedAs(now, { source, opened, settings, view: state.viewOfFinal(now, view) });
    store.set(state.folded(next, new Picture(bytes), first !== null), 'push');
    tell();
  } catch (failure: any) {
    if (failure.stale || app.turn !== turn) return;
    let before = state.restored(store.get());
    if (opened && opened.regions.length > 0 && !before.picture && !failure.crashed) {
      // Nothing was open and the trace is sound: it stays, so that another region can be chosen.
      engine.adopt();
      before = state.openedAs(before, { source, opened, settings, view });
    }
    engine.cancel();
    const task = opened ? 'fold' : 'open';
    const title = opened ? `${opened.name} could not be folded` : `${failure.file || name} could not be read`;
    store.set(state.failed(before, { task, title, failure: withAdvice(failure) }));
  }
}

/** The opening that goes on, if any, loads and says nothing more. */
function endTurn(app: App) {
  app.turn?.abort();
  app.turn = null;
}

function whichOf(choices: Choice[]): state.Problem {
  const message = `There are ${fixed(choices.length)} traces. One is opened at a time.`;
  return { task: 'choose', title: 'Which trace?', failure: { message }, choices };
}

function nothingToFold({ name, sizeBytes }: Opened): { message: string } {
  return {
    message: `This trace has no repeated region. No type of event opens and closes at least 2 times in one thread of ${name} (${fileSize(sizeBytes)}).`,
  };
}

function withAdvice(failure: any): any {
  if (!failure.crashed) return failure;
  return { ...failure, message: `The engine stopped unexpectedly: ${failure.message}. This is a fault of Tracefold, not of the trace; please report this message.` };
}

function largest(files: File[]): File {
  return files.reduce((most, file) => (file.size > most.size ? file : most));
}

/** The parts of a view that differ from the default. */
function changed(view: state.ViewState): Partial<state.ViewState> {
  const differs = ([key, value]: [string, any]) =>
    JSON.stringify(value) !== JSON.stringify((state.defaultView as any)[key]);
  return Object.fromEntries(Object.entries(view).filter(differs));
}
