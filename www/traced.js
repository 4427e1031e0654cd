// Connects what works on a trace: the engine, the lanes, the tables and the settings. Nothing is
// decided here.

import init, { settingsSchema } from './wasm/painter.js';
import { fold, follow, followDecision, followPoints, followRegions, freeReplaced, tryFold } from './actions/fold.js';
import { cancel, openAddresses, openFiles } from './actions/open.js';
import { followReferences } from './actions/references.js';
import { pngOf, svgOf } from './actions/picture.js';
import { download, exportFiles, exportTogether, linkTo, nameFor } from './actions/save.js';
import { mountCode } from './controls/code.js';
import { mountDoubts } from './controls/doubts.js';
import { durationsChoice } from './controls/durations.js';
import { energyLines } from './controls/energy.js';
import { mountExports } from './controls/exports.js';
import { fitReport } from './controls/fit.js';
import { listInstances } from './controls/instances.js';
import { mountLegend } from './controls/legend.js';
import { mountMemory } from './controls/memory.js';
import { mountModels } from './controls/models.js';
import { mountNotices } from './controls/notices.js';
import { mountObjects } from './controls/objects.js';
import { mountPhases } from './controls/phases.js';
import { mountPicked } from './controls/picked.js';
import { mountRegion } from './controls/region.js';
import { mountRegions } from './controls/regions.js';
import { mountSettings } from './controls/settings.js';
import { mountShare } from './controls/share.js';
import { mountSource } from './controls/source.js';
import { mountStacks } from './controls/stacks.js';
import { mountTable } from './controls/table.js';
import { Engine } from './engine/engine.js';
import * as parts from './engine/parts.js';
import { oncePerFrame } from './frame.js';
import { mountLanes } from './lanes/lanes.js';
import { dividedAt, merged, moved, named } from './phases.js';
import * as state from './state.js';

/** @typedef {Awaited<ReturnType<typeof mountTraced>>} Traced */

/**
 * Mounts all of it, once the painter is there.
 * @param {state.Store} store
 */
