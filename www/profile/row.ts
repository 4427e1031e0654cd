// A row of the tree. Its elements stay and say what another context is, of which only what differs is written.

import { make } from '../dom.ts';
import type { ProfileRow } from '../wasm/profiler.js';

export class Row {
  readonly element = make('tr', { role: 'row' });
  readonly #turner = make('i', { class: 'turn' });
  readonly #cap = make('i', { 'aria-hidden': 'true' });
  readonly #name = make('span', { class: 'name' });
  readonly #place = make('small');
  readonly #what = make('span', { class: 'what' }, this.#turner, this.#cap, this.#name, this.#place);
  readonly #figures: HTMLElement[] = [];
  readonly #spread = make('td', { class: 'spread' });
  readonly #threads = make('span', { class: 'threads-over', 'aria-hidden': 'true' });
  #told: ProfileRow | null = null;

  constructor() {
    this.element.append(make('th', { scope: 'row' }, this.#what), this.#spread);
  }

  /** Tells of a context; `hasThreads`: whether there is a column of them. */
  tell(row: ProfileRow, hasThreads: boolean) {
    const before = this.#told;
    this.#told = row;
    const { node, depth, name, place, kind, open, figures, spread, words } = row;
    if (before?.node !== node) {
      this.element.id = `profile-row-${node}`;
      this.element.dataset.node = String(node);
    }
    if (before?.kind !== kind) {
      this.element.dataset.kind = kind;
      this.#cap.className = `cap ${capOf(kind)}`;
    }
    if (before?.depth !== depth) {
      this.element.setAttribute('aria-level', String(depth + 1));
      this.#what.style.paddingLeft = `${Math.min(depth, 40) * 14}px`;
    }
    if (before?.words !== words) this.element.title = words;
    if (before?.name !== name) this.#name.textContent = this.#name.title = name;
    if (before?.place !== place) {
      this.#place.textContent = this.#place.title = place;
      this.#place.hidden = place === '';
    }
    if (before?.open !== open || before.node !== node) this.#turn(node, open);
    this.#tellFigures(figures, before?.figures ?? []);
    this.#spread.hidden = !hasThreads;
    if (String(before?.spread) !== String(spread)) this.#tellSpread(spread);
  }

  /** Its place in the table, and whether it is the one that is picked. */
  stand(place: number, isPicked: boolean) {
    const index = String(place + 2);
    if (this.element.getAttribute('aria-rowindex') !== index) this.element.setAttribute('aria-rowindex', index);
    if (this.element.getAttribute('aria-selected') === String(isPicked)) return;
    this.element.setAttribute('aria-selected', String(isPicked));
    this.element.classList.toggle('now', isPicked);
  }

  #turn(node: number, open: boolean | null) {
    this.#turner.textContent = open === null ? '' : open ? '▾' : '▸';
    if (open === null) {
      delete this.#turner.dataset.turn;
      this.element.removeAttribute('aria-expanded');
    } else {
      this.#turner.dataset.turn = String(node);
      this.element.setAttribute('aria-expanded', String(open));
    }
  }

  #tellFigures(figures: ProfileRow['figures'], before: ProfileRow['figures']) {
    while (this.#figures.length > figures.length) this.#figures.pop()?.remove();
    for (const [at, { value, text, within }] of figures.entries()) {
      const last = before[at];
      let cell = this.#figures[at];
      if (!cell) {
        cell = make('td');
        this.#figures.push(cell);
        this.#spread.before(cell);
      } else if (last && last.value === value && last.text === text && last.within === within) {
        continue;
      }
      cell.dataset.value = String(value ?? '');
      cell.textContent = value === null ? '' : text;
      if (within) cell.append(' ', make('small', {}, within));
    }
  }

  /** From the least to the largest, and a stroke at the mean, on 0 to twice the mean: as backgrounds, of which the page
   * lays out nothing. */
  #tellSpread(spread: ProfileRow['spread']) {
    if (!spread) return this.#threads.remove();
    const [least, mean, largest] = spread;
    const wide = Math.min(Math.max(largest - least, 0.015), 1);
    const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
    // A background lies so far from the left as a share of what it leaves free.
    this.#threads.style.setProperty('--from', percent(wide < 1 ? Math.min(least / (1 - wide), 1) : 0));
    this.#threads.style.setProperty('--wide', percent(wide));
    this.#threads.style.setProperty('--mean', percent(mean));
    if (!this.#threads.isConnected) this.#spread.append(this.#threads);
  }
}

function capOf(kind: ProfileRow['kind']) {
  if (kind === 'unresolved') return 'unresolved';
  return kind === 'probe' || kind === 'part' ? 'probe' : 'sample';
}
