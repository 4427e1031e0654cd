// What lies between two moments that are measured: marked in all lanes, with its numbers beside it. It
// zooms to nothing and picks nothing.

import { byId, make, shape, watcher } from '../dom.ts';
import { shownOf, type State } from '../state.ts';
import { besidePointer, plotsOf } from './overlay.ts';
import { clamp, timeScale } from './timeline.ts';
import type { Painted } from './lanes.ts';
import type { Stretch } from '../wasm/painter.js';

/** What has been measured is said when it has not changed for so long. */
const REST_MS = 300;

export function mountMeasure(root: HTMLElement): (state: State, painted: Painted) => void {
  const svg = shape('svg', 'overlay', { 'aria-hidden': 'true' });
  root.append(svg);
  const card = byId('measure');
  const words = byId('cursor-words');
  const changed = watcher();
  let timer: ReturnType<typeof setTimeout> | undefined;

  return (state, painted) => {
    const { measured, view } = state;
    const shown = shownOf(state);
    if (!changed(measured, view, shown?.picture, painted)) return;
    svg.replaceChildren();
    clearTimeout(timer);
    card.hidden = true;
    const plots = plotsOf(painted);
    if (!measured || !shown || shown.group !== measured.of || !painted.views || plots.length === 0) return;
    const { left, right } = plots[0];
    const { toPx } = timeScale(view.range, left, right);
    const [a, b] = measured.ends.map((x) => clamp(toPx(x), left, right)).sort((a, b) => a - b);
    for (const { top, bottom } of plots) {
      svg.append(shape('rect', 'measured', { x: a, y: top, width: b - a, height: bottom - top }));
      for (const x of [a, b]) svg.append(shape('line', 'measured', { x1: x, x2: x, y1: top, y2: bottom }));
    }
    const stretch = shown.picture.stretch(painted.views.performance, ...measured.ends);
    if (!stretch) return;
    card.replaceChildren(...partsOf(stretch));
    card.hidden = false;
    besidePointer(card, measured.pointer ?? { x: b, y: painted.tops.performance ?? 0 }, root);
    timer = setTimeout(() => (words.textContent = told(stretch)), REST_MS);
  };
}

function partsOf({ length, share, between, curves }: Stretch) {
  const rows = curves.map(({ name, colour, mean, events }) => {
    const swatch = make('i', { class: 'swatch' });
    swatch.style.setProperty('background', colour);
    return make('tr', {}, make('th', { scope: 'row' }, swatch, name), make('td', {}, mean), make('td', {}, events));
  });
  const head = make('tr', {}, ...['', 'mean', 'events'].map((text) => make('td', {}, text)));
  return [
    make('p', {}, make('b', {}, length), ` ${share}`, make('i', {}, between)),
    ...(rows.length > 0 ? [make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows))] : []),
  ];
}

function told({ length, share, between, curves }: Stretch) {
  const each = curves.map(({ name, mean, events }) => `${name} ${mean}, ${events} events`);
  return [`Measured ${length}, ${share}, ${between}`, ...each].join('. ');
}
