// The tables of code of what is shown, and how its routines and lines are named and marked.

import { make } from './dom.js';

/**
 * @typedef {import('./tracefold.js').Code} Code
 * @typedef {import('./wasm/painter.js').Picture} Picture
 */

/** @type {WeakMap<Picture, Map<number, Code>>} */
const known = new WeakMap();

/**
 * Time and speed of routines, lines and calling contexts of a group; summed once for each picture.
 * @param {Picture} picture
 * @param {number} group
 * @returns {Code}
 */
export function codeOf(picture, group) {
  const groups = known.get(picture) ?? new Map();
  known.set(picture, groups);
  if (!groups.has(group)) groups.set(group, picture.code(group));
  return groups.get(group);
}

/**
 * What the view state calls a routine that is picked.
 * @param {string} name
 */
export function routineKey(name) {
  return `routine:${name}`;
}

/**
 * The same of a line; `null` of one that no file is known for.
 * @param {{line: number, file: string}} place
 */
export function lineKey({ line, file }) {
  return file === '' ? null : `line:${line}:${file}`;
}

/** Colours of routines; from the next on they repeat, hatched. */
const HUES = 12;

/**
 * The mark of a routine, in its colour.
 * @param {number} routine its place among the routines
 */
export function swatchOf(routine) {
  return make('i', { class: `square hue-${routine % HUES}${routine < HUES ? '' : ' again'}` });
}

/**
 * A routine's name, which loses the end of its qualifiers first where room is short: `Comp…::solve`.
 * @param {string} name
 */
export function shortening(name) {
  const cut = name.split(/[(<]/)[0].lastIndexOf('::') + 2;
  return cut < 2 ? [make('span', {}, name)] : [make('span', { class: 'qualifiers' }, name.slice(0, cut)), make('span', {}, name.slice(cut))];
}

/**
 * `X › Y › Z [n]`.
 * @param {string[]} routines from the outermost on
 * @param {number | null} line
 */
export function pathOf(routines, line) {
  return `${routines.join(' › ')}${line ? ` [${line}]` : ''}`;
}
