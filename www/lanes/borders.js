// The borders between phases, as handles on the rail: moved with the pointer or by keys, taken away
// by Delete. What is moved is folded when it is let go.

import { byId, make, watcher } from '../dom.js';
import { duration } from '../format.js';
import { NEAREST, bordersOf } from '../phases.js';
import { shownGroup } from '../state.js';
import { clamp, timeScale } from './timeline.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {Object} Actions
 * @property {() => State} now
 * @property {(index: number, at: number) => void} borderMoved
 * @property {(index: number) => void} borderRemoved
 */

/** Keys wait so long for the next one before the region is folded again. */
const PAUSE_MS = 700;

/**
 * @param {HTMLElement} root of the lanes
 * @param {Actions} actions
 * @returns {(state: State, painted: import('./lanes.js').Painted) => void}
 */
export function mountBorders(root, { now, borderMoved, borderRemoved }) {
  const host = byId('borders');
  const changed = watcher();
  let plot = { left: 0, right: 1 };
  const scale = () => timeScale(now().view.range, plot.left, plot.right);

  return (state, { layouts }) => {
    const group = shownGroup(state);
    const editable = Boolean(state.opened) && state.early === null;
    if (!changed(group, layouts, state.view.range, editable)) return;
    const { performance, rail } = layouts;
    plot = (rail ?? performance)?.plot ?? plot;
    byId('rail-hint').textContent = group ? hint(group, state.deciding) : '';
    const focused = Number(/** @type {HTMLElement | null} */ (host.querySelector(':focus'))?.dataset.index ?? -1);
    host.replaceChildren(...(editable && group ? handles(group) : []));
    /** @type {HTMLElement | undefined} */ (host.querySelectorAll('button')[focused])?.focus({ preventScroll: true });
  };

  /** @param {import('../tracefold.js').GroupSummary} group */
  function handles(group) {
    const borders = bordersOf(group);
    const { view } = now();
    return borders.flatMap((at, index) => {
      if (at < view.range[0] || at > view.range[1]) return [];
      return [handle(at, index, [borders[index - 1] ?? 0, borders[index + 1] ?? 1], group.meanMs)];
    });
  }

  /**
   * @param {number} began
   * @param {number} index
   * @param {[number, number]} between
   * @param {number} meanMs
   */
  function handle(began, index, between, meanMs) {
    let at = began;
    let down = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const element = make('button', {
      type: 'button', class: 'border', role: 'slider', 'data-index': String(index), 'data-testid': 'border',
      'aria-label': `Border between phases ${index + 1} and ${index + 2}`,
      'aria-valuemin': '0', 'aria-valuemax': String(meanMs),
      title: 'Drag to move the border; Delete takes it away',
    });
    const place = () => {
      element.style.setProperty('left', `${scale().toPx(at)}px`);
      element.style.setProperty('--down', `${byId('canvas-axis').offsetTop}px`);
      element.setAttribute('aria-valuenow', String(at * meanMs));
      element.setAttribute('aria-valuetext', duration(at * meanMs));
    };
    const moveTo = (/** @type {number} */ x) => {
      at = clamp(x, between[0] + NEAREST, between[1] - NEAREST);
      element.classList.add('moving');
      place();
    };
    const stop = (/** @type {boolean} */ isMeant) => {
      clearTimeout(timer);
      element.classList.remove('moving');
      if (isMeant && at !== began) borderMoved(index, at);
      else at = began;
      place();
    };
    const px = (/** @type {PointerEvent} */ event) => event.clientX - root.getBoundingClientRect().left;
    element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      down = px(event) - scale().toPx(at);
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener('pointermove', (event) => {
      if (element.hasPointerCapture(event.pointerId)) moveTo(scale().toTime(px(event) - down));
    });
    element.addEventListener('pointerup', () => stop(true));
    element.addEventListener('pointercancel', () => stop(false));
    element.addEventListener('blur', () => element.classList.contains('moving') && stop(true));
    element.addEventListener('keydown', (event) => {
      const step = (event.shiftKey ? 10 : 1) * (scale().toTime(plot.left + 1) - scale().toTime(plot.left));
      const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (way) {
        moveTo(at + way * step);
        clearTimeout(timer);
        timer = setTimeout(stop, PAUSE_MS, true);
      } else if (event.key === 'Enter') stop(true);
      else if (event.key === 'Escape') stop(false);
      else if (event.key === 'Delete' || event.key === 'Backspace') borderRemoved(index);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    place();
    return element;
  }
}

/**
 * Why the rail is empty.
 * @param {import('../tracefold.js').GroupSummary} group
 * @param {boolean} deciding
 */
function hint({ phases, counters }, deciding) {
  if (phases.length > 0) return '';
  if (counters.length === 0) return 'Phases are of counters, and there is none';
  return deciding ? 'Looking for breaks…' : 'No break was found: the rates change smoothly, if at all';
}
