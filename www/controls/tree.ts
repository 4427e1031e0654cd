// The tree of calls: every routine under what calls it, with its time and its own.

import { routineKey, shortening, swatchOf } from '../code.ts';
import { make } from '../dom.ts';
import type { Code, ContextRow, Figure, GroupSummary } from '../wasm/painter.js';

/** Contexts with at least this share of the time are open at first, and so deep at most. */
const OPEN = 0.1;
const DEEP = 12;

type Item = { row: ContextRow, level: number, hasCallees: boolean };

export function mountTree(pick: (key: string) => void): { show: (code: Code, group: GroupSummary, again: () => void) => HTMLElement } {
  /** Contexts whose callees are shown. */
  let open: Set<number> = new Set();
  let of: Code | null = null;
  /** The item that Tab reaches: the one that had the focus last. */
  let reached = 0;

  return {
    show(code, group, again) {
      const callees = calleesOf(code);
      if (of !== code) [of, open, reached] = [code, openAtFirst(callees), 0];
      const items = itemsOf(callees, open);
      if (!items.some(({ row }) => row.context === reached)) reached = items[0]?.row.context ?? 0;
      const rows = items.map((item) => elementOf(item, group, open.has(item.row.context), item.row.context === reached));
      const turn = (context: number) => {
        if (!open.delete(context)) open.add(context);
        again();
      };
      const keyOf = (index: number) => routineKey(group.routines[items[index].row.routine] ?? '');
      const focus = (row: HTMLLIElement | undefined) => {
        if (!row) return;
        for (const other of rows) other.setAttribute('tabindex', other === row ? '0' : '-1');
        reached = items[rows.indexOf(row)].row.context;
        row.focus();
      };
      const tree = make('ul', { role: 'tree', 'aria-labelledby': 'code-title', 'data-testid': 'call-tree' }, ...rows);
      tree.addEventListener('click', ({ target }) => {
        const row = target instanceof Element ? rows.find((row) => row.contains(target)) : undefined;
        if (!row || !(target instanceof Element)) return;
        focus(row);
        if (target.matches('.twisty')) turn(reached);
        else pick(keyOf(rows.indexOf(row)));
      });
      tree.addEventListener('keydown', (event) => {
        const index = rows.findIndex((row) => row === event.target);
        if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
        const { row, level, hasCallees } = items[index];
        const isOpen = hasCallees && open.has(row.context);
        const above = items.findLastIndex((other, i) => i < index && other.level < level);
        const keys = {
          ArrowDown: () => focus(rows[index + 1]),
          ArrowUp: () => focus(rows[index - 1]),
          ArrowRight: () => (isOpen ? focus(rows[index + 1]) : hasCallees && turn(row.context)),
          ArrowLeft: () => (isOpen ? turn(row.context) : focus(rows[above])),
          Home: () => focus(rows[0]),
          End: () => focus(rows.at(-1)),
          Enter: () => pick(keyOf(index)),
          ' ': () => pick(keyOf(index)),
        } as Record<string, () => void>;
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

function elementOf({ row, level, hasCallees }: Item, group: GroupSummary, isOpen: boolean, isReached: boolean) {
  const name = group.routines[row.routine] ?? '';
  const time = ({ value, text }: Figure, words: string) => make('b', { 'data-value': String(value) }, text, make('span', { class: 'unseen' }, ` ${words}`));
  const twisty = make('i', { class: hasCallees ? 'twisty' : 'twisty none' });
  const called = make('span', { class: 'called', title: name }, swatchOf(row.hue), ...shortening(name));
  const element = make('li', {
    role: 'treeitem', class: 'what', tabindex: isReached ? '0' : '-1', 'aria-level': String(level), ...(hasCallees && { 'aria-expanded': String(isOpen) }),
    'data-pick': routineKey(name), 'data-key': `context ${row.context}`,
  }, twisty, called, time(row.inclusive, group.axis.unit), time(row.exclusive, 'own'));
  element.style.setProperty('--level', String(Math.min(level, DEEP)));
  return element;
}

function timeOf({ inclusive }: ContextRow) {
  return inclusive.value ?? 0;
}

/** What each context calls, the longest first; those that took no time are left out. */
function calleesOf({ contexts }: Code): Map<number | null, ContextRow[]> {
  const callees: Map<number | null, ContextRow[]> = new Map();
  for (const row of contexts.filter((row) => timeOf(row) > 0)) {
    const of = callees.get(row.parent);
    if (of) of.push(row);
    else callees.set(row.parent, [row]);
  }
  for (const rows of callees.values()) rows.sort((a, b) => timeOf(b) - timeOf(a));
  return callees;
}

function openAtFirst(callees: Map<number | null, ContextRow[]>) {
  const open: Set<number> = new Set();
  let rows = callees.get(null) ?? [];
  const total = rows.reduce((sum, row) => sum + timeOf(row), 0);
  for (let level = 1; level < DEEP; level += 1) {
    const long = rows.filter((row) => timeOf(row) >= OPEN * total);
    for (const { context } of long) open.add(context);
    rows = long.flatMap(({ context }) => callees.get(context) ?? []);
  }
  return open;
}

/** The contexts that are seen, callers before what they call. */
function itemsOf(callees: Map<number | null, ContextRow[]>, open: Set<number>) {
  const items: Item[] = [];
  const next = (callees.get(null) ?? []).map((row) => ({ row, level: 1 })).reverse();
  for (let item = next.pop(); item; item = next.pop()) {
    const { row, level } = item;
    const under = callees.get(row.context) ?? [];
    items.push({ row, level, hasCallees: under.length > 0 });
    if (open.has(row.context)) next.push(...under.map((row) => ({ row, level: level + 1 })).reverse());
  }
  return items;
}
