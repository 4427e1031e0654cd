// The bursts of a run as points, which can be brushed, and how near they lie to each other, with the
// line of Eps, which can be moved.

import { byId, onUnfold, watcher } from '../dom.ts';
import { brushOf, runOf, type Run, type State } from '../state.ts';
import { paintedTheme } from '../theme.ts';
import { gutters } from '../lanes/sizes.ts';
import { Surface } from '../lanes/surface.ts';
import type { Actions } from '../actions/actions.ts';
import type { RunPicture, RunView } from '../wasm/painter.js';

/** Least height of the points, and height of the distances. */
const POINTS = 300;
const DISTANCES = 200;

/** Most height of the points: this, or a share of a high window. */
const MOST = 420;
const SHARE = 0.4;

/** A drag shorter than so many px is a click. */
const CLICK = 4;

/** A key moves an edge of the brush by this share of the plot, and Eps by this factor. */
const STEP = 0.04;
const FACTOR = 1.1;

const canvas = (name: string) => byId(`canvas-${name}`) as HTMLCanvasElement;

/** What all pictures of a run share. */
export function marked({ view, pointed }: State) {
  return { theme: paintedTheme(view.theme), marked: pointed === null ? view.clusters : [...view.clusters, pointed] };
}

/** What of the state a picture was last painted with. */
interface Painted {
  run: Run;
  view: RunView;
}

export function mountPoints(actions: Actions): (state: State, run: Run) => void {
  const { look } = actions;
  const scatter = new Surface(canvas('scatter'));
  const details = byId('distances') as HTMLDetailsElement;
  const changed = watcher();
  let painted: Painted | null = null;
  mountBrush(actions, () => painted);
  const updateDistances = mountDistances(actions);
  onUnfold(details, (isOpen) => look({ distances: isOpen ? 'shown' : 'hidden' }, 'push'));

  return (state, run) => {
    const { view, pointed } = state;
    details.open = view.distances === 'shown';
    const width = (canvas('scatter').parentElement as HTMLElement).clientWidth;
    const edges = { left: gutters(innerWidth).left > 40 ? 84 : 44, right: 12 };
    updateDistances(state, run, { ...marked(state), ...edges, width, height: DISTANCES });
    const height = Math.round(Math.max(POINTS, Math.min(Math.max(MOST, innerHeight * SHARE), width * 0.75)));
    if (!changed(run, view, pointed, width, height, innerWidth, paintedTheme(view.theme), devicePixelRatio)) return;
    const asked = { ...marked(state), ...edges, durations: view.plane === 'duration' || !run.summary.hasWork, brush: brushOf(state, run), width, height };
    const layout = run.picture.paint('scatter', canvas('scatter'), asked, scatter.fit(width, height), new Uint8Array());
    canvas('scatter').dataset.layout = JSON.stringify(layout);
    painted = { run, view: asked };
  };
}

type Place = [number, number];

const placeIn = (event: MouseEvent): Place => {
  const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
};

/** Points at clusters, marks them, and brushes: with the mouse, with Shift as a lasso, or by keys once
 * the picture has the focus. */
