// Another run beside what is open: chosen, decided, painted and told. Loaded when it is first asked for.

import { ComparedPicture, type ComparedObject, type ComparedSummary, type ComparedView, type Picture, type Summary } from '../wasm/painter.js';
import { giveConsent, nameAt } from '../actions/addresses.ts';
import { button, isTyping, make, watcher } from '../dom.ts';
import { counted } from '../format.ts';
import { oncePerFrame } from '../frame.ts';
import { gutters } from '../lanes/sizes.ts';
import { factsOf } from '../run/words.ts';
import * as state from '../state.ts';
import { term } from '../terms.ts';
import { paintedTheme } from '../theme.ts';
import { alone, type ViewState } from '../view.ts';
import { chooserOf } from './chooser.ts';
import { HEIGHTS, NAMES, pageOf, type Lane } from './page.ts';
import { bothOf, furtherOf, giveUp, wholesOf, type Both, type With } from './second.ts';
import { linkedRuns, linkToBoth } from './link.ts';
import { seriesOf } from './series.ts';
import { STYLE } from './style.ts';
import { windowName } from './window.ts';
import type { Sources, Texts } from './sources.ts';
import { countersOf, headOf, linesOf, objectsOf, rowOf } from './tables.ts';
import type { Actions } from '../actions/actions.ts';
import type { App, Dropped } from '../actions/open.ts';
import type { Offer } from '../source/offered.ts';

/** What is compared at this moment. */
interface Comparing {
  what: With;
  name: string;
  /** What it was begun with: of another trace it ends, of another picture of the same B is folded again. */
  source: state.Source;
  of: Picture;
  group: number;
  both: Both | null;
  picture: ComparedPicture | null;
  summary: ComparedSummary | null;
  /** While it is read: how far it is. */
  words: string;
  failure: Failure | null;
  /** Further runs, and what is said of the last one that was added. */
  more: Further[];
  added: string;
  /** What runs are as a whole, each with its side, once that was asked, and what is said meanwhile. */
  whole: { side: number, told: Uint8Array }[];
  looking: string;
  /** Whether a side references data objects, and what both do. */
  hasObjects: boolean;
  objects: ComparedObject[];
  /** By file, as far as the text of both sides is known. */
  texts: Map<string, Texts>;
  /** Why phases are not taken as a person named them. */
  wrongPairs: string;
}

/** A run beside the first of its side: A is 0, as it was opened. */
export interface Further {
  side: number;
  name: string;
  /** `null` if it came in a link. */
  dropped: Dropped | null;
  picture: Picture;
}

/** Why there is nothing to see, and what can be done: addresses to load, regions that both have. */
interface Failure {
  message: string;
  asks?: string[];
  regions?: string[];
}

/** Lanes that share what a high window has left. */
const GROWING: Lane[] = ['rate', 'difference', 'counter'];

/** Below this width the page scrolls; and what is left free under the lanes. */
const NARROW = 900;
const MARGIN = 12;

let mounted: ReturnType<typeof mount> | null = null;

/** Lays dropped files beside what is open, or what the address says; without either it asks what. */
export function begin(app: App, actions: Actions, beside: Dropped | 'address' | null) {
  mounted ??= mount(app, actions);
  if (beside === 'address') mounted.update();
  else if (beside) mounted.drop(beside);
  else mounted.choose();
}

/** What the address says that lies beside what is open. */
function wantedOf({ besideAddresses, besideLink, besideRuns, besideGroup, besideObjects, besideWindow }: ViewState): With | null {
  if (besideLink !== null) return { kind: 'link', text: besideLink, runs: besideRuns };
  if (besideGroup !== null) return { kind: 'group', group: besideGroup };
  if (besideObjects !== null) return { kind: 'objects', objects: besideObjects };
  if (besideWindow !== null) return { kind: 'window', window: besideWindow };
  return besideAddresses.length > 0 ? { kind: 'addresses', addresses: besideAddresses } : null;
}

/** Parts of one run differ by what the run itself tells. */
const isPart = ({ what }: Comparing) => what.kind === 'group' || what.kind === 'objects' || what.kind === 'window';

const sameWhat = (a: With, b: With) => a === b || (a.kind !== 'files' && JSON.stringify(a) === JSON.stringify(b));

