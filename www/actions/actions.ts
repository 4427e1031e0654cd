// What a person can do with what is open: every control is given all of it.

import { dividedAt, merged, moved, named } from '../phases.ts';
import * as state from '../state.ts';
import { fold, tryFold } from './fold.ts';
import { openFiles, type App, type Dropped } from './open.ts';
import type { Format } from './save.ts';
import type { GroupSummary } from '../wasm/painter.js';
import type { ViewState } from '../view.ts';

export type Actions = ReturnType<typeof actionsOf>;

/** Attaches what a part of the page does. */
export type Mount = (actions: Actions) => state.Update;

/** The same for a part that stands inside another. */
export type MountInside = (actions: Actions) => { element: HTMLElement, update: state.Update };

export function actionsOf(app: App) {
  const { store } = app;
  const refold = (next: state.State): void => void fold(app, next);
  /** What a person does to the phases of the group that is shown. */
  const editPhases = (change: (settings: state.Settings, group: GroupSummary) => state.Settings): void => {
    const now = store.get();
    const shown = state.shownOf(now);
    if (shown && state.traceOf(now)) refold({ ...now, settings: change(now.settings, shown.group) });
  };
  const tell = (change: Partial<Omit<state.State, 'now' | 'view' | 'settings'>>): void => store.set({ ...store.get(), ...change });
  /** A link holds the picture whatever is looked at; a file of the run waits for nothing. */
  const decided = (remark = '', anywhere = false) => new Promise<void>((done) => {
    const isDeciding = () => (anywhere || state.tabOf(store.get()) === 'region') && state.shownOf(store.get())?.deciding;
    if (!isDeciding()) return done();
    if (remark) tell({ remark });
    const stop = store.subscribe(() => {
      if (isDeciding()) return;
      stop();
      done();
    });
  });
  const look = (change: Partial<ViewState>, step?: 'push' | 'replace'): void => store.set(state.viewChanged(store.get(), change), step);
  return {
    /** The state at this moment: several events may come within one frame. */
    now: store.get,
    /** Changes what is shown; nothing is folded again. */
    look,
    /** Notes what changes no number and no picture. */
    tell,
    /** Shows this alone in all lanes; once more, or with nothing, all again. */
    pick(picked: string | null) {
      const before = store.get().view.picked;
      if (picked ?? before) look({ picked: picked === before ? null : picked });
    },
    /** Offers all counters, or no more. */
    async pickCounters(picking: boolean) {
      try {
        await app.prepare('counters');
        tell({ picking });
      } catch (failure: any) {
        tell({ remark: failure.message });
      }
    },
    /** Loads what tells of a counter; once more where that fails. */
    prepareCounters: () => void app.prepare('counters').catch(() => {}),
    toggleCounter: (counter: string) => store.set(state.counterToggled(store.get(), counter)),
    chooseRegion: (region: string, group?: number) => refold(state.regionChosen(store.get(), region, group)),
    /** From the run: what is folded is looked at. */
    foldRegion: (region: string) => {
      const next = state.regionChosen(store.get(), region);
      refold({ ...next, view: { ...next.view, tab: 'region' } });
    },
    /** Marks a cluster everywhere, alone or, with `adds`, beside the others; once more unmarks it. */
    markCluster(number: number, adds: boolean) {
      const { clusters } = store.get().view;
      const without = clusters.filter((other) => other !== number);
      const alone = without.length < clusters.length && clusters.length === 1 ? [] : [number];
      look({ clusters: adds ? (without.length < clusters.length ? without : [...clusters, number]) : alone }, 'push');
    },
    chooseSetting: (key: string, value: string | null) => refold(state.settingChosen(store.get(), key, value)),
    /** Folds the instances that start between two times, or all; where that cannot be done, all stays as it is. */
    async foldBetween(from: string | null, to: string | null) {
      const next = Object.entries({ from, to }).reduce((next, [key, value]) => state.settingChosen(next, key, value), store.get());
      const wrong = await tryFold(app, next);
      if (wrong) tell({ remark: wrong });
    },
    resetSettings: (keys: string[]) => refold(keys.reduce((next, key) => state.settingChosen(next, key, null), store.get())),
    moveBorder: (index: number, at: number) => editPhases((settings, group) => moved(settings, group, index, at)),
    removeBorder: (index: number) => editPhases((settings, group) => merged(settings, group, index)),
    /** A phase, or several, at these folded times. */
    dividePhases: (at: number[]) => editPhases((settings, group) => dividedAt(settings, group, at)),
    namePhase: (number: number, name: string) => editPhases((settings, group) => named(settings, group, number, name)),
    /** Folds with these expressions and shows one of them; gives what is wrong with them, if anything. */
    async express(expressions: string | null, model: string | null): Promise<string> {
      const wrong = await tryFold(app, state.settingChosen(store.get(), 'expressions', expressions));
      if (wrong === '') look({ model });
      return wrong;
    },
    /** Loads what writes links; once more where that fails. */
    prepareLink: () => void Promise.all([app.prepare('export'), import('../share/link.ts')]).catch(() => {}),
    /** A link with what is shown inside, once that is decided. */
    async link(pseudonyms: boolean, onProgress: (share: number) => void) {
      const [{ linkTo }] = await Promise.all([import('../share/link.ts'), app.prepare('export'), decided('', true)]);
      return app.linkToBoth(onProgress) ?? linkTo(app, pseudonyms, onProgress);
    },
    /** Opens files; those of the shared picture that is open are folded as it was, and compared with it. */
    async open(dropped: Dropped, isOfLink = false) {
      const { linked } = store.get();
      const isLink = state.sourceOf(store.get()).kind === 'link' && linked;
      if (!isLink) return openFiles(app, dropped);
      const { isMeant, recheck } = await import('../share/recheck.ts').catch(() => ({ isMeant: null, recheck: null }));
      if (!isMeant) {
        tell({ remark: 'What compares links could not be loaded; the trace is opened alone.' });
        return openFiles(app, dropped);
      }
      return isOfLink || isMeant(linked, dropped) ? recheck(app, dropped, linked, () => decided('', true)) : openFiles(app, dropped);
    },
    decided: () => decided('', true),
    /** Lays another run beside what is open: files, or what the address says; asks which without either. */
    async compare(beside: Dropped | 'address' | null) {
      await import('../compare/compare.ts').then(({ begin }) => begin(app, this, beside)).catch((failure) => tell({ remark: failure.message }));
    },
    /** Lays another profile beside that of what is open; asks which without one. */
    async compareProfile(dropped: Dropped | null) {
      look({ tab: 'profile' });
      try {
        await app.prepare('profile');
        const { compareProfile } = await import('../profile/profile.ts');
        compareProfile(dropped);
      } catch (failure: any) {
        tell({ remark: failure.message });
      }
    },
    /** Lays other runs beside the one that is open: how efficiently each uses its threads. */
    async addRuns(dropped: Dropped) {
      await import('../run/scaling.ts').then(({ begin }) => begin(app, this, dropped)).catch((failure) => tell({ remark: failure.message }));
    },
    /** What is not decided yet is saved when it is, unless something else is open by then. */
    async save(format: Format) {
      const source = state.sourceOf(store.get());
      await decided('Deciding… The file is made when curves and phases are decided.');
      if (state.sourceOf(store.get()) === source) await import('./save.ts').then(({ save }) => save(app, format)).catch((failure) => tell({ remark: failure.message }));
    },
  };
}
