// The card of a dragged range: how long it is, the mean of each counter, which lines and which data; it
// stands beside the range, and the panel's tables are of the range as long as there is one.

import { placeLink, swatchOf } from '../code.ts';
import { button, byId, make, refill, watcher } from '../dom.ts';
import { shownOf, type State } from '../state.ts';
import { timeScale } from './timeline.ts';
import type { Actions } from '../actions/actions.ts';
import type { Painted } from './lanes.ts';
import type { RangeSummary } from '../wasm/painter.js';

/** Distance from the range, and from the edges of the lanes. */
const AWAY = 14;
const EDGE = 8;

/** Counters that are shown at first, if there are many. */
const COUNTERS = 7;

export function mountRange({ look, pick }: Actions): (state: State, painted: Painted) => void {
  const root = byId('range');
  const lanes = byId('lanes');
  const changed = watcher();
  const moved = watcher();
  let isAll = false;

  return function update(state, painted) {
    const { view, dragging } = state;
    const shown = shownOf(state);
    const range = view.selection;
    const wasHidden = root.hidden;
    root.hidden = !range || dragging || !shown || !painted.views || lanes.hidden;
    if (root.hidden || !range || !shown) return;
    // It was put where this card is now; the next move of the pointer brings it back, beside it.
    if (wasHidden) byId('tip').hidden = true;
    if (changed(range, shown.picture, shown.group, shown.referenced, shown.deciding, painted.legend, isAll)) {
      const turn = (all: boolean) => {
        isAll = all;
        update(state, painted);
      };
      const told = shown.picture.range(shown.group.number, ...range);
      refill(root, 'key', ...partsOf(told, painted, shown.deciding, isAll, turn, { look, pick, range }));
    } else if (!moved(painted, range)) return;
    moved(painted, range);
    place(root, lanes, painted, state);
  };
}

function partsOf(
  { length, place, counters, answers, lines, moreLines, objects, moreObjects, doubt }: RangeSummary,
  { legend }: Painted, deciding: boolean, isAll: boolean, turn: (all: boolean) => void,
  { look, pick, range }: Pick<Actions, 'look' | 'pick'> & { range: [number, number] },
) {
  const clear = button({ class: 'close', 'aria-label': 'Clear the range', title: 'Clear the range (Esc)', 'data-key': 'close' }, '×', () => look({ selection: null }));
  const head = make('p', { class: 'range-head' }, make('b', { id: 'range-title' }, length), make('span', {}, place), clear);
  // Those that are drawn come first, as the legend has them, MIPS before the others.
  const rankOf = (counter: string) => {
    const at = legend.findIndex((entry) => entry.counter === counter && !entry.hidden);
    return at < 0 ? legend.length + 1 : legend[at].instructions ? -1 : at;
  };
  const ranked = [...counters].sort((a, b) => rankOf(a.counter) - rankOf(b.counter));
  const seen = ranked.length <= COUNTERS + 1 || isAll ? ranked : ranked.slice(0, COUNTERS);
  const rows = seen.map(({ counter, name, value, unit, interval }) => {
    const mark = make('i', { class: 'swatch' });
    mark.style.setProperty('background', legend.find((entry) => entry.counter === counter && !entry.hidden)?.colour ?? 'none');
    const cells = [make('td', {}, make('b', {}, value)), make('td', {}, unit === name ? '' : unit), make('td', {}, interval)];
    return make('tr', { 'data-counter': counter }, make('th', { scope: 'row', title: counter }, mark, name), ...cells);
  });
  const caption = make('caption', { class: 'unseen' }, 'Mean of each counter, with its interval of 95 %');
  const rest = counters.length - seen.length;
  const more = rest > 0 || (isAll && counters.length > COUNTERS + 1) ? [button({ class: 'link', 'data-key': 'counters', 'aria-expanded': String(isAll) }, isAll ? 'Fewer counters' : `${rest} more counters`, () => turn(!isAll))] : [];
  const row = (what: string, ...inside: (Node | string)[]) => make('div', {}, make('dt', {}, what), make('dd', {}, ...inside));
  const others = (words: string, panel: 'code' | 'data', isLast: boolean) =>
    (isLast && words !== '' ? [button({ class: 'link', 'data-key': panel, title: `All of them: ${panel}` }, words, () => look({ panel }))] : []);
  const told = answers.map(([what, value, of]) => row(what, make('b', {}, value), ' ', make('i', {}, of)));
  const code = lines.map(({ words, hue, place, share }, i) => {
    const named = place === null ? words : placeLink(words, words, place);
    return row(i === 0 ? 'Lines' : '', swatchOf(hue), named, ' ', make('i', {}, share), ...others(moreLines, 'code', i === lines.length - 1));
  });
  const data = objects.map(({ name, share, words }, i) => {
    const named = button({ class: 'name', 'data-key': `object ${name}`, title: `${name}. Click: show it alone` }, name, () => pick(`object:${name}`));
    return row(i === 0 ? 'Data' : '', named, ' ', make('i', {}, `${share}, ${words}`), ...others(moreObjects, 'data', i === objects.length - 1));
  });
  const list = make('dl', {}, ...told, ...code, ...data);
  const remarks = [doubt, deciding ? 'Deciding… Until then, means of the spline.' : ''].filter(Boolean).map((words) => make('p', { class: 'hint', 'data-testid': 'range-doubt' }, words));
  const zoom = make('p', { class: 'range-foot' }, button({ 'data-testid': 'range-zoom', 'data-key': 'zoom' }, 'Zoom to range', () => look({ range, selection: null }, 'push')), make('kbd', {}, 'F'));
  return [head, make('table', {}, caption, make('tbody', {}, ...rows)), ...more, list, ...remarks, zoom];
}

/** Beside the range where there is room, else over its end; never over the axis. */
function place(root: HTMLElement, lanes: HTMLElement, { layouts, tops }: Painted, { view }: State) {
  const plot = layouts.performance?.plot ?? layouts.source?.plot;
  if (!plot || !view.selection) return;
  const scale = timeScale(view.range, plot.left, plot.right);
  const [from, to] = view.selection.map((x) => Math.min(plot.right, Math.max(plot.left, scale.toPx(x))));
  const width = root.offsetWidth;
  const beside = to + AWAY + width <= lanes.clientWidth - EDGE ? to + AWAY : from - AWAY - width >= EDGE ? from - AWAY - width : lanes.clientWidth - EDGE - width;
  const bottom = tops.axis ?? lanes.clientHeight;
  root.style.setProperty('left', `${Math.max(EDGE, beside)}px`);
  root.style.setProperty('max-height', `${bottom - 2 * EDGE}px`);
  const middle = (tops.address ?? tops.source ?? 0) + 2 * AWAY;
  root.style.setProperty('top', `${Math.max(EDGE, Math.min(middle, bottom - EDGE - root.offsetHeight))}px`);
}
