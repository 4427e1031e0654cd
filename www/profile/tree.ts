// The tree as a table, of which only the rows in view are elements: a profile has thousands.

import { button, make, watcher } from '../dom.ts';
import { Row } from './row.ts';
import type { Looked } from './looked.ts';
import type { Page } from './page.ts';
import type { By, ProfilePicture, ProfileSummary } from '../wasm/profiler.js';

/** Height of a row and of the heads, in px; the style has the same. */
const ROW = 23;
const HEAD = 27;

/** Rows that are made beyond those in view. */
const BEYOND = 8;

/** Most px that all rows take before they scroll. */
const MOST = 560;

export interface TreeActions {
  look: (change: Partial<Looked>) => void;
  turn: (node: number) => void;
}

export function mountTree({ scroll, table, head, body, found }: Page, { look, turn }: TreeActions) {
  let shown: { picture: ProfilePicture, summary: ProfileSummary, looked: Looked, node: number | null, count: number, place: number | null } | null = null;
  const made = watcher();
  const heads = watcher();
  let waits = false;

  // As the browser told it last: asked for, it would lay out anew what was just changed.
  let [top, height] = [0, 0];
  scroll.addEventListener('scroll', () => {
    top = scroll.scrollTop;
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      fill();
    });
  });
  scroll.addEventListener('keydown', (event) => {
    if (!shown || event.ctrlKey || event.metaKey || event.altKey || (event.target instanceof Element && event.target.closest('button'))) return;
    const { count, picture, looked } = shown;
    const place = shown.place ?? -1;
    const page = Math.max(1, Math.floor(height / ROW) - 2);
    const row = place >= 0 ? picture.rows(place, place + 1, looked.exclusive)[0] : undefined;
    const to = (place: number) => pickAt(Math.min(Math.max(place, 0), count - 1));
    const keys: Record<string, () => void> = {
      ArrowDown: () => to(place + 1), ArrowUp: () => to(place - 1), PageDown: () => to(place + page), PageUp: () => to(place - page), Home: () => to(0), End: () => to(count - 1),
      ArrowRight: () => (row && row.open === false ? turn(row.node) : to(place + 1)),
      ArrowLeft: () => {
        if (row?.open) return turn(row.node);
        const above = row && picture.above(row.node);
        if (above !== undefined) look({ node: above });
      },
      Enter: () => row && look({ root: looked.root === row.node ? null : row.node }),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });

  function pickAt(place: number) {
    const node = shown?.picture.nodeOfRow(place);
    if (node === undefined) return;
    reveal(place);
    look({ node });
  }

  function reveal(place: number) {
    const [above, below] = [place * ROW, (place + 1) * ROW + HEAD];
    if (above < top) top = scroll.scrollTop = above;
    else if (below > top + height) top = scroll.scrollTop = below - height;
  }

  function update(picture: ProfilePicture, summary: ProfileSummary, looked: Looked, node: number | null) {
    const { by, turned, search, kind, exclusive } = looked;
    const { rows: count, matches, picked: place } = picture.setRows({ by, turned, search, kind, picked: node });
    const isOther = shown?.node !== node || shown?.picture !== picture;
    shown = { picture, summary, looked, node, count, place };
    height = Math.min(count * ROW + HEAD + 2, MOST);
    top = Math.max(0, Math.min(top, count * ROW + HEAD - height));
    scroll.style.height = `${height}px`;
    table.setAttribute('aria-rowcount', String(count + 1));
    found.textContent = search || kind ? `${matches === 0 ? 'none' : matches} found` : '';
    if (heads(summary, by, looked.thread)) showHeads(summary, by);
    if (isOther && place !== null) reveal(place);
    fill(made(picture, by, turned, search, kind, exclusive, node, looked.root));
  }

  function showHeads(summary: ProfileSummary, by: By) {
    const sortable = (key: By, words: string, title: string) => {
      const th = make('th', { scope: 'col', ...(by === key && { 'aria-sort': key === 'name' ? 'ascending' : 'descending' }) });
      th.append(button({ title, 'data-by': key }, words, () => look({ by: key })));
      return th;
    };
    head.replaceChildren(make('tr', { role: 'row' },
      sortable('name', 'context', 'Order by name'),
      ...summary.heads.map(([key, words]) => sortable(key as By, words, TITLES[key] ?? words)),
      ...(summary.threads.length > 1 ? [sortable('imbalance', 'threads, 0–2 × mean', 'Least, mean and largest over the threads; order by largest over mean')] : [])));
  }

  let range = [0, 0];
  const [spaceAbove, spaceBelow] = [spaceOf(), spaceOf()];
  body.replaceChildren(spaceAbove, spaceBelow);
  /** Of those in view, as they stand. */
  let rows: Row[] = [];

  function fill(isNew = false) {
    if (!shown) return;
    const { picture, looked, node, count, summary } = shown;
    const from = Math.max(0, Math.floor(top / ROW) - BEYOND);
    const to = Math.min(count, Math.ceil((top + height) / ROW) + BEYOND);
    if (!isNew && range[0] === from && range[1] === to) return;
    stand(isNew ? from : range[0], from, to);
    range = [from, to];
    const told = picture.rows(from, to, looked.exclusive);
    for (const [i, row] of told.entries()) {
      rows[i].tell(row, summary.threads.length > 1);
      rows[i].stand(from + i, row.node === node);
    }
    spaceAbove.style.height = `${from * ROW}px`;
    spaceBelow.style.height = `${(count - to) * ROW}px`;
    const active = node === null ? -1 : told.findIndex((row) => row.node === node);
    if (active >= 0) scroll.setAttribute('aria-activedescendant', rows[active].element.id);
    else scroll.removeAttribute('aria-activedescendant');
  }

  /** As many rows as there are places, moved with what they tell: those that a step of a wheel leaves go to the other
   * end, so that most of them change nothing. */
  function stand(before: number, from: number, to: number) {
    while (rows.length > to - from) rows.pop()?.element.remove();
    while (rows.length < to - from) {
      const row = new Row();
      rows.push(row);
      spaceBelow.before(row.element);
    }
    const by = from - before;
    if (by === 0 || Math.abs(by) >= rows.length) return;
    const left = by > 0 ? rows.slice(0, by) : rows.slice(by);
    rows = by > 0 ? [...rows.slice(by), ...left] : [...left, ...rows.slice(0, by)];
    const elements = left.map(({ element }) => element);
    if (by > 0) spaceBelow.before(...elements);
    else spaceAbove.after(...elements);
  }

  // On the body, as rows come and go while the pointer is down.
  body.addEventListener('click', (event) => {
    const target = event.target as HTMLElement;
    const turned = target.closest<HTMLElement>('[data-turn]')?.dataset.turn;
    if (turned !== undefined) return turn(Number(turned));
    const node = target.closest<HTMLElement>('[data-node]')?.dataset.node;
    if (node !== undefined) look({ node: Number(node) });
  });
  body.addEventListener('dblclick', (event) => {
    const node = (event.target as HTMLElement).closest<HTMLElement>('[data-node]')?.dataset.node;
    if (node !== undefined) look({ root: Number(node) });
  });

  return { update, step: (by: number) => shown && pickAt(Math.min(Math.max((shown.place ?? -1) + by, 0), shown.count - 1)) };
}

/** What stands for all rows on one side of those in view. */
function spaceOf() {
  return make('tr', { 'aria-hidden': 'true', class: 'space' }, make('td'));
}

const TITLES: Record<string, string> = {
  inclusive: 'With all that lies inside; mean of the threads',
  exclusive: 'By itself; of a region with samples these say where it went',
  calls: 'How often a probe began', samples: 'How many samples hit it',
  rate: 'Million instructions per second, inclusive', misses: 'Per 1000 instructions, inclusive',
};
