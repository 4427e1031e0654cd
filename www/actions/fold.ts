// Folding again after a choice, and the sample clouds of the counter shown alone.

import { Picture } from '../wasm/painter.js';
import * as state from '../state.ts';
import { foldedWithModels } from './models.ts';
import { openAddresses, openFiles, openShared, type App } from './open.ts';
import type { Asked } from '../fragment.ts';

/** Folds with the settings of `next`, a step that Back takes back. What has to be decided is shown
 * at first without; `followDecision` asks for the rest. */
export async function fold(app: App, next: state.State, step: 'push' | 'replace' = 'push'): Promise<void> {
  const { store } = app;
  if (isEarly(next)) return;
  const { open } = store.get().now;
  const isSaidOtherwise = Boolean(open?.picture && state.sameCurves(open.made.settings, next.settings));
  const first = isSaidOtherwise ? null : state.atFirst(next.settings);
  store.set(state.foldingBegan(next), step);
  try {
    const { bytes, tell } = await foldingOf(app, first ?? next.settings);
    store.set(state.folded(store.get(), new Picture(bytes), first ? 'deciding' : 'decided'));
    tell();
  } catch (failure: any) {
    if (failure.stale) return;
    if (failure.crashed) return restart(app);
    const title = next.settings.region ? `${next.settings.region} could not be folded` : 'This could not be folded';
    store.set(state.failed(store.get(), { task: 'fold', title, failure }));
  }
}

/** Folds with the settings of `next` if that can be done; otherwise all stays as it is. Why not;
 * empty if it was done. */
export async function tryFold(app: App, next: state.State): Promise<string> {
  const { store } = app;
  if (isEarly(next)) return 'The trace is still being read.';
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

/** Whether what is on screen is of a trace that is still being read. */
function isEarly({ now }: state.State): boolean {
  return now.is === 'reading' && now.early !== null;
}

/** Asks for the decision of `fit=auto`, once for each picture that waits for it, while the page goes
 * on as usual. A fold that is asked for meanwhile overtakes it. */
export function followDecision(app: App) {
  const { store } = app;
  let asked: Picture | null = null;
  store.subscribe(async ({ now, settings }) => {
    if (now.is !== 'ready' || now.open.decision === 'decided' || now.open.picture === asked) return;
    const first = (asked = now.open.picture);
    try {
      const { bytes } = await foldingOf(app, settings);
      if (store.get().now.open?.picture !== first) return;
      const decided = new Picture(bytes);
      decided.takeReferences(first);
      store.set(state.decided(store.get(), first, decided));
    } catch (failure: any) {
      // Overtaken: if that comes to nothing, the picture is there again, and still undecided.
      if (failure.stale) return void (asked = null);
      const remark = 'Spline and segments could not be compared; the spline is shown.';
      store.set({ ...state.decided(store.get(), first, null), remark });
      if (!failure.crashed) return;
      // Or it would crash again, and again.
      const { settings, view } = state.settingChosen(store.get(), 'fit', 'kriging');
      store.set(state.madeWith(store.get(), { settings, view }));
      await restart(app);
    }
  });
}

function foldingOf(app: App, settings: Record<string, string>): ReturnType<typeof foldedWithModels> {
  return foldedWithModels(app, (args) => app.engine.call('fold', args, { latest: true }), settings);
}

/** Makes the page show what the fragment says, after Back, Forward or an edited address. */
export function follow(app: App, { source, ...choices }: Asked): void {
  const { store, engine } = app;
  const before = store.get();
  const shown = state.sourceOf(before);
  const isLocal = source.kind === 'none' && shown.kind === 'files';
  if (isLocal || JSON.stringify(source) === JSON.stringify(shown)) {
    const next = { ...state.viewChanged(before, choices.view), settings: choices.settings };
    if (!sameSettings(next.settings, before.settings) && source.kind === 'link') openShared(app, source.text, choices);
    else if (!sameSettings(next.settings, before.settings) && engine.isOpen) fold(app, next, 'replace');
    else store.set(next.now.is === 'failed' && next.now.open?.picture ? { ...next, now: { is: 'ready', open: next.now.open } } : next);
  } else if (source.kind === 'link') openShared(app, source.text, choices);
  else if (source.kind === 'url') openAddresses(app, source.addresses, choices);
  else if (app.dropped) openFiles(app, app.dropped, choices);
  else {
    engine.cancel();
    engine.close();
    store.set({ ...state.emptyState, ...choices, panel: before.panel, resized: before.resized });
  }
}

/** Lists the regions by the groups that are asked for, once for each way of grouping. */
export function followRegions({ store, engine }: App) {
  let asked = '';
  store.subscribe(async ({ now, settings }) => {
    if (now.is !== 'ready' || !now.open.from.trace) return;
    const { trace, regionsBy } = now.open.from;
    const group = settings.group ?? '';
    const key = `${group} of ${trace.name}`;
    if (regionsBy === group || asked === key) return;
    asked = key;
    const regions = await engine.call('regions', { settings }).catch(() => null);
    if (regions && state.traceOf(store.get()) === trace) store.set(state.regionsArrived(store.get(), regions, group));
  });
}

/** Asks for the samples of the counter shown alone, once for each folding. */
export function followPoints({ store, engine }: App) {
  let asked: any = null;
  store.subscribe(async (now) => {
    const { counter } = now.view;
    const shown = state.shownOf(now);
    if (counter === null) asked = null;
    if (!shown || !state.traceOf(now) || counter === null || now.now.is !== 'ready') return;
    const { picture, group: { number: group } } = shown;
    const wanted = [picture, group, counter];
    if (shown.points || wanted.every((part, i) => part === asked?.[i])) return;
    asked = wanted;
    const points = await engine.call('points', { group, counter }, { latest: true }).catch(() => null);
    if (points && asked === wanted) store.set(state.samplesArrived(store.get(), { group, counter, points }));
  });
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
async function restart(app: App): Promise<void> {
  const { store } = app;
  store.set(state.backToPicture(store.get()));
  await app.reopen?.();
  store.set({ ...store.get(), remark: 'The engine stopped unexpectedly. It was started again and the trace opened anew.' });
}

function sameSettings(a: Record<string, string>, b: Record<string, string>): boolean {
  const text = (settings: Record<string, string>) => JSON.stringify(Object.entries(settings).sort());
  return text(a) === text(b);
}
