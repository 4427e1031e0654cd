// Opening: files, addresses, a shared link. What was open stays open until the new one is ready.

import { openLink, Picture } from '../wasm/painter.js';
import { shownFrom } from '../fragment.js';
import { fileSize, fixed } from '../format.js';
import * as state from '../state.js';
import { consentNeeded, filesAt, nameAt } from './addresses.js';
import { fetchAll } from './fetch.js';
import { fold } from './fold.js';
import { limits } from './limits.js';
import { meter } from './meter.js';
import { apart, foldedWithModels, keepModels, refuse } from './models.js';

/**
 * @typedef {Object} App what the actions work on
 * @property {state.Store} store
 * @property {import('../engine/engine.js').Engine} engine
 * @property {((only?: Record<string, string>) => Promise<void>) | null} reopen reads the open trace
 *   again: another part of it or, after a crash, the same
 * @property {((name: string) => Promise<void>) | null} choose opens one of several traces
 * @property {Dropped | null} dropped opened from this computer, for the browser's Back
 * @property {AbortController | null} turn whose turn it is: an opening that was overtaken loads and
 *   says nothing more
 *
 * @typedef {{files: File[], names: string[], sources?: import('../source/offered.js').Offer[]}} Dropped files, and
 *   their names with the folders; source files apart
 *
 * @typedef {Pick<state.State, 'settings' | 'view'> & {whole?: boolean}} Choices
 * @typedef {Object} Reader whom a reading works with
 * @property {import('../engine/client.js').EngineClient} client
 * @property {(progress: any) => void} onProgress
 * @property {AbortSignal} signal
 * @property {string} [choice] which of several traces is meant
 * @property {Record<string, string>} [only] settings that choose a part of it
 *
 * @typedef {(reader: Reader) => Promise<state.Opened | import('../tracefold.js').Choices>} Read
 */

/** @type {(app: App, dropped: Dropped, choices?: Choices) => Promise<void>} */
export async function openFiles(app, all, choices) {
  if (all.files.length === 0) return;
  const { models, rest: dropped } = apart(all);
  if (models.length > 0) {
    if (!(await keepModels(app, models))) return;
    if (dropped.files.length === 0) return followModels(app, models[0].name);
  }
  app.dropped = dropped;
  const read = /** @type {Read} */ (({ client, onProgress, choice, only }) => client.call('open', { ...dropped, choice, only, ...limits() }, { onProgress }));
  await open(app, { kind: 'files' }, largest(dropped.files).name, read, choices);
}

/**
 * Models alone are for the trace that is open.
 * @type {(app: App, name: string) => Promise<void>}
 */
async function followModels(app, name) {
  const { store, engine } = app;
  if (engine.isOpen) return fold(app, store.get(), 'replace');
  refuse(store, `${name} is a model`, 'A model says nothing without a trace; this one is kept: open a trace now.');
}

/**
 * Loads what `profileURL` names. Another host is asked about first.
 * @type {(app: App, addresses: string[], choices?: Choices) => Promise<void>}
 */
export async function openAddresses(app, addresses, choices) {
  const { store } = app;
  const source = /** @type {state.Source} */ ({ kind: 'url', addresses });
  try {
    const hosts = consentNeeded(addresses);
    if (hosts.length > 0) {
      const failure = { message: `This link loads ${addresses.join(', ')}. ${hosts.join(', ')} will see that you asked for it.` };
      const asking = { ...store.get(), source, ...choices };
      store.set(state.failed(asking, { task: 'ask', title: `Load a trace from ${hosts.join(', ')}?`, failure }));
      return;
    }
  } catch (/** @type {any} */ failure) {
    store.set(state.failed(store.get(), { task: 'open', title: 'This address cannot be loaded', failure }));
    return;
  }
  /** @type {File[] | null} */
  let files = null;
  const read = /** @type {Read} */ (async ({ client, onProgress, signal, choice, only }) => {
    files ??= await fetchAll(filesAt(addresses), onProgress, signal);
    return client.call('open', { files, names: files.map(({ name }) => name), choice, only, ...limits() }, { onProgress });
  });
  await open(app, source, nameAt(addresses[0]), read, choices);
}

/** @type {(app: App, text: string, choices: Choices) => void} */
export function openShared({ store, engine }, text, choices) {
  try {
    const link = openLink(text, choices.settings);
    const { settings } = link;
    const inside = new URLSearchParams(/** @type {any} */ (link.view ?? {}));
    const view = choices.whole ? choices.view : { ...shownFrom(String(inside)).view, ...changed(choices.view) };
    engine.close();
    const opened = state.openedAs(store.get(), { source: { kind: 'link', text }, opened: null, settings, view });
    const remark = link.newer ? `This link was made by a newer Tracefold (version ${link.version}). What is understood is shown.` : '';
    store.set({ ...state.folded(opened, link.picture), remark });
  } catch (/** @type {any} */ failure) {
    store.set(state.failed(store.get(), { task: 'link', title: 'This link cannot be opened', failure }));
  }
}

/** @type {(app: App) => void} */
export function cancel(app) {
  const { store, engine } = app;
  if (store.get().reading?.task !== 'open') return;
  endTurn(app);
  engine.cancel();
  store.set(state.openingStopped(store.get()));
}

/** @type {(app: App, source: state.Source, name: string, read: Read, choices?: Choices, choice?: string, only?: Record<string, string>) => Promise<void>} */
async function open(app, source, name, read, choices, choice, only) {
  const { store, engine } = app;
  endTurn(app);
  store.set(state.restored(store.get()));
  const { settings, view } = choices ?? state.carriedOver(store.get());
  const turn = (app.turn = new AbortController());
  const measure = meter(store);
  const onProgress = (/** @type {any} */ progress) => {
    if (app.turn !== turn) return;
    if (!progress.folding) measure(progress);
    else store.set(state.earlyPicture(store.get(), new Picture(progress.folding), progress.share, { settings, view }));
  };
  store.set(state.openingBegan(store.get(), name));
  /** @type {state.Opened | null} */
  let opened = null;
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
  } catch (/** @type {any} */ failure) {
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

/**
 * The opening that goes on, if any, loads and says nothing more.
 * @param {App} app
 */
function endTurn(app) {
  app.turn?.abort();
  app.turn = null;
}

/** @type {(choices: import('../tracefold.js').Choice[]) => state.Problem} */
function whichOf(choices) {
  const message = `There are ${fixed(choices.length)} traces. One is opened at a time.`;
  return { task: 'choose', title: 'Which trace?', failure: { message }, choices };
}

/** @type {(opened: state.Opened) => {message: string}} */
function nothingToFold({ name, sizeBytes }) {
  return {
    message: `This trace has no repeated region. No type of event opens and closes at least 2 times in one thread of ${name} (${fileSize(sizeBytes)}).`,
  };
}

/** @type {(failure: any) => any} */
function withAdvice(failure) {
  if (!failure.crashed) return failure;
  return { ...failure, message: `The engine stopped unexpectedly: ${failure.message}. This is a fault of Tracefold, not of the trace; please report this message.` };
}

/** @type {(files: File[]) => File} */
function largest(files) {
  return files.reduce((most, file) => (file.size > most.size ? file : most));
}

/**
 * The parts of a view that differ from the default.
 * @type {(view: state.ViewState) => Partial<state.ViewState>}
 */
function changed(view) {
  const differs = (/** @type {[string, any]} */ [key, value]) =>
    JSON.stringify(value) !== JSON.stringify(/** @type {any} */ (state.defaultView)[key]);
  return Object.fromEntries(Object.entries(view).filter(differs));
}