export async function mountTraced(store) {
  await init({ module_or_path: await parts.painterModule() });
  /** @type {import('./actions/open.js').App} */
  const app = { store, engine: new Engine(parts), reopen: null, choose: null, dropped: null, turn: null };

  /** @type {(next: state.State) => void} */
  const refold = (next) => void fold(app, next);
  /** @type {(change: Partial<state.ViewState>, step?: 'push' | 'replace') => void} */
  const look = (change, step) => store.set(state.viewChanged(store.get(), change), step);
  /** @type {(key: string, value: string | null) => void} */
  const chooseSetting = (key, value) => refold(state.settingChosen(store.get(), key, value));
  /** @type {(keys: string[]) => void} */
  const resetSettings = (keys) => refold(keys.reduce((next, key) => state.settingChosen(next, key, null), store.get()));
  /**
   * What a person does to the phases of the group that is shown.
   * @type {(change: (settings: Record<string, string>, group: import('./tracefold.js').GroupSummary) => Record<string, string>) => void}
   */
  const editPhases = (change) => {
    const now = store.get();
    const group = state.shownGroup(now);
    if (now.opened && group) refold({ ...now, settings: change(now.settings, group) });
  };
  /** @type {(at: number[]) => void} */
  const divide = (at) => editPhases((settings, group) => dividedAt(settings, group, at));
  /** @type {(remark: string) => void} */
  const say = (remark) => store.set({ ...store.get(), remark });

  /** @type {Record<import('./controls/exports.js').Format, () => unknown>} */
  const save = {
    png: async () => {
      const png = await pngOf(store.get());
      if (png) download(nameFor(store.get(), '.png'), png, 'image/png');
    },
    svg: () => download(nameFor(store.get(), '.svg'), svgOf(store.get()), 'image/svg+xml'),
    csv: () => exportFiles(app, 'csv'),
    json: () => exportFiles(app, 'json'),
    gnuplot: () => exportTogether(app, 'gnuplot'),
    paraver: () => exportTogether(app, 'paraver'),
    extract: () => exportTogether(app, 'extract'),
  };
  /** @type {(picked: string | null) => void} */
  const pick = (picked) => look({ picked });
  /** @type {(object: string | null) => void} */
  const showAlone = (object) => look({ object }, 'push');
  const lanes = mountLanes({
    now: store.get,
    pick: (picked) => picked !== store.get().view.picked && pick(picked),
    showAlone,
    ranged: (range, step) => look({ range }, step),
    selected: (selection) => look({ selection }),
    divided: divide,
    borderMoved: (index, at) => editPhases((settings, group) => moved(settings, group, index, at)),
    borderRemoved: (index) => editPhases((settings, group) => merged(settings, group, index)),
    zoomedTo: (range) => look({ range, selection: null }, 'push'),
    pointed: (cursor) => store.set({ ...store.get(), cursor }),
    resized: () => store.set({ ...store.get(), resized: store.get().resized + 1 }),
  });
  const legend = mountLegend({
    toggle: (counter) => store.set(state.counterToggled(store.get(), counter)),
    showAlone: (counter) => look({ counter }, 'push'),
  });
  const memory = mountMemory({ colourBy: (colour) => look({ colour }, 'push'), pick });
  const controls = [
    mountRegion({
      chooseRegion: (region) => refold(state.regionChosen(store.get(), region)),
      chooseGroup: (group) => look({ shown: group }, 'push'),
    }),
    mountPicked({ unpick: () => pick(null), showAll: () => showAlone(null) }),
    mountDoubts(),
    mountStacks((stacks) => look({ stacks }, 'push')),
    mountTable(() => look({ view: store.get().view.view === 'table' ? 'lanes' : 'table' }, 'push')),
    mountShare(() => linkTo(store.get()), say),
  ];
  const panel = [
    mountRegions({ chooseRegion: (region, group) => refold(state.regionChosen(store.get(), region, group)) }),
    mountPhases({
      zoomTo: ({ start, end }) => look({ range: [start, end] }, 'push'),
      mark: (marked) => store.set({ ...store.get(), marked }),
      rename: (number, name) => editPhases((settings, group) => named(settings, group, number, name)),
      merge: (border) => editPhases((settings, group) => merged(settings, group, border)),
      divide,
      reset: () => resetSettings(['breaks', 'names']),
      chooseRatios: (ratios) => look({ ratios }),
    }),
    mountObjects(pick),
    mountCode({ pick, chooseRatios: (ratios) => look({ ratios }) }),
    mountModels({
      chooseModel: (model) => look({ model }, 'push'),
      express: async (expressions, shown) => {
        const wrong = await tryFold(app, state.settingChosen(store.get(), 'expressions', expressions));
        if (wrong === '') look({ model: shown });
        return wrong;
      },
    }),
    mountSettings(settingsSchema(), { chooseSetting, resetSettings }, [
      ['Fit', fitReport({ chooseFit: (fit) => chooseSetting('fit', fit), chooseAxis: (x) => chooseSetting('x', x) })],
      ['Instances', durationsChoice({ chooseDurations: (text) => chooseSetting('durations', text) })],
      ['Energy', energyLines()],
    ]),
    mountNotices(),
    mountExports((format) => Promise.resolve(save[format]()).catch((failure) => say(failure.message))),
  ];
  const source = mountSource({
    now: store.get,
    show: (pane) => look({ pane }, 'push'),
    offered: (offered, remark) => store.set({ ...store.get(), offered, remark }),
    placed: (of, words) => store.set({ ...store.get(), places: { of, words } }),
  });
  // On the frame after the lanes: both at once would keep the page busy for too long.
  const updatePanel = oncePerFrame(() => [...panel, source.update].forEach((update) => update(store.get())));

  followPoints(app);
  followReferences(app);
  followRegions(app);
  followDecision(app);
  freeReplaced(store);

  return {
    /** @param {state.State} now lanes before legend: it is of what was painted */
    update(now) {
      for (const update of controls) update(now);
      const painted = lanes(now);
      legend(now, painted);
      memory(now, painted);
      updatePanel();
    },
    offerSources: source.offer,
    prepare: () => void app.engine.prepare().catch(() => {}),
    openFiles: (/** @type {import('./actions/open.js').Dropped} */ { files, names }) => openFiles(app, { files, names }),
    /** @param {string[]} names */
    async openExample(names) {
      const files = await parts.filesInside(names);
      if (files) await openFiles(app, { files, names });
      else await openAddresses(app, [names[0]]);
    },
    follow: (/** @type {import('./fragment.js').Shown} */ shown) => follow(app, shown),
    cancel: () => cancel(app),
    listInstances: () => void listInstances(app),
    readAgain: () => void app.reopen?.(state.chosenPart(store.get())),
    chooseTrace: (/** @type {string} */ name) => void app.choose?.(name),
    resetSettings: () => resetSettings(Object.keys(store.get().settings)),
  };
}
