// Columns of rates that the tables of phases and of routines share: a rate, then two ratios.

import { make } from '../dom.js';
import { fixed, perInstruction, significant } from '../format.js';

/**
 * @typedef {import('../tracefold.js').GroupSummary} GroupSummary
 * @typedef {import('../tracefold.js').CounterSummary} CounterSummary
 * @typedef {{counter: string, head: string, unit: string | null, factor: number}} Column of rates if
 *   it has no unit, else of events per instruction
 */

/**
 * @param {GroupSummary} group
 * @param {CounterSummary[]} possible counters of which there is a ratio
 * @param {(counter: string) => number} largest ratio of a counter
 * @param {string[]} chosen counters
 * @returns {Column[]}
 */
export function columnsOf(group, possible, largest, chosen) {
  const first = group.counters.find(({ instructions }) => instructions) ?? group.counters[0];
  const usual = possible.map(({ counter }) => counter);
  const ratios = [0, 1].map((i) => (usual.includes(chosen[i]) ? chosen[i] : usual[i])).filter((counter) => counter !== undefined);
  const ratio = (/** @type {string} */ counter) => {
    const { factor, unit } = perInstruction(largest(counter));
    return { counter, head: possible.find((known) => known.counter === counter)?.name ?? counter, unit, factor };
  };
  // Over the events of a counter there is no rate in time.
  const rates = first && !group.axis.counter ? [{ counter: first.counter, head: first.instructions ? 'MIPS' : `${first.name} M/s`, unit: null, factor: 1 }] : [];
  return [...rates, ...ratios.map(ratio)];
}

/**
 * Counters that `hasRatio`; cycles, which every trace has, last.
 * @param {CounterSummary[]} counters
 * @param {(counter: string) => boolean} hasRatio
 */
export function ratiosOf(counters, hasRatio) {
  const isCycles = (/** @type {CounterSummary} */ { counter }) => (/CYC/.test(counter) ? 1 : 0);
  return counters.filter(({ counter, instructions }) => !instructions && hasRatio(counter)).sort((a, b) => isCycles(a) - isCycles(b));
}

/**
 * What the ratios of `columns` are per: `per 1000 ins, 10⁶ ins`.
 * @param {Column[]} columns
 */
export function unitsOf(columns) {
  const units = [...new Set(columns.flatMap(({ unit }) => unit ?? []))];
  return units.map((unit, i) => (i === 0 ? unit : unit.replace('per ', ''))).join(', ');
}

/**
 * Heads of the columns; those of ratios are choices.
 * @param {Column[]} columns
 * @param {CounterSummary[]} possible
 * @param {string} label of each choice, before its number
 * @param {(ratios: string[]) => void} choose
 */
export function headsOf(columns, possible, label, choose) {
  const ratios = columns.filter(({ unit }) => unit !== null);
  const choice = (/** @type {Column} */ own) => {
    const select = make('select', { 'aria-label': `${label} ${ratios.indexOf(own) + 1}` }, ...possible.map(({ counter, name }) => make('option', { value: counter }, name)));
    select.value = own.counter;
    select.addEventListener('change', () => choose(ratios.map((column) => (column === own ? select.value : column.counter))));
    return select;
  };
  return columns.map((column) => make('th', { scope: 'col', title: [column.counter, column.unit].filter(Boolean).join(', ') }, column.unit === null ? column.head : choice(column)));
}

/** @param {number} value */
export function figures(value) {
  return Math.abs(value) >= 100 ? fixed(value) : significant(value);
}

/** @param {number} ms */
export function milliseconds(ms) {
  return ms >= 100 ? fixed(ms) : significant(ms);
}
