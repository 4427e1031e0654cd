// The tables of a series: measures of each run, and how each phase follows the value.

import { cellOf } from '../controls/ratios.ts';
import { button, make } from '../dom.ts';
import { headOf } from './tables.ts';
import type { SeriesRowTold, SeriesSummary } from '../wasm/painter.js';

/** Each run with its measures of a row. */
export function rowsOf({ values }: SeriesSummary, { runs, best }: SeriesRowTold): HTMLElement {
  const cell = (figure: SeriesRowTold['runs'][number][number], run: number, measure: number) => {
    const isBest = best[measure] === run;
    const cell = cellOf(figure, { title: [figure.within && `95 %: ${figure.within}`, isBest && 'best beyond doubt'].filter(Boolean).join(', ') });
    if (isBest) cell.classList.add('best');
    return cell;
  };
  return make('tbody', {}, ...runs.map((figures, run) => make('tr', {}, make('th', { scope: 'row' }, values[run] ?? ''), ...figures.map((figure, measure) => cell(figure, run, measure)))));
}

/** Head and body: time of the first and the last run, the change over the values, and the power that it follows. */
export function trendsOf({ rows, values }: SeriesSummary, picked: number, pick: (row: number) => void): HTMLElement[] {
  const [first, last] = [0, values.length - 1];
  const hasTrends = rows.some(({ exponent }) => exponent !== '');
  const row = ({ phase, name, colour, runs, change, exponent, interval, isSure }: SeriesRowTold, at: number) => {
    const square = make('i', { class: 'square', 'aria-hidden': 'true' });
    square.style.background = colour;
    const head = button({ class: 'name', 'data-row': String(at), 'aria-pressed': String(at === picked), title: name }, '', () => pick(at));
    head.append(square, ' ', phase === null ? make('b', {}, name) : `${phase} ${name.split('::').at(-1)}`);
    const times = [runs[first]?.[0], runs[last]?.[0]].map((figure) => (figure ? cellOf(figure) : make('td', {})));
    const trend = hasTrends ? [make('td', {}, change), make('td', { class: 'interval', title: interval }, exponent)] : [];
    return make('tr', { class: [at === picked && 'now', isSure && 'sure'].filter(Boolean).join(' ') }, make('th', { scope: 'row' }, head), ...times, ...trend);
  };
  return [headOf('', `${values[first]}, ms`, `${values[last]}, ms`, ...(hasTrends ? ['%', 'exponent'] : [])), make('tbody', {}, ...rows.map(row))];
}
