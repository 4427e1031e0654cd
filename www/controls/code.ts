// How long and how fast each routine ran, with its lines; and the tree of calls. A click on a name
// picks the routine or line, in all lanes.

import { codeOf, lineKey, markPicked, routineKey, shortening, swatchOf } from '../code.ts';
import { button, byId, make, refill, shape, watcher } from '../dom.ts';
import { count, fixed, significant } from '../format.ts';
import { columnsOf, figures, headsOf, milliseconds, ratiosOf, unitsOf, type Column } from './ratios.ts';
import { mountTree } from './tree.ts';
import { shownOf } from '../state.ts';
import type { Mount } from '../actions/actions.ts';
import type { Code, GroupSummary, LineRow, RoutineRow, Speed } from '../wasm/painter.js';

/** Rows that are shown at first, and that `more` adds. */
const ROWS = 30;

/** Size of a histogram in CSS pixels. */
const WIDE = 64;
const HIGH = 13;

/** What the rows are made with. */
interface Rows {
  group: GroupSummary;
  code: Code;
  columns: Column[];
  /** Routines whose lines are shown. */
  open: Set<number>;
  again: () => void;
  pick: (key: string) => void;
}

export const mountCode: Mount = ({ now, pick, look }) => {
  const root = byId('code');
  const changed = watcher();
  const chosen = watcher();
  let isTree = false;
  let open: Set<number> = new Set();
  let most = ROWS;
  const tree = mountTree(pick);
  const show = () => {
    const { view } = now();
    const { picture, group } = shownOf(now()) ?? {};
    if (!picture || !group) return;
    const code = codeOf(picture, group.number);
    refill(root, 'key', titleOf(group, code), isTree ? tree.show(code, group, show) : tableOf(group, code));
    markPicked(root, view.picked);
  };

  const titleOf = (group: GroupSummary, code: Code) => {
    const turn = (toTree: boolean, words: string) =>
      button({ class: 'link', 'aria-pressed': String(isTree === toTree), 'data-key': words }, words, () => {
        isTree = toTree;
        show();
      });
    const kinds = code.contexts.length > 0 ? [make('span', { class: 'kinds' }, turn(false, 'List'), turn(true, 'Call tree'))] : [];
    const units = isTree ? '' : unitsOf(columns(group, code, now().view.ratios).columns);
    return make('h2', {}, make('span', { id: 'code-title' }, 'Routines'), make('small', {}, units), ...kinds);
  };

  const tableOf = (group: GroupSummary, code: Code) => {
    const { columns: shownColumns, possible } = columns(group, code, now().view.ratios);
    const shown = { group, code, columns: shownColumns, open, again: show, pick };
    const heads = [
      [group.axis.unit, 'With it on the call-stack'],
      ['own', `${group.axis.unit} with it innermost`],
      ['%', 'Share of time with it innermost'],
    ].map(([text, title]) => make('th', { scope: 'col', title }, text));
    const head = make('tr', {}, ...heads, ...headsOf(shownColumns, possible, 'Routines, counter', (ratios) => look({ ratios })));
    const bodies = code.routines.slice(0, most).flatMap((routine) => bodiesOf(routine, shown));
    const table = make('table', { 'data-testid': 'routines-table', 'aria-labelledby': 'code-title' }, make('thead', {}, head), ...bodies);
    const rest = code.routines.length - most;
    const more = button({ class: 'link', 'data-key': 'more' }, `${fixed(rest)} more`, () => {
      most += ROWS;
      show();
    });
    return make('div', { class: 'code-rows' }, table, ...(rest > 0 ? [more] : []));
  };

  return ({ view, now }, shown) => {
    root.hidden = !shown?.group.hasSource || now.is === 'failed';
    if (root.hidden || !shown) return;
    const isOther = changed(shown.picture, shown.group.number);
    if (isOther) [open, most] = [new Set(), ROWS];
    if (chosen(view.ratios) || isOther) show();
    else markPicked(root, view.picked);
  };
};

/** Rates and the two ratios that the table of phases shows too. */
function columns(group: GroupSummary, { counters, routines }: Code, chosen: string[]) {
  const values = (wanted: string) => {
    const index = counters.findIndex(({ counter }) => counter === wanted);
    return routines.flatMap(({ perInstruction }) => perInstruction[index] ?? []);
  };
  const possible = ratiosOf(group.counters, (counter) => values(counter).length > 0);
  return { possible, columns: columnsOf(group, possible, (counter) => Math.max(0, ...values(counter)), chosen) };
}

