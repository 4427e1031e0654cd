// Connects the parts: the state, the engine, the lanes and the controls. Nothing is decided here.

import init, { settingsSchema } from './wasm/painter.js';
import { giveConsent } from './actions/addresses.js';
import { fold, follow, followDecision, followPoints, followRegions, freeReplaced, tryFold } from './actions/fold.js';
import { keepFragment } from './actions/history.js';
import { cancel, openAddresses, openFiles } from './actions/open.js';
import { pngOf, svgOf } from './actions/picture.js';
import { download, exportFiles, exportTogether, linkTo, nameFor } from './actions/save.js';
import { mountDoubts } from './controls/doubts.js';
import { durationsChoice } from './controls/durations.js';
import { energyLines } from './controls/energy.js';
import { mountExports } from './controls/exports.js';
import { fitReport } from './controls/fit.js';
import { listInstances } from './controls/instances.js';
import { mountLegend } from './controls/legend.js';
import { mountModels } from './controls/models.js';
import { mountNotices } from './controls/notices.js';
import { mountOpen } from './controls/open.js';
import { mountPage } from './controls/page.js';
import { mountPhases } from './controls/phases.js';
import { mountRegion } from './controls/region.js';
import { mountRegions } from './controls/regions.js';
import { mountSettings } from './controls/settings.js';
import { mountShare } from './controls/share.js';
import { markBusy, mountStatus } from './controls/status.js';
import { mountTable } from './controls/table.js';
import { byId } from './dom.js';
import { Engine } from './engine/engine.js';
import * as parts from './engine/parts.js';
import { shownFrom } from './fragment.js';
import { oncePerFrame, whenIdle } from './frame.js';
import { mountLanes } from './lanes/lanes.js';
import { dividedAt, merged, moved, named } from './phases.js';
import * as state from './state.js';

const painter = parts.painterModule().then((compiled) => init({ module_or_path: compiled }));

const asked = shownFrom(location.hash);
const store = state.createStore({ ...state.emptyState, settings: asked.settings, view: asked.view });
/** @type {import('./actions/open.js').App} */
const app = { store, engine: new Engine(parts), reopen: null, choose: null, dropped: null, turn: null };

// Files can be dropped before the wasm is here.
mountOpen({
  openFiles: (dropped) => void painter.then(() => openFiles(app, dropped)),
  openExample: async (names) => {
    const [files] = await Promise.all([parts.filesInside(names), painter]);
    if (files) await openFiles(app, { files, names });
    else await openAddresses(app, [names[0]]);
  },
  refuse: (message) => store.set(state.failed(store.get(), { task: 'open', title: 'This could not be opened', failure: { message } })),
});
await painter;

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

const lanes = mountLanes({
  now: store.get,
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
const controls = [
  mountPage({
    chooseTheme: (theme) => look({ theme }),
    togglePanel: () => store.set({ ...store.get(), panel: !store.get().panel }),
    repaint: () => look({}),
  }),
  mountRegion({
    chooseRegion: (region) => refold(state.regionChosen(store.get(), region)),
    chooseGroup: (group) => look({ shown: group }, 'push'),
  }),
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
    ['', energyLines()],
  ]),
  mountDoubts(),
  mountNotices(),
  mountTable(() => look({ view: store.get().view.view === 'table' ? 'lanes' : 'table' }, 'push')),
  mountExports((format) => Promise.resolve(save[format]()).catch((failure) => say(failure.message))),
  mountShare(() => linkTo(store.get()), say),
];
const status = mountStatus({
  cancel: () => cancel(app),
  listInstances: () => void listInstances(app),
  readAgain: () => void app.reopen?.(state.chosenPart(store.get())),
  back: () => store.set(state.backToPicture(store.get())),
  resetSettings: () => resetSettings(Object.keys(store.get().settings)),
  chooseFiles: () => byId('open').click(),
  chooseTrace: (name) => void app.choose?.(name),
  loadAnyway: giveConsent,
});

const repaint = oncePerFrame(() => {
  const now = store.get();
  for (const update of controls) update(now);
  const painted = lanes(now);
  legend(now, painted);
  status(now);
});
store.subscribe(markBusy);
store.subscribe(repaint);
keepFragment(store, (shown) => follow(app, shown));
followPoints(app);
followRegions(app);
followDecision(app);
freeReplaced(store);
repaint();
if (asked.source.kind !== 'none') follow(app, asked);
else whenIdle(() => app.engine.prepare().catch(() => {}));
