// The profile of a trace or of files: loaded when one is first looked at. What is shown is the module's,
// what is looked at is one text of the view; here is who asks whom for what.

import { cellOf } from '../controls/ratios.ts';
import { button, isTyping, make, watcher } from '../dom.ts';
import { gutters } from '../lanes/sizes.ts';
import { Surface } from '../lanes/surface.ts';
import * as state from '../state.ts';
import { tabOf, type State } from '../state.ts';
import { paintedTheme } from '../theme.ts';
import { ProfilePicture, type CostlyLine, type PickedNode, type ProfileSummary, type ProfileView, type UserEventLines } from '../wasm/profiler.js';
import { howOf, lookedIn, textOf, type AxisAsked, type Looked } from './looked.ts';
import { besideOf } from './beside.ts';
import { buildPage, choices, type Page } from './page.ts';
import { mountPanel } from './panel.ts';
import { Profiler, prepare } from './profiler.ts';
import { mountTree } from './tree.ts';
import type { Actions } from '../actions/actions.ts';
import type { App, Dropped } from '../actions/open.ts';
import type { NoticeLine, TraceChoice } from '../wasm/engine.js';

/** Height of the bars of threads and of the points. */
const BARS = 116;
const POINTS = 210;

/** Of the points. */
const AXES = ['x', 'y', 'colour', 'size'];

/** The profile that a worker has, and what it is of. */
interface Subject { of: unknown, profiler: Profiler, notices: NoticeLine[] }

let subject: Subject | null = null;

export { prepare };

/** Lays a profile beside the one that is open, or asks which. */
let laysBeside: (dropped: Dropped | null) => void = () => {};

/** Lays files beside the profile that is open; asks which without any. */
export const compareProfile = (dropped: Dropped | null) => laysBeside(dropped);

/** Reads a profile that was dropped or named by an address, with a worker of its own; gives those to choose from
 * where there are several. */
export async function openProfile(app: App, source: Extract<state.From, { trace: object }>['source'], turn: AbortController, onProgress: (progress: any) => void, choice: string | undefined, looked: string | null): Promise<{ choices: TraceChoice[] } | { profiles: true }> {
  const dropped = app.coming;
  if (!dropped) throw { message: 'no files were given' };
  const profiler = await Profiler.start();
  turn.signal.addEventListener('abort', () => profiler.end());
  try {
    const begun = await profiler.call('open', { names: dropped.names, files: dropped.files, choice }, { onProgress });
    if (begun.notices === null) {
      profiler.end();
      return { choices: begun.choices };
    }
    const [{ name, size }] = begun.choices;
    const of = { source, name, sizeBytes: size, notices: begun.notices };
    if (app.turn !== turn) return { profiles: true };
    app.engine.cancel();
    app.turn = null;
    subject?.profiler.end();
    subject = { of, profiler, notices: begun.notices };
    app.store.set(state.profileOpened(app.store.get(), of, looked), 'push');
    return { profiles: true };
  } catch (failure) {
    profiler.end();
    throw failure;
  }
}

