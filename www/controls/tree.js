// The tree of calls: every routine under what calls it, with its time and its own.

import { routineKey, swatchOf } from '../code.js';
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
 */

/**
 * @param {(key: string) => void} pick
 */
export function mountTree(pick) {
  /** @type {Set<number>} contexts whose callees are shown */
  let open = new Set();
  /** @type {Code | null} */
  let of = null;

  /**
   * @param {Code} code
   * @param {GroupSummary} group
   */
  const show = (code, group) => {
    const callees = calleesOf(code);
    const total = (callees.get(null) ?? []).reduce((sum, { inclusiveMs }) => sum + inclusiveMs, 0);
    if (of !== code) [of, open] = [code, openAtFirst(callees, total)];
    const ms = (/** @type {number} */ value) => (group.axis.counter ? count((value / group.meanMs) * group.axis.total) : value === 0 ? '0' : milliseconds(value));

    const itemOf = (/** @type {ContextRow} */ row, /** @type {number} */ level) => {
      const name = group.routines[row.routine] ?? '';
      const under = callees.get(row.context) ?? [];
      const item = make('li', {
        role: 'treeitem', tabindex: '-1', 'aria-level': String(level), 'data-context': String(row.context), 'data-pick': routineKey(name), 'data-key': `context ${row.context}`,
        'aria-label': `${name}, ${ms(row.inclusiveMs)} ${group.axis.unit}, own ${ms(row.exclusiveMs)}`,
      });
      const cells = [row.inclusiveMs, row.exclusiveMs].map((value) => make('b', { 'data-value': String(value) }, ms(value)));
      const label = make('span', { class: 'called', title: name }, swatchOf(row.routine), name);
      const twisty = make('i', { class: 'twisty' });
      const line = make('div', { class: 'what' }, twisty, label, ...cells);
      item.style.setProperty('--level', String(Math.min(level, DEEP)));
      item.append(line);
      line.addEventListener('click', ({ target }) => {
        if (target === twisty) turn(item, row, level);
        else pick(routineKey(name));
        focus(item);
      });
      if (under.length === 0) {
        twisty.classList.add('none');
        return item;
      }
      item.setAttribute('aria-expanded', 'false');
      if (open.has(row.context)) grow(item, row, level);
      return item;
    };
    const grow = (/** @type {HTMLElement} */ item, /** @type {ContextRow} */ row, /** @type {number} */ level) => {
      item.setAttribute('aria-expanded', 'true');
      item.append(make('ul', { role: 'group' }, ...(callees.get(row.context) ?? []).map((callee) => itemOf(callee, level + 1))));
    };
    const turn = (/** @type {HTMLElement} */ item, /** @type {ContextRow} */ row, /** @type {number} */ level) => {
      if (item.getAttribute('aria-expanded') === 'true') {
        open.delete(row.context);
        item.querySelector('ul')?.remove();
        item.setAttribute('aria-expanded', 'false');
      } else if (item.hasAttribute('aria-expanded')) {
        open.add(row.context);
        grow(item, row, level);
      }
    };
    const heads = make('p', { class: 'tree-head' }, make('span', {}, group.axis.unit), make('span', {}, 'own'));
    const tree = make('ul', { role: 'tree', 'aria-labelledby': 'code-title', 'data-testid': 'call-tree' }, ...(callees.get(null) ?? []).map((row) => itemOf(row, 1)));
    tree.querySelector('[role=treeitem]')?.setAttribute('tabindex', '0');
    tree.addEventListener('keydown', (event) => {
      const item = event.target instanceof HTMLElement ? event.target : null;
      const row = code.contexts[Number(item?.dataset.context)];
      if (!item || !row || event.ctrlKey || event.metaKey || event.altKey) return;
      const isOpen = item.getAttribute('aria-expanded') === 'true';
      const items = /** @type {HTMLElement[]} */ (Array.from(tree.querySelectorAll('[role=treeitem]')));
      const step = (/** @type {number} */ by) => focus(items[items.indexOf(item) + by]);
      const parent = /** @type {HTMLElement | null | undefined} */ (item.parentElement?.closest('[role=treeitem]'));
      const keys = /** @type {Record<string, () => void>} */ ({
        ArrowDown: () => step(1),
        ArrowUp: () => step(-1),
        ArrowRight: () => (isOpen ? step(1) : turn(item, row, Number(item.getAttribute('aria-level')))),
        ArrowLeft: () => (isOpen ? turn(item, row, 0) : focus(parent)),
        Home: () => focus(items[0]),
        End: () => focus(items.at(-1)),
        Enter: () => pick(item.dataset.pick ?? ''),
        ' ': () => pick(item.dataset.pick ?? ''),
      });
      if (!Object.hasOwn(keys, event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      keys[event.key]();
    });
    return make('div', { class: 'code-rows' }, heads, tree);
  };
  return { show };
}

/**
 * One item of the tree is reached by Tab: the one that had the focus last.
 * @param {HTMLElement | null | undefined} item
 */
function focus(item) {
  if (!item) return;
  item.closest('[role=tree]')?.querySelectorAll('[tabindex="0"]').forEach((other) => other.setAttribute('tabindex', '-1'));
  item.setAttribute('tabindex', '0');
  item.focus();
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

/**
 * @param {Map<number | null, ContextRow[]>} callees
 * @param {number} total milliseconds
 */
function openAtFirst(callees, total) {
  /** @type {Set<number>} */
  const open = new Set();
  let rows = callees.get(null) ?? [];
  for (let level = 1; level < DEEP; level += 1) {
    const long = rows.filter(({ inclusiveMs }) => inclusiveMs >= OPEN * total);
    for (const { context } of long) open.add(context);
    rows = long.flatMap(({ context }) => callees.get(context) ?? []);
  }
  return open;
}
