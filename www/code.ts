// The tables of code of what is shown, and how its routines and lines are named and marked.

import { button, make } from './dom.ts';
import type { Code, Picture } from './wasm/painter.js';

type Range = [number, number];

const known: WeakMap<Picture, Map<string, Code>> = new WeakMap();

/** Time and speed of routines, lines and calling contexts of a group, or of a range of it; summed once for
 * each picture, and of the range asked for last. */
export function codeOf(picture: Picture, group: number, range: Range | null = null): Code {
  const groups = known.get(picture) ?? new Map<string, Code>();
  known.set(picture, groups);
  const key = range ? 'range' : 'whole';
  const of = `${key} ${group} ${range}`;
  const before = groups.get(of);
  if (before) return before;
  const code = picture.code(group, range);
  for (const other of [...groups.keys()].filter((other) => range && other.startsWith('range'))) groups.delete(other);
  groups.set(of, code);
  return code;
}

/** What stands over a table that is of a range alone, with the way back to all. */
export function rangeNote(words: string, look: (change: { selection: null }) => void): HTMLElement {
  const all = button({ class: 'link', 'data-key': 'whole' }, 'Whole region', () => look({ selection: null }));
  return make('p', { class: 'of-range', 'data-testid': 'of-range' }, make('span', {}, words), ' ', all);
}

/** What the view state calls a routine that is picked. */
export function routineKey(name: string) {
  return `routine:${name}`;
}

/** The same of a line; `null` of one that no file is known for. */
export function lineKey({ line, file }: { line: number, file: string }) {
  return file === '' ? null : `line:${line}:${file}`;
}

/** Marks what is picked among the elements inside that can be, and the rows of their names. */
export function markPicked(root: HTMLElement, picked: string | null) {
  for (const element of root.querySelectorAll<HTMLElement>('[data-pick]')) {
    const isPicked = element.dataset.pick === picked;
    element.setAttribute(element.role === 'treeitem' ? 'aria-selected' : 'aria-pressed', String(isPicked));
    if (element.classList.contains('name')) element.closest('tbody')?.classList.toggle('now', isPicked);
  }
}

/** The words for a line of code, which a click shows in the source pane. `place` is `LINE:FILE`. */
export function placeLink(words: string, title: string, place: string) {
  // Where room is short the number stays.
  const number = words.lastIndexOf('[');
  const parts = number > 0 ? [make('span', {}, words.slice(0, number)), make('span', {}, words.slice(number))] : [words];
  return make('button', { type: 'button', class: 'routine', 'data-line': place, title: `${title}. Click: source` }, ...parts);
}

/** Colours of routines; from the next on they repeat, hatched. */
const HUES = 12;

/** The mark of a routine in its colour, which is the same in all pictures of a trace. */
export function swatchOf(hue: number) {
  return make('i', { class: `square hue-${hue % HUES}${hue < HUES ? '' : ' again'}` });
}

/** A routine's name, which loses the end of its qualifiers first where room is short:
 * `Comp…::solve`. */
export function shortening(name: string) {
  const cut = name.split(/[(<]/)[0].lastIndexOf('::') + 2;
  return cut < 2 ? [make('span', {}, name)] : [make('span', { class: 'qualifiers' }, name.slice(0, cut)), make('span', {}, name.slice(cut))];
}
