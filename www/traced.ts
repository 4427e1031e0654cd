// Connects what works on a trace: the engine, the lanes, the tables and the settings. Nothing is
// decided here.

import init from './wasm/painter.js';
import { actionsOf } from './actions/actions.ts';
import { askFor } from './actions/ask.ts';
import { follow, freeReplaced } from './actions/fold.ts';
import { cancel, openAddresses, openFiles, type App, type Dropped } from './actions/open.ts';
import { requestsOf } from './actions/requests.ts';
import { mountActivity } from './controls/activity.ts';
import { mountCode } from './controls/code.ts';
import { mountCompare } from './controls/compare.ts';
import { mountCourseFrame } from './controls/course.ts';
import { mountDoubts } from './controls/doubts.ts';
import { mountExports } from './controls/exports.ts';
import { mountFind } from './controls/find.ts';
import { mountGauge } from './controls/gauge.ts';
import { listInstances } from './controls/instances.ts';
import { mountLegend } from './controls/legend.ts';
import { mountModels } from './controls/models.ts';
import { mountNotices } from './controls/notices.ts';
import { mountPanel } from './controls/panel.ts';
import { mountPhases } from './controls/phases.ts';
import { mountPicked } from './controls/picked.ts';
import { mountRegion } from './controls/region.ts';
import { mountRegions } from './controls/regions.ts';
import { mountSettings } from './controls/settings.ts';
import { mountShare } from './controls/share.ts';
import { mountSkips } from './controls/skips.ts';
import { mountSource } from './controls/source.ts';
import { mountStacks } from './controls/stacks.ts';
import { mountTable } from './controls/table.ts';
import { mountTabs } from './controls/tabs.ts';
import { Engine } from './engine/engine.ts';
import * as parts from './engine/parts.ts';
import { byId } from './dom.ts';
import { keepFocus } from './focus.ts';
import { oncePerFrame } from './frame.ts';
import { mountLanes, type Painted } from './lanes/lanes.ts';
import * as state from './state.ts';
import { Offered } from './source/offered.ts';
import { linkHeadings } from './terms.ts';
import type { Asked } from './fragment.ts';

export type Traced = Awaited<ReturnType<typeof mountTraced>>;

