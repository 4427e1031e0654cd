// The borders between phases, as handles on the rail: moved with the pointer or by keys, taken away
// by Delete. What is moved is folded when it is let go.

import { byId, make, refill, watcher } from '../dom.ts';
import { NEAREST, bordersOf } from '../phases.ts';
import { shownOf, traceOf, type State } from '../state.ts';
import { clamp, timeScale } from './timeline.ts';
import type { Actions } from '../actions/actions.ts';
import type { Painted } from './lanes.ts';
import type { GroupSummary } from '../wasm/painter.js';

/** Keys wait so long for the next one before the region is folded again. */
const PAUSE_MS = 700;

export function mountBorders(root: HTMLElement, { now, moveBorder, removeBorder }: Actions): (state: State, painted: Painted) => void {
  const host = byId('borders');
  const changed = watcher();
  let plot = { left: 0, right: 1 };
  let down = 0;
  const scale = () => timeScale(now().view.range, plot.left, plot.right);

  return (state, { layouts, tops }) => {
    const { group = null, deciding = false } = shownOf(state) ?? {};
    const editable = traceOf(state) !== null;
    if (!changed(group, layouts, state.view.range, editable, deciding)) return;
    const { performance, rail } = layouts;
    plot = (rail ?? performance)?.plot ?? plot;
    down = tops.axis ?? 0;
    byId('rail-hint').textContent = group ? hint(group, deciding) : '';
    byId('lane-rail').setAttribute('aria-busy', String(deciding));
    refill(host, 'index', ...(editable && group ? handles(group) : []));
  };

  function handles(group: GroupSummary) {
    const borders = bordersOf(group);
    const { view } = now();
    return borders.flatMap((at, index) => {
      if (at < view.range[0] || at > view.range[1]) return [];
      return [handle(at, index, [borders[index - 1] ?? 0, borders[index + 1] ?? 1])];
    });
  }

  function handle(began: number, index: number, between: [number, number]) {
    let at = began;
    let held = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const element = make('button', {
      type: 'button', class: 'border', role: 'slider', 'data-index': String(index), 'data-testid': 'border',
      'aria-label': `Border between phases ${index + 1} and ${index + 2}`,
      'aria-valuemin': '0', 'aria-valuemax': '1',
      title: 'Drag to move the border; Delete takes it away, Page Up and Page Down lead to its neighbours',
    });
    const place = () => {
      element.style.setProperty('left', `${scale().toPx(at)}px`);
      element.style.setProperty('--down', `${down}px`);
      element.setAttribute('aria-valuenow', String(at));
      const { picture, group } = shownOf(now()) ?? {};
      if (picture && group) element.setAttribute('aria-valuetext', picture.extent(group.number, at));
    };
    const moveTo = (x: number) => {
      at = clamp(x, between[0] + NEAREST, between[1] - NEAREST);
      element.classList.add('moving');
      place();
    };
    const stop = (isMeant: boolean) => {
      clearTimeout(timer);
      element.classList.remove('moving');
      if (isMeant && at !== began) moveBorder(index, at);
      else at = began;
      place();
    };
    const px = (event: PointerEvent) => event.clientX - root.getBoundingClientRect().left;
    element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      held = px(event) - scale().toPx(at);
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener('pointermove', (event) => {
      if (element.hasPointerCapture(event.pointerId)) moveTo(scale().toTime(px(event) - held));
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
      else if (event.key === 'Delete' || event.key === 'Backspace') removeBorder(index);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    place();
    return element;
  }
}

/** Why the rail is empty. */
function hint({ phases, counters, fit }: GroupSummary, deciding: boolean) {
  if (phases.length > 0) return '';
  if (counters.length === 0) return 'Phases are of counters, and there is none';
  if (deciding) return 'Deciding…';
  return fit.kind === 'steps' ? 'No break: the course between readings is not known' : 'No break was found: the rates change smoothly, if at all';
}