/** A routine in two rows, its name and its numbers; behind it its lines, if it is open. */
function bodiesOf(routine: RoutineRow, shown: Rows) {
  const { code, open, again, pick } = shown;
  const key = routineKey(routine.name);
  const isOpen = open.has(routine.routine);
  const turn = button({ class: 'twisty', 'aria-expanded': String(isOpen), 'aria-label': `Lines of ${routine.name}`, 'data-key': `lines ${routine.routine}` }, '', () => {
    if (!open.delete(routine.routine)) open.add(routine.routine);
    again();
  });
  const name = button({ class: 'name', 'data-pick': key, 'data-key': key, title: `${routine.name}: ${fixed(routine.samples)} samples. Click: show it alone` }, '', () => pick(key));
  name.append(...shortening(routine.name));
  const lines = isOpen ? code.lines.filter((line) => line.routine === routine.routine) : [];
  const [inclusive, exclusive] = [routine.inclusiveShare, routine.exclusiveShare];
  const body = bodyOf([turn, swatchOf(routine.routine), name], inclusive, exclusive, routine, shown);
  body.dataset.routine = routine.name;
  const most = code.lines.find((line) => line.routine === routine.routine && line.file !== '');
  if (most) body.dataset.line = `${most.line}:${most.file}`;
  return [body, ...lines.slice(0, ROWS).map((line) => lineOf(line, shown))];
}

function lineOf(line: LineRow, shown: Rows) {
  const key = lineKey(line);
  const words = `${line.line || 'line not known'}${line.file ? ` ${line.file}` : ''}`;
  const name = key === null
    ? make('span', { class: 'name' }, words)
    : button({ class: 'name', 'data-pick': key, 'data-key': key, title: `${fixed(line.samples)} samples. Click: show it alone` }, words, () => shown.pick(key));
  const body = bodyOf([name], null, line.share, line, shown);
  body.className = 'line';
  // Which leads to its source.
  if (key !== null) body.dataset.line = `${line.line}:${line.file}`;
  return body;
}

/** A row of numbers; a line has no inclusive share. */
function bodyOf(name: Node[], inclusive: number | null, exclusive: number, speed: Speed, { group, code, columns }: Rows) {
  const time = (share: number | null, kind: string) => {
    if (share === null) return make('td');
    const value = share * (group.axis.counter ? group.axis.total : group.meanMs);
    return make('td', { 'data-kind': kind, 'data-value': String(value) }, group.axis.counter ? count(value) : value === 0 ? '0' : milliseconds(value));
  };
  const cells = columns.map(({ counter, unit, factor }) => {
    const index = code.counters.findIndex((known) => known.counter === counter);
    const value = (unit === null ? speed.rates : speed.perInstruction)[index] ?? null;
    const exact = { 'data-counter': counter, 'data-kind': unit === null ? 'rate' : 'per-instruction', 'data-value': String(value ?? '') };
    return make('td', exact, value === null ? '–' : unit === null ? figures(value) : significant(value * factor));
  });
  const what = make('th', { scope: 'rowgroup', colspan: String(3 + columns.length) }, make('div', { class: 'what' }, ...name, histogramOf(speed.histogram, code.histogramMips)));
  const share = make('td', { 'data-kind': 'share', 'data-value': String(exclusive) }, fixed(100 * exclusive, 1));
  return make('tbody', {}, make('tr', {}, what), make('tr', {}, time(inclusive, 'inclusive'), time(exclusive, 'exclusive'), share, ...cells));
}

/** How long which MIPS were reached: the same steps for every routine and line. */
function histogramOf(bins: number[], { least, most }: { least: number, most: number }) {
  const largest = Math.max(...bins, 0);
  if (largest === 0) return '';
  const words = `MIPS from ${fixed(least)} to ${fixed(most)}`;
  const title = shape('title', '');
  title.textContent = words;
  const step = WIDE / bins.length;
  // What is there at all is seen.
  const bar = (ms: number, i: number) => (ms > 0 ? `M${i * step} ${HIGH}v${-Math.max(1, (ms / largest) * (HIGH - 1)).toFixed(2)}h${step}V${HIGH}z` : '');
  return shape('svg', 'histogram', { width: WIDE, height: HIGH, role: 'img', 'aria-label': words }, title, shape('path', '', { d: bins.map(bar).join('') }));
}
