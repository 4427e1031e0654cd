// All that is shown of a comparison, made once: lanes, tables, fields and buttons.

import { button, make } from '../dom.ts';
import { AXIS, gutters } from '../lanes/sizes.ts';
import { Surface } from '../lanes/surface.ts';
import { term } from '../terms.ts';
import { wholeOf } from './whole.ts';
import type { Dropped } from '../actions/open.ts';
import type { ComparedPicture } from '../wasm/painter.js';
import type { ViewState } from '../view.ts';

export type Lane = 'phasesA' | 'phasesB' | 'codeA' | 'codeB' | 'rate' | 'difference' | 'counter' | 'axis';

/** Heights in CSS px. */
export const HEIGHTS: Record<Lane, number> = { phasesA: 22, phasesB: 22, codeA: 26, codeB: 26, rate: 148, difference: 104, counter: 88, axis: AXIS };
export const NAMES = Object.keys(HEIGHTS) as Lane[];

/** What each shows; the numbers stand in the tables. */
const WORDS: Record<Lane, string> = {
  phasesA: 'Phases of A with their durations', phasesB: 'What became of each phase in B', codeA: 'Routines of A', codeB: 'Routines of B',
  rate: 'Rates of A and B on one axis', difference: 'B less A, with its intervals', counter: 'One counter of A and B', axis: 'Time',
};

/** In per cent, as the view has them. */
const LEAST = ['1', '2', '5'];
const BETWEEN = ['1', '2', '5', '0'];

/** What a person does, and what it is done to. */
interface Acts {
  look: (change: Partial<ViewState>, how?: 'push') => void;
  pick: (phase: number | null) => void;
  swap: () => void;
  /** Says that what lies at a place of A and at another of B, as shares of the axis, are the same phases. */
  pair: (a: number, b: number) => void;
  save: (format: string) => void;
  choose: () => void;
  add: (side: number, dropped: Dropped) => void;
  close: () => void;
  whole: () => void;
  picture: () => ComparedPicture | null;
  range: () => [number, number];
}

