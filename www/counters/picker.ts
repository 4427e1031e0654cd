// Every counter with a small curve, its mean and how far it moves with cycles per instruction: what is
// ticked has a curve in the lane. It stands in place of the panel, so that nothing covers the curves.

import { button, byId, make, shape, shows, watcher } from '../dom.ts';
import { shownOf, sourceOf, tabOf, type State } from '../state.ts';
import { term } from '../terms.ts';
import type { Actions } from '../actions/actions.ts';
import type { Painted } from '../lanes/lanes.ts';
import type { CounterChoice, CounterChoices } from '../wasm/painter.js';

/** From so many on, places of what has no curve any more are used again. */
const COLOURS = 6;

const HINT = 'r²: how far it moves with cycles per instruction, over the phases.';

interface Row {
  box: HTMLInputElement;
  element: HTMLElement;
  /** What is searched. */
  words: string;
}

export function mountPicker({ look, tell, now }: Actions): (state: State, painted: Painted) => void {
  const root = byId('counters');
  const count = make('small', { role: 'status', 'data-testid': 'counters-count' });
  const search = make('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search counters' });
  const list = make('div', { class: 'counter-list' });
  const usual = button({ class: 'link', 'data-testid': 'counters-reset' }, 'Choose by r²', () => look({ curves: null }));
  const head = make('h2', {}, make('span', { id: 'counters-title' }, term('counter', 'Counters')), count, button({ class: 'link', 'data-testid': 'counters-done' }, 'Done', close));
  root.append(head, search, list, make('p', { class: 'hint' }, `${HINT} `, usual));
  const isOtherTrace = watcher();
  const listed = watcher();
  const changed = watcher();
  let rows: Row[] = [];
  /** What has a curve, a preview left out; what has none any more is empty, so that the colours of others stay. */
  let shown: string[] = [];
  let isOpen = false;

  search.addEventListener('input', find);
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event.key === 'ArrowDown' ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return (state, { legend }) => {
    const of = shownOf(state);
    const { view } = state;
    if (isOtherTrace(sourceOf(state))) search.value = '';
    const opens = state.picking && of !== null && tabOf(state) === 'region' && view.view === 'lanes' && state.now.is !== 'failed';
    shows(root, opens);
    if (!opens) {
      isOpen = false;
      return;
    }
    if (state.preview === null) {
      const drawn = legend.filter(({ instructions }) => !instructions).map(({ counter }) => counter);
      shown = (view.curves ?? drawn).map((counter) => (drawn.includes(counter) ? counter : ''));
    }
    const isOther = listed(of.picture, of.group) || !isOpen;
    if (isOther) build(of.picture.counters(of.group.number));
    if (changed(legend, of.group) || isOther) {
      count.textContent = `${legend.length} of ${of.group.counters.length} shown`;
      for (const { box, element } of rows) {
        const entry = legend.find(({ counter }) => counter === box.value);
        box.checked = shown.includes(box.value);
        element.classList.toggle('shown', entry !== undefined);
        element.style.setProperty('color', entry?.colour ?? '');
        box.style.setProperty('accent-color', entry?.colour ?? '');
      }
    }
    usual.hidden = view.curves === null;
    if (isOpen) return;
    isOpen = true;
    search.focus();
  };

  /** Those that are shown come first; they stay in their place until the list is opened again. */
  function build({ families, nothing, unit, spark }: CounterChoices) {
    const all = families.flatMap(({ counters }) => counters);
    const first = all.filter(({ counter }) => shown.includes(counter));
    const parts = [{ title: 'Shown', counters: first }, ...families.map(({ title, counters }) => ({ title, counters: counters.filter((one) => !first.includes(one)) }))];
    rows = [];
    const groups = parts.filter(({ counters }) => counters.length > 0).map(({ title, counters }) =>
      make('div', { role: 'group', 'aria-label': title }, make('h3', {}, title), ...counters.map((one) => rowOf(one, spark))));
    const heads = make('p', { class: 'counter-heads', 'aria-hidden': 'true' }, make('span', {}, unit), make('span', {}, 'r²'));
    const still = nothing.length > 0 ? [make('p', { class: 'hint' }, `Count nothing here: ${nothing.join(', ')}.`)] : [];
    list.replaceChildren(heads, ...groups, make('p', { class: 'hint none' }, 'No counter is called so.'), ...still);
    find();
  }

  function rowOf({ counter, name, description, mean, rSquared, path }: CounterChoice, [width, height]: [number, number]) {
    const box = make('input', { type: 'checkbox', value: counter, 'aria-label': `${name}, mean ${mean.text}, r² ${rSquared.text}` });
    const curve = shape('svg', '', { width, height, viewBox: `0 -1 ${width} ${height + 2}`, 'aria-hidden': 'true' }, shape('path', '', { d: path }));
    const element = make('label', { class: 'counter', title: [counter, description].filter(Boolean).join(': ') }, box, make('span', { class: 'name' }, name), curve,
      make('span', { class: 'mean' }, mean.text), make('span', {}, rSquared.text));
    box.addEventListener('change', () => choose(counter, box.checked));
    box.addEventListener('focus', () => restAt(box));
    element.addEventListener('pointerenter', () => !box.checked && tell({ preview: [...shown, counter] }));
    element.addEventListener('pointerleave', () => now().preview && tell({ preview: null }));
    rows.push({ box, element, words: [counter, name, description].join(' ').toLowerCase() });
    return element;
  }

  function choose(counter: string, wanted: boolean) {
    tell({ preview: null });
    const left = shown.map((other) => (other === counter ? '' : other));
    look({ curves: wanted ? [...shown.filter((other) => other || shown.length < COLOURS), counter] : left, hidden: now().view.hidden.filter((other) => other !== counter) });
  }

  function find() {
    const words = search.value.trim().toLowerCase().split(/\s+/);
    for (const row of rows) row.element.hidden = !words.every((word) => row.words.includes(word));
    for (const group of list.querySelectorAll<HTMLElement>('[role=group]')) group.hidden = group.querySelector('label:not([hidden])') === null;
    list.classList.toggle('empty', inView().length === 0);
    restAt(inView()[0]?.box);
  }

  function inView() {
    return rows.filter(({ element }) => !element.hidden);
  }

  /** One box is a stop of Tab; the arrows go to the others. */
  function restAt(stop: HTMLInputElement | undefined) {
    for (const { box } of rows) box.tabIndex = box === stop ? 0 : -1;
  }

  function step(by: number) {
    const stops: HTMLElement[] = [search, ...inView().map(({ box }) => box)];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[Math.min(Math.max(at + by, 0), stops.length - 1)].focus();
  }

  function close() {
    tell({ picking: false, preview: null });
    byId('legend').querySelector<HTMLElement>('[data-key=counters]')?.focus();
  }
}
