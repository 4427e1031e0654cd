// A file as a table of lines with their numbers before them. Only the lines in view are elements of
// the page, so that a long file is as quick as a short one.

import { button, make } from '../dom.ts';
import { oncePerFrame } from '../frame.ts';
import { rove } from '../roving.ts';
import type { Piece } from './colours.ts';

/** Height of a line, as in style.css. */
const LINE_PX = 18;

/** Lines beyond the view that are there already. */
const AROUND = 20;

/** Longest line that widens the table, in characters. */
const WIDEST = 300;

export interface Shown {
  /** Of the table. */
  label: string;
  /** Of the columns of numbers. */
  heads: string[];
  codeHead: string;
  /** Numbers of the lines to show, in order. */
  lines: number[];
  lineAt: (line: number) => Line;
  /** Characters of the longest line. */
  longest: number;
}

interface Line {
  numbers: string[];
  /** 0 for none, else 1 to 8. */
  heat: number;
  pieces: Piece[];
  /** What the line opens, and its time. */
  note: string;
  fold: { words: string, isFolded: boolean } | null;
  bracket: '' | 'inside' | 'end';
}

/** @param folded called for the first line of a block that is to fold or unfold */
export function makeListing(folded: (line: number) => void) {
  const head = make('tr');
  const above = make('tr', { class: 'space', 'aria-hidden': 'true' });
  const below = make('tr', { class: 'space', 'aria-hidden': 'true' });
  const body = make('tbody', { 'data-testid': 'pane-lines' });
  rove(body, '.fold');
  const table = make('table', {}, make('caption', { class: 'unseen' }), make('thead', {}, head),
    make('tbody', {}, above), body, make('tbody', {}, below));
  const element = make('div', { class: 'listing', tabindex: '0', role: 'group' }, table);
  let shown: Shown | null = null;
  let marked: number | null = null;

  /** Of the view, and how far it is scrolled: to ask for them after a change would lay out the page at once. */
  let [height, top] = [0, 0];
  /** Whether the marked line is to come into view. */
  let isAway = false;
  /** The rows that are there, by all that they show. */
  let rows: Map<string, HTMLElement> = new Map();

  const paint = () => {
    if (!shown || height === 0) return;
    const { lines, lineAt } = shown;
    const at = isAway ? lines.indexOf(marked ?? -1) : -1;
    isAway = false;
    if (at >= 0) top = (at + 0.5) * LINE_PX - height / 2;
    top = Math.max(0, Math.min(top, lines.length * LINE_PX - height));
    const first = Math.max(0, Math.floor(top / LINE_PX) - AROUND);
    const last = Math.min(lines.length, Math.ceil((top + height) / LINE_PX) + AROUND);
    above.style.setProperty('height', `${first * LINE_PX}px`);
    below.style.setProperty('height', `${Math.max(0, lines.length - last) * LINE_PX}px`);
    const focused = body.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.fold : undefined;
    rows = new Map(lines.slice(first, last).map((line, i) => {
      const row = [line, lineAt(line), line === marked, first + i] as const;
      const key = JSON.stringify(row);
      return [key, rows.get(key) ?? rowOf(...row, folded)];
    }));
    keep(body, [...rows.values()]);
    if (focused) body.querySelector<HTMLElement>(`[data-fold="${focused}"]`)?.focus({ preventScroll: true });
    // Last, as the browser lays out the page to know how far that can be.
    if (at >= 0) element.scrollTop = top;
  };
  const repaint = oncePerFrame(paint);
  element.addEventListener('scroll', () => {
    top = element.scrollTop;
    repaint();
  });
  new ResizeObserver(([{ contentRect }]) => {
    height = contentRect.height;
    repaint();
  }).observe(element);

  return {
    element,
    show(next: Shown) {
      shown = next;
      element.setAttribute('aria-label', next.label);
      table.setAttribute('aria-rowcount', String(next.lines.length));
      (table.caption as HTMLElement).textContent = next.label;
      const scope = (text: string, kind: string) => make('th', { scope: 'col', class: kind }, text);
      head.replaceChildren(make('td', { class: 'heat' }), scope('line', 'number'), ...next.heads.map((text) => scope(text, 'value')), make('td', { class: 'gutter' }), scope(next.codeHead, 'code'));
      for (const space of [above, below]) space.replaceChildren(make('td', { colspan: String(next.heads.length + 4) }));
      table.style.setProperty('--longest', `${Math.min(WIDEST, next.longest)}ch`);
      repaint();
    },
    /** Marks a line and brings it into the middle of the view, if it is there. */
    goTo(line: number | null) {
      marked = line;
      isAway = true;
      repaint();
    },
  };
}

/** Makes `rows` the children: those that stay are not touched. */
function keep(body: HTMLElement, rows: HTMLElement[]) {
  const stays: Set<Element> = new Set(rows);
  for (const row of [...body.children]) if (!stays.has(row)) row.remove();
  let next = body.firstElementChild;
  for (const row of rows) {
    if (row === next) next = next.nextElementSibling;
    else body.insertBefore(row, next);
  }
}

function rowOf(number: number, { numbers, heat, pieces, note, fold, bracket }: Line, isMarked: boolean, index: number, folded: (line: number) => void) {
  const row = make('tr', { 'data-number': String(number), 'aria-rowindex': String(index + 1) });
  if (isMarked) {
    row.className = 'now';
    row.setAttribute('aria-current', 'true');
  }
  const gutter = make('td', { class: `gutter ${bracket}` });
  if (fold) {
    const words = `${fold.isFolded ? 'Unfold' : 'Fold'} ${fold.words}`;
    gutter.append(button({ class: 'fold', 'data-fold': String(number), 'aria-expanded': String(!fold.isFolded), 'aria-label': words, title: words }, fold.isFolded ? '▸' : '▾', () => folded(number)));
  }
  const code = make('code', {}, ...pieces.map(({ text, kind }) => (kind === '' ? text : make('span', { class: `tint-${kind}` }, text))));
  if (note !== '') code.append(make('span', { class: 'note' }, note));
  row.append(make('td', { class: heat > 0 ? `heat heat-${heat}` : 'heat' }), make('th', { scope: 'row', class: 'number' }, number > 0 ? String(number) : '–'),
    ...numbers.map((text) => make('td', { class: 'value' }, text)), gutter, make('td', { class: 'code' }, code));
  return row;
}