/** Mounts all of it, once the painter is there. */
export async function mountTraced(store: state.Store) {
  const first = await init({ module_or_path: await parts.painterModule() });
  let glance = (_: state.State): void => {};
  let picker = (_: state.State, _painted: Painted): void => {};
  let certainty = (_: state.State): void => {};
  let course = (_: state.State): void => {};
  let range = ({ view }: state.State, _painted: Painted): void => {
    if (view.selection) prepare('range').then(() => actions.tell({}), () => {});
  };
  let profile = (now: state.State): void => load('profile', state.tabOf(now) === 'profile');
  let growing = (now: state.State): void => load('growing', state.traceOf(now)?.grows === true);
  let memory = (_: state.State, _painted: Painted): void => {};
  let objects: state.Update = (_, shown) => {
    // Its tab is there before what fills it: no other tab moves when that comes.
    byId('objects').hidden = !shown?.group.hasAddress;
    load('data', shown?.group.hasAddress === true);
  };
  /** What is loaded or was tried; what failed is tried again once it was not wanted for a while. */
  const tried = new Set<string>();
  const load = (part: string, isWanted: boolean) => {
    if (!isWanted) tried.delete(part);
    if (!isWanted || tried.has(part)) return;
    tried.add(part);
    prepare(part).then(() => actions.tell({}), ({ message }) => actions.tell({ remark: message }));
  };
  const add = (module: WebAssembly.Module) => WebAssembly.instantiate(module, { first: first as unknown as WebAssembly.ModuleImports });
  const once = onceEach(async (part) => {
    if (part === 'data') {
      const [module, table, legend] = await Promise.all([parts.laterPainter(part), import('./controls/objects.ts'), import('./controls/memory.ts')]);
      await add(module);
      [objects, memory] = [table.mountObjects(actions), legend.mountMemory(actions)];
      return actions.tell({ paintsMemory: true });
    }
    if (part === 'growing') {
      growing = (await import('./controls/growing.ts')).mountGrowing(app, actions);
      return;
    }
    if (part === 'profile') {
      profile = (await import('./profile/profile.ts')).mountProfile(app, actions);
      return;
    }
    const [module, run, counters, sure, over, between] = await Promise.all([
      parts.laterPainter(part),
      part === 'run' ? import('./run/glance.ts') : null,
      part === 'counters' ? import('./counters/picker.ts') : null,
      part === 'counters' ? import('./counters/certainty.ts') : null,
      part === 'course' ? import('./course/course.ts') : null,
      part === 'range' ? import('./lanes/range.ts') : null,
    ]);
    await add(module);
    if (run) glance = run.mountGlance(app, actions);
    if (counters) picker = counters.mountPicker(actions);
    if (over) course = over.mountCourse(actions);
    if (between) range = between.mountRange(actions);
    if (sure) certainty = sure.mountCertainty(actions);
  });
  /** What is exported may have an address lane. */
  const hasAddress = () => state.shownOf(store.get())?.summary.groups.some(({ hasAddress }) => hasAddress) === true;
  const prepare = (part: string): Promise<unknown> => (part === 'export' && hasAddress() ? Promise.all([once(part), once('data')]) : once(part));
  const app: App = { store, engine: new Engine(parts), prepare, offered: new Offered(), reopen: null, choose: null, dropped: null, inputs: null, coming: null, linkToBoth: () => null, folds: 0, turn: null };

  linkHeadings();
  const actions = actionsOf(app);
  const lanes = mountLanes(actions);
  const legend = mountLegend(actions);
  const courseFrame = mountCourseFrame(actions);
  const [activity, gauge] = [mountActivity(), mountGauge(actions)];
  const controls = [mountSkips, mountFind, mountTabs, mountRegion, mountPicked, mountDoubts, mountStacks, mountShare, mountCompare].map((mount) => mount(actions));
  controls.push(mountTable(actions, prepare));
  const panel = [mountRegions, mountPhases, (): state.Update => (...now) => objects(...now), mountCode, mountModels, mountSettings, mountNotices, mountExports, mountPanel].map((mount) => mount(actions));
  const source = mountSource(actions, app.offered, lanes.plotOf, prepare);
  // On the frame after the lanes: both at once would keep the page busy for too long.
  const findFocus = keepFocus(byId('column'));
  const updatePanel = oncePerFrame(() => {
    updateAll([...panel, source.update], store.get());
    findFocus();
  });

  // Until it is there, or without it, Tab goes through every row.
  import('./roving.ts').then(({ roveAll }) => roveAll(), () => {});
  askFor(store, requestsOf(app));
  freeReplaced(store);

  return {
    update(now: state.State) {
      updateAll(controls, now);
      courseFrame(now);
      const painted = lanes.update(now);
      glance(now);
      profile(now);
      // After the lanes, as it is of what was painted.
      legend(now, painted);
      picker(now, painted);
      certainty(now);
      course(now);
      growing(now);
      memory(now, painted);
      range(now, painted);
      activity(now);
      gauge(now);
      updatePanel();
    },
    offerSources: source.offer,
    prepare: () => void app.engine.prepare().catch(() => {}),
    openFiles(dropped: Dropped) {
      if (!dropped.isBeside) return actions.open(dropped);
      const tab = dropped.files.length > 0 ? state.tabOf(store.get()) : 'region';
      if (tab === 'profile') return actions.compareProfile(dropped);
      return tab === 'efficiency' ? actions.addRuns(dropped) : actions.compare(dropped);
    },
    async openExample(names: string[]) {
      const files = await parts.filesInside(names);
      if (files) await openFiles(app, { files, names });
      else await openAddresses(app, [names[0]]);
    },
    follow: (asked: Asked) => follow(app, asked),
    cancel: () => cancel(app),
    listInstances: () => void listInstances(app),
    courseOf: (course: string | null) => actions.look({ course }, 'push'),
    readAgain: () => void app.reopen?.(state.chosenPart(store.get())),
    chooseTrace: (choice: string | null) => void app.choose?.(choice),
    resetSettings: () => actions.resetSettings(Object.keys(store.get().settings)),
  };
}

/** Does what is asked for once for each name; what failed is tried again. */
function onceEach(act: (name: string) => Promise<unknown>) {
  const done = new Map<string, Promise<unknown>>();
  return (name: string): Promise<unknown> => {
    const doing = done.get(name) ?? act(name);
    done.set(name, doing);
    doing.catch(() => done.delete(name));
    return doing;
  };
}

function updateAll(updates: state.Update[], now: state.State) {
  const [shown, trace] = [state.shownOf(now), state.traceOf(now)];
  for (const update of updates) update(now, shown, trace);
}