export function mountProfile(app: App, actions: Actions): (state: State) => void {
  const page = buildPage();
  const { store } = app;
  const look = (change: Partial<Looked>, step: 'push' | 'replace' = 'push') => {
    // A node that is picked is that of both, too.
    const of = 'node' in change ? { pair: null } : {};
    actions.look({ profile: textOf({ ...lookedIn(store.get().view.profile), ...of, ...change }) }, step);
  };
  const again = () => actions.tell({});

  let picture: ProfilePicture | null = null;
  let summary: ProfileSummary | null = null;
  let words = '';
  let costly: CostlyLine[] = [];
  /** By what was asked for, the key that was asked with last. */
  const asked = new Map<string, unknown[]>();

  /** Asks once as long as the key holds; what is overtaken is dropped. */
  const need = (what: string, key: unknown[], ask: () => Promise<any>, arrived: (answer: any) => void): void => {
    const before = asked.get(what);
    if (before && before.length === key.length && before.every((part, i) => part === key[i])) return;
    asked.set(what, key);
    const holds = () => asked.get(what) === key;
    ask().then((answer) => {
      if (!holds()) return;
      arrived(answer);
      done.set(what, key);
      again();
    }, (failure) => {
      if (!holds() || failure.stale) return;
      words = failure.message;
      again();
    });
  };
  const done = new Map<string, unknown[]>();
  /** Whether all that was asked for of these is there. */
  const isTold = (whats: string[]) => whats.every((what) => done.has(what) && done.get(what) === asked.get(what));

  const { update: updateTree, step: stepTree } = mountTree(page, {
    look,
    turn: (node) => {
      const { turned } = lookedIn(store.get().view.profile);
      look({ turned: turned.includes(node) ? turned.filter((other) => other !== node) : [...turned, node] }, 'replace');
    },
  });
  const both = besideOf(app, actions, look, again);
  page.quality.after(both.root);
  laysBeside = (dropped) => (dropped ? both.lay(dropped) : both.choose());
  const updatePanel = mountPanel(page, { look, save: (format) => void save(format), compare: both.choose, folder });
  const surfaces = { icicle: new Surface(page.icicle), threads: new Surface(page.threads), points: new Surface(page.points), heat: new Surface(page.heat), intervals: new Surface(page.intervals) };
  const painted = { icicle: watcher(), threads: watcher(), points: watcher(), heat: watcher(), intervals: watcher() };
  const intervalsTold = watcher();
  const nodeShown = watcher();
  let picked: PickedNode | null = null;
  const worded = watcher();
  const costsShown = watcher();
  let views: Partial<Record<keyof typeof surfaces, ProfileView>> = {};

  page.search.addEventListener('input', () => look({ search: page.search.value }, 'replace'));
  page.kind.addEventListener('change', () => look({ kind: page.kind.value }));
  page.heatMap.querySelector('summary')?.addEventListener('click', (event) => {
    event.preventDefault();
    look({ heat: !page.heatMap.open });
  });
  page.costs.querySelector('summary')?.addEventListener('click', (event) => {
    event.preventDefault();
    look({ costs: !page.costs.open });
  });
  page.events.querySelector('summary')?.addEventListener('click', (event) => {
    event.preventDefault();
    look({ events: !page.events.open });
  });
  page.cost.addEventListener('change', () => look({ cost: Math.round(Number(page.cost.value)) || null }));
  // Told by the browser, not asked for: an answer would lay out anew what was just changed.
  let [width, beside] = [0, 0];
  new ResizeObserver(([{ contentRect }]) => {
    width = contentRect.width;
    again();
  }).observe(page.root);
  new ResizeObserver(([{ contentRect }]) => {
    beside = contentRect.width;
    again();
  }).observe(page.scatter);
  mountPointers();

  return (now) => {
    page.root.hidden = tabOf(now) !== 'profile';
    page.panel.hidden = page.root.hidden || !now.panel || !picture;
    if (page.root.hidden) return;
    const looked = lookedIn(now.view.profile);
    prepare(now, looked);
    const isThere = picture !== null && summary !== null;
    page.told.hidden = !isThere;
    page.facts.hidden = !isThere;
    page.sentence.hidden = !isThere;
    page.words.textContent = words || (isThere ? '' : 'Making the profile…');
    if (picture && summary) show(now, looked, picture, summary);
  };

  /** Asks for what is missing. */
  function prepare(now: State, looked: Looked) {
    const trace = state.traceOf(now);
    const of = now.profile ?? (trace && now.now.open?.from.source);
    if (!of) return;
    if (!now.profile) {
      const how = howOf(looked);
      // Whoever folds goes first: the engine does one thing at a time.
      const rests = now.now.is === 'ready' || now.now.is === 'failed';
      if (!rests && subject?.of !== of) return;
      need('subject', [of, looked.whole, looked.unwind, looked.sites], async () => {
        const profiler = await Profiler.start();
        const bytes = await app.engine.call('profile', { how });
        await profiler.call('take', { bytes });
        return { of, profiler, notices: [] };
      }, (made: Subject) => {
        subject?.profiler.end();
        subject = made;
        words = '';
      });
    }
    if (!subject || subject.of !== of) {
      forget();
      return;
    }
    const { profiler } = subject;
    const { measure, thread } = looked;
    need('overview', [profiler, measure, thread], () => profiler.call('overview', { asked: { measure, thread } }), (bytes) => {
      forget();
      picture = new ProfilePicture(bytes);
      summary = picture.summary();
      words = '';
    });
    if (!picture || !summary) return;
    const node = looked.node ?? summary.named ?? 0;
    both.prepare(need, of, profiler, { ...looked, node }, now.view.besideAddresses);
    const { exclusive } = looked;
    const over = (node: number, measure: string) => profiler.call('overThreads', { asked: { node, measure, exclusive } });
    need('values', [picture, node, exclusive], () => over(node, measure), (values) => picture?.setValues(values));
    if (looked.costs) need('costs', [profiler, looked.cost], () => profiler.call('costly', { cost: looked.cost ?? undefined }), (lines) => (costly = lines));
    if (looked.events && summary.hasUserEvents) need('events', [profiler, thread], () => profiler.call('userEvents', { thread: thread ?? undefined }), (told) => showEvents(page, told));
    if (summary.threads.length < 2) return;
    const axes: ['x' | 'y' | 'colour' | 'size', AxisAsked | null][] = [['y', { node: null, measure }], ['x', looked.x ?? usual(summary, picture, measure, node)], ['colour', looked.colour], ['size', looked.size]];
    for (const [axis, of] of axes) {
      const at = of?.node ?? node;
      need(axis, [picture, at, of?.measure, exclusive], () => (of ? over(at, of.measure) : Promise.resolve(null)), (values) => {
        if (of) picture?.setAxis(axis, at, of.measure, values);
        else picture?.clearAxis(axis === 'colour');
      });
    }
  }

  function forget() {
    picture?.free();
    picture = null;
    summary = null;
  }

  function show(now: State, looked: Looked, picture: ProfilePicture, summary: ProfileSummary) {
    const node = looked.node ?? summary.named ?? null;
    const dpr = devicePixelRatio;
    page.over.hidden = summary.threads.length < 2;
    page.heatMap.hidden = picture.contexts() === 0;
    page.heatMap.open = looked.heat;
    page.overTime.hidden = summary.intervals === 0;
    page.events.hidden = !summary.hasUserEvents;
    page.events.open = looked.events;
    const common = { theme: paintedTheme(now.view.theme), exclusive: looked.exclusive, root: looked.root, picked: node, order: looked.order, thread: looked.thread, ...gutters(innerWidth) };
    // Before the tables are changed: the face of a letter on a canvas is that of the page, which would be
    // laid out anew for it.
    const { theme, root, order, thread, exclusive } = common;
    // Each picture is painted anew for what it depends on alone.
    if (painted.icicle(picture, theme, root, node, width, dpr)) paint('icicle', common, width, picture.height('icicle', { ...common, width, height: 1 } as ProfileView));
    if (!page.over.hidden && isTold(['values']) && painted.threads(picture, theme, node, order, thread, exclusive, width, dpr, done.get('values'))) paint('threads', common, width, BARS);
    if (!page.scatter.hidden && isTold(AXES) && painted.points(picture, theme, thread, beside, dpr, ...AXES.map((axis) => done.get(axis)))) {
      page.against.replaceChildren('Against', make('small', { 'data-testid': 'profile-r' }, picture.pointsWords()));
      paint('points', { ...common, left: 46, right: 10 }, beside, POINTS);
    }
    if (looked.heat && !page.heatMap.hidden && painted.heat(picture, theme, width, dpr)) paint('heat', common, width, picture.height('heat', { ...common, width, height: 1 } as ProfileView));
    if (summary.intervals > 0 && painted.intervals(picture, theme, node, width, dpr)) paint('intervals', common, width, BARS);
    if (summary.intervals > 0 && intervalsTold(picture)) showIntervals(page, picture);
    if (worded(summary, looked.exclusive, looked.order, looked.root, looked.kind, picture)) showWords(summary, looked, picture);
    if (document.activeElement !== page.search) page.search.value = looked.search;
    page.costs.open = looked.costs;
    if (document.activeElement !== page.cost) page.cost.value = String(looked.cost ?? '');
    if (looked.costs && costsShown(costly, done.get('costs'))) showCosts(page, costly, () => void save('select'));
    updateTree(picture, summary, looked, node);
    both.show(looked);
    if (nodeShown(picture, node)) picked = node === null ? null : (picture.picked(node) ?? null);
    updatePanel({ summary, looked, node, picked, notices: subject?.notices ?? [], isOfTrace: now.profile === null });
    page.threadsHint.textContent = `${looked.exclusive ? 'exclusive' : 'inclusive'} ${summary.measure.toLowerCase()} of ${picked?.name ?? ''}`;
  }

  function paint(what: keyof typeof surfaces, common: object, width: number, height: number) {
    if (!picture || width <= 0) return;
    const view = { ...common, width, height } as ProfileView;
    views = { ...views, [what]: view };
    const density = surfaces[what].fit(width, height);
    const layout = picture.paint(what, surfaces[what].canvas, view, density);
    surfaces[what].canvas.dataset.layout = JSON.stringify(layout);
  }

  function showWords({ name, facts, sentence: [before, named, after], named: node, quality, kinds }: ProfileSummary, looked: Looked, picture: ProfilePicture) {
    page.facts.replaceChildren(make('h1', { title: name }, name), ...facts.map(([value, rest]) => make('span', {}, make('b', {}, value), ...(rest ? [` ${rest}`] : []))));
    page.sentence.replaceChildren(`${before} `, ...(node !== null ? [button({ class: 'link' }, named, () => look({ node, root: null })), ` ${after}`] : []));
    page.quality.replaceChildren(...quality.map(({ name, value, limits, words }) => make('div', { class: limits ? 'limits' : '', title: words }, make('dt', {}, name), make('dd', {}, value))));
    choices(page.share, [['', 'inclusive'], ['1', 'exclusive']], looked.exclusive ? '1' : '', (value) => look({ exclusive: value === '1' }));
    choices(page.order, [['thread', 'thread'], ['value', 'value'], ['histogram', 'histogram']], looked.order, (order) => look({ order: order as Looked['order'] }));
    page.kind.replaceChildren(make('option', { value: '' }, 'all'), ...kinds.map(([key, words]) => make('option', { value: key }, words)));
    page.kind.value = looked.kind;
    page.zoomed.hidden = looked.root === null;
    if (looked.root !== null) page.zoomed.replaceChildren(`only ${picture.told(looked.root).split(': ')[0]} `, button({ class: 'link', 'data-testid': 'profile-fit' }, 'all', () => look({ root: null })));
  }

  /** What a pointer tells, picks and zooms to. */
  function mountPointers() {
    const at = (event: MouseEvent) => {
      const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
      return [event.clientX - left, event.clientY - top] as const;
    };
    const tell = (event: MouseEvent, text: string) => {
      page.tip.hidden = text === '';
      page.tip.textContent = text;
      if (text === '') return;
      const { left, top, width } = page.root.getBoundingClientRect();
      const isInPanel = page.panel.contains(event.target as Node);
      page.tip.style.left = `${isInPanel ? width - page.tip.offsetWidth - 8 : Math.min(event.clientX - left + 12, width - page.tip.offsetWidth - 8)}px`;
      page.tip.style.top = `${event.clientY - top + 14}px`;
    };
    const tells = (canvas: HTMLCanvasElement, text: (x: number, y: number) => string) => {
      canvas.addEventListener('pointermove', (event) => picture && tell(event, text(...at(event))));
      canvas.addEventListener('pointerleave', () => (page.tip.hidden = true));
    };
    const nodeAt = (x: number, y: number) => (views.icicle ? picture?.nodeAt(views.icicle, x, y) : undefined);
    tells(page.icicle, (x, y) => {
      const node = nodeAt(x, y);
      return node === undefined ? '' : (picture?.told(node) ?? '');
    });
    page.icicle.addEventListener('click', (event) => {
      const node = nodeAt(...at(event));
      if (node !== undefined) look({ node });
    });
    page.icicle.addEventListener('dblclick', (event) => {
      const node = nodeAt(...at(event));
      if (node !== undefined) look({ root: lookedIn(store.get().view.profile).root === node ? null : node });
    });
    page.icicle.addEventListener('keydown', (event) => {
      const { root, node } = lookedIn(store.get().view.profile);
      if (event.key === 'Enter') look({ root: root === null ? (node ?? summary?.named ?? null) : null });
    });
    addEventListener('keydown', (event) => {
      if (page.root.hidden || !picture || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const { root, node } = lookedIn(store.get().view.profile);
      const picked = node ?? summary?.named ?? null;
      const keys: Record<string, () => void> = {
        BracketLeft: () => stepTree(-1), BracketRight: () => stepTree(1),
        Digit0: () => root !== null && look({ root: null }), KeyW: () => picked !== null && picked !== root && look({ root: picked }),
        KeyS: () => root !== null && look({ root: picture?.above(root) ?? null }),
      };
      if (Object.hasOwn(keys, event.code)) keys[event.code]();
    });
    tells(page.threads, (x) => (views.threads ? (picture?.threadsTold(views.threads, x) ?? '') : ''));
    page.threads.addEventListener('click', (event) => {
      const thread = views.threads && picture?.threadAt(views.threads, at(event)[0]);
      if (thread !== undefined) look({ thread: lookedIn(store.get().view.profile).thread === thread ? null : thread });
    });
    tells(page.points, (x, y) => {
      const thread = views.points && picture?.nearestThread(views.points, x, y);
      return thread === undefined ? '' : (picture?.pointTold(thread) ?? '');
    });
    const interval = (x: number, y: number) => (views.intervals ? picture?.intervalNode(views.intervals, x, y) : undefined);
    tells(page.intervals, (x, y) => (views.intervals ? (picture?.intervalTold(views.intervals, x, y) ?? '') : ''));
    page.intervals.addEventListener('click', (event) => {
      const node = interval(...at(event));
      if (node !== undefined) look({ node });
    });
    tells(page.heat, (x, y) => (views.heat ? (picture?.heatTold(views.heat, x, y) ?? '') : ''));
    page.heat.addEventListener('click', (event) => {
      const node = views.heat && picture?.heatNode(views.heat, ...at(event));
      if (node !== undefined) look({ node });
    });
  }

  function folder(name: string) {
    const now = store.get();
    const line = now.profile ? null : state.traceOf(now)?.regions.lines.find(({ region, title }) => title === name || region.split(':').slice(1).join(':') === name);
    return line ? () => actions.foldRegion(line.region) : null;
  }

  async function save(format: string) {
    if (!subject) return;
    const asked = lookedIn(store.get().view.profile);
    try {
      const files = await subject.profiler.call('files', { format, measure: asked.measure, cost: asked.cost ?? undefined });
      const { saveProfile } = await import('../actions/save.ts');
      saveProfile(files, summary?.name || 'profile', format);
    } catch (failure: any) {
      actions.tell({ remark: failure.message });
    }
  }
}

/** The probes that are not worth their cost, and a file that leaves them out. */
function showCosts({ costly }: Page, lines: CostlyLine[], save: () => void) {
  if (lines.length === 0) return costly.replaceChildren(make('p', { class: 'hint' }, 'None: no probe is called so often, in so little time.'));
  const hasCost = lines.some(({ cost }) => cost !== '');
  const head = make('thead', {}, make('tr', {}, ...['probe', 'calls', 'a call takes', ...(hasCost ? ['of its thread'] : [])].map((words) => make('th', { scope: 'col' }, words))));
  const rows = lines.map(({ name, calls, perCall, cost, throttled }) => make('tr', {}, make('th', { scope: 'row', title: name }, name, ...(throttled ? [make('small', {}, ' throttled')] : [])), make('td', {}, calls), make('td', {}, perCall), ...(hasCost ? [make('td', {}, cost)] : [])));
  costly.replaceChildren(make('table', { class: 'costly' }, head, make('tbody', {}, ...rows)), make('p', {}, button({ class: 'link', 'data-testid': 'profile-save-select' }, 'Save a file for TAU that leaves them out', save)));
}

/** What each interval is made of, in numbers. */
function showIntervals({ intervalsTable }: Page, picture: ProfilePicture) {
  const { words, heads, rows } = picture.overTime();
  const head = make('thead', {}, make('tr', {}, ...['interval', 'until', ...heads].map((words) => make('th', { scope: 'col' }, words))));
  const body = rows.map(([span, until, numbers]) => make('tr', {}, make('th', { scope: 'row' }, span), make('td', {}, until), ...numbers.map((number) => make('td', {}, number))));
  intervalsTable.replaceChildren(make('p', { class: 'hint' }, words), make('table', { class: 'costly' }, head, make('tbody', {}, ...body)));
}

/** What the program told of values of its own. */
function showEvents({ eventRows }: Page, { lines, more }: UserEventLines) {
  const head = make('thead', {}, make('tr', {}, ...['value', 'times', 'mean', 'least', 'largest', 'deviation', 'sum', 'on'].map((words) => make('th', { scope: 'col' }, words))));
  const rows = lines.map(({ name, context, figures, words }) => make('tr', {}, make('th', { scope: 'row', title: context ? `${name}, in ${context}` : name }, name, ...(context ? [make('small', {}, ` ${context}`)] : [])), ...figures.map((figure) => cellOf(figure, {})), make('td', {}, words)));
  eventRows.replaceChildren(make('table', { class: 'costly' }, head, make('tbody', {}, ...rows)), ...(more > 0 ? [make('p', { class: 'hint' }, `${more} more: the CSV has all.`)] : []));
}

/** Against what a measure stands at first: the next metric of the same context, or else the same of another. */
function usual({ metrics }: ProfileSummary, picture: ProfilePicture, measure: string, node: number): AxisAsked {
  const other = metrics.find(([metric]) => metric !== (measure || metrics[0]?.[0]));
  if (other) return { node: null, measure: other[0] };
  return { node: picture.against(node) ?? node, measure };
}
