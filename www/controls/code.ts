// How long and how fast each routine ran, with its lines; and the tree of calls. A click on a name
// picks the routine or line, in all lanes.

import { codeOf, lineKey, markPicked, placeLink, rangeNote, routineKey, shortening, swatchOf } from '../code.ts';
import { button, byId, make, refill, shape, watcher } from '../dom.ts';
import { fixed } from '../format.ts';
import { headOf, inOrder, orderOf } from './order.ts';
import { cellOf, figuresOf, headsOf, placesOf, shareOf, unitsOf, valueIn } from './ratios.ts';
import { shownOf } from '../state.ts';
import { term } from '../terms.ts';
import type { Mount } from '../actions/actions.ts';
import type { mountTree } from './tree.ts';
import type { Code, Figure, GroupSummary, LineRow, RoutineRow } from '../wasm/painter.js';

/** Rows that are shown at first, and that `more` adds. */
const ROWS = 30;

/** Size of a histogram in CSS pixels. */
const WIDE = 64;
const HIGH = 13;

/** What the rows are made with. */
interface Rows {
  code: Code;
  /** Of the columns that are shown. */
  places: number[];
  /** Routines whose lines are shown. */
  open: Set<number>;
  again: () => void;
  pick: (key: string) => void;
}

export const mountCode: Mount = (actions) => {
  const { now, pick, look, tell } = actions;
  const root = byId('code');
  const changed = watcher();
  const chosen = watcher();
  let open: Set<number> = new Set();
  let most = ROWS;
  /** What of the region the tables are of, if not of all. */
  let range: [number, number] | null = null;
  let tree: ReturnType<typeof mountTree> | null = null;
  /** Loaded when it is chosen first; until then the list stays. */
  const loadTree = () => import('./tree.ts').then(({ mountTree }) => {
    tree = mountTree(pick);
    show();
  }, ({ message }) => tell({ remark: message }));
  const show = () => {
    const { view } = now();
    const { picture, group } = shownOf(now()) ?? {};
    if (!picture || !group) return;
    const code = codeOf(picture, group.number, range);
    const isTree = view.code === 'tree' && code.contexts.length > 0;
    if (isTree && !tree) void loadTree();
    const note = range ? [rangeNote(picture.ofRange(group.number, ...range), look)] : [];
    const isEmpty = code.routines.length === 0;
    const table = isEmpty ? make('p', { class: 'hint', 'data-testid': 'no-code' }, 'No sample of code lies in this range.') : isTree && tree ? tree.show(code, group, show) : tableOf(group, code);
    refill(root, 'key', titleOf(code, isTree), ...note, table);
    markPicked(root, view.picked);
  };

  const titleOf = (code: Code, isTree: boolean) => {
    const turn = (toTree: boolean, words: string) =>
      button({ class: 'link', 'aria-pressed': String(isTree === toTree), 'data-key': words }, words, () => look({ code: toTree ? 'tree' : 'list' }, 'push'));
    const kinds = code.contexts.length > 0 ? [make('span', { class: 'kinds' }, turn(false, 'List'), turn(true, 'Call tree'))] : [];
    const units = isTree ? '' : unitsOf(code.columns, placesOf(code.columns, now().view.ratios));
    return make('h2', {}, make('span', { id: 'code-title' }, term('routine', 'Routines')), make('small', {}, units), ...kinds);
  };

  const tableOf = (group: GroupSummary, code: Code) => {
    const places = placesOf(code.columns, now().view.ratios);
    const shown = { code, places, open, again: show, pick };
    const heads = [
      ['inclusive', group.axis.unit, `${group.axis.unit} with it on the call-stack`],
      ['exclusive', 'own', `${group.axis.unit} with it innermost`],
      ['share', '%', range ? 'Share of the time of the range with it innermost' : 'Share of time with it innermost'],
    ].map(([column, text, title]) => headOf('code', column, text, title, actions));
    const head = make('tr', {}, ...heads, ...headsOf('code', code.columns, places, 'Routines, counter', actions));
    const valueOf = ({ inclusive, exclusive, share, figures }: RoutineRow, column: string) => {
      const own = { inclusive, exclusive, share } as Record<string, Figure>;
      return Object.hasOwn(own, column) ? own[column].value : valueIn(code.columns, figures, column);
    };
    const rows = inOrder(code.routines, orderOf(now().view.order, 'code'), valueOf);
    const bodies = rows.slice(0, most).flatMap((routine) => bodiesOf(routine, shown));
    const table = make('table', { 'data-testid': 'routines-table', 'aria-labelledby': 'code-title' }, make('thead', {}, head), ...bodies);
    const rest = code.routines.length - most;
    const more = button({ class: 'link', 'data-key': 'more' }, `${fixed(rest)} more`, () => {
      most += ROWS;
      show();
    });
    return make('div', { class: 'code-rows' }, table, ...(rest > 0 ? [more] : []));
  };

  return ({ view, now, dragging }, shown) => {
    root.hidden = !shown?.group.hasCode || now.is === 'failed';
    if (root.hidden || !shown) return;
    const isOther = changed(shown.picture, shown.group.number);
    if (isOther) [open, most] = [new Set(), ROWS];
    if (!dragging) range = view.selection;
    if (chosen(view.ratios, view.order, view.code, range) || isOther) show();
    else markPicked(root, view.picked);
  };
};

