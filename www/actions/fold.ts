// Folding again after a choice, and the sample clouds of the counter shown alone.

import { Picture } from '../wasm/painter.js';
import * as state from '../state.ts';
import { foldedWithModels } from './models.ts';
import { openAddresses, openFiles, openShared, type App } from './open.ts';
import type { Shown } from '../fragment.ts';

/** Folds with the settings of `next`, a step that Back takes back. What has to be decided is shown
 * at first without; `followDecision` asks for the rest. */
export async function fold(app: App, next: state.State, step: 'push' | 'replace' = 'push'): Promise<void> {
  const { store } = app;
  // What is on screen is of a trace that is still being read.
  if (next.early !== null) return;
  const before = store.get().shownWith?.settings;
  const isSaidOtherwise = before !== undefined && state.sameCurves(before, next.settings);
  const first = isSaidOtherwise ? null : state.atFirst(next.settings);
  store.set(state.foldingBegan(next), step);
  try {
    const { bytes, tell } = await foldingOf(app, first ?? next.settings);
    store.set(state.folded(store.get(), new Picture(bytes), first !== null));
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
  if (next.early !== null) return 'The trace is still being read.';
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

/** Asks for the decision of `fit=auto`, once for each picture that waits for it, while the page goes
 * on as usual. A fold that is asked for meanwhile overtakes it. */
export function followDecision(app: App) {
  const { store } = app;
  let asked: Picture | null = null;
  store.subscribe(async ({ deciding, status, picture, settings }) => {
    if (!deciding || status !== 'ready' || picture === asked) return;
    asked = picture;
    const first = picture as Picture;
    try {
      const { bytes } = await foldingOf(app, settings);
      if (!isHeld(store.get(), first)) return;
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
      const spline = state.settingChosen(store.get(), 'fit', 'kriging');
      store.set({ ...spline, shownWith: { settings: spline.settings, view: spline.view } });
      await restart(app);
    }
  });
}

function isHeld({ picture, kept }: state.State, first: Picture): boolean {
  return picture === first || kept?.picture === first;
}

function foldingOf(app: App, settings: Record<string, string>): ReturnType<typeof foldedWithModels> {
  return foldedWithModels(app, (args) => app.engine.call('fold', args, { latest: true }), settings);
}

/** Makes the page show what the fragment says, after Back, Forward or an edited address. */
export function follow(app: App, { source, ...choices }: Shown): void {
  const { store, engine } = app;
  const now = store.get();
  const local = source.kind === 'none' && now.source.kind === 'files';
  if (local || JSON.stringify(source) === JSON.stringify(now.source)) {
    const next = { ...state.viewChanged(now, choices.view), settings: choices.settings };
    if (!sameSettings(next.settings, now.settings) && source.kind === 'link') openShared(app, source.text, choices);
    else if (!sameSettings(next.settings, now.settings) && engine.isOpen) fold(app, next, 'replace');
    else store.set(now.status === 'error' && now.picture ? { ...next, status: 'ready', problem: null } : next);
  } else if (source.kind === 'link') openShared(app, source.text, choices);
  else if (source.kind === 'url') openAddresses(app, source.addresses, choices);
  else if (app.dropped) openFiles(app, app.dropped, choices);
  else {
    engine.cancel();
    engine.close();
    store.set({ ...state.emptyState, ...choices, panel: now.panel, resized: now.resized });
  }
}

/** Lists the regions by the groups that are asked for, once for each way of grouping. */
export function followRegions({ store, engine }: App) {
  /** How the rows of each table are grouped; as opened, by default. */
  const grouping: WeakMap<object, string> = new WeakMap();
  store.subscribe(async ({ opened, settings, status }) => {
    const group = settings.group ?? '';
    if (!opened || status !== 'ready' || (grouping.get(opened.regions) ?? '') === group) return;
    grouping.set(opened.regions, group);
    const regions = await engine.call('regions', { settings }).catch(() => null);
    const now = store.get();
    if (!regions || now.opened?.regions !== opened.regions) return;
    grouping.set(regions, group);
    store.set({ ...now, opened: { ...now.opened, regions } });
  });
}

/** Asks for the samples of the counter shown alone, once for each folding. */
export function followPoints({ store, engine }: App) {
  let asked: any = null;
  store.subscribe(async (now) => {
    const { picture, view, points, opened } = now;
    const group = state.shownGroup(now);
    if (!picture || !opened || !group || view.counter === null || now.status !== 'ready') {
      if (view.counter === null) asked = null;
      return;
    }
    const wanted = [picture, group.number, view.counter];
    if (points || wanted.every((part, i) => part === asked?.[i])) return;
    asked = wanted;
    const found = await engine.call('points', { group: group.number, counter: view.counter }, { latest: true }).catch(() => null);
    if (found && asked === wanted) store.set(state.pointsArrived(store.get(), found));
  });
}

/** Gives the memory of a picture back as soon as it is neither shown nor kept. */
export function freeReplaced(store: state.Store) {
  let held: (Picture | null | undefined)[] = [];
  store.subscribe(({ picture, kept }) => {
    const now = [picture, kept?.picture];
    for (const last of held) if (!now.includes(last)) last?.free();
    held = now;
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
