// The ends of the range that is picked, as handles under the plots: moved with the pointer or by keys.

import { byId, make, watcher } from '../dom.ts';
import { shownOf, type State } from '../state.ts';
import { between, clamp, rounded, timeScale } from './timeline.ts';
import type { Actions } from '../actions/actions.ts';
import type { Painted } from './lanes.ts';

const NAMES = ['Begin of the range', 'End of the range'];

/** Of which a range that keys begin is one part, of what is visible. */
const FIRST_PART = 10;

/** Gives what brings the handles up to date, and what picks a range at a moment, if none is picked, and
 * takes the keys to its end. */
export function mountEnds(root: HTMLElement, { now, look, tell }: Actions) {
  const host = byId('range-ends');
  const changed = watcher();
  let plot = { left: 0, right: 1 };
  /** Which end is to have the keys, as soon as it is there. */
  let wanted: number | null = null;
  const scale = () => timeScale(now().view.range, plot.left, plot.right);

  const handles = NAMES.map((name, end) => {
    const element = make('button', {
      type: 'button', class: 'range-end', role: 'slider', 'data-testid': 'range-end', 'data-end': String(end), 'aria-label': name,
      'aria-valuemin': '0', 'aria-valuemax': '1', title: 'Drag, or ← → to move; Enter zooms, Esc lets the range go',
    });
    const moveTo = (x: number) => {
      const { selection, range } = now().view;
      if (!selection) return;
      const other = selection[1 - end];
      const at = clamp(x, ...range);
      look({ selection: (end === 0 ? at < other : at > other) ? rounded(between(at, other)) : selection });
    };
    let held = 0;
    const px = (event: PointerEvent) => event.clientX - root.getBoundingClientRect().left;
    element.addEventListener('pointerdown', (event) => {
      const { selection } = now().view;
      if (event.button !== 0 || !selection) return;
      held = px(event) - scale().toPx(selection[end]);
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener('pointermove', (event) => {
      if (!element.hasPointerCapture(event.pointerId)) return;
      // What is told of the range waits until it is there.
      if (!now().dragging) tell({ dragging: true });
      moveTo(scale().toTime(px(event) - held));
    });
    element.addEventListener('lostpointercapture', () => now().dragging && tell({ dragging: false }));
    element.addEventListener('keydown', (event) => {
      const { selection, range } = now().view;
      if (!selection || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = ((event.shiftKey ? 10 : 1) * (range[1] - range[0])) / Math.max(1, plot.right - plot.left);
      const moves = {
        ArrowLeft: () => moveTo(selection[end] - step), ArrowDown: () => moveTo(selection[end] - step),
        ArrowRight: () => moveTo(selection[end] + step), ArrowUp: () => moveTo(selection[end] + step),
        Home: () => moveTo(range[0]), End: () => moveTo(range[1]),
        Enter: () => look({ range: selection, selection: null }, 'push'),
      } as Record<string, () => void>;
      if (!Object.hasOwn(moves, event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      moves[event.key]();
    });
    host.append(element);
    return element;
  });

  return {
    take(at: number) {
      const { selection, range } = now().view;
      wanted = 1;
      if (selection) return look({});
      const wide = (range[1] - range[0]) / FIRST_PART;
      const from = Math.min(at, range[1] - wide);
      look({ selection: rounded(between(from, from + wide)) });
    },
    update(state: State, { layouts, tops }: Painted) {
      const { selection, range } = state.view;
      const { picture, group } = shownOf(state) ?? {};
      if (!changed(selection, range, layouts, tops.axis, group) && wanted === null) return;
      plot = layouts.performance?.plot ?? layouts.source?.plot ?? plot;
      host.hidden = !selection || !picture || !group;
      if (!selection || !picture || !group) return;
      const { toPx } = scale();
      for (const [end, element] of handles.entries()) {
        const at = selection[end];
        element.hidden = at < range[0] || at > range[1];
        element.style.setProperty('left', `${clamp(toPx(at), plot.left, plot.right)}px`);
        element.style.setProperty('top', `${tops.axis ?? 0}px`);
        element.setAttribute('aria-valuenow', String(at));
        element.setAttribute('aria-valuetext', `${picture.extent(group.number, at)}; the range is ${picture.extent(group.number, selection[1] - selection[0])} long`);
      }
      if (wanted !== null) handles[wanted].focus({ preventScroll: true });
      wanted = null;
    },
  };
}
