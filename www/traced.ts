// Connects what works on a trace: the engine, the lanes, the tables and the settings. Nothing is
// decided here.

import init, { settingsSchema } from './wasm/painter.js';
import { askFor } from './actions/ask.ts';
import { fold, follow, freeReplaced, tryFold } from './actions/fold.ts';
import { cancel, openAddresses, openFiles, type App, type Dropped } from './actions/open.ts';
import { requestsOf } from './actions/requests.ts';
import { pngOf, svgOf } from './actions/picture.ts';
import { download, exportFiles, exportTogether, linkTo, nameFor } from './actions/save.ts';
import { mountCode } from './controls/code.ts';
import { mountDoubts } from './controls/doubts.ts';
import { durationsChoice } from './controls/durations.ts';
import { energyLines } from './controls/energy.ts';
import { mountExports, type Format } from './controls/exports.ts';
import { fitReport } from './controls/fit.ts';
import { listInstances } from './controls/instances.ts';
import { mountLegend } from './controls/legend.ts';
import { mountMemory } from './controls/memory.ts';
import { mountModels } from './controls/models.ts';
import { mountNotices } from './controls/notices.ts';
import { mountObjects } from './controls/objects.ts';
import { mountPhases } from './controls/phases.ts';
import { mountPicked } from './controls/picked.ts';
import { mountRegion } from './controls/region.ts';
import { mountRegions } from './controls/regions.ts';
import { mountSettings } from './controls/settings.ts';
import { mountShare } from './controls/share.ts';
import { mountSource } from './controls/source.ts';
import { mountStacks } from './controls/stacks.ts';
import { mountTable } from './controls/table.ts';
import { Engine } from './engine/engine.ts';
import * as parts from './engine/parts.ts';
import { oncePerFrame } from './frame.ts';
import { mountLanes, type Painted } from './lanes/lanes.ts';
import { dividedAt, merged, moved, named } from './phases.ts';
import * as state from './state.ts';
import type { Asked } from './fragment.ts';
import type { ViewState } from './view.ts';
import type { GroupSummary } from './tracefold.d.ts';

export type Traced = Awaited<ReturnType<typeof mountTraced>>;

/** Mounts all of it, once the painter is there. */
export async function mountTraced(store: state.Store) {
  await init({ module_or_path: await parts.painterModule() });
  const app: App = { store, engine: new Engine(parts), reopen: null, choose: null, dropped: null, turn: null };

  const refold = (next: state.State): void => void fold(app, next);
  const look = (change: Partial<ViewState>, step?: 'push' | 'replace'): void => store.set(state.viewChanged(store.get(), change), step);
  const chooseSetting = (key: string, value: string | null): void => refold(state.settingChosen(store.get(), key, value));
  const resetSettings = (keys: string[]): void => refold(keys.reduce((next, key) => state.settingChosen(next, key, null), store.get()));
  /** What a person does to the phases of the group that is shown. */
  const editPhases = (change: (settings: Record<string, string>, group: GroupSummary) => Record<string, string>): void => {
    const now = store.get();
    const shown = state.shownOf(now);
    if (shown && state.traceOf(now)) refold({ ...now, settings: change(now.settings, shown.group) });
  };
  const divide = (at: number[]): void => editPhases((settings, group) => dividedAt(settings, group, at));
  const say = (remark: string): void => store.set({ ...store.get(), remark });

  const save: Record<Format, () => unknown> = {
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
  const pick = (picked: string | null): void => look({ picked });
  const showAlone = (object: string | null): void => look({ object }, 'push');
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
  let painted: Painted | null = null;
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
    plot: () => painted?.layouts.source?.plot,
    show: (pane) => look({ pane }, 'push'),
    offered: (offered, remark) => store.set({ ...store.get(), offered, remark }),
    placed: (of, words) => store.set({ ...store.get(), places: { of, words } }),
  });
  // On the frame after the lanes: both at once would keep the page busy for too long.
  const updatePanel = oncePerFrame(() => [...panel, source.update].forEach((update) => update(store.get())));

  askFor(store, requestsOf(app));
  freeReplaced(store);

  return {
    update(now: state.State) {
      for (const update of controls) update(now);
      painted = lanes(now);
      // After the lanes, as it is of what was painted.
      legend(now, painted);
      memory(now, painted);
      updatePanel();
    },
    offerSources: source.offer,
    prepare: () => void app.engine.prepare().catch(() => {}),
    openFiles: ({ files, names }: Dropped) => openFiles(app, { files, names }),
    async openExample(names: string[]) {
      const files = await parts.filesInside(names);
      if (files) await openFiles(app, { files, names });
      else await openAddresses(app, [names[0]]);
    },
    follow: (asked: Asked) => follow(app, asked),
    cancel: () => cancel(app),
    listInstances: () => void listInstances(app),
    readAgain: () => void app.reopen?.(state.chosenPart(store.get())),
    chooseTrace: (name: string) => void app.choose?.(name),
    resetSettings: () => resetSettings(Object.keys(store.get().settings)),
  };
}
