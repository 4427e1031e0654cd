// The pictures of a run: its time line, and what is below it.

import { byId, isTyping, make, watcher } from '../dom.ts';
import { AXIS, gutters } from '../lanes/sizes.ts';
import { Surface } from '../lanes/surface.ts';
import { between, keysOf, timeScale, wheeled } from '../lanes/timeline.ts';
import { runOf, tabOf, type Run, type State } from '../state.ts';
import { paintedTheme } from '../theme.ts';
import { mountMultiples } from './multiples.ts';
import { marked, mountPoints } from './points.ts';
import { mountRates } from './rates.ts';
import { runRows } from './size.ts';
import type { Actions } from '../actions/actions.ts';
import type { Colour, KeyMark } from '../wasm/painter.js';

/** Heights of the strip below the time line and of the rail. */
const WAITING = 18;
const STRUCTURE = 28;

/** A drag shorter than so many px is a click. */
const CLICK = 4;

const canvas = (name: string) => byId(`canvas-${name}`) as HTMLCanvasElement;

export function mountTimeline(actions: Actions): (state: State) => void {
  const root = byId('run');
  const lanes = byId('run-lanes');
  const surfaces = Object.fromEntries(['timeline', 'waiting', 'structure', 'run-axis'].map((name) => [name, new Surface(canvas(name))]));
  const changed = watcher();
  const updatePoints = mountPoints(actions);
  const updateMultiples = mountMultiples(actions);
  const updateRates = mountRates(actions);
  new ResizeObserver(() => actions.tell({ resized: actions.now().resized + 1 })).observe(root);
  mountGestures(lanes, actions);

  return (state) => {
    root.hidden = tabOf(state) !== 'run' || !runOf(state);
    const run = runOf(state);
    if (root.hidden || !run) return;
    const { view, pointed } = state;
    const width = lanes.clientWidth;
    const bytes = run.raster?.bytes ?? new Uint8Array();
    updatePoints(state, run);
    updateMultiples(state, run);
    updateRates(state, run);
    if (!changed(run, view, pointed, width, innerWidth, innerHeight, paintedTheme(view.theme), devicePixelRatio)) return;
    // Until another raster has come the colours tell what they did.
    const common = { ...marked(state), from: view.window[0], to: view.window[1], by: run.raster?.by ?? view.by, ...gutters(innerWidth) };
    showKey(run.picture.key(common, bytes), common.by);
    const paint = (what: 'timeline' | 'waiting' | 'structure' | 'axis', name: string, wide: number, high: number) => {
      const asked = { ...common, width: wide, height: high };
      const density = surfaces[name].fit(wide, high);
      const layout = run.picture.paint(what, canvas(name), asked, density, bytes);
      canvas(name).dataset.layout = JSON.stringify(layout);
    };
    const { height } = runRows(run.picture);
    paint('timeline', 'timeline', width, height);
    paint('waiting', 'waiting', width, WAITING);
    paint('structure', 'structure', width, STRUCTURE);
    paint('axis', 'run-axis', width, AXIS);
  };
}

function showKey(marks: KeyMark[], by: Colour) {
  const items = marks.map(({ colour, words }) => {
    const square = make('i', { class: 'square', 'aria-hidden': 'true' });
    square.style.background = colour;
    return make('span', {}, square, words);
  });
  byId('run-key').replaceChildren(...items);
  byId('run-blank').textContent = by === 'activity' ? 'blank: none of these' : 'blank: not computing';
}

/** Zoom, pan, and steps from one pass of the loop to the next. */
function mountGestures(root: HTMLElement, { now, look }: Actions) {
  const seen = (): Run | null => (byId('run').hidden ? null : runOf(now()));
  const plot = () => {
    const { left, right } = gutters(innerWidth);
    return { left, right: root.clientWidth - right };
  };
  const timeAt = (event: MouseEvent) => timeScale(now().view.window, plot().left, plot().right).toTime(event.clientX - root.getBoundingClientRect().left);
  let from: { time: number, px: number } | null = null;

  root.addEventListener('wheel', (event) => {
    if (!seen() || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    look({ window: wheeled(now().view.window, timeAt(event), event) });
  }, { passive: false });
  root.addEventListener('pointerdown', (event) => {
    if (seen() && event.button === 0 && event.pointerType !== 'touch') from = { time: timeAt(event), px: event.clientX };
  });
  root.addEventListener('pointerup', (event) => {
    if (from && Math.abs(event.clientX - from.px) >= CLICK) look({ window: between(from.time, timeAt(event)) }, 'push');
    from = null;
  });
  root.addEventListener('pointercancel', () => (from = null));
  root.addEventListener('dblclick', (event) => {
    const run = seen();
    const at = timeAt(event);
    const next = run?.summary.passes.findIndex((pass) => pass > at) ?? -1;
    if (run && next > 0) look({ window: [run.summary.passes[next - 1], run.summary.passes[next]] }, 'push');
  });
  addEventListener('keydown', (event) => {
    const run = seen();
    if (!run || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const { window, clusters, brush } = now().view;
    const middle = (window[0] + window[1]) / 2;
    const keys: Record<string, () => void> = {
      ...keysOf(window, middle, (window, step) => look({ window }, step)),
      BracketLeft: () => look({ window: neighbour(run.summary.passes, window, -1) }, 'push'),
      BracketRight: () => look({ window: neighbour(run.summary.passes, window, 1) }, 'push'),
    };
    if (brush) keys.Escape = () => look({ brush: null }, 'push');
    else if (clusters.length > 0) keys.Escape = () => look({ clusters: [] }, 'push');
    const act = keys[event.code];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** The pass before or after the one that is visible alone; from elsewhere the first one or the last;
 * beyond the ends the whole run. */
function neighbour(passes: number[], [from, to]: [number, number], step: 1 | -1): [number, number] {
  const pairs = passes.slice(1).map((end, i): [number, number] => [passes[i], end]);
  const shown = pairs.findIndex(([begin, end]) => Math.abs(begin - from) < 1e-5 && Math.abs(end - to) < 1e-5);
  const next = shown >= 0 ? pairs[shown + step] : pairs.at(step > 0 ? 0 : -1);
  return next ?? [0, 1];
}