function mountBrush({ now, look, tell, markCluster }: Actions, painted: () => Painted | null) {
  const points = canvas('scatter');
  let from: Place | null = null;
  /** Where a lasso has been, each across and down. */
  let line: number[] | null = null;
  let isDrag = false;
  const brushed = (of: (picture: RunPicture, view: RunView) => Float64Array) => {
    const { run, view } = painted() ?? {};
    const values = run && view ? [...of(run.picture, view)] : [];
    if (values.length > 0) look({ brush: values });
  };
  const brush = (from: Place, to: Place) => brushed((picture, view) => picture.brush(view, ...from, ...to));
  const clusterAt = (place: Place) => {
    const { run, view } = painted() ?? {};
    return (run && view && run.picture.nearest(view, ...place)) ?? null;
  };
  const point = (pointed: number | null) => {
    if (now().pointed !== pointed) tell({ pointed });
  };
  points.addEventListener('pointerdown', (event) => {
    isDrag = false;
    if (event.button !== 0 || event.pointerType === 'touch') return;
    from = placeIn(event);
    line = event.shiftKey ? [...from] : null;
    points.setPointerCapture(event.pointerId);
  });
  points.addEventListener('pointermove', (event) => {
    const to = placeIn(event);
    isDrag ||= from !== null && Math.hypot(to[0] - from[0], to[1] - from[1]) >= CLICK;
    if (!from || !isDrag) return point(from ? null : clusterAt(to));
    point(null);
    if (!line) return brush(from, to);
    const places = Float64Array.from((line = [...line, ...to]));
    brushed((picture, view) => picture.lasso(view, places));
  });
  points.addEventListener('pointerup', () => (from = null));
  points.addEventListener('pointercancel', () => (from = null));
  points.addEventListener('pointerleave', () => point(null));
  points.addEventListener('click', (event) => {
    if (isDrag) return;
    const number = clusterAt(placeIn(event));
    if (number !== null) markCluster(number, event.shiftKey);
    else look({ clusters: [], brush: null });
  });
  points.addEventListener('keydown', (event) => {
    const { run, view } = painted() ?? {};
    const steps: Record<string, Place> = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
    if (!run || !view || event.ctrlKey || event.metaKey || event.altKey || !(event.key in steps || event.key === 'Enter')) return;
    event.preventDefault();
    const { plot: { left, top, right, bottom } } = JSON.parse(points.dataset.layout as string);
    const [wide, high] = [right - left, bottom - top];
    const corners = [...run.picture.brushCorners(view)];
    if (corners.length === 0 || event.key === 'Enter') return brush([left + wide / 4, top + high / 4], [right - wide / 4, bottom - high / 4]);
    const [across, down] = [steps[event.key][0] * wide, steps[event.key][1] * high];
    const [x0, y0, x1, y1] = corners;
    // With Shift the lower right corner alone moves.
    if (event.shiftKey) return brush([x0, y0], [Math.max(x0, x1 + across), Math.max(y0, y1 + down)]);
    const inside = (step: number, low: number, high: number, least: number, most: number) => Math.min(most - high, Math.max(least - low, step));
    const [dx, dy] = [inside(across, x0, x1, left, right), inside(down, y0, y1, top, bottom)];
    brush([x0 + dx, y0 + dy], [x1 + dx, y1 + dy]);
  });
}

/** The picture of distances: a slider of the setting `eps`. */
function mountDistances({ now, chooseSetting }: Actions) {
  const picture = canvas('distances');
  const surface = new Surface(picture);
  const changed = watcher();
  let painted: Painted | null = null;
  let moved: string | null = null;
  const paint = () => {
    const { run, view } = painted ?? {};
    if (!run || !view) return;
    const asked = { ...view, eps: moved === null ? undefined : Number(moved) };
    const layout = run.picture.paint('distances', picture, asked, surface.fit(view.width ?? 0, view.height ?? 0), new Uint8Array());
    picture.dataset.layout = JSON.stringify(layout);
    const eps = moved ?? String(run.summary.eps);
    picture.setAttribute('aria-valuenow', eps);
    picture.setAttribute('aria-valuetext', `Eps ${eps}`);
  };
  const move = (event: MouseEvent) => {
    if (!painted) return;
    moved = painted.run.picture.epsAt(painted.view, placeIn(event)[1]);
    paint();
  };
  picture.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    picture.setPointerCapture(event.pointerId);
    move(event);
  });
  picture.addEventListener('pointermove', (event) => moved !== null && move(event));
  picture.addEventListener('pointerup', () => {
    if (moved !== null) chooseSetting('eps', moved);
    moved = null;
  });
  picture.addEventListener('pointercancel', () => {
    moved = null;
    paint();
  });
  picture.addEventListener('keydown', (event) => {
    const run = runOf(now());
    const steps: Record<string, number> = { ArrowUp: FACTOR, ArrowRight: FACTOR, ArrowDown: 1 / FACTOR, ArrowLeft: 1 / FACTOR };
    const step = steps[event.key];
    if (!run || !step) return;
    event.preventDefault();
    const eps = Number(now().settings.eps ?? run.summary.eps) * step;
    chooseSetting('eps', String(Number(Math.min(1, Math.max(0.001, eps)).toPrecision(2))));
  });

  return (state: State, run: Run, view: RunView) => {
    if (state.view.distances !== 'shown') return;
    byId('distances-hint').textContent = run.summary.distances;
    if (!changed(run, view.width, view.theme, innerWidth, devicePixelRatio)) return;
    painted = { run, view };
    paint();
  };
}
