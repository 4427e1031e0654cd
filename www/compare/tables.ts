// The tables of a comparison: phases, and counters of the one that is picked.

import { cellOf } from '../controls/ratios.ts';
import { button, make } from '../dom.ts';
import type { ComparedLine, ComparedObject, ComparedRow, ComparedSummary } from '../wasm/painter.js';

export function headOf(...words: string[]): HTMLElement {
  return make('thead', {}, make('tr', {}, ...words.map((word) => (word ? make('th', { scope: 'col' }, word) : make('td', {})))));
}

/** A phase, what only one side has, or the whole. */
export function rowOf(row: ComparedRow, isPicked: boolean, isSum: boolean, pick: (phase: number) => void) {
  const { phase, name, a, b, difference, change, tone, bar, verdict } = row;
  const head = phase === null ? name : button({ class: 'name', 'data-row': String(phase), 'aria-pressed': String(isPicked), title: name }, '', () => pick(phase));
  if (phase !== null && typeof head !== 'string') head.append(make('b', {}, String(phase)), ` ${name.split('::').at(-1)}`);
  return make('tr', { class: [isPicked && phase !== null && 'now', isSum && 'sum', tone].filter(Boolean).join(' '), title: [change.text && `${change.text} %`, `${verdict}. ${row.words}`].filter(Boolean).join(', ') }, make('th', { scope: 'row' }, head), cellOf(a), cellOf(b), make('td', { class: 'bars', 'aria-hidden': 'true' }, barOf(bar)), cellOf(difference));
}

/** Time and counters of the row that is looked at: head and body of a table. */
export function countersOf({ phase, a, b, change, interval, tone }: ComparedRow, { counters, unit }: ComparedSummary): HTMLElement[] {
  const time = { title: 'Time', unit: `(${unit})`, a, b, change, interval: interval.replace(/\s%$/, ''), isSure: tone !== 'unsure' };
  const row = ({ title, unit, a, b, change, interval, isSure }: typeof time) =>
    make('tr', { class: isSure ? 'sure' : '' }, make('th', { scope: 'row' }, title, ' ', make('small', {}, unit)), cellOf(a), cellOf(b), cellOf(change), make('td', { class: 'interval' }, interval));
  return [
    headOf('', 'A', 'B', '%', '95 %'),
    make('tbody', {}, ...[time, ...counters.filter((counter) => counter.phase === phase)].map(row)),
  ];
}

/** Lines of code of the row that is looked at, as both sides have them: head and body of a table; nothing without. */
export function linesOf({ phase }: ComparedRow, { lines, unit }: ComparedSummary): HTMLElement[] {
  const own = lines.filter((line) => line.phase === phase);
  const row = ({ routine, file, line, place, a, b, change, within, tone }: ComparedLine) => {
    const words = [make('span', {}, routine.split('::').at(-1) ?? routine), ' ', make('small', {}, place)];
    const name = make('th', { scope: 'row', title: `${routine} ${place}` }, ...(file ? [make('button', { class: 'name', type: 'button', 'data-line': `${line}:${file}` }, ...words)] : words));
    return make('tr', { class: tone === 'unsure' ? '' : 'sure' }, name, cellOf(a), cellOf(b), cellOf(change), make('td', { class: 'interval' }, within));
  };
  return own.length === 0 ? [] : [headOf(`Line (${unit})`, 'A', 'B', 'B − A', '95 %'), make('tbody', {}, ...own.map(row))];
}

/** Data objects of both sides, of the whole instance: head and body of a table; nothing without. */
export function objectsOf(objects: ComparedObject[]): HTMLElement[] {
  const row = ({ name, about, a, b, change, within, isSure, cost, isCostSure, walks }: ComparedObject) => {
    const words = [about, walks].filter(Boolean).map((words) => make('span', {}, words));
    if (cost) words.splice(1, 0, make(isCostSure ? 'b' : 'span', {}, cost));
    return [
      make('tr', { class: isSure ? 'sure' : '' }, make('th', { scope: 'row' }, name), cellOf(a), cellOf(b), cellOf(change), make('td', { class: 'interval' }, within)),
      make('tr', {}, make('td', { class: 'about', colspan: '5' }, ...words)),
    ];
  };
  return objects.length === 0 ? [] : [headOf('Object (% of references)', 'A', 'B', 'B − A', '95 %'), make('tbody', {}, ...objects.flatMap(row))];
}

/** A bar from zero to the difference, and both intervals over it. */
function barOf([end, low, high, lowWithin, highWithin]: number[]): HTMLElement {
  const place = (from: number, to: number, kind: string) => {
    const bar = make('i', { class: kind });
    const [least, most] = [Math.min(from, to), Math.max(from, to)].map((x) => 50 + 50 * Math.min(Math.max(x, -1), 1));
    bar.style.left = `${least}%`;
    bar.style.width = `${most - least}%`;
    return bar;
  };
  if (end === undefined) return make('span', {});
  return make('span', {}, place(0, end, 'bar'), ...(low === undefined ? [] : [place(low, high, 'program'), place(lowWithin, highWithin, 'runs')]));
}
