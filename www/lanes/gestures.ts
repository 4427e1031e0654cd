// Pointer and keys on the lanes: zoom, pan, select, measure, and where the cursor is.

import { isTyping } from '../dom.ts';
import { shownOf } from '../state.ts';
import { mountPinch } from './pinch.ts';
import { between, clamp, keysOf, rounded, timeScale, wheeled } from './timeline.ts';
import type { Actions } from '../actions/actions.ts';
import type { Painted } from './lanes.ts';
import type { PhaseSummary } from '../wasm/painter.js';

type Range = [number, number];

/** A drag shorter than this many pixels is a click. */
const CLICK = 4;

/** Gives what is to be told where the lanes lie. `clicked` has the folded time, and px from the top of
 * all lanes; `takeRange` the folded time at which keys pick a range. */
export function mountGestures(root: HTMLElement, { now, look, tell, pick, dividePhases }: Actions, clicked: (at: { x: number, y: number }) => void, takeRange: (at: number) => void): (painted: Painted) => void {
  let plot = { left: 0, right: 1 };
  let dragFrom: number | null = null;
  let downPx = 0;
  let measures = false;

  const scale = () => timeScale(now().view.range, plot.left, plot.right);
  const pxOf = (event: MouseEvent) => event.clientX - root.getBoundingClientRect().left;
  const downOf = (event: MouseEvent) => event.clientY - root.getBoundingClientRect().top;
  const isOnPlot = (event: MouseEvent) =>
    event.target instanceof HTMLCanvasElement && pxOf(event) >= plot.left && pxOf(event) <= plot.right;
  const drop = () => {
    dragFrom = null;
    if (now().dragging) tell({ dragging: false });
  };
  const isOpen = () => shownOf(now()) !== null && !root.hidden;
  const measure = (from: number, to: number, pointer: { x: number, y: number } | null) => {
    const of = shownOf(now())?.group;
    if (of) tell({ measured: { of, ends: [from, to], pointer } });
  };
  const isMeasuring = () => now().measured !== null && now().measured?.of === shownOf(now())?.group;

  root.addEventListener('wheel', (event) => {
    if (!isOpen() || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    look({ range: wheeled(now().view.range, scale().toTime(pxOf(event)), event) });
  }, { passive: false });

  root.addEventListener('pointerdown', (event) => {
    if (!isOpen() || event.button !== 0 || event.pointerType === 'touch' || !isOnPlot(event)) return;
    downPx = pxOf(event);
    dragFrom = scale().toTime(downPx);
    measures = event.shiftKey;
    if (now().measured) tell({ measured: null });
    root.setPointerCapture(event.pointerId);
  });

  root.addEventListener('pointermove', (event) => {
    if (!isOpen()) return;
    const px = pxOf(event);
    const within = dragFrom !== null || isOnPlot(event);
    const pointer = { x: px, y: downOf(event) };
    tell({ cursor: within ? { x: scale().toTime(px), pointer } : null });
    if (dragFrom === null || Math.abs(px - downPx) < CLICK) return;
    if (measures) return measure(dragFrom, scale().toTime(px), pointer);
    if (!now().dragging) tell({ dragging: true });
    look({ selection: rounded(between(dragFrom, scale().toTime(px))) });
  });

  root.addEventListener('pointerup', (event) => {
    const isClick = dragFrom !== null && !measures && Math.abs(pxOf(event) - downPx) < CLICK;
    if (isClick && now().view.selection) look({ selection: null });
    else if (isClick) clicked({ x: scale().toTime(downPx), y: downOf(event) });
    drop();
  });
  // Or it would mark words of the page.
  root.addEventListener('mousedown', (event) => event.shiftKey && isOnPlot(event) && event.preventDefault());
  root.addEventListener('pointercancel', drop);
  // A finger that is lifted leaves the cursor where it was.
  root.addEventListener('pointerleave', (event) => event.pointerType !== 'touch' && tell({ cursor: null }));

  root.addEventListener('dblclick', ({ clientX, clientY }) => {
    // The clicks went to all lanes, which hold the pointer. Those on the source lane open what is there.
    const lane = document.elementFromPoint(clientX, clientY);
    if (isOpen() && lane instanceof HTMLCanvasElement && lane.id !== 'canvas-source') look({ range: [0, 1] }, 'push');
  });

  addEventListener('keydown', (event) => {
    if (!isOpen() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const { view, cursor } = now();
    const { range, selection } = view;
    const at = cursor?.x ?? (range[0] + range[1]) / 2;
    const onLane = event.target instanceof HTMLCanvasElement && root.contains(event.target);
    const keys = keysOf(range, at, (range, step) => look({ range }, step));
    const phases = shownOf(now())?.group.phases ?? [];
    if (phases.length > 0) {
      keys.BracketLeft = () => look({ range: neighbour(phases, range, -1) }, 'push');
      keys.BracketRight = () => look({ range: neighbour(phases, range, 1) }, 'push');
    }
    keys.KeyR = () => takeRange(clamp(at, ...range));
    if (selection || cursor) keys.KeyB = () => dividePhases(selection ?? [at]);
    if (cursor) keys.KeyM = () => measure(at, at, null);
    if (isMeasuring()) keys.Escape = () => tell({ measured: null });
    else if (selection) keys.Escape = () => look({ selection: null });
    else if (view.picked !== null) keys.Escape = () => pick(null);
    else if (view.object !== null) keys.Escape = () => look({ object: null }, 'push');
    const toSelection = () => selection && look({ range: selection, selection: null }, 'push');
    if (selection) keys.KeyF = toSelection;
    if (selection && !isPressable(event.target)) keys.Enter = toSelection;
    const step = ((event.shiftKey ? 10 : 1) * (range[1] - range[0])) / Math.max(1, plot.right - plot.left);
    const moved = (by: number) => {
      const x = clamp(at + by, 0, 1);
      tell({ cursor: { x, pointer: null } });
      const { measured } = now();
      if (measured && isMeasuring() && !measured.pointer) measure(measured.ends[0], x, null);
    };
    if (onLane) Object.assign(keys, { ArrowLeft: () => moved(-step), ArrowRight: () => moved(step) });
    // Enter and arrows are on the keypad too.
    const act = keys[event.code] ?? keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  mountPinch(root, () => (isOpen() ? { range: now().view.range, ...plot } : null), (range) => look({ range }));

  return ({ layouts }) => {
    plot = layouts.performance?.plot ?? layouts.source?.plot ?? plot;
  };
}

/** The phase before or after the one that is shown alone; beyond the last one the whole region. From
 * elsewhere, the first of those in view, or the last. */
function neighbour(phases: PhaseSummary[], [from, to]: Range, step: 1 | -1): Range {
  const near = (a: number, b: number) => Math.abs(a - b) < 1e-5;
  const shown = phases.findIndex(({ start, end }) => near(start, from) && near(end, to));
  const inView = ({ start, end }: PhaseSummary) => end > from && start < to;
  const next = shown >= 0 ? phases[shown + step] : step > 0 ? phases.find(inView) : phases.findLast(inView);
  return next ? [next.start, next.end] : [0, 1];
}

function isPressable(target: EventTarget | null) {
  return target instanceof Element && Boolean(target.closest('button, a, summary, select'));
}
