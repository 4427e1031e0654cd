// Several runs beside one another: how efficiently each uses its threads. Loaded when runs are added.

import { ScalingPicture, type ScalingAsked, type ScalingSummary } from '../wasm/painter.js';
import { button, isTyping, make, watcher } from '../dom.ts';
import { oncePerFrame } from '../frame.ts';
import { isNarrow } from '../lanes/sizes.ts';
import { Surface } from '../lanes/surface.ts';
import { cellOf } from '../controls/ratios.ts';
import { usesOf } from '../compare/second.ts';
import * as state from '../state.ts';
import { term } from '../terms.ts';
import { paintedTheme } from '../theme.ts';
import { addRunsButton, colourOf, rowOf } from './efficiency.ts';
import { STYLE } from './scaling-style.ts';
import { factsOf } from './words.ts';
import type { Actions } from '../actions/actions.ts';
import type { App, Dropped } from '../actions/open.ts';

/** What is laid beside one another at this moment. */
interface Told {
  /** What it was begun with: of another trace it ends. */
  source: state.Source;
  picture: ScalingPicture;
  asked: Required<ScalingAsked>;
  summary: ScalingSummary | null;
  /** While runs are read: how far they are; and why the last ones could not be. */
  words: string;
  failed: string;
}

const PLOT = 236;
/** As in a saved picture (`paint/picture/scaling.rs`). */
const GUTTERS = { left: 56, right: 104 };

let mounted: ReturnType<typeof mount> | null = null;

/** Lays dropped runs beside the one that is open, and beside those that were before. */
export function begin(app: App, actions: Actions, dropped: Dropped) {
  mounted ??= mount(app, actions);
  return mounted.add(dropped);
}

