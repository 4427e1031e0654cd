// The data objects: how often, at what cost and in which way each was referenced, the dearest first. A
// click on a name picks it, in all lanes; so does one on a memory level.

import { markPicked, placeLink, rangeNote } from '../code.ts';
import { button, byId, make, refill, watcher } from '../dom.ts';
import { fixed } from '../format.ts';
import { headOf, inOrder, orderOf } from './order.ts';
import { sourceOf } from '../state.ts';
import { cellOf, shareOf } from './ratios.ts';
import { term } from '../terms.ts';
import type { Mount } from '../actions/actions.ts';
import type { GroupSummary, ObjectSummary } from '../wasm/painter.js';

/** Rows that are shown at first. */
const ROWS = 12;

/** Colours of levels from L1 on, as the painter has them: places among those of routines. */
const HUES = [7, 10, 2, 5, 8, 3, 9, 1, 11];

export const mountObjects: Mount = (actions) => {
  const root = byId('objects');
  const changed = watcher();
  const isOtherTrace = watcher();
  let isAll = false;
  /** What of the region the table is of, if not of all. */
  let range: [number, number] | null = null;

  return function update(state, shown, trace) {
    const group = shown?.group;
    if (isOtherTrace(sourceOf(state))) isAll = false;
    root.hidden = !group?.hasAddress || state.now.is === 'failed';
    if (!group || root.hidden) return;
    if (!state.dragging) range = state.view.selection;
    if (changed(group, isAll, state.view.order, range, shown.referenced)) {
      const { objectHeads } = group;
      const there = range ? shown.picture.objectsBetween(group.number, ...range) : undefined;
      const objects = there ?? group.objects;
      const columns = objectHeads.map(([text]) => text);
      const valueOf = (index: number, column: string) => objects[index].figures[columns.indexOf(column)]?.value;
      const dearest = inOrder([...objects.keys()], { column: columns[4], isRising: false }, valueOf);
      const rows = inOrder(dearest, orderOf(state.view.order, 'data'), valueOf);
      const bodies = rows.slice(0, isAll ? undefined : ROWS).map((index) => bodyOf(group, objects[index], there ? range : null, actions.pick));
      const heads = objectHeads.map(([text, title]) => headOf('data', text, text, title, actions));
      const head = make('tr', {}, make('th', { scope: 'col' }, 'Object'), ...heads);
      const table = make('table', { 'data-testid': 'objects-table' }, make('thead', {}, head), ...bodies);
      const more = button({ class: 'link', 'data-key': 'more' }, `${fixed(rows.length - ROWS)} more`, () => {
        isAll = true;
        update(state, shown, trace);
      });
      const title = make('h2', {}, make('span', { id: 'objects-title' }, term('data-object', 'Data')), make('small', {}, 'latency in cycles'));
      // Until references are here, and in a link, which has none, it is of all.
      const words = there || !range ? '' : 'Of the whole region: single references are not here.';
      const note = range ? [rangeNote(there ? shown.picture.ofRange(group.number, ...range) : words, actions.look)] : [];
      const none = there?.length === 0 ? [make('p', { class: 'hint', 'data-testid': 'no-objects' }, 'No reference to memory lies in this range.')] : [];
      refill(root, 'key', title, ...note, ...none, make('div', { class: 'object-rows' }, table, ...(isAll || rows.length <= ROWS ? [] : [more])));
    }
    markPicked(root, state.view.picked);
  };
};

function bodyOf(group: GroupSummary, object: ObjectSummary, range: [number, number] | null, pick: (key: string) => void): HTMLElement {
  const { index, name, words, figures, levels, called, line, file } = object;
  const key = `object:${name}`;
  const named = button({ class: 'name', 'data-pick': key, 'data-key': key, title: name }, name, () => pick(key));
  const wide = (...inside: (HTMLElement | string)[]) => make('tr', {}, make('td', { colspan: '6', class: 'what' }, ...inside));
  const mix = levels.length > 0 ? [make('tr', {}, make('td', { colspan: '6' }, barOf(levels, pick)))] : [];
  const streams = streamsOf(group, index, range).map(({ of, words }) => wide(make('b', {}, of), ` ${words}`));
  const most = called === '' ? [] : [wide('mostly by ', file ? placeLink(called, file, `${line ?? 0}:${file}`) : called)];
  const rows = [make('tr', {}, make('th', { scope: 'row' }, named), ...figures.map((figure) => cellOf(figure))), wide(make('span', {}, words)), ...most, ...mix, ...streams];
  return shareOf(figures[4].value, make('tbody', {}, ...rows));
}

/** Which levels served it, as a bar and in words. */
function barOf(levels: ObjectSummary['levels'], pick: (key: string) => void) {
  const hue = (level: number) => `hue-${HUES[level - 1]}`;
  const parts = levels.map(({ level, references }) => {
    const part = make('i', { class: hue(level) });
    part.style.setProperty('flex-grow', String(references));
    return part;
  });
  const turns = levels.map(({ level, words }) => {
    const turn = button({ class: 'link', 'data-pick': `level:${level}` }, words, () => pick(`level:${level}`));
    turn.prepend(make('i', { class: `square ${hue(level)}` }));
    return turn;
  });
  return make('div', { class: 'mix' }, make('div', { class: 'bar', 'aria-hidden': 'true' }, ...parts), make('p', {}, ...turns));
}

/** How it is walked through, phase by phase, of a range in those that it meets; where there are none,
 * routine by routine. */
function streamsOf({ streams, phases }: GroupSummary, object: number, range: [number, number] | null) {
  const own = streams.filter((stream) => stream.object === object);
  const ofPhases = own.filter(({ phase }) => phase !== null);
  const meets = (number: number | null) => phases.some((phase) => phase.number === number && (!range || (phase.end > range[0] && phase.start < range[1])));
  return ofPhases.length > 0 ? ofPhases.filter(({ phase }) => meets(phase)) : own;
}
