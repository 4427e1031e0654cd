// Columns of rates that the tables of phases and of routines share: a rate, then two ratios.

import { make } from '../dom.ts';
import { fixed, perInstruction, significant } from '../format.ts';
import type { CounterSummary, GroupSummary } from '../wasm/painter.js';

/** Of rates if it has no unit, else of events per instruction. */
export type Column = { counter: string, head: string, unit: string | null, factor: number };

/** Rates, and ratios of the chosen among the counters of which there is one. */
export function columnsOf(group: GroupSummary, possible: CounterSummary[], largest: (counter: string) => number, chosen: string[]): Column[] {
  const first = group.counters.find(({ instructions }) => instructions) ?? group.counters[0];
  const usual = possible.map(({ counter }) => counter);
  const ratios = [0, 1].map((i) => (usual.includes(chosen[i]) ? chosen[i] : usual[i])).filter((counter) => counter !== undefined);
  const ratio = (counter: string) => {
    const { factor, unit } = perInstruction(largest(counter));
    return { counter, head: possible.find((known) => known.counter === counter)?.name ?? counter, unit, factor };
  };
  // Over the events of a counter there is no rate in time.
  const rates = first && !group.axis.counter ? [{ counter: first.counter, head: first.instructions ? 'MIPS' : `${first.name} M/s`, unit: null, factor: 1 }] : [];
  return [...rates, ...ratios.map(ratio)];
}

/** Counters that `hasRatio`; cycles, which every trace has, last. */
export function ratiosOf(counters: CounterSummary[], hasRatio: (counter: string) => boolean) {
  const isCycles = ({ counter }: CounterSummary) => (/CYC/.test(counter) ? 1 : 0);
  return counters.filter(({ counter, instructions }) => !instructions && hasRatio(counter)).sort((a, b) => isCycles(a) - isCycles(b));
}

/** What the ratios of `columns` are per: `per 1000 ins, 10⁶ ins`. */
export function unitsOf(columns: Column[]) {
  const units = [...new Set(columns.flatMap(({ unit }) => unit ?? []))];
  return units.map((unit, i) => (i === 0 ? unit : unit.replace('per ', ''))).join(', ');
}

/** Heads of the columns; those of ratios are choices. */
export function headsOf(columns: Column[], possible: CounterSummary[], label: string, choose: (ratios: string[]) => void) {
  const ratios = columns.filter(({ unit }) => unit !== null);
  const choice = (own: Column) => {
    const select = make('select', { 'aria-label': `${label} ${ratios.indexOf(own) + 1}` }, ...possible.map(({ counter, name }) => make('option', { value: counter }, name)));
    select.value = own.counter;
    select.addEventListener('change', () => choose(ratios.map((column) => (column === own ? select.value : column.counter))));
    return select;
  };
  return columns.map((column) => make('th', { scope: 'col', title: [column.counter, column.unit].filter(Boolean).join(', ') }, column.unit === null ? column.head : choice(column)));
}

export function figures(value: number) {
  return Math.abs(value) >= 100 ? fixed(value) : significant(value);
}

export function milliseconds(ms: number) {
  return ms >= 100 ? fixed(ms) : significant(ms);
}
