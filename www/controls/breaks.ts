// What is known of each border of phases, and where each counter breaks by itself.

import { make } from '../dom.ts';
import { fixed, significant } from '../format.ts';
import type { GroupSummary } from '../wasm/painter.js';

export function breaksOf({ breaks, counters, meanMs }: GroupSummary, isOpen: boolean): HTMLElement[] {
  const alone = counters.filter(({ ownBreaks }) => ownBreaks.length > 0);
  if (breaks.length === 0 && alone.length === 0) return [];
  const nameOf = (wanted: string) => {
    const counter = counters.find(({ counter }) => counter === wanted);
    return counter?.instructions ? 'MIPS' : (counter?.name ?? wanted);
  };
  const rows = breaks.map(({ ms, halfWidthMs, changed, byHand }, i) => {
    const near = halfWidthMs > 0 ? ` ± ${figures(halfWidthMs)}` : '';
    const what = changed.length > 0 ? `${changed.map(nameOf).join(', ')} ${changed.length > 1 ? 'change' : 'changes'}` : 'no counter changes beyond doubt';
    return make('li', {}, make('b', {}, `${i + 1} | ${i + 2}`), ` at ${figures(ms)}${near} ms: ${what}${byHand ? ' (by hand)' : ''}`);
  });
  const own = alone.map(({ counter, ownBreaks }) =>
    make('li', {}, make('b', {}, nameOf(counter)), ` alone breaks at ${ownBreaks.map((at) => figures(at * meanMs)).join(', ')} ms`));
  const details = make('details', { class: 'breaks', 'data-testid': 'breaks' },
    make('summary', {}, make('h2', {}, 'What changes at each break')), make('ul', {}, ...rows, ...own));
  details.open = isOpen;
  return [details];
}

function figures(ms: number) {
  return ms >= 100 ? fixed(ms) : significant(ms);
}
