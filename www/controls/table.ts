// The same numbers as the curves, as a table.

import { byId, make, watcher } from '../dom.ts';
import { fixed, perInstruction, significant } from '../format.ts';
import type { Mount } from '../actions/actions.ts';
import type { CounterSummary, GroupSummary, Table } from '../wasm/painter.js';

/** Rows: every twentieth of the instance, both ends included. */
const ROWS = 21;

export const mountTable: Mount = ({ now, look }) => {
  const changed = watcher();
  const turn = byId('table-switch');
  turn.addEventListener('click', () => look({ view: now().view.view === 'table' ? 'lanes' : 'table' }, 'push'));
  return (state, shown) => {
    const { view } = state;
    turn.hidden = !shown;
    turn.setAttribute('aria-pressed', String(view.view === 'table'));
    byId('numbers').hidden = view.view !== 'table' || !shown || state.now.is === 'failed';
    if (!changed(shown?.picture, shown?.group)) return;
    byId('table').replaceChildren(...(shown ? partsOf(shown.picture.table(shown.group.number, ROWS), shown.group) : []));
  };
};

type Column = { head: string, unit: string, counter: string, kind: string, values: (number | null)[], text: (value: number) => string };

function partsOf({ columns, rows }: Table, { counters }: GroupSummary): HTMLElement[] {
  const shown = columnsOf(columns, rows, counters);
  const heads = shown.map(({ head, unit }) => make('th', { scope: 'col' }, head, ' ', make('small', {}, unit)));
  const body = rows.map(({ x }, i) => {
    const cells = shown.map(({ counter, kind, values, text }) => {
      const value = values[i];
      return make('td', { 'data-kind': kind, 'data-counter': counter, 'data-value': String(value ?? '') }, value === null ? '–' : text(value));
    });
    return make('tr', { 'data-x': String(x) }, ...cells);
  });
  return [make('caption', { class: 'unseen' }, 'Values of the curves over the folded instance'), make('thead', {}, make('tr', {}, ...heads)), make('tbody', {}, ...body)];
}

function columnsOf(columns: Table['columns'], rows: Table['rows'], counters: CounterSummary[]): Column[] {
  const shown: Column[] = [
    { head: 'Time', unit: 'share', counter: '', kind: 'x', values: rows.map(({ x }) => x), text: (x) => fixed(x, 2) },
    { head: 'Time', unit: 'ms', counter: '', kind: 'ms', values: rows.map(({ ms }) => ms), text: (ms) => significant(ms, 4) },
  ];
  for (const [i, { counter, name }] of columns.entries()) {
    const rates = rows.map((row) => row.rates[i]);
    const { instructions, clock } = counters.find((known) => known.counter === counter) ?? { instructions: false, clock: false };
    if (instructions) {
      shown.splice(2, 0, { head: 'MIPS', unit: 'M/s', counter, kind: 'mips', values: rates, text: (rate) => fixed(rate) });
      continue;
    }
    const ratios = rows.map((row) => row.perInstruction[i]);
    const { factor, unit } = perInstruction(Math.max(0, ...ratios.map((ratio) => ratio ?? 0)));
    const [share, per] = clock ? [1e-3, 'CPUs'] : [1, 'M/s'];
    shown.push({ head: name, unit: per, counter, kind: 'rate', values: rates, text: (rate) => significant(rate * share) });
    if (ratios.every((ratio) => ratio === null)) continue;
    shown.push({ head: name, unit: clock ? `ns ${unit}` : unit, counter, kind: 'per-instruction', values: ratios, text: (ratio) => significant(ratio * factor) });
  }
  return shown;
}