function mount(app: App, actions: Actions) {
  const { store } = app;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  let comparing: Comparing | null = null;
  const page = pageOf({ look: actions.look, pick, swap, pair: (a, b) => void pair(a, b), save: (format) => void save(format), choose, close, whole: () => void askWhole(), add: (side, dropped) => void add(store.get().view.swap === 'yes' ? 1 - side : side, dropped), picture: () => comparing?.picture ?? null, range: () => store.get().view.range });
  /** Whether the runs are compared as a whole: again, where they are folded again. */
  let isWhole = false;
  /** What shows the source of both sides, once that was asked. */
  let sources: Sources | null = null;
  let loading: Promise<Sources> | null = null;
  let hasBoth = false;
  /** Whether a person has just asked for it: the keys go on there. */
  let isWanted = false;
  const series = seriesOf(app, actions, () => document.getElementById('column')?.focus());
  const chooser = chooserOf((what) => void begun(what));
  (document.getElementById('main') as HTMLElement).append(page.root);
  document.body.append(chooser.dialog);
  page.panel.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-line], [data-place]')) isWanted = true;
  }, { capture: true });
  const changed = watcher();
  const painted = watcher();
  const decided = watcher();
  const wished = watcher();
  const repaint = oncePerFrame(update);
  store.subscribe(repaint);
  new ResizeObserver(repaint).observe(page.root);
  addEventListener('keydown', onKey, true);

  app.linkToBoth = (onProgress) => {
    if (series.isOpen()) return Promise.reject({ message: 'A link holds two sides, no series. Save it as SVG, CSV or JSON.' });
    if (!comparing?.both || !comparing.summary) return null;
    return linkToBoth(app, comparing.what, comparing.both, comparing.more, onProgress);
  };
  return { choose, drop, update };

  /** What was dropped beside what is open: another run, or source of the one that is there. */
  function drop(dropped: Dropped) {
    const sources = dropped.sources ?? [];
    if (dropped.files.length > 0) return void compareFiles(dropped);
    if (!comparing) return actions.tell({ remark: `${counted(sources.length, 'source file')} of another run: compare with its trace first.` });
    offerBeside(sources);
    actions.tell({ remark: `${counted(sources.length, 'source file')} of ${letterOfBeside()} added.` });
  }

  function letterOfBeside() {
    return store.get().view.swap === 'yes' ? 'A' : 'B';
  }

  /** Keeps source of what lies beside what is open. */
  function offerBeside(offers: Offer[]) {
    if (offers.length > 0) loadSources().then((sources) => sources.offerBeside(offers), ({ message }) => actions.tell({ remark: `The source of both sides could not be loaded: ${message}` }));
  }

  /** Loads what reads texts of both sides, phases that are named and data objects. */
  function needBoth() {
    return app.prepare('both').then(() => (hasBoth = true));
  }

  /** What shows the source of both sides, with the parts of the painter that it takes. */
  function loadSources(): Promise<Sources> {
    loading ??= Promise.all([import('./sources.ts'), app.prepare('source'), needBoth()]).then(([{ sourcesOf }]) => {
      sources = sourcesOf({
        offered: () => app.offered,
        addresses: () => store.get().view.sources,
        offer: (offers) => app.offered.add(offers),
        open: (pane) => actions.look({ pane }, 'push'),
        take,
      });
      page.column.append(sources.root);
      return sources;
    });
    loading.catch(() => (loading = null));
    return loading;
  }

  /** Takes the text of both sides, in the order in which they were opened. */
  function take(file: string, texts: Texts): boolean {
    const own = comparing;
    if (!own?.picture) return false;
    const isOurs = own.picture.addSource(...inOrder(texts), texts.isOne);
    own.texts = new Map([...[...own.texts].filter(([of]) => of !== file), ...(isOurs ? [[file, texts] as const] : [])]);
    update();
    return isOurs;
  }

  /** A as it is shown before B. */
  function inOrder({ files: [first, second] }: Texts): Texts['files'] {
    return store.get().view.swap === 'yes' ? [second, first] : [first, second];
  }

  function showSources(own: Comparing, { pane, swap }: ViewState) {
    if (pane === null || !own.summary || !own.picture) {
      if (sources?.root.contains(document.activeElement)) page.sources.focus();
      return sources?.hide();
    }
    if (!sources) {
      loadSources().then(repaint, ({ message }) => actions.tell({ remark: `The source of both sides could not be loaded: ${message}` }));
      return;
    }
    const files = new Map(own.summary.lines.filter(({ file }) => file !== '').reverse().map(({ file, line }) => [file, line]));
    const isAsked = isWanted;
    isWanted = false;
    sources.show({ picture: own.picture, place: pane, files: [...files].reverse(), texts: own.texts.get(pane.slice(pane.indexOf(':') + 1)), isSwapped: swap === 'yes' }, isAsked);
  }

  /** Asks what is to be laid beside what is open. */
  function choose() {
    const shown = state.shownOf(store.get());
    chooser.offer(shown?.summary.groups.filter(({ number }) => number !== shown.group.number) ?? [], shown?.group.number ?? 0);
    chooser.dialog.showModal();
  }

  /** As it was chosen: what an address can say, the view says. */
  function begun(what: With) {
    if (what.kind === 'files') return compareFiles(what.dropped);
    actions.look({ ...alone, besideLink: what.kind === 'link' ? what.text : null, besideRuns: what.kind === 'link' ? what.runs : null, besideGroup: what.kind === 'group' ? what.group : null, besideObjects: what.kind === 'objects' ? what.objects : null, besideWindow: what.kind === 'window' ? what.window : null }, 'push');
  }

  /** What no address can say. */
  function compareFiles(dropped: Dropped) {
    if (wantedOf(store.get().view)) actions.look({ ...alone });
    return compare({ kind: 'files', dropped });
  }

  async function compare(what: With, again: Further[] = []) {
    const now = store.get();
    const shown = state.shownOf(now);
    if (!shown || shown.early !== null) return actions.tell({ remark: 'A comparison begins when what is open is folded.' });
    end();
    series.end();
    const own: Comparing = { what, name: nameOf(what), source: state.sourceOf(now), of: shown.picture, group: shown.group.number, both: null, picture: null, summary: null, words: shown.deciding ? 'Deciding what is open' : 'Reading', failure: null, more: [], added: '', whole: [], looking: '', hasObjects: false, objects: [], texts: new Map(), wrongPairs: '' };
    comparing = own;
    if (what.kind === 'files') offerBeside(what.dropped.sources ?? []);
    repaint();
    try {
      await actions.decided();
      const after = state.shownOf(store.get());
      if (comparing !== own || !after) return;
      [own.of, own.group] = [after.picture, after.group.number];
      const both = await bothOf(app, what, (words) => {
        own.words = words;
        repaint();
      });
      if (comparing !== own) return free(both);
      own.both = both;
      const references = ({ groups }: Summary) => groups.some(({ objects }) => objects.length > 0);
      own.hasObjects = references(after.summary) || references(both.b.summary());
      if (what.kind === 'link') own.name = both.b.summary().trace.name;
      if (what.kind === 'link' && what.runs) addLinked(own, what.runs);
      update();
      for (const { side, dropped } of again) if (dropped) await add(side, dropped);
      if (isWhole) await askWhole();
      announce(own.summary?.sentences[0]?.text ?? '');
    } catch (failure: any) {
      if (comparing !== own || failure.stale) return;
      // Several runs beside what is open are a series.
      if (failure.traces && what.kind === 'files') {
        end();
        return void series.begin(what.dropped, failure.traces);
      }
      // A profile is laid beside that of what is open.
      if (failure.profiles && what.kind === 'files') {
        end();
        return void actions.compareProfile(what.dropped);
      }
      own.failure = { asks: failure.asks, regions: failure.regions, message: failure.message ?? String(failure) };
      announce(`${own.name} could not be compared. ${own.failure.message}`);
    }
    repaint();
  }

  /** Compares what was folded, as the view asks for it. */
  function decide(own: Comparing, { a, b, groups }: Both, view: ViewState) {
    own.picture?.free();
    own.picture = null;
    const picture = new ComparedPicture();
    try {
      const at = (side: number) => (view.swap === 'yes' ? 1 - side : side);
      const runs = [{ side: 0, of: a, group: groups[0] }, { side: 1, of: b, group: groups[1] }, ...own.more.map(({ side, picture }) => ({ side, of: picture, group: 0 }))];
      for (const { side, of, group } of runs) {
        picture.add(at(side), of, group);
        if (own.hasObjects && hasBoth) picture.addObjects(at(side), of, group);
      }
      for (const { side, told } of own.whole) picture.addWholeRun(at(side), told);
      for (const texts of own.texts.values()) picture.addSource(...inOrder(texts), texts.isOne);
      // What reads them is loaded with what reads sources.
      const pairs = hasBoth ? (view.pairs ?? '') : '';
      const between = isPart(own) ? 0 : Number(view.between) / 100;
      const asked = { along: view.compareBy, least: Number(view.least) / 100, equalClock: view.clock === 'equal', between };
      own.wrongPairs = '';
      try {
        own.summary = picture.compare({ ...asked, pairs });
      } catch (failure: any) {
        if (pairs === '') throw failure;
        own.wrongPairs = `${failure.message ?? failure}`;
        own.summary = picture.compare({ ...asked, pairs: '' });
      }
      own.objects = own.hasObjects && hasBoth ? picture.objects() : [];
      own.picture = picture;
      own.failure = null;
    } catch (failure: any) {
      picture.free();
      [own.failure, own.summary] = [{ message: failure.message ?? String(failure) }, null];
    }
  }

  /** A further run of a side: how much runs differ is measured then. */
  async function add(side: number, dropped: Dropped) {
    const own = comparing;
    if (!own?.both) return;
    const name = nameOf({ kind: 'files', dropped });
    const tell = (words: string) => {
      own.added = words;
      repaint();
    };
    try {
      const picture = await furtherOf(app, own.both, dropped, (words) => tell(`${name}: ${words}…`));
      if (comparing !== own) return picture.free();
      own.more = [...own.more, { side, name, dropped, picture }];
      tell('');
      if (isWhole && own.whole.length > 0) await askWhole();
      update();
      announce(`${name} is a further run of ${side === 0 ? 'A' : 'B'}.`);
    } catch (failure: any) {
      if (comparing === own && !failure.stale) tell(`${name} was not added. ${failure.message ?? failure}`);
    }
  }

  /** The further runs of a link; if one of them cannot be read there are none. */
  function addLinked(own: Comparing, runs: string) {
    try {
      own.more = linkedRuns(runs, own.of.summary().region);
    } catch (failure: any) {
      own.added = `Further runs of the link were left out. ${failure.message ?? failure}`;
    }
  }

  /** Looks at what the runs are as a whole. */
  async function askWhole() {
    const own = comparing;
    if (!own?.both?.dropped) return;
    isWhole = true;
    const say = (words: string) => {
      own.looking = words;
      repaint();
    };
    try {
      await app.prepare('whole');
      const told = await wholesOf(app, [own.both.dropped, ...own.more.flatMap(({ dropped }) => dropped ?? [])], (words) => say(`${words}…`));
      if (comparing !== own) return;
      own.whole = told.map((told, at) => ({ side: at === 0 ? 0 : (own.more[at - 2]?.side ?? 1), told }));
      say('');
      announce('The runs are compared as a whole.');
    } catch (failure: any) {
      if (comparing !== own || failure.stale) return;
      // Those that were told are not of all runs.
      own.whole = [];
      say(`They cannot be compared as a whole. ${failure.message ?? failure}`);
    }
  }

  /** What is open is alone again, as it was. */
  function end() {
    if (!comparing) return;
    for (const { picture } of comparing.more) picture.free();
    comparing.picture?.free();
    if (comparing.both) free(comparing.both);
    if (comparing.what.kind !== 'files') giveUp();
    sources?.end();
    comparing = null;
    repaint();
  }

  function close() {
    isWhole = false;
    end();
    giveUp();
    actions.look({ ...alone });
    document.getElementById('column')?.focus();
  }

  function update() {
    const now = store.get();
    const shown = state.shownOf(now);
    const wanted = wantedOf(now.view);
    const isReady = now.now.is === 'ready' && shown !== null && shown.early === null && !shown.deciding;
    if (comparing && JSON.stringify(state.sourceOf(now)) !== JSON.stringify(comparing.source)) end();
    if (wanted && isReady && !(comparing && sameWhat(comparing.what, wanted))) return void compare(wanted);
    if (!wanted && comparing && comparing.what.kind !== 'files') end();
    const own = comparing;
    page.root.hidden = own === null;
    if (!own) {
      if (!series.isOpen()) document.body.removeAttribute('data-compares');
      return;
    }
    if ((own.both || own.failure) && isReady && (shown.picture !== own.of || shown.group.number !== own.group)) return void compare(own.what, own.more);
    const { view } = now;
    // Where it could not be loaded it is tried again when something else is asked.
    if ((view.pairs !== null || own.hasObjects) && !hasBoth && wished(own, own.hasObjects, view.pairs)) needBoth().then(repaint, ({ message }) => actions.tell({ remark: message }));
    if (own.both && decided(own, own.both, own.more, own.whole, own.texts, view.compareBy, view.least, view.between, view.clock, view.swap, view.pairs, hasBoth)) decide(own, own.both, view);
    // Until there is something to see, what is open stays on screen.
    document.body.toggleAttribute('data-compares', own.summary !== null);
    if (changed(own, own.summary, own.words, own.failure, own.added, own.looking, view)) show(own, view);
    showSources(own, view);
    paint(own, now);
  }

  function show(own: Comparing, view: ViewState) {
    const { summary, failure } = own;
    const [a, b] = sidesOf(own, view);
    page.names.replaceChildren(side('a', 'A', a), make('span', { class: 'of' }, 'with'), side('b', 'B', b));
    page.names.append(...(summary ? page.buttons : page.lastButtons));
    page.added.textContent = own.added;
    page.added.hidden = own.added === '';
    for (const button of page.more) button.hidden = isPart(own);
    page.root.classList.toggle('card', summary === null);
    page.panel.hidden = summary === null;
    page.told.hidden = summary === null;
    page.state.hidden = summary !== null;
    page.state.dataset.state = summary ? 'ready' : failure ? 'failed' : 'reading';
    page.state.replaceChildren(...(failure ? [...wordsOf(failure), ' What is open is as it was.'] : [`${own.words}… `]));
    if (failure?.asks) page.state.append(' ', button({ class: 'filled', 'data-testid': 'compare-load' }, 'Load it', () => void consent(own)));
    if (!summary) return;
    page.facts.replaceChildren(make('h1', {}, term('region', state.shownOf(store.get())?.summary.title ?? '')), ...factsOf(summary.facts, 'comparison'));
    page.sentences.replaceChildren(...summary.sentences.flatMap(({ text, phase }) => [phase === null ? make('span', {}, text) : button({ class: 'link' }, text, () => actions.look({ phase })), ' ']), own.both?.remark ?? '');
    page.unit.textContent = `${summary.unit}; line: 95 %, thick of these runs, thin of the program`;
    const picked = summary.rows.find(({ phase }) => phase !== null && phase === view.phase) ?? summary.rows.at(-1);
    const focused = (document.activeElement as HTMLElement | null)?.dataset.row;
    page.rows.replaceChildren(
      headOf('Phase', 'A', 'B', '', 'B − A'),
      make('tbody', {}, ...summary.rows.map((row, at) => rowOf(row, row === picked, at === summary.rows.length - 1, pick))),
    );
    if (focused) page.rows.querySelector<HTMLElement>(`[data-row="${focused}"]`)?.focus();
    if (picked) {
      const { phase, name, verdict, interval, within, words } = picked;
      page.pickedTitle.replaceChildren(term('phase', phase === null ? 'The whole instance' : `Phase ${phase}${name && `: ${name}`}`));
      page.counters.replaceChildren(...countersOf(picked, summary));
      page.lines.replaceChildren(...linesOf(picked, summary));
      page.objects.replaceChildren(...objectsOf(own.objects));
      page.ofObjects.hidden = own.objects.length === 0;
      page.lines.hidden = page.lines.childElementCount === 0;
      const line = summary.lines.find(({ phase, file }) => phase === picked.phase && file) ?? summary.lines.find(({ file }) => file);
      page.sources.hidden = line === undefined;
      page.sources.dataset.place = line ? `${line.line}:${line.file}` : '';
      page.pickedWords.textContent = [`${verdict}${interval && `: ${interval} of the program, ${within} of these runs`}.`, words].filter(Boolean).join(' ');
    }
    const ofOne = isPart(own);
    page.runs.show(summary.whole, own.both?.dropped ? own.looking || summary.wholeLacks : `Not compared as a whole: ${ofOne ? 'B is of the same run as A' : 'B is a link, which holds one region of its run'}.`);
    const third = counterOf(summary, view);
    page.third.replaceChildren(...summary.lanes.map(([counter, name]) => make('option', { value: counter }, name)));
    page.third.disabled = summary.lanes.length === 0;
    const lane = summary.lanes.find(([counter]) => counter === third)?.[1] ?? '';
    page.thirdTitle.replaceChildren(term('counter', lane), ' ', make('small', {}, summary.counters.find(({ name }) => name === lane)?.unit ?? ''));
    [page.along.value, page.least.value, page.between.value, page.clock.value, page.third.value] = [view.compareBy, view.least, ofOne ? '0' : view.between, view.clock, third ?? ''];
    page.pairs.value = view.pairs ?? '';
    page.wrongPairs.textContent = own.wrongPairs && `Phases are matched as found: ${own.wrongPairs}.`;
    page.between.disabled = ofOne;
    const [bold, rest] = ofOne ? ['Parts of one run.', 'They differ by what the run itself tells; of other runs nothing is said.'] : summary.assumed;
    page.assumed.replaceChildren(make('b', {}, bold), ` ${rest}`);
  }

  /** Why B is not beside A, with regions to choose in its place. */
  function wordsOf({ message, regions = [] }: Failure): (string | Node)[] {
    if (regions.length === 0) return [/[.!?]$/.test(message) ? message : `${message}.`];
    return [message, ...regions.flatMap((region, at) => [at === 0 ? ' ' : ', ', button({ class: 'link', 'data-testid': 'compare-region' }, region, () => actions.chooseRegion(region))]), '.'];
  }

  /** Another host sees that B was asked for: a person has said that it may. */
  function consent(own: Comparing) {
    giveConsent(own.failure?.asks ?? []);
    return compare(own.what);
  }

  function swap() {
    const { swap, pairs } = store.get().view;
    actions.look({ swap: swap === 'yes' ? 'no' : 'yes', pairs: pairs && pairs.split(',').map((pair) => pair.split('-').reverse().join('-')).join(',') });
  }

  /** Takes phases of A and of B for the same, in place of what was said of them before. */
  async function pair(a: number, b: number) {
    await needBoth();
    const named = comparing?.picture?.pairOf(a, b) ?? '';
    if (named === '') return actions.tell({ remark: 'One side has no phase there.' });
    const [ofA, ofB] = named.split('-').map((side) => side.split('.'));
    const stays = (pair: string) => pair.split('-').every((side, at) => !side.split('.').some((phase) => [ofA, ofB][at].includes(phase.trim())));
    const pairs = [...(store.get().view.pairs?.split(',') ?? []).filter(stays), named].join(',');
    actions.look({ pairs }, 'push');
    announce(`Phase ${ofA.join(' and ')} of A is taken to be phase ${ofB.join(' and ')} of B.`);
  }

  /** Picks a phase, or nothing if it is the one that is picked. */
  function pick(phase: number | null) {
    actions.look({ phase: store.get().view.phase === phase ? null : phase });
  }

  function counterOf({ lanes }: ComparedSummary, { third }: ViewState) {
    return lanes.find(([counter]) => counter === third)?.[0] ?? lanes[0]?.[0] ?? null;
  }

  function viewOf(own: Comparing, now: state.State): Omit<ComparedView, 'width' | 'height'> {
    const [from, to] = now.view.range;
    return { from, to, theme: paintedTheme(now.view.theme), ...gutters(innerWidth), counter: own.summary ? counterOf(own.summary, now.view) : null, phase: now.view.phase };
  }

  function paint(own: Comparing, now: state.State) {
    const { picture, summary } = own;
    if (!picture || !summary) return;
    const view = viewOf(own, now);
    const width = page.lanes.clientWidth;
    if (!painted(picture, width, innerHeight, innerWidth, devicePixelRatio, JSON.stringify(view))) return;
    const isNamed: Partial<Record<Lane, boolean>> = { phasesA: summary.along === 'phase', phasesB: summary.along === 'phase', codeA: summary.hasCode, codeB: summary.hasCode, counter: summary.lanes.length > 0 };
    const lanes = NAMES.filter((lane) => isNamed[lane] !== false);
    for (const lane of NAMES) page.canvases[lane].closest('section')?.toggleAttribute('hidden', !lanes.includes(lane));
    // What a high window has left, but for a margin: that of lanes that are there, less what they need.
    const growing = GROWING.filter((lane) => lanes.includes(lane));
    const sum = (heightOf: (lane: Lane) => number) => growing.reduce((sum, lane) => sum + heightOf(lane), 0);
    const free = page.column.clientHeight - page.lanes.offsetTop - page.lanes.scrollHeight + sum((lane) => page.canvases[lane].clientHeight) - sum((lane) => HEIGHTS[lane]);
    const scale = innerWidth < NARROW ? 1 : 1 + Math.max(0, free - MARGIN) / sum((lane) => HEIGHTS[lane]);
    for (const lane of lanes) {
      const canvas = page.canvases[lane];
      const height = Math.floor(HEIGHTS[lane] * (GROWING.includes(lane) ? scale : 1));
      picture.paint(lane, canvas, { ...view, width, height }, page.surfaces[lane].fit(width, height));
    }
    page.lanes.style.setProperty('--left', `${view.left}px`);
  }

  function side(kind: string, letter: string, name: string) {
    return make('span', { class: `side ${kind}` }, make('i', { 'aria-hidden': 'true' }), make('b', {}, letter), ' ', name);
  }

  function sidesOf(own: Comparing, { swap }: ViewState): [string, string] {
    const shown = state.shownOf(store.get());
    const { from = '', to = '' } = own.both?.settings ?? {};
    const ofPart = own.what.kind === 'window' && (from || to) ? windowName(`${from}-${to}`) : null;
    const a = own.what.kind === 'group' ? `group ${own.group}` : (ofPart ?? shown?.summary.trace.name ?? 'what is open');
    const names = [a, own.name].map((first, side) => {
      const more = own.more.filter((of) => of.side === side).map(({ name }) => name);
      return more.length > 1 ? `${first} and ${more.length} more` : [first, ...more].join(', ');
    }) as [string, string];
    return swap === 'yes' ? [names[1], names[0]] : names;
  }

  function nameOf(what: With) {
    if (what.kind === 'group') return `group ${what.group}`;
    if (what.kind === 'link') return 'a link';
    if (what.kind === 'objects') return `threads ${what.objects}`;
    if (what.kind === 'window') return windowName(what.window);
    if (what.kind === 'addresses') return nameAt(what.addresses[0]);
    return what.dropped.files.reduce((most, file) => (file.size > most.size ? file : most)).name;
  }

  function announce(words: string) {
    const element = document.getElementById('announce');
    if (element) element.textContent = words;
  }

  function onKey(event: KeyboardEvent) {
    if (!comparing || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!comparing.summary) return event.key === 'Escape' ? close() : undefined;
    const phases = comparing.summary.rows.flatMap(({ phase }) => (phase === null ? [] : [phase]));
    const { phase, pane } = store.get().view;
    const step = (by: number) => {
      const at = phase === null ? (by > 0 ? -1 : phases.length) : phases.indexOf(phase);
      const next = phases[Math.min(Math.max(at + by, 0), phases.length - 1)];
      actions.look({ phase: next ?? null });
      const row = comparing?.summary?.rows.find(({ phase }) => phase === next);
      if (row) announce(`Phase ${next} ${row.name}: ${row.a.text} and ${row.b.text}, ${row.change.text} %, ${row.verdict}`);
    };
    const acts: Record<string, () => void> = {
      x: swap,
      '[': () => step(-1),
      ']': () => step(1),
      Escape: () => (pane !== null ? actions.look({ pane: null }, 'push') : phase === null ? close() : actions.look({ phase: null })),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  async function save(format: string) {
    const own = comparing;
    if (!own?.picture) return;
    await app.prepare('export');
    for (const { name, bytes } of own.picture.exportFile(format, { ...viewOf(own, store.get()), width: 0, height: 0 })) {
      const anchor = make('a', { href: URL.createObjectURL(new Blob([bytes])), download: name });
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
    }
  }
}

function free({ a, b, kept }: Both) {
  for (const picture of new Set([a, b])) if (!kept.includes(picture)) picture.free();
}
