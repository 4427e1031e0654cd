// Folding again after a choice, and following the address.

import { Picture } from '../wasm/painter.js';
import * as state from '../state.ts';
import { foldedWithModels } from './models.ts';
import { endTurn, openAddresses, openFiles, openShared, pictureOf, withAdvice, type App } from './open.ts';
import type { Asked } from '../fragment.ts';

/** Folds with the settings of `next`, a step that Back takes back. What has to be decided is shown
 * at first without (`requests.ts`). */
export async function fold(app: App, next: state.State, step: 'push' | 'replace' = 'push'): Promise<void> {
  const { store } = app;
  if (state.isEarly(next)) return;
  const { open } = store.get().now;
  const isSaidOtherwise = Boolean(open?.picture && state.sameCurves(open.made.settings, next.settings));
  const first = isSaidOtherwise ? null : state.atFirst(next.settings);
  store.set(state.foldingBegan(next), step);
  try {
    const { bytes, tell } = await (first ? quickFoldingOf(app, first) : foldingOf(app, next.settings));
    store.set(state.folded(store.get(), pictureOf(bytes, first !== null), first ? 'deciding' : 'decided'));
    tell();
  } catch (failure: any) {
    if (failure.stale) return;
    // What was never folded would crash again, and again.
    if (failure.crashed && open?.picture) return restart(app);
    const title = `${next.settings.region ?? state.traceOf(next)?.name ?? 'This'} could not be folded`;
    store.set(state.failed(store.get(), { task: 'fold', title, failure: withAdvice(failure) }));
  }
}

/** Folds with the settings of `next` if that can be done; otherwise all stays as it is. Why not;
 * empty if it was done. */
export async function tryFold(app: App, next: state.State): Promise<string> {
  const { store } = app;
  if (state.isEarly(next)) return 'The trace is still being read.';
  store.set(state.foldingBegan(next));
  try {
    const { bytes } = await foldingOf(app, next.settings);
    store.set(state.folded(store.get(), new Picture(bytes)), 'push');
    return '';
  } catch (failure: any) {
    if (failure.stale) return '';
    if (failure.crashed) await restart(app);
    else store.set(state.backToPicture(store.get()));
    return failure.message;
  }
}

export async function foldingOf(app: App, settings: Record<string, string>): ReturnType<typeof foldedWithModels> {
  const trace = state.traceOf(app.store.get());
  const asked = ++app.folds;
  if (trace?.hasRun || trace?.hasGauges) await app.engine.call('see', {});
  // What was asked for in the meantime is the newer one: asking now would give it up.
  if (asked !== app.folds) throw { stale: true, message: 'a newer fold was asked for' };
  return quickFoldingOf(app, settings);
}

/** The same without what threads do, unless that was seen already: for a first picture. */
function quickFoldingOf(app: App, settings: Record<string, string>): ReturnType<typeof foldedWithModels> {
  app.folds += 1;
  return foldedWithModels(app, (args) => app.engine.call('fold', args, { latest: true }), settings);
}

/** Makes the page show what the fragment says, after Back, Forward or an edited address. */
export function follow(app: App, { source, ...choices }: Asked): void {
  const { store, engine } = app;
  const before = store.get();
  const shown = state.sourceOf(before);
  const isLocal = source.kind === 'none' && shown.kind === 'files';
  if (isLocal || JSON.stringify(source) === JSON.stringify(shown)) {
    // A link whose reading was not done is gone back from.
    if (before.now.is !== 'reading') endTurn(app);
    const next = { ...state.viewChanged(before, choices.view), settings: choices.settings };
    if (!sameSettings(next.settings, before.settings) && source.kind === 'link') openShared(app, source.text, choices);
    else if (!sameSettings(next.settings, before.settings) && engine.isOpen) fold(app, next, 'replace');
    else store.set(next.now.is === 'failed' && next.now.open?.picture ? { ...next, now: { is: 'ready', open: next.now.open } } : next);
  } else if (source.kind === 'link') openShared(app, source.text, choices);
  else if (source.kind === 'url') openAddresses(app, source.addresses, choices);
  else if (app.dropped) openFiles(app, app.dropped, choices);
  else {
    endTurn(app);
    engine.cancel();
    engine.close();
    store.set({ ...state.emptyState, ...choices, panel: before.panel, resized: before.resized });
  }
}

/** Gives the memory of a picture back as soon as nothing holds it. */
export function freeReplaced(store: state.Store) {
  let held: (Picture | null | undefined)[] = [];
  store.subscribe(({ now }) => {
    const holds = [now.open?.picture, now.is === 'reading' ? now.early?.picture : null];
    for (const last of held) if (!holds.includes(last)) last?.free();
    held = holds;
  });
}

/** The engine crashed while folding: a new one opens the trace again, with the choices that worked. */
export async function restart(app: App): Promise<void> {
  const { store } = app;
  store.set(state.backToPicture(store.get()));
  await app.reopen?.();
  store.set({ ...store.get(), remark: 'The engine stopped unexpectedly. It was started again and the trace opened anew.' });
}

function sameSettings(a: Record<string, string>, b: Record<string, string>): boolean {
  const text = (settings: Record<string, string>) => JSON.stringify(Object.entries(settings).sort());
  return text(a) === text(b);
}
