// What is known of each border of phases, and where each counter breaks by itself.

import { make } from '../dom.ts';
import type { GroupSummary } from '../wasm/painter.js';

export function breaksOf({ breaks, ownBreaks }: GroupSummary, isOpen: boolean): HTMLElement[] {
  if (breaks.length === 0 && ownBreaks.length === 0) return [];
  const rows = breaks.map(({ words }, i) => make('li', {}, make('b', {}, `${i + 1} | ${i + 2}`), ` ${words}`));
  const own = ownBreaks.map(({ name, at }) => make('li', {}, make('b', {}, name), ` alone breaks at ${at}`));
  const details = make('details', { class: 'breaks', 'data-testid': 'breaks' },
    make('summary', {}, make('h2', { 'data-term': 'break' }, 'What changes at each break')), make('ul', {}, ...rows, ...own));
  details.open = isOpen;
  return [details];
}