function mount(app: App, actions: Actions) {
  const { store } = app;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  let told: Told | null = null;
  const page = pageOf();
  (document.getElementById('efficiencies') as HTMLElement).after(page.root);
  (document.getElementById('efficiency') as HTMLElement).after(page.panel);
  const written = watcher();
  const painted = watcher();
  const repaint = oncePerFrame(update);
  store.subscribe(repaint);
  new ResizeObserver(repaint).observe(page.root);
  addEventListener('keydown', onKey, true);
  return { add };

  async function add(dropped: Dropped) {
    const now = store.get();
    if (!app.engine.isOpen) return actions.tell({ remark: 'What is open is a link, which holds one region of its run. Open the trace to add runs.' });
    if (told?.words) return actions.tell({ remark: 'Runs are being added; add others when they are there.' });
    const own = told ?? { source: state.sourceOf(now), picture: new ScalingPicture(), asked: { reference: 0, picked: 0, scales: 'strong', ofLoop: false }, summary: null, words: '', failed: '' };
    told = own;
    [own.words, own.failed] = ['Reading', ''];
    repaint();
    try {
      await app.prepare('run');
      const added = own.summary ? [] : [await app.engine.call('runUse', {})];
      const uses = await usesOf(app, dropped, (words) => {
        own.words = words;
        repaint();
      });
      if (told !== own) return;
      for (const use of [...added, ...uses]) own.picture.add(use);
      // A run that has no loop would leave nothing to look at.
      own.asked = { ...own.asked, reference: 0, picked: 0, ofLoop: false };
      const { heads } = own.picture.summary(own.asked);
      own.asked.picked = Math.max(0, heads.findLastIndex(([width]) => width !== ''));
    } catch (failure: any) {
      if (told !== own) return;
      own.failed = failure.message ?? String(failure);
    }
    own.words = '';
    if (own.failed && !own.summary) {
      actions.tell({ remark: `No runs were added: ${own.failed}` });
      return end();
    }
    ask(own, {});
    announce(own.failed || own.summary?.sentence.join(' ') || '');
  }

  function ask(own: Told, change: Partial<ScalingAsked>) {
    own.asked = { ...own.asked, ...change };
    own.summary = own.picture.summary(own.asked);
    update();
  }

  function end() {
    told?.picture.free();
    told = null;
    update();
  }

  function update() {
    const now = store.get();
    if (told && state.sourceOf(now) !== told.source) return end();
    const isSeen = told !== null && state.tabOf(now) === 'efficiency' && state.runOf(now) !== null;
    document.body.toggleAttribute('data-runs', isSeen);
    page.root.hidden = page.panel.hidden = !isSeen;
    if (!isSeen || !told) return;
    const { summary, asked, words, failed } = told;
    if (written(summary, words, failed, now.view.metric)) {
      page.state.textContent = words ? `${words}…` : failed && `${failed} The runs that are here are as they were.`;
      page.state.hidden = page.state.textContent === '';
      if (summary) show(told, summary);
    }
    if (!summary || summary.lines.length === 0) return;
    const theme = paintedTheme(now.view.theme);
    const each = page.plots.clientWidth;
    const across = each < 640 ? 1 : 2;
    const width = Math.floor(each / across);
    if (!painted(summary, width, theme, devicePixelRatio)) return;
    for (const [what, surface] of [['scaling', page.scaling], ['core', page.core]] as const) {
      told.picture.paint(what, surface.canvas, viewOf(theme, width), surface.fit(width, PLOT), asked);
    }
  }

  /** Narrow windows have less room beside a plot. */
  function viewOf(theme: ReturnType<typeof paintedTheme>, width: number) {
    const narrow = isNarrow(innerWidth);
    return { from: 0, to: 1, theme, width, height: PLOT, left: narrow ? 44 : GUTTERS.left, right: GUTTERS.right };
  }

  function show(own: Told, summary: ScalingSummary) {
    const { asked } = own;
    const [bold, rest] = summary.sentence;
    page.facts.replaceChildren(make('h1', {}, term('run', summary.title)), ...factsOf(summary.facts, 'efficiency'));
    page.sentence.replaceChildren(make('b', {}, bold), ` ${rest}`);
    page.told.hidden = summary.lines.length === 0;
    const widths = summary.heads.map(([width]) => width);
    const headOf = ([width, name]: [string, string], at: number) => {
      const isShared = widths.filter((other) => other === width).length > 1;
      const words = [width || '–', ...(isShared ? [make('small', {}, name)] : [])];
      const pick = button({ class: 'name', title: `${name}${at === asked.reference ? ', the reference' : ''}`, 'aria-pressed': String(at === asked.picked), 'data-run': String(at) }, '', () => ask(own, { picked: at }));
      pick.append(...words);
      return make('th', { scope: 'col', class: at === asked.picked ? 'now' : '' }, pick);
    };
    const focused = (document.activeElement as HTMLElement | null)?.dataset ?? {};
    const picked = summary.lines.find(({ key }) => key === store.get().view.metric) ?? summary.lines[0];
    const pick = (metric: string) => actions.look({ metric }, 'push');
    const head = make('tr', {}, make('th', { scope: 'col' }, make('b', {}, 'Efficiencies'), make('small', {}, '% of the ideal')), ...summary.heads.map(headOf));
    page.table.replaceChildren(make('thead', {}, head), make('tbody', {}, ...summary.lines.map((line) => rowOf(line, line === picked, pick))));
    if (focused.metric) page.table.querySelector<HTMLElement>(`[data-metric="${focused.metric}"]`)?.focus();
    if (focused.run) page.table.querySelector<HTMLElement>(`[data-run="${focused.run}"]`)?.focus();
    page.remarks.replaceChildren(...summary.remarks.map((remark) => make('p', { class: 'hint' }, remark)));
    const columns = summary.heads.map((head, at) => make('th', { scope: 'col', title: head[1] }, at === 0 ? `${head[0] || '–'}, ${summary.unit}` : head[0] || '–'));
    page.parts.replaceChildren(make('thead', {}, make('tr', {}, make('td'), ...columns)), make('tbody', {}, ...summary.parts.map((part, at) => {
      const isSum = at === summary.parts.length - 1;
      const mark = isSum ? [] : [make('i', { class: `square ${colourOf(part)}`, 'aria-hidden': 'true' })];
      return make('tr', {}, make('th', { scope: 'row' }, ...mark, part.name), ...part.figures.map((figure) => cellOf(figure)));
    })));
    page.scaling.canvas.setAttribute('aria-label', 'Efficiencies over the number of threads; the numbers stand in the table');
    page.core.canvas.setAttribute('aria-label', 'Where the time of all threads of each run goes; the numbers stand in the table below');
    showPanel(own, summary, picked);
  }

  function showPanel(own: Told, summary: ScalingSummary, picked: ScalingSummary['lines'][number] | undefined) {
    const { asked } = own;
    const [width, name] = summary.heads[asked.picked];
    const shares = summary.lines.filter(({ isShare, figures }) => isShare && figures[asked.picked].value !== null);
    const rows = shares.map(({ name, depth, figures }) => {
      const figure = figures[asked.picked];
      const bar = make('span', { class: 'meter', 'aria-hidden': 'true' }, make('i', {}));
      (bar.firstChild as HTMLElement).style.width = `${Math.min(100, 100 * (figure.value ?? 0))}%`;
      return make('tr', { 'data-depth': String(depth) }, make('th', { scope: 'row' }, make('div', {}, name.replace(/ (efficiency|scalability)$/, ''), bar)), cellOf(figure));
    });
    const choice = (label: string, key: string, values: [string, string][], chosen: string, choose: (value: string) => void) => {
      const select = make('select', { 'data-testid': `scaling-${key}` }, ...values.map(([value, words]) => make('option', { value }, words)));
      select.value = chosen;
      select.addEventListener('change', () => choose(select.value));
      return make('label', { class: 'field' }, make('span', {}, label), select);
    };
    const focused = (document.activeElement as HTMLElement | null)?.dataset.testid ?? '';
    const runs = summary.heads.map(([width, name], at): [string, string] => [String(at), width ? `${width}: ${name}` : name]);
    page.panel.replaceChildren(
      make('h2', { title: name }, make('span', {}, width || name), make('small', {}, '% of the ideal')),
      make('table', { class: 'of-run' }, make('tbody', {}, ...rows)),
      make('div', { class: 'fields' },
        choice('Reference', 'reference', runs, String(asked.reference), (value) => ask(own, { reference: Number(value) })),
        choice('Scaling', 'scales', [['strong', 'strong: the same work'], ['weak', 'weak: as much work a thread']], asked.scales, (value) => ask(own, { scales: value as 'weak' })),
        ...(summary.hasLoops ? [choice('Window', 'window', [['run', 'whole run'], ['loop', 'iterations']], asked.ofLoop ? 'loop' : 'run', (value) => ask(own, { ofLoop: value === 'loop' }))] : [])),
      ...(picked ? [make('h2', { class: 'metric' }, term('efficiency', picked.name)), ...picked.words.map((sentence) => make('p', { class: 'metric' }, sentence))] : []),
    );
    if (focused.startsWith('scaling-')) page.panel.querySelector<HTMLElement>(`[data-testid="${focused}"]`)?.focus();
  }

  function onKey(event: KeyboardEvent) {
    if (!told?.summary || page.root.hidden || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { '[': -1, ']': 1 }[event.key];
    const own = told;
    const { heads, lines } = told.summary;
    if (event.key === 'Escape') end();
    else if (step) {
      const picked = Math.min(Math.max(own.asked.picked + step, 0), heads.length - 1);
      ask(own, { picked });
      announce(`${heads[picked].join(' ')}: ${lines.map(({ name, figures }) => `${name} ${figures[picked].text}`)[0] ?? ''}. ${own.summary?.sentence.join(' ') ?? ''}`);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async function save(format: string) {
    if (!told?.summary) return;
    await app.prepare('export');
    const theme = paintedTheme(store.get().view.theme);
    // A figure is light whatever the page is.
    for (const { name, bytes } of told.picture.exportFile(format, viewOf(theme === 'contrast' ? theme : 'light', 0), told.asked)) {
      const anchor = make('a', { href: URL.createObjectURL(new Blob([bytes])), download: name });
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
    }
  }

  /** All that is shown, made once. */
  function pageOf() {
    const [facts, sentence, remarks] = [make('div', { class: 'facts' }), make('p', { class: 'sentence', 'data-testid': 'scaling-sentence' }), make('div', { class: 'remarks' })];
    const words = make('p', { class: 'state', role: 'status', 'data-testid': 'scaling-state' });
    const saves = ['SVG', 'CSV'].map((format) => button({ class: 'quiet', title: `Save the runs as ${format}`, 'data-testid': `scaling-${format.toLowerCase()}` }, format, () => void save(format.toLowerCase()).catch(({ message }) => actions.tell({ remark: message }))));
    const acts = make('p', { class: 'acts' }, ...addRunsButton(actions), ...saves, button({ 'data-testid': 'scaling-close', title: 'The run that is open is alone again (Escape)' }, 'Close', end));
    const [table, parts] = [make('table', { id: 'scaling-table', 'data-testid': 'scaling-table' }), make('table', { id: 'scaling-parts', 'data-testid': 'scaling-parts' })];
    const canvas = (testid: string) => new Surface(make('canvas', { role: 'img', 'data-testid': testid }));
    const [scaling, core] = [canvas('scaling-plot'), canvas('scaling-core')];
    const plots = make('div', { class: 'plots' }, make('section', {}, make('h2', {}, term('efficiency', 'Scaling')), scaling.canvas), make('section', {}, make('h2', {}, term('core-seconds', 'Where the core seconds go')), core.canvas));
    const told = make('div', {}, make('div', { class: 'scroll-x' }, table), plots, make('div', { class: 'scroll-x core-parts' }, parts));
    const root = make('section', { class: 'run scaling', id: 'scaling', 'data-testid': 'scaling', 'aria-label': 'Efficiencies of several runs', hidden: '' }, make('div', { class: 'facts-line' }, facts, acts), words, sentence, remarks, told);
    const panel = make('section', { class: 'efficiency scaling-panel', 'data-testid': 'scaling-panel', 'aria-label': 'The picked run', hidden: '' });
    return { root, panel, facts, sentence, remarks, state: words, table, parts, plots, told, scaling, core };
  }
}

function announce(words: string) {
  const element = document.getElementById('announce');
  if (element) element.textContent = words;
}
