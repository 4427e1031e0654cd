// How long a region draws more than a limit of power: for the limit that is asked, and for all (Servat 2015, figure
// 5.23c and d). Loaded with the first counter of energy.

import { make, shape } from '../dom.ts';
import type { Shown } from '../state.ts';
import type { Above } from '../wasm/painter.js';

/** Size of either plot in its own units, with room for the words of its axes. */
const [WIDE, HIGH, LEFT, BELOW] = [300, 84, 56, 16];

/** Limits of which a plot is made. */
const LIMITS = 120;

/** More than any machine draws. */
const MOST_WATTS = 1e9;

/** How lines of several counters are told from each other, in any theme. */
const DASHES = ['', '6 3', '2 2', '8 2 2 2'];

export interface Power {
  element: HTMLElement;
  show: (shown: Shown) => void;
}

export function powerLimits(): Power {
  const field = make('input', { id: 'energy-limit', inputmode: 'decimal', placeholder: 'W' });
  const above = make('ul', { 'data-testid': 'energy-above', role: 'status' });
  const plots = make('div', { 'data-testid': 'energy-limits' });
  let shown: Shown | null = null;
  let most = 0;
  const at = (watts: number): Above[] => (shown ? shown.picture.above(shown.group.number, watts) : []);

  const tell = () => {
    const limit = Number(field.value);
    const isLimit = field.value.trim() !== '' && limit >= 0 && Number.isFinite(limit);
    above.replaceChildren(...(isLimit
      ? at(limit).map(({ share, longestMs, words }) => make('li', { 'data-share': String(share), 'data-longest-ms': String(longestMs) }, words))
      : field.value.trim() === '' ? [] : [make('li', {}, 'A number of watts is expected.')]));
    for (const line of plots.querySelectorAll('[data-limit]')) {
      line.toggleAttribute('hidden', !isLimit || limit > most);
      for (const end of ['x1', 'x2']) line.setAttribute(end, String(LEFT + ((WIDE - LEFT) * Math.min(limit, most)) / most || LEFT));
    }
  };
  field.addEventListener('input', tell);
  plots.addEventListener('click', (event) => {
    const plot = (event.target as Element).closest('svg')?.getBoundingClientRect();
    if (!plot) return;
    const share = ((event.clientX - plot.left) * (WIDE / plot.width) - LEFT) / (WIDE - LEFT);
    field.value = (most * Math.min(Math.max(share, 0), 1)).toPrecision(3);
    tell();
  });

  const draw = () => {
    most = mostWatts(at);
    const limits = Array.from({ length: LIMITS + 1 }, (_, i) => (most * i) / LIMITS);
    const told = limits.map(at);
    const counters = (told[0] ?? []).map(({ counter }) => counter);
    const longest = Math.max(0, ...(told[0] ?? []).map(({ longestMs }) => longestMs));
    const plot = (title: string, top: string, value: (of: Above) => number) => {
      const x = (i: number) => LEFT + ((WIDE - LEFT) * i) / LIMITS;
      const lines = counters.map((_, counter) => shape('polyline', '', {
        points: told.map((all, i) => `${x(i).toFixed(1)},${(4 + (HIGH - 4) * (1 - value(all[counter]))).toFixed(1)}`).join(' '),
        fill: 'none', stroke: 'var(--ink)', 'stroke-width': 1.5, 'stroke-dasharray': DASHES[counter % DASHES.length],
      }));
      const word = (x: number, y: number, anchor: string, text: string) => shape('text', '', { x, y, 'text-anchor': anchor, 'font-size': 11, fill: 'var(--ink3)' }, document.createTextNode(text));
      return make('div', { role: 'img', 'aria-label': `${title} by limit of power, from 0 to ${most} W` }, make('h4', {}, title), shape('svg', '', { viewBox: `0 0 ${WIDE} ${HIGH + BELOW}`, width: '100%' },
        shape('path', '', { d: `M${LEFT} 0V${HIGH}H${WIDE}`, fill: 'none', stroke: 'var(--axis)' }), ...lines,
        shape('line', '', { 'data-limit': '', y1: 0, y2: HIGH, x1: 0, x2: 0, stroke: 'var(--accent)', hidden: '' }),
        word(LEFT - 5, 11, 'end', top), word(LEFT - 5, HIGH, 'end', '0'), word(LEFT, HIGH + 13, 'start', '0'), word(WIDE, HIGH + 13, 'end', `${most}\u202fW`)));
    };
    const keys = counters.map((counter, i) => make('span', {}, shape('svg', '', { width: 22, height: 8 }, shape('path', '', { d: 'M0 4H20', stroke: 'var(--ink)', 'stroke-width': 1.5, 'stroke-dasharray': DASHES[i % DASHES.length] })), ` ${counter} `));
    plots.replaceChildren(...(most > 0 && longest > 0 ? [
      plot('Share of the time above a limit', '100\u202f%', ({ share }) => share),
      plot('Longest stretch above it', `${longest.toPrecision(3)}\u202fms`, ({ longestMs }) => longestMs / longest),
      ...(counters.length > 1 ? [make('p', {}, ...keys)] : []),
    ] : []));
    tell();
  };

  return {
    element: make('div', {}, make('div', { class: 'setting' }, make('label', { for: 'energy-limit' }, 'Limit (W)'), field), above, plots),
    show: (current) => {
      shown = current;
      draw();
    },
  };
}

/** A round number of watts that nothing is above: 1, 2 or 5 times a power of ten. */
function mostWatts(at: (watts: number) => Above[]): number {
  for (let unit = 0.01; unit < MOST_WATTS; unit *= 10) {
    for (const times of [1, 2, 5]) {
      const watts = Number((times * unit).toPrecision(1));
      if (at(watts).every(({ share }) => share === 0)) return watts;
    }
  }
  return 0;
}
