// The runs as a whole beside one another: what their time is made of, regions, clusters of bursts.

import { cellOf } from '../controls/ratios.ts';
import { button, make } from '../dom.ts';
import { term } from '../terms.ts';
import { headOf } from './tables.ts';
import type { WholeRow, WholeTable } from '../wasm/painter.js';

/** A section of the panel; `ask` is what its button does. */
export function wholeOf(ask: () => void) {
  const root = make('section', { 'data-testid': 'compare-whole' });
  const act = button({ class: 'link', 'data-testid': 'compare-whole-ask' }, 'Compare the whole runs', ask);
  const hint = make('p', { class: 'hint' }, 'What their time is made of, region by region, and clusters of bursts.');
  const words = make('p', { class: 'hint', role: 'status', 'data-testid': 'compare-whole-words' });

  /** `said`: while they are looked at, or why they cannot be. */
  const show = (tables: WholeTable[], said: string) => {
    words.textContent = said;
    const asked = tables.length === 0 ? [make('h2', {}, term('comparison', 'The runs')), ...(said === '' ? [hint, act] : [])] : [];
    root.replaceChildren(...asked, words, ...tables.flatMap(partOf));
  };
  return { root, show };
}

function partOf({ title, unit, change, rows }: WholeTable) {
  const head = headOf('', 'A', 'B', '', change);
  const table = make('table', { class: 'whole', 'aria-label': title }, head, ...rows.map(rowOf));
  return [make('h2', { class: 'of-whole' }, title), make('p', { class: 'hint' }, unit), table];
}

/** Its numbers, and under them what else is known of it. */
function rowOf({ name, words, a, b, change, tone, bar, isSum }: WholeRow) {
  const own = make('th', { scope: 'row', title: name }, make('span', {}, name));
  const numbers = make('tr', {}, own, cellOf(a), cellOf(b), make('td', { class: 'bars', 'aria-hidden': 'true' }, ...barOf(bar)), cellOf(change));
  const rest = words ? [make('tr', {}, make('td', { colspan: '5', class: 'also' }, words))] : [];
  return make('tbody', { class: [isSum && 'sum', tone].filter(Boolean).join(' ') }, numbers, ...rest);
}

/** From where to where, around the time of A. */
function barOf([from, to]: number[]): HTMLElement[] {
  if (to === undefined) return [];
  const bar = make('i', { class: 'bar' });
  bar.style.left = `${50 + 50 * Math.min(from, to)}%`;
  bar.style.width = `${50 * Math.abs(to - from)}%`;
  return [make('span', {}, bar)];
}
