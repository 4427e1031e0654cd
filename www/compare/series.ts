// Several runs beside what is open, under a value that changes: each as a row on one axis, then measures of each
// phase over the value.

import { SeriesPicture, seriesValues, type Picture, type SeriesSummary } from '../wasm/painter.js';
import { AXIS, gutters, isNarrow } from '../lanes/sizes.ts';
import { Surface } from '../lanes/surface.ts';
import { button, isTyping, make } from '../dom.ts';
import { factsOf } from '../run/words.ts';
import { oncePerFrame } from '../frame.ts';
import * as state from '../state.ts';
import { term } from '../terms.ts';
import { paintedTheme } from '../theme.ts';
import { headOf } from './tables.ts';
import { runsOf, type SeriesRun } from './second.ts';
import { rowsOf, trendsOf } from './trends.ts';
import type { Actions } from '../actions/actions.ts';
import type { App, Dropped } from '../actions/open.ts';

/** CSS px: a run, a measure over the value, and room left of that for its ticks. */
const ROW = 56;
const PLOT = 208;
const TICKS = { left: 52, right: 12 };

/** A series that is read, told, or was not to be had. */
interface Told {
  dropped: Dropped;
  of: Picture;
  runs: SeriesRun[];
  /** Pictures that were folded for it. */
  own: Picture[];
  picture: SeriesPicture | null;
  summary: SeriesSummary | null;
  key: string;
  values: string[];
  remark: string;
  words: string;
  failed: string;
  /** The row that is looked at: 0 is the whole region. */
  row: number;
}

const isNumber = (text: string) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));

