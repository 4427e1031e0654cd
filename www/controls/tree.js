// The tree of calls: every routine under what calls it, with its time and its own.

import { routineKey, shortening, swatchOf } from '../code.js';
import { make } from '../dom.js';
import { count } from '../format.js';
import { milliseconds } from './ratios.js';

/** Contexts with at least this share of the time are open at first, and so deep at most. */
const OPEN = 0.1;
const DEEP = 12;

/**
 * @typedef {import('../tracefold.js').Code} Code
 * @typedef {import('../tracefold.js').ContextRow} ContextRow
 * @typedef {import('../tracefold.js').GroupSummary} GroupSummary
 * @typedef {{row: ContextRow, level: number, hasCallees: boolean}} Item
 */

/**
 * @param {(key: string) => void} pick
 * @returns {{show: (code: Code, group: GroupSummary, again: () => void) => HTMLElement}}
 */
export function mountTree(pick) {
  /** @type {Set<number>} contexts whose callees are shown */
  let open = new Set();
  /** @type {Code | null} */
  let of = null;
  /** The item that Tab reaches: the one that had the focus last. */
  let reached = 0;

  return {
    show(code, group, again) {
      const callees = calleesOf(code);
      if (of !== code) [of, open, reached] = [code, openAtFirst(callees), 0];
      const items = itemsOf(callees, open);
      if (!items.some(({ row }) => row.context === reached)) reached = items[0]?.row.context ?? 0;
      const rows = items.map((item) => elementOf(item, group, open.has(item.row.context), item.row.context === reached));
      const turn = (/** @type {number} */ context) => {
        if (!open.delete(context)) open.add(context);
        again();
      };
      const focus = (/** @type {HTMLElement | undefined} */ row) => {
        if (!row) return;
        for (const other of rows) other.setAttribute('tabindex', other === row ? '0' : '-1');
        reached = Number(row.dataset.context);
        row.focus();
      };
      const tree = make('ul', { role: 'tree', 'aria-labelledby': 'code-title', 'data-testid': 'call-tree' }, ...rows);
      tree.addEventListener('click', ({ target }) => {
        const row = target instanceof Element ? rows.find((row) => row.contains(target)) : undefined;
        if (!row || !(target instanceof Element)) return;
        focus(row);
        if (target.matches('.twisty')) turn(reached);
        else pick(row.dataset.pick ?? '');
      });
      tree.addEventListener('keydown', (event) => {
        const index = rows.findIndex((row) => row === event.target);
        if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
        const { row, level, hasCallees } = items[index];
        const isOpen = hasCallees && open.has(row.context);
        const above = items.findLastIndex((other, i) => i < index && other.level < level);
        const keys = /** @type {Record<string, () => void>} */ ({
          ArrowDown: () => focus(rows[index + 1]),
          ArrowUp: () => focus(rows[index - 1]),
          ArrowRight: () => (isOpen ? focus(rows[index + 1]) : hasCallees && turn(row.context)),
          ArrowLeft: () => (isOpen ? turn(row.context) : focus(rows[above])),
          Home: () => focus(rows[0]),
          End: () => focus(rows.at(-1)),
          Enter: () => pick(rows[index].dataset.pick ?? ''),
          ' ': () => pick(rows[index].dataset.pick ?? ''),
        });
        if (!Object.hasOwn(keys, event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        keys[event.key]();
      });
      const heads = make('p', { class: 'tree-head', 'aria-hidden': 'true' }, make('span', {}, group.axis.unit), make('span', {}, 'own'));
      return make('div', { class: 'code-rows' }, heads, tree);
    },
  };
}

/**
 * @param {Item} item
 * @param {GroupSummary} group
 * @param {boolean} isOpen
 * @param {boolean} isReached
 */
function elementOf({ row, level, hasCallees }, group, isOpen, isReached) {
  const name = group.routines[row.routine] ?? '';
  const whole = group.axis.counter ? group.axis.total / group.meanMs : 1;
  const time = (/** @type {number} */ ms, /** @type {string} */ words) => {
    const value = ms * whole;
    const text = group.axis.counter ? count(value) : value === 0 ? '0' : milliseconds(value);
    return make('b', { 'data-value': String(ms) }, text, make('span', { class: 'unseen' }, ` ${words}`));
  };
  const twisty = make('i', { class: hasCallees ? 'twisty' : 'twisty none' });
  const called = make('span', { class: 'called', title: name }, swatchOf(row.routine), ...shortening(name));
  const element = make('li', {
    role: 'treeitem', class: 'what', tabindex: isReached ? '0' : '-1', 'aria-level': String(level), ...(hasCallees && { 'aria-expanded': String(isOpen) }),
    'data-context': String(row.context), 'data-pick': routineKey(name), 'data-key': `context ${row.context}`,
  }, twisty, called, time(row.inclusiveMs, group.axis.unit), time(row.exclusiveMs, 'own'));
  element.style.setProperty('--level', String(Math.min(level, DEEP)));
  return element;
}

/**
 * What each context calls, the longest first; those that took no time are left out.
 * @param {Code} code
 * @returns {Map<number | null, ContextRow[]>}
 */
function calleesOf({ contexts }) {
  /** @type {Map<number | null, ContextRow[]>} */
  const callees = new Map();
  for (const row of contexts.filter(({ inclusiveMs }) => inclusiveMs > 0)) {
    const of = callees.get(row.parent);
    if (of) of.push(row);
    else callees.set(row.parent, [row]);
  }
  for (const rows of callees.values()) rows.sort((a, b) => b.inclusiveMs - a.inclusiveMs);
  return callees;
}

/** @param {Map<number | null, ContextRow[]>} callees */
function openAtFirst(callees) {
  /** @type {Set<number>} */
  const open = new Set();
  let rows = callees.get(null) ?? [];
  const total = rows.reduce((sum, { inclusiveMs }) => sum + inclusiveMs, 0);
  for (let level = 1; level < DEEP; level += 1) {
    const long = rows.filter(({ inclusiveMs }) => inclusiveMs >= OPEN * total);
    for (const { context } of long) open.add(context);
    rows = long.flatMap(({ context }) => callees.get(context) ?? []);
  }
  return open;
}

/**
 * The contexts that are seen, callers before what they call.
 * @param {Map<number | null, ContextRow[]>} callees
 * @param {Set<number>} open
 */
function itemsOf(callees, open) {
  /** @type {Item[]} */
  const items = [];
  const next = (callees.get(null) ?? []).map((row) => ({ row, level: 1 })).reverse();
  for (let item = next.pop(); item; item = next.pop()) {
    const { row, level } = item;
    const under = callees.get(row.context) ?? [];
    items.push({ row, level, hasCallees: under.length > 0 });
    if (open.has(row.context)) next.push(...under.map((row) => ({ row, level: level + 1 })).reverse());
  }
  return items;
}