export function pageOf({ look, pick, swap, pair, save, choose, add, close, whole, picture, range }: Acts) {
  const canvases = Object.fromEntries(NAMES.map((lane) => [lane, make('canvas', { role: 'img', 'aria-label': WORDS[lane], 'data-testid': `compare-${lane}` })])) as Record<Lane, HTMLCanvasElement>;
  const surfaces = Object.fromEntries(Object.entries(canvases).map(([lane, canvas]) => [lane, new Surface(canvas)])) as Record<Lane, Surface>;
  const names = make('p', { class: 'sides', 'data-testid': 'compare-sides' });
  const facts = make('div', { class: 'facts' });
  const sentences = make('p', { class: 'sentence', 'data-testid': 'compare-sentences' });
  const told = make('div', { class: 'told' });
  const words = make('p', { class: 'state', role: 'status', 'data-testid': 'compare-state' });
  const hint = make('p', { class: 'hint', 'data-testid': 'compare-hint' });
  const thirdTitle = make('h2', {});
  const keyOf = (...parts: [string, string][]) => make('span', { class: 'key2', 'aria-hidden': 'true' }, ...parts.map(([kind, words]) => make('span', {}, make('i', { class: kind }), words)));
  const key = () => keyOf(['a', 'A'], ['b', 'B']);
  const meaning = keyOf(['higher', 'B surely higher'], ['lower', 'B surely lower'], ['unsure', 'unsure, or too little']);
  const lane = (title: HTMLElement, of: Lane[], ...head: Node[]) => make('section', { class: 'lane' }, make('div', { class: 'head' }, title.matches('h2') ? title : make('h2', {}, title), ...head), ...of.flatMap((name) => {
    const letter = /[AB]$/.exec(name)?.[0];
    return [make('div', { class: 'row' }, ...(letter ? [make('b', { class: 'letter', 'aria-hidden': 'true' }, letter)] : []), canvases[name])];
  }));
  const lanes = make('div', { class: 'lanes', 'data-testid': 'compare-lanes' }, lane(term('phase', 'Phases'), ['phasesA', 'phasesB']), lane(term('routine', 'Source'), ['codeA', 'codeB']), lane(term('rate', 'Rate'), ['rate'], key(), hint), lane(term('comparison', 'Difference'), ['difference'], meaning), lane(thirdTitle, ['counter'], key()), make('div', {}, canvases.axis));
  for (const canvas of Object.values(canvases)) {
    canvas.addEventListener('pointermove', (event) => {
      const at = placeOf(event.offsetX);
      hint.textContent = at === null ? '' : (picture()?.at(at) ?? '');
    });
    canvas.addEventListener('pointerleave', () => (hint.textContent = ''));
    canvas.addEventListener('click', (event) => {
      const at = placeOf(event.offsetX);
      const phase = at === null ? undefined : picture()?.phaseAt(at);
      pick(phase ?? null);
    });
    canvas.addEventListener('dblclick', (event) => {
      const at = placeOf(event.offsetX);
      const phase = at === null ? undefined : picture()?.phaseAt(at);
      const span = phase === undefined ? [] : (picture()?.phaseSpan(phase) ?? []);
      const [from, to] = range();
      const isWhole = from === 0 && to === 1;
      look({ range: isWhole && span.length === 2 ? [span[0], span[1]] : [0, 1] });
    });
  }
  // A phase of one rail that is dragged onto one of the other.
  let dragged: { from: 'phasesA' | 'phasesB', at: number } | null = null;
  for (const [from, to, letter] of [['phasesA', 'phasesB', 'B'], ['phasesB', 'phasesA', 'A']] as const) {
    canvases[from].addEventListener('pointerdown', (event) => {
      const at = placeOf(event.offsetX);
      dragged = at === null || event.button !== 0 ? null : { from, at };
    });
    canvases[from].addEventListener('pointerleave', (event) => {
      if (dragged?.from === from && event.buttons === 1) hint.textContent = `Drop it on the phase of ${letter} that is the same`;
    });
    canvases[to].addEventListener('pointerup', (event) => {
      const at = placeOf(event.offsetX);
      if (dragged?.from === from && at !== null) pair(...(from === 'phasesA' ? [dragged.at, at] as const : [at, dragged.at] as const));
    });
  }
  addEventListener('pointerup', () => (dragged = null));
  function placeOf(px: number): number | null {
    const { left, right } = gutters(innerWidth);
    const share = (px - left) / (lanes.clientWidth - left - right);
    const [from, to] = range();
    return share >= 0 && share <= 1 ? from + share * (to - from) : null;
  }
  const adding = make('input', { type: 'file', multiple: '', class: 'unseen', tabindex: '-1', 'aria-label': 'Files of a further run', 'data-testid': 'compare-further' });
  let side = 0;
  adding.addEventListener('change', () => {
    const files = [...(adding.files ?? [])];
    adding.value = '';
    if (files.length > 0) add(side, { files, names: files.map(({ name }) => name) });
  });
  const more = ['A', 'B'].map((letter, of) => button({ class: 'quiet', title: `A further run of ${letter}: how much runs differ is measured then`, 'data-testid': `compare-more-${letter.toLowerCase()}` }, `+ ${letter}`, () => {
    side = of;
    adding.click();
  }));
  const added = make('p', { class: 'state', role: 'status', 'data-testid': 'compare-added', hidden: '' });
  const column = make('div', { class: 'compared' }, names, adding, words, added, told);
  told.append(facts, sentences, lanes);
  const [rows, counters] = [make('table', { class: 'rows', 'data-testid': 'compare-rows' }), make('table', { class: 'counters', 'data-testid': 'compare-counters' })];
  const lines = make('table', { class: 'lines', 'data-testid': 'compare-lines', 'aria-label': 'Lines of code' });
  const objects = make('table', { class: 'references', 'data-testid': 'compare-references', 'aria-label': 'Data objects' });
  const ofObjects = make('section', {}, make('h2', {}, term('data-object', 'Data objects')), objects);
  const sources = button({ class: 'link', 'data-testid': 'compare-both' }, 'Both sources', () => look({ pane: sources.dataset.place ?? null }, 'push'));
  const [unit, pickedTitle, pickedWords, assumed] = [make('small', {}), make('h2', {}), make('p', { class: 'hint' }), make('p', { class: 'hint assumed', 'data-testid': 'compare-assumed' })];
  const select = (options: [string, string][], choose: (value: string) => void) => {
    const element = make('select', {}, ...options.map(([value, words]) => make('option', { value }, words)));
    element.addEventListener('change', () => choose(element.value));
    return element;
  };
  const along = select([['auto', 'phase, if most is matched'], ['phase', 'phase'], ['share', 'share'], ['time', 'time']], (value) => look({ compareBy: value as ViewState['compareBy'] }));
  const least = select(LEAST.map((percent) => [percent, `${percent} %`]), (value) => look({ least: value as ViewState['least'] }));
  const between = select(BETWEEN.map((percent) => [percent, percent === '0' ? 'nothing: these runs only' : `${percent} %`]), (value) => look({ between: value as ViewState['between'] }));
  const clock = select([['own', 'time'], ['equal', 'cycles, as at one clock']], (value) => look({ clock: value as ViewState['clock'] }));
  const third = select([], (third) => look({ third }));
  const pairs = make('input', { type: 'text', placeholder: 'as found, or 2-2.3', title: 'Phases of A and of B that are the same, as each is numbered alone: 2-2.3,4-5. Or drag a phase of A onto one of B.', 'data-testid': 'compare-pairs', spellcheck: 'false' });
  pairs.addEventListener('change', () => {
    const value = pairs.value.trim();
    if (value === '' || /^[\d., -]{3,200}$/.test(value)) look({ pairs: value || null }, 'push');
    else wrongPairs.textContent = `found ${value}, expected phases of A and of B such as 2-2.3`;
  });
  const wrongPairs = make('p', { class: 'wrong', role: 'status', 'data-testid': 'compare-pairs-wrong' });
  const field = (words: string, control: HTMLElement) => make('label', { class: 'field' }, make('span', {}, words), control);
  const runs = wholeOf(whole);
  const panel = make('aside', { class: 'compare-panel', 'aria-label': 'Numbers of the comparison' },
    make('div', { class: 'panel-body' },
      make('section', {}, make('h2', {}, term('comparison', 'Where the time went')), make('p', { class: 'hint' }, unit), rows),
      make('section', {}, pickedTitle, counters, pickedWords, lines, sources),
      ofObjects,
      runs.root,
      make('section', { class: 'fields' }, make('h2', {}, term('comparison', 'Comparison')), field('Align by', along), field('Compare', clock), field('Least change', least), field('Runs vary by', between), field('Third lane', third), field('Same phases', pairs), wrongPairs),
      make('section', {}, assumed)));
  const root = make('section', { id: 'compare', class: 'compare', 'data-testid': 'compare', 'aria-label': 'Comparison', hidden: '' }, column, panel);
  const quit = () => button({ title: 'What is open is alone again (Escape)', 'data-testid': 'compare-close' }, 'Close B', () => close());
  const other = () => button({ class: 'quiet', title: 'Another run', 'data-testid': 'compare-other' }, 'Other…', () => choose());
  const lastButtons = [make('span', { class: 'gap' }), other(), quit()];
  const buttons = [
    ...more,
    make('span', { class: 'gap' }),
    button({ class: 'quiet', title: 'Swap A and B (X)', 'data-testid': 'compare-swap' }, 'Swap', swap),
    ...['SVG', 'CSV', 'JSON'].map((format) => button({ class: 'quiet', title: `Save the comparison as ${format}`, 'data-testid': `compare-${format.toLowerCase()}` }, format, () => save(format.toLowerCase()))),
    other(),
    quit(),
  ];
  return { root, panel, runs, added, more, column, names, buttons, lastButtons, facts, sentences, told, state: words, lanes, canvases, surfaces, rows, counters, lines, objects, ofObjects, sources, unit, pickedTitle, pickedWords, assumed, along, least, between, clock, third, pairs, wrongPairs, thirdTitle };
}