export function seriesOf(app: App, actions: Actions, closed: () => void) {
  const { store } = app;
  let told: Told | null = null;
  const page = pageOf();
  (document.getElementById('main') as HTMLElement).append(page.root);
  const repaint = oncePerFrame(() => {
    if (!told) return;
    // Of another picture it would be another series.
    if (state.shownOf(store.get())?.picture === told.of) show(told);
    else end();
  });
  new ResizeObserver(repaint).observe(page.root);
  store.subscribe(repaint);
  addEventListener('keydown', onKey, true);
  page.key.addEventListener('change', decideAnew);
  page.values.addEventListener('change', decideAnew);

  return { begin, end, isOpen: () => told !== null };

  /** Folds the runs of these names as what is open is, and lays them beside it. */
  async function begin(dropped: Dropped, choices: string[]) {
    end();
    const shown = state.shownOf(store.get());
    if (!shown) return;
    const own: Told = { dropped, of: shown.picture, runs: [], own: [], picture: null, summary: null, key: 'run', values: [], remark: '', words: 'Reading', failed: '', row: 0 };
    told = own;
    show(own);
    try {
      const { runs, kept, remark } = await runsOf(app, dropped, choices, (words) => {
        own.words = words;
        repaint();
      });
      own.own = runs.map(({ picture }) => picture).filter((picture) => !kept.includes(picture));
      if (told !== own) return free(own);
      Object.assign(own, { runs, remark, values: seriesValues(runs.map(({ name }) => name)) });
      decide(own);
    } catch (failure: any) {
      if (told !== own || failure.stale) return;
      own.failed = failure.message ?? String(failure);
    }
    show(own);
    announce(own.summary?.sentences[0] ?? own.failed);
  }

  function decide(own: Told) {
    own.picture?.free();
    own.picture = new SeriesPicture();
    for (const { name, picture, group } of own.runs) own.picture.add(picture, name, group);
    own.summary = own.picture.compare({ key: own.key, values: own.values, numbers: own.values.every(isNumber) ? own.values.map(Number) : null, theme: paintedTheme(store.get().view.theme) });
    own.row = Math.min(own.row, own.summary.rows.length - 1);
  }

  /** As the value and its name are typed; what cannot be told leaves what there is. */
  function decideAnew() {
    const own = told;
    if (!own?.summary) return;
    const before = { key: own.key, values: own.values };
    own.key = page.key.value.trim() || 'run';
    own.values = page.values.value.split(',').map((value) => value.trim());
    try {
      if (own.values.some((value) => value === '')) throw { message: 'Write a value for each run, with commas between them.' };
      decide(own);
      page.wrong.textContent = '';
    } catch (failure: any) {
      page.wrong.textContent = failure.message ?? String(failure);
      Object.assign(own, before);
      decide(own);
    }
    show(own);
  }

  function end() {
    if (!told) return;
    const own = told;
    told = null;
    free(own);
    page.root.hidden = true;
    document.body.removeAttribute('data-compares');
    closed();
  }

  function show(own: Told) {
    const { summary, picture } = own;
    page.root.hidden = false;
    page.root.classList.toggle('card', summary === null);
    document.body.toggleAttribute('data-compares', summary !== null);
    for (const part of [page.panel, page.told]) part.hidden = summary === null;
    page.state.hidden = summary !== null;
    page.state.dataset.state = summary ? 'ready' : own.failed ? 'failed' : 'reading';
    page.state.textContent = own.failed ? `${own.failed} What is open is as it was.` : `${own.words}…`;
    page.names.replaceChildren(make('b', {}, `${own.runs.length || ''} runs`.trim()), make('span', { class: 'gap' }), ...(summary ? page.saves : []), button({ 'data-testid': 'series-close', title: 'What is open is alone again (Escape)' }, 'Close', end));
    if (!summary || !picture) return;
    const region = state.shownOf(store.get())?.summary.title ?? '';
    page.facts.replaceChildren(make('h1', {}, term('region', region)), ...factsOf(summary.facts, 'comparison'));
    page.sentences.textContent = [...summary.sentences, own.remark].filter(Boolean).join(' ');
    page.legend.replaceChildren(...summary.rows.map(({ colour, phase, name }) => {
      const square = make('i', {});
      square.style.background = colour;
      return make('span', {}, square, phase === null ? 'whole region' : `${phase} ${name.split('::').at(-1)}`);
    }));
    page.key.value = own.key;
    page.values.value = summary.values.join(', ');
    const row = summary.rows[own.row];
    page.rowTitle.replaceChildren(term('comparison', 'Runs'), ' ', make('small', {}, row.phase === null ? 'whole region' : `phase ${row.phase} ${row.name}`));
    page.runs.replaceChildren(headOf(own.key, ...summary.measures.map(([, unit]) => unit)), rowsOf(summary, row));
    page.phases.replaceChildren(...trendsOf(summary, own.row, (at) => {
      own.row = at;
      show(own);
    }));
    page.assumed.replaceChildren(make('b', {}, summary.assumed[0]), ` ${summary.assumed[1]}`);
    paint(own, picture, summary);
  }

  function paint(own: Told, picture: SeriesPicture, summary: SeriesSummary) {
    const [count, plots] = [own.runs.length, summary.measures.length];
    page.fill(count, plots);
    const theme = paintedTheme(store.get().view.theme);
    const view = { from: 0, to: 1, theme, ...gutters(innerWidth), counter: null, phase: null };
    const width = page.lanes.clientWidth;
    page.rows.forEach((surface, at) => {
      surface.canvas.setAttribute('aria-label', `${own.key} ${summary.values[at]}: rate over the time of this run`);
      page.labels[at].replaceChildren(make('b', {}, `${own.key} ${summary.values[at]}`), ` ${summary.rows[0].runs[at][0].text}\u202fms`);
      picture.paint('row', at, surface.canvas, { ...view, width, height: ROW }, surface.fit(width, ROW));
    });
    picture.paint('axis', 0, page.axis.canvas, { ...view, width, height: AXIS }, page.axis.fit(width, AXIS));
    const across = isNarrow(innerWidth) ? 1 : Math.min(plots, Math.max(1, Math.floor(width / 190)));
    const each = Math.floor(width / across);
    page.plots.forEach((surface, at) => {
      const [name, unit] = summary.measures[at];
      surface.canvas.setAttribute('aria-label', `${name} in ${unit} of each phase over ${own.key}; the numbers stand in the tables`);
      picture.paint('plot', at, surface.canvas, { ...view, ...TICKS, width: each, height: PLOT }, surface.fit(each, PLOT));
    });
  }

  function onKey(event: KeyboardEvent) {
    if (!told || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = (told.summary?.rows.length ?? 1) - 1;
    const step = { '[': -1, ']': 1 }[event.key];
    if (event.key === 'Escape') end();
    else if (step && told.summary) {
      told.row = Math.min(Math.max(told.row + step, 0), last);
      show(told);
      const { phase, name, exponent, interval } = told.summary.rows[told.row];
      announce(`${phase === null ? 'Whole region' : `Phase ${phase} ${name}`}${exponent && `: ${exponent} ${interval}`}`);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async function save(format: string) {
    await app.prepare('export');
    for (const { name, bytes } of told?.picture?.exportFile(format) ?? []) {
      const anchor = make('a', { href: URL.createObjectURL(new Blob([bytes])), download: name });
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
    }
  }

  /** All that is shown of a series, made once but for the pictures, of which each run has one. */
  function pageOf() {
    const canvas = (testid: string) => new Surface(make('canvas', { role: 'img', 'data-testid': testid }));
    const [rows, plots]: [Surface[], Surface[]] = [[], []];
    /** Over each row, where beside it is no room. */
    const labels: HTMLElement[] = [];
    const axis = canvas('series-axis');
    axis.canvas.setAttribute('aria-label', 'Time of all runs');
    const [runPictures, plotPictures, legend] = [make('div', {}), make('div', { class: 'plots' }), make('p', { class: 'key2' })];
    const names = make('p', { class: 'sides' });
    const saves = ['SVG', 'CSV', 'JSON'].map((format) => button({ class: 'quiet', title: `Save the series as ${format}`, 'data-testid': `series-${format.toLowerCase()}` }, format, () => void save(format.toLowerCase())));
    const [facts, sentences, wrong] = [make('div', { class: 'facts' }), make('p', { class: 'sentence', 'data-testid': 'series-sentences' }), make('p', { class: 'wrong', role: 'alert' })];
    const words = make('p', { class: 'state', role: 'status', 'data-testid': 'series-state' });
    const lanes = make('div', { class: 'lanes' }, make('section', { class: 'lane' }, make('div', { class: 'head' }, make('h2', {}, term('comparison', 'Runs'))), runPictures, axis.canvas), make('section', { class: 'lane' }, make('div', { class: 'head' }, make('h2', {}, term('phase', 'Phases')), legend), plotPictures));
    const told = make('div', { class: 'told' }, facts, sentences, lanes);
    const [runs, phases] = [make('table', { class: 'runs', 'data-testid': 'series-runs' }), make('table', { class: 'trends', 'data-testid': 'series-phases' })];
    const [rowTitle, assumed] = [make('h2', {}), make('p', { class: 'hint assumed' })];
    const [key, values] = [make('input', { type: 'text', 'data-testid': 'series-key' }), make('input', { type: 'text', 'data-testid': 'series-values' })];
    const field = (words: string, control: HTMLElement) => make('label', { class: 'field' }, make('span', {}, words), control);
    const panel = make('aside', { class: 'compare-panel', 'aria-label': 'Numbers of the series' }, make('div', { class: 'panel-body' },
      make('section', {}, rowTitle, runs),
      make('section', {}, make('h2', {}, term('phase', 'Phases')), phases),
      make('section', { class: 'fields' }, make('h2', {}, term('comparison', 'Series')), field('Value', key), field('Of each run', values), wrong),
      make('section', {}, assumed)));
    const root = make('section', { id: 'series', class: 'compare', 'data-testid': 'series', 'aria-label': 'Series of runs', hidden: '' }, make('div', { class: 'compared' }, names, words, told), panel);
    const fill = (count: number, measures: number) => {
      while (rows.length < count) rows.push(canvas('series-row'));
      while (plots.length < measures) plots.push(canvas('series-plot'));
      rows.length = count;
      plots.length = measures;
      labels.length = 0;
      runPictures.replaceChildren(...rows.map(({ canvas }) => {
        const label = make('p', { class: 'of', 'aria-hidden': 'true' });
        labels.push(label);
        return make('div', { class: 'row' }, label, canvas);
      }));
      plotPictures.replaceChildren(...plots.map(({ canvas }) => canvas));
    };
    return { root, panel, names, saves, facts, sentences, state: words, told, lanes, legend, rows, labels, plots, axis, runs, phases, rowTitle, assumed, key, values, wrong, fill };
  }
}

function free({ picture, own }: Told) {
  picture?.free();
  for (const folded of own) folded.free();
}

function announce(words: string) {
  const element = document.getElementById('announce');
  if (element) element.textContent = words;
}
