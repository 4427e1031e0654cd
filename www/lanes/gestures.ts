// Pointer and keys on the lanes: zoom, pan, select, and where the cursor is.

import { shownOf, type State } from '../state.ts';
import { mountPinch } from './pinch.ts';
import { between, panned, timeScale, zoomed } from './timeline.ts';
import type { Painted } from './lanes.ts';
import type { Phase } from '../tracefold.d.ts';

type Range = [number, number];

export interface GestureActions {
  /** The state at this moment: several events may come within one frame. */
  now: () => State;
  ranged: (range: Range, step?: 'push' | 'replace') => void;
  selected: (selection: Range | null) => void;
  zoomedTo: (selection: Range) => void;
  /** A phase, or several, at these folded times. */
  divided: (at: number[]) => void;
  pointed: (cursor: State['cursor']) => void;
  resized: () => void;
  /** Folded time, and px from the top of all lanes. */
  clicked: (at: { x: number, y: number }) => void;
  pick: (picked: string | null) => void;
  showAlone: (object: string | null) => void;
}

/** A step of the wheel, of `w` and of `a`. */
const ZOOM = 1.25;
const PAN = 0.15;

/** A drag shorter than this many pixels is a click. */
const CLICK = 4;

/** Gives what is to be told where the lanes lie. */
export function mountGestures(root: HTMLElement, actions: GestureActions): (painted: Painted) => void {
  let plot = { left: 0, right: 1 };
  let dragFrom: number | null = null;
  let downPx = 0;

  const scale = () => timeScale(actions.now().view.range, plot.left, plot.right);
  const pxOf = (event: MouseEvent) => event.clientX - root.getBoundingClientRect().left;
  const downOf = (event: MouseEvent) => event.clientY - root.getBoundingClientRect().top;
  const isOnPlot = (event: MouseEvent) =>
    event.target instanceof HTMLCanvasElement && pxOf(event) >= plot.left && pxOf(event) <= plot.right;
  const isOpen = () => shownOf(actions.now()) !== null && !root.hidden;

  root.addEventListener('wheel', (event) => {
    if (!isOpen() || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const factor = ZOOM ** Math.sign(event.deltaY);
    actions.ranged(zoomed(actions.now().view.range, scale().toTime(pxOf(event)), factor));
  }, { passive: false });

  root.addEventListener('pointerdown', (event) => {
    if (!isOpen() || event.button !== 0 || event.pointerType === 'touch' || !isOnPlot(event)) return;
    downPx = pxOf(event);
    dragFrom = scale().toTime(downPx);
    root.setPointerCapture(event.pointerId);
  });

  root.addEventListener('pointermove', (event) => {
    if (!isOpen()) return;
    const px = pxOf(event);
    const within = dragFrom !== null || isOnPlot(event);
    const pointer = { x: px, y: downOf(event) };
    actions.pointed(within ? { x: scale().toTime(px), pointer } : null);
    if (dragFrom !== null && Math.abs(px - downPx) >= CLICK) actions.selected(between(dragFrom, scale().toTime(px)));
  });

  root.addEventListener('pointerup', (event) => {
    const isClick = dragFrom !== null && Math.abs(pxOf(event) - downPx) < CLICK;
    if (isClick && actions.now().view.selection) actions.selected(null);
    else if (isClick) actions.clicked({ x: scale().toTime(downPx), y: downOf(event) });
    dragFrom = null;
  });
  root.addEventListener('pointercancel', () => (dragFrom = null));
  // A finger that is lifted leaves the cursor where it was.
  root.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && actions.pointed(null));

  addEventListener('keydown', (event) => {
    if (!isOpen() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const { view, cursor } = actions.now();
    const { range, selection } = view;
    const at = cursor?.x ?? (range[0] + range[1]) / 2;
    const onLane = event.target instanceof HTMLCanvasElement && root.contains(event.target);
    const keys: Record<string, () => void> = {
      w: () => actions.ranged(zoomed(range, at, 1 / ZOOM)),
      s: () => actions.ranged(zoomed(range, at, ZOOM)),
      a: () => actions.ranged(panned(range, -PAN)),
      d: () => actions.ranged(panned(range, PAN)),
      0: () => actions.ranged([0, 1], 'push'),
    };
    const phases = shownOf(actions.now())?.group.phases ?? [];
    if (phases.length > 0) {
      keys['['] = () => actions.ranged(neighbour(phases, range, -1), 'push');
      keys[']'] = () => actions.ranged(neighbour(phases, range, 1), 'push');
    }
    if (selection || cursor) keys.b = () => actions.divided(selection ?? [at]);
    if (selection) keys.escape = () => actions.selected(null);
    else if (view.picked !== null) keys.escape = () => actions.pick(null);
    else if (view.object !== null) keys.escape = () => actions.showAlone(null);
    if (selection && !isPressable(event.target)) keys.enter = () => actions.zoomedTo(selection);
    const step = ((event.shiftKey ? 10 : 1) * (range[1] - range[0])) / Math.max(1, plot.right - plot.left);
    const moved = (by: number) => actions.pointed({ x: Math.min(1, Math.max(0, at + by)), pointer: null });
    if (onLane) Object.assign(keys, { arrowleft: () => moved(-step), arrowright: () => moved(step) });
    const act = keys[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });

  mountPinch(root, () => (isOpen() ? { range: actions.now().view.range, ...plot } : null), (range) => actions.ranged(range));

  return ({ layouts }) => {
    plot = layouts.performance?.plot ?? layouts.source?.plot ?? plot;
  };
}

/** The phase before or after the one that is shown alone; beyond the last one the whole region. From
 * elsewhere, the first of those in view, or the last. */
function neighbour(phases: Phase[], [from, to]: Range, step: 1 | -1): Range {
  const near = (a: number, b: number) => Math.abs(a - b) < 1e-5;
  const shown = phases.findIndex(({ start, end }) => near(start, from) && near(end, to));
  const inView = ({ start, end }: Phase) => end > from && start < to;
  const next = shown >= 0 ? phases[shown + step] : step > 0 ? phases.find(inView) : phases.findLast(inView);
  return next ? [next.start, next.end] : [0, 1];
}

function isTyping(target: EventTarget | null) {
  return target instanceof Element && Boolean(target.closest('input, select, textarea, dialog'));
}

function isPressable(target: EventTarget | null) {
  return target instanceof Element && Boolean(target.closest('button, a, summary'));
}
