// The same numbers as the curves, as a table.

import { make } from '../dom.ts';
import { cellOf } from './ratios.ts';
import type { Shown } from '../state.ts';
import type { Column } from '../wasm/painter.js';

/** Rows: every twentieth of the instance, both ends included. */
const ROWS = 21;

/** Caption, head and body of the table. */
export function partsOf({ picture, group: { number, axis, counters }, deciding }: Shown): HTMLElement[] {
  const { unit, columns, rows } = picture.table(number, ROWS);
  const along = axis.counter ? [[unit, 'share'], [unit, '']] : [['Time', 'share'], ['Time', unit]];
  const heads = [...along, ...columns.map(({ name, unit }) => [name, unit === name ? '' : unit])]
    .map(([head, unit]) => make('th', { scope: 'col' }, head, ' ', make('small', {}, unit)));
  const mips = counters.find(({ instructions }) => instructions)?.counter;
  const kindOf = ({ counter, ratio }: Column) => (ratio ? 'per-instruction' : counter === mips ? 'mips' : 'rate');
  const body = rows.map(({ x, at, figures }) => make('tr', { 'data-x': String(x.value) }, cellOf(x, { 'data-kind': 'x', 'data-counter': '' }),
    cellOf(at, { 'data-kind': 'along', 'data-counter': '' }),
    ...columns.map((column, i) => cellOf(figures[i], { 'data-kind': kindOf(column), 'data-counter': column.counter }))));
  const words = deciding ? 'Deciding… Until then, values of the spline over the folded instance' : 'Values of the curves over the folded instance';
  return [make('caption', { class: 'hint' }, words), make('thead', {}, make('tr', {}, ...heads)), make('tbody', {}, ...body)];
}
