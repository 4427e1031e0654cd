// The tree as a table, of which only the rows in view are elements: a profile has thousands.

import { button, make, watcher } from '../dom.ts';
import { cellOf } from '../controls/ratios.ts';
import type { Looked } from './looked.ts';
import type { Page } from './page.ts';
import type { By, ProfilePicture, ProfileRow, ProfileSummary } from '../wasm/profiler.js';

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

  let range = '';
  const [spaceAbove, spaceBelow] = [spaceOf(), spaceOf()];
  body.replaceChildren(spaceAbove, spaceBelow);
  /** By node: its row, and whether that is open. */
  let rows = new Map<number, { element: HTMLElement, open: boolean | null }>();
  const figured = watcher();

  /** Rows that stay are moved, not made: a step of a wheel leaves most of them. */
  function fill(isNew = false) {
    if (!shown) return;
    const { picture, looked, node, count } = shown;
    const from = Math.max(0, Math.floor(top / ROW) - BEYOND);
    const to = Math.min(count, Math.ceil((top + height) / ROW) + BEYOND);
    if (!isNew && range === `${from} ${to}`) return;
    range = `${from} ${to}`;
    const stay: typeof rows = figured(picture, looked.exclusive) ? new Map() : rows;
    rows = new Map(picture.rows(from, to, looked.exclusive).map((row, i) => {
      const before = stay.get(row.node);
      const element = before && before.open === row.open ? before.element : rowOf(row);
      setPlace(element, from + i, row.node === node);
      return [row.node, { element, open: row.open }];
    }));
    spaceAbove.style.height = `${from * ROW}px`;
    spaceBelow.style.height = `${(count - to) * ROW}px`;
    const wanted = [...rows.values()].map(({ element }) => element);
    const isWanted = new Set<Element>([spaceAbove, ...wanted, spaceBelow]);
    for (const old of [...body.children]) if (!isWanted.has(old)) old.remove();
    let last: Element = spaceAbove;
    for (const element of wanted) {
      if (last.nextElementSibling !== element) last.after(element);
      last = element;
    }
    const active = node === null ? undefined : rows.get(node);
    if (active) scroll.setAttribute('aria-activedescendant', active.element.id);
    else scroll.removeAttribute('aria-activedescendant');
  }

  function rowOf(row: ProfileRow) {
    const { node, depth, name, place: where, kind, open, figures, spread, words } = row;
    const turner = open === null ? make('i', { class: 'turn' }) : make('i', { class: 'turn', 'data-turn': String(node) }, open ? '▾' : '▸');
    const what = make('span', { class: 'what' }, turner, make('i', { class: `cap ${capOf(kind)}`, 'aria-hidden': 'true' }), make('span', { class: 'name', title: name }, name), ...(where ? [make('small', { title: where }, where)] : []));
    what.style.paddingLeft = `${Math.min(depth, 40) * 14}px`;
    const cells = figures.map((figure, i) => {
      const cell = cellOf(figure.value === null ? { ...figure, text: '' } : figure);
      if (figure.within) cell.append(' ', make('small', {}, figure.within));
      return cell;
    });
    return make('tr', {
      role: 'row', id: `profile-row-${node}`, 'data-node': String(node), 'data-kind': kind, 'aria-level': String(depth + 1), ...(open !== null && { 'aria-expanded': String(open) }), title: words,
    }, make('th', { scope: 'row' }, what), ...cells, ...(shown && shown.summary.threads.length > 1 ? [make('td', { class: 'spread' }, ...(spread ? [spreadOf(spread)] : []))] : []));
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

function setPlace(row: HTMLElement, place: number, isPicked: boolean) {
  const index = String(place + 2);
  if (row.getAttribute('aria-rowindex') !== index) row.setAttribute('aria-rowindex', index);
  if (row.getAttribute('aria-selected') === String(isPicked)) return;
  row.setAttribute('aria-selected', String(isPicked));
  row.classList.toggle('now', isPicked);
}

const TITLES: Record<string, string> = {
  inclusive: 'With all that lies inside; mean of the threads',
  exclusive: 'By itself; of a region with samples these say where it went',
  calls: 'How often a probe began', samples: 'How many samples hit it',
  rate: 'Million instructions per second, inclusive', misses: 'Per 1000 instructions, inclusive',
};

function capOf(kind: ProfileRow['kind']) {
  if (kind === 'unresolved') return 'unresolved';
  return kind === 'probe' || kind === 'part' ? 'probe' : 'sample';
}

/** From the least to the largest, and a stroke at the mean, on 0 to twice the mean. */
function spreadOf([least, mean, largest]: number[]) {
  const at = (share: number) => `${(100 * share).toFixed(1)}%`;
  const bar = make('i', { class: 'reach' });
  bar.style.left = at(least);
  bar.style.width = at(Math.max(largest - least, 0.015));
  const stroke = make('i', { class: 'middle' });
  stroke.style.left = at(mean);
  return make('span', { class: 'threads-over', 'aria-hidden': 'true' }, bar, stroke);
}
