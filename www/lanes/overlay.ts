// Cursor and selection over the lanes, as elements of their own: no lane is repainted for them.

import { byId, make, shape, watcher } from '../dom.ts';
import { shownOf, type State } from '../state.ts';
import { momentAt } from './moment.ts';
import { LANES } from './sizes.ts';
import { timeScale } from './timeline.ts';
import type { Painted } from './lanes.ts';
import type { GroupSummary, Moment } from '../wasm/painter.js';

/** What it is, its value, and what that belongs to. */
type Row = Moment['answers'][number];

/** The row of routine names at the top of the source lane, which no line crosses. */
const NAMES = 24;

/** Distance of what follows the pointer. */
const AWAY = 14;

/** A cursor that keys have moved rests after so long. */
const REST_MS = 300;

export function mountOverlay(root: HTMLElement): (state: State, painted: Painted) => void {
  const svg = shape('svg', 'overlay', { 'aria-hidden': 'true' });
  root.append(svg);
  const tip = byId('tip');
  const tell = teller();
  const changed = watcher();
  // Escape hides the tooltip until the pointer has left.
  let isDismissed = false;
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    isDismissed = !tip.hidden;
    tip.hidden = true;
  });

  return (state, painted) => {
    const { cursor, view, marked, measured } = state;
    if (!changed(cursor, view, shownOf(state)?.picture, painted, marked, measured)) return;
    if (!cursor) isDismissed = false;
    svg.replaceChildren();
    const at = draw(state, painted);
    if (at && cursor?.pointer && !isDismissed) showTip(tip, cursor.pointer, root, at);
    else tip.hidden = true;
    if (at && !cursor?.pointer) tell(at.answers);
  };

  /** Draws phases, range and cursor, and gives what there is at the cursor, unless what is measured is told. */
  function draw(state: State, painted: Painted): Moment | null {
    const { cursor, view, marked, measured } = state;
    const shown = shownOf(state);
    const plots = plotsOf(painted);
    if (!shown || plots.length === 0) return null;
    const { picture, group } = shown;
    const { left, right } = plots[0];
    const scale = timeScale(view.range, left, right);
    const bottom = painted.tops.axis ?? 0;

    const clamped = (span: number[]) => span.map((x) => Math.min(right, Math.max(left, scale.toPx(x))));
    const rail = railOf(painted);
    const pointed = phaseAt(group, cursor?.x);
    for (const { number, start, end } of group.phases) {
      const [a, b] = clamped([start, end]);
      const parts = number === marked ? [...rail, ...plots] : number === pointed ? rail : [];
      for (const { top, bottom } of parts) svg.append(shape('rect', 'marked', { x: a, y: top, width: b - a, height: bottom - top }));
    }
    if (view.selection) {
      const [a, b] = clamped(view.selection);
      for (const { top, bottom } of [...rail, ...plots]) {
        svg.append(shape('rect', 'selected', { x: a, y: top, width: Math.max(0, b - a), height: bottom - top }));
        for (const x of [a, b]) svg.append(shape('line', 'edge', { x1: x, x2: x, y1: top, y2: bottom }));
      }
      const length = picture.extent(group.number, view.selection[1] - view.selection[0]);
      if (!cursor) svg.append(...tag((a + b) / 2, bottom, left, right, length));
    }
    if (!cursor || cursor.x < view.range[0] || cursor.x > view.range[1]) return null;
    const px = Math.round(scale.toPx(cursor.x)) + 0.5;
    for (const { top, bottom } of plots) svg.append(shape('line', 'cursor', { x1: px, x2: px, y1: top, y2: bottom }));
    const at = momentAt(state, painted);
    if (!at) return null;
    for (const { y, colour } of at.curves) {
      if (y === null) continue;
      const dot = shape('circle', 'dot', { cx: px, cy: (painted.tops.performance ?? 0) + y, r: 3 });
      dot.style.setProperty('fill', colour);
      svg.append(dot);
    }
    svg.append(...tag(px, bottom, left, right, at.at));
    const { near } = at;
    if (near) svg.append(shape('circle', 'ring', { cx: near.x, cy: (painted.tops.address ?? 0) + near.y, r: 5 }));
    return measured?.of === group ? null : at;
  }
}

/** Says the answers to those who move the cursor by keys, once it rests. */
function teller(): (rows: Row[]) => void {
  const words = byId('cursor-words');
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (rows) => {
    clearTimeout(timer);
    timer = setTimeout(() => (words.textContent = rows.map((row) => row.filter(Boolean).join(' ')).join('. ')), REST_MS);
  };
}

/** Where lines may go, in the space of all lanes. The rail is a row of words, which none crosses. */
export function plotsOf({ layouts, tops }: Painted) {
  const plots = [...LANES, 'density' as const].flatMap((name) => {
    const [plot, down] = [layouts[name]?.plot, tops[name] ?? 0];
    const top = down + (plot?.top ?? 0) + (name === 'source' ? NAMES : 0);
    return plot ? [{ left: plot.left, right: plot.right, top, bottom: down + plot.bottom }] : [];
  });
  return plots.filter(({ top, bottom }) => bottom - top > 8);
}

/** It lies at the top. */
function railOf({ layouts: { rail } }: Painted) {
  return rail ? [rail.plot] : [];
}

/** The number of the phase at folded time `x`. */
function phaseAt({ phases }: GroupSummary, x: number | undefined) {
  return x === undefined ? undefined : phases.findLast(({ start }) => start <= x)?.number;
}

function showTip(tip: HTMLElement, pointer: { x: number, y: number }, root: HTMLElement, { answers, under }: Moment) {
  const rows = answers.map(([what, value, of]) => make('div', {}, make('span', {}, what), make('b', {}, value), ' ', make('i', {}, of)));
  tip.replaceChildren(...rows, ...(under ? explained(under) : []));
  tip.hidden = false;
  besidePointer(tip, pointer, root);
}

/** The part of a model that the pointer is on. */
function explained({ name, text, per, explanation }: NonNullable<Moment['under']>) {
  return [make('p', { class: 'under' }, make('b', {}, name), ` ${text} `, make('i', {}, per)), make('p', {}, explanation)];
}

/** A card that follows the pointer, on the side where there is room, and not over that of the range. */
export function besidePointer(card: HTMLElement, { x, y }: { x: number, y: number }, root: HTMLElement) {
  const { offsetWidth: width, offsetHeight: height } = card;
  const range = byId('range');
  const overBottom = y + AWAY + height > root.clientHeight;
  const top = overBottom ? Math.max(0, y - AWAY - height) : y + AWAY;
  const isUnder = range.offsetTop < top + height && top < range.offsetTop + range.offsetHeight;
  const overRange = !range.hidden && isUnder && range.offsetLeft < x + AWAY + width && x + AWAY < range.offsetLeft + range.offsetWidth;
  const isLeft = x + AWAY + width > root.clientWidth || (overRange && x - AWAY - width >= 0);
  card.style.setProperty('left', `${isLeft ? Math.max(0, x - AWAY - width) : x + AWAY}px`);
  card.style.setProperty('top', `${top}px`);
}

/** The time in a filled tag on the axis, kept within the plot. */
function tag(px: number, top: number, left: number, right: number, words: string) {
  const width = 7 * words.length + 12;
  const x = Math.min(right - width / 2, Math.max(left + width / 2, px));
  const text = shape('text', 'tag', { x, y: top + 19 });
  text.textContent = words;
  return [shape('rect', 'tag', { x: x - width / 2, y: top + 6, width, height: 18, rx: 2 }), text];
}
