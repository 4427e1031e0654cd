// Columns that the tables of phases and of routines share: a rate, then ratios of those there are, mostly
// two.

import { make } from '../dom.ts';
import { headOf } from './order.ts';
import type { Actions } from '../actions/actions.ts';
import type { Column, Figure } from '../wasm/painter.js';

/** Places of the columns that are shown: of rates all, of so many ratios the chosen, else the first ones. */
export function placesOf(columns: Column[], chosen: string[], count = 2): number[] {
  const places = [...columns.keys()];
  const ratios = places.filter((place) => columns[place].ratio);
  const wanted = [0, 1].slice(0, count).map((i) => ratios.find((place) => columns[place].counter === chosen[i]) ?? ratios[i]);
  return [...places.filter((place) => !columns[place].ratio), ...wanted.filter((place) => place !== undefined)];
}

/** The units that their heads do not say: `per 1000 ins, per 10⁶ ins`. */
export function unitsOf(columns: Column[], places: number[]) {
  const unnamed = places.map((place) => columns[place]).filter(({ name, unit }) => unit !== name);
  return [...new Set(unnamed.map(({ unit }) => unit))].join(', ');
}

/** Heads of the columns of a table; beside the name of a ratio is a list of those it can be. */
export function headsOf(table: string, columns: Column[], places: number[], label: string, actions: Actions) {
  const possible = columns.filter(({ ratio }) => ratio);
  const ratios = places.map((place) => columns[place]).filter(({ ratio }) => ratio);
  const choice = (own: Column) => {
    const select = make('select', { 'aria-label': `${label} ${ratios.indexOf(own) + 1}`, title: 'Another counter', 'data-key': `ratio ${ratios.indexOf(own)}` }, ...possible.map(({ counter, name }) => make('option', { value: counter }, name)));
    select.value = own.counter;
    select.addEventListener('change', () => actions.look({ ratios: ratios.map((column) => (column === own ? select.value : column.counter)) }));
    return make('span', { class: 'other' }, select);
  };
  return places.map((place) => columns[place]).map((column) => {
    const { counter, name, unit, ratio } = column;
    return headOf(table, counter, name, `${counter}, ${unit}`, actions, ...(ratio && possible.length > 1 ? [choice(column)] : []));
  });
}

/** The figures of one row. A rate has its error beside it, or its range where it is not level; that of a ratio is in its title. */
export function figuresOf(columns: Column[], places: number[], figures: Figure[]) {
  return places.map((place) => {
    const [{ counter, ratio }, figure] = [columns[place], figures[place]];
    const cell = cellOf(figure, { 'data-counter': counter, 'data-kind': ratio ? 'per-instruction' : 'rate' });
    if (ratio) cell.title = figure.within;
    else if (figure.within) cell.append(' ', make('small', figure.within.startsWith('±') ? {} : { class: 'range' }, figure.within));
    return cell;
  });
}

/** The value of a counter's column in a row, by which it is put in order. */
export function valueIn(columns: Column[], figures: Figure[], counter: string) {
  return figures[columns.findIndex((column) => column.counter === counter)]?.value;
}

/** A row that has a bar of its share of the whole, 0 to 1. */
export function shareOf<T extends HTMLElement>(share: number | null | undefined, row: T): T {
  row.classList.add('barred');
  row.style.setProperty('--share', String(Math.min(Math.max(share ?? 0, 0), 1)));
  return row;
}

/** A figure in a table, with the value that was printed. */
export function cellOf({ value, text }: Figure, attributes: Record<string, string> = {}) {
  return make('td', { ...attributes, 'data-value': String(value ?? '') }, text);
}