/** A routine in two rows, its name with its most sampled line, and its numbers; behind it its lines, if
 * it is open. */
function bodiesOf(routine: RoutineRow, shown: Rows) {
  const { code, open, again, pick } = shown;
  const key = routineKey(routine.name);
  const isOpen = open.has(routine.routine);
  const turn = button({ class: 'twisty', 'aria-expanded': String(isOpen), 'aria-label': `Lines of ${routine.name}`, 'data-key': `lines ${routine.routine}` }, '', () => {
    if (!open.delete(routine.routine)) open.add(routine.routine);
    again();
  });
  const name = button({ class: 'name', 'data-pick': key, 'data-key': key, title: `${routine.name}: ${routine.samples.text} samples. Click: show it alone` }, '', () => pick(key));
  name.append(...shortening(routine.name));
  const lines = isOpen ? code.lines.filter((line) => line.routine === routine.routine) : [];
  const most = code.lines.find((line) => line.routine === routine.routine && line.file !== '');
  const place = most ? `${most.line}:${most.file}` : '';
  const at = most && most.line > 0 ? [placeLink(`[${most.line}]`, `Most sampled line, ${most.line} of ${most.file}`, place)] : [];
  const body = bodyOf([turn, swatchOf(routine.hue), name, ...at], routine.inclusive, routine.exclusive, routine, shown);
  body.dataset.routine = routine.name;
  if (most) body.dataset.line = place;
  return [body, ...lines.slice(0, ROWS).map((line) => lineOf(line, shown))];
}

function lineOf(line: LineRow, shown: Rows) {
  const key = lineKey(line);
  const words = `${line.line || 'line not known'}${line.file ? ` ${line.file}` : ''}`;
  const name = key === null
    ? make('span', { class: 'name' }, words)
    : button({ class: 'name', 'data-pick': key, 'data-key': key, title: `${line.samples.text} samples. Click: show it alone` }, words, () => shown.pick(key));
  const body = bodyOf([name], null, line.time, line, shown);
  body.className = 'line';
  // Which leads to its source.
  if (key !== null) body.dataset.line = `${line.line}:${line.file}`;
  return body;
}

/** A row of numbers; a line has no inclusive share. */
function bodyOf(name: Node[], inclusive: Figure | null, exclusive: Figure, { share, figures, histogram }: RoutineRow | LineRow, { code, places }: Rows) {
  const cells = [
    inclusive ? cellOf(inclusive, { 'data-kind': 'inclusive' }) : make('td'),
    cellOf(exclusive, { 'data-kind': 'exclusive' }),
    cellOf(share, { 'data-kind': 'share' }),
    ...figuresOf(code.columns, places, figures),
  ];
  const what = make('th', { scope: 'rowgroup', colspan: String(cells.length) }, make('div', { class: 'what' }, ...name, histogramOf(histogram, code.histogram)));
  return shareOf(share.value, make('tbody', {}, make('tr', {}, what), make('tr', {}, ...cells)));
}

/** How long which MIPS were reached: the same steps for every routine and line. */
function histogramOf(bins: number[], words: string) {
  if (bins.length === 0) return '';
  const title = shape('title', '');
  title.textContent = words;
  const step = WIDE / bins.length;
  // What is there at all is seen.
  const bar = (share: number, i: number) => (share > 0 ? `M${i * step} ${HIGH}v${-Math.max(1, share * (HIGH - 1)).toFixed(2)}h${step}V${HIGH}z` : '');
  return shape('svg', 'histogram', { width: WIDE, height: HIGH, role: 'img', 'aria-label': words }, title, shape('path', '', { d: bins.map(bar).join('') }));
}
