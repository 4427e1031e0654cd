// The data objects: how often, at what cost and in which way each was referenced. A click on a name
// picks it, in all lanes; so does one on a memory level.

import { markPicked } from '../code.ts';
import { button, byId, make, watcher } from '../dom.ts';
import { fixed, percent } from '../format.ts';
import type { Mount } from '../actions/actions.ts';
import type { GroupSummary, ObjectSummary } from '../wasm/painter.js';

/** Rows that are shown at first. */
const ROWS = 12;

/** Colours of levels from L1 on, as the painter has them: places among those of routines. */
const HUES = [7, 10, 2, 5, 8, 3, 9, 1, 11];

export const mountObjects: Mount = ({ pick }) => {
  const root = byId('objects');
  const changed = watcher();
  let isAll = false;

  return function update(state, shown, trace) {
    const group = shown?.group;
    root.hidden = !group?.hasAddress || state.now.is === 'failed';
    if (!group || root.hidden) return;
    if (changed(group, isAll)) {
      const order = group.objects.map((_, index) => index).sort((a, b) => references(group.objects[b]) - references(group.objects[a]));
      const bodies = order.slice(0, isAll ? undefined : ROWS).map((index) => bodyOf(group, index, pick));
      const head = make('tr', {}, ...['Object', 'loads', 'stores', 'mean', '95 %'].map((text) => make('th', { scope: 'col' }, text)));
      const table = make('table', { 'data-testid': 'objects-table' }, make('thead', {}, head), ...bodies);
      const more = button({ class: 'link' }, `${fixed(order.length - ROWS)} more`, () => {
        isAll = true;
        update(state, shown, trace);
      });
      const title = make('h2', {}, make('span', { id: 'objects-title' }, 'Data'), make('small', {}, 'latency in cycles'));
      root.replaceChildren(title, make('div', { class: 'object-rows' }, table, ...(isAll || order.length <= ROWS ? [] : [more])));
    }
    markPicked(root, state.view.picked);
  };
};

function references({ loads, stores }: ObjectSummary) {
  return loads + stores;
}

function bodyOf(group: GroupSummary, index: number, pick: (key: string) => void): HTMLElement {
  const object = group.objects[index];
  const { name, kind, size, touched, loads, stores, meanCost, highCost, levels } = object;
  const key = `object:${name}`;
  const cycles = (cost: number | null) => (cost === null ? '–' : fixed(cost));
  const named = button({ class: 'name', 'data-pick': key, title: name }, name, () => pick(key));
  const figures = [fixed(loads), fixed(stores), cycles(meanCost), cycles(highCost)].map((text) => make('td', {}, text));
  const wide = (...inside: (HTMLElement | string)[]) => make('tr', {}, make('td', { colspan: '5', class: 'what' }, ...inside));
  const sizes = wide(make('span', {}, `${kind} · ${size} · at least ${touched} touched`));
  const served = levels.filter(({ level }) => level > 0);
  const mix = served.length > 0 ? [make('tr', {}, make('td', { colspan: '5' }, barOf(served, references(object), pick)))] : [];
  return make('tbody', {}, make('tr', {}, make('th', { scope: 'row' }, named), ...figures), sizes, ...mix, ...streamsOf(group, index).map((words) => wide(...words)));
}

/** Which levels served it, as a bar and in words. */
function barOf(levels: ObjectSummary['levels'], all: number, pick: (key: string) => void) {
  const hue = (level: number) => `hue-${HUES[level - 1]}`;
  const parts = levels.map(({ level, references }) => {
    const part = make('i', { class: hue(level) });
    part.style.setProperty('flex-grow', String(references));
    return part;
  });
  const words = levels.map(({ level, name, references }) => {
    const turn = button({ class: 'link', 'data-pick': `level:${level}` }, `${name} ${percent(references / Math.max(1, all), 0)}`, () => pick(`level:${level}`));
    turn.prepend(make('i', { class: `square ${hue(level)}` }));
    return turn;
  });
  return make('div', { class: 'mix' }, make('div', { class: 'bar', 'aria-hidden': 'true' }, ...parts), make('p', {}, ...words));
}

/** How it is walked through, phase by phase; where there are none, routine by routine. */
function streamsOf({ streams, phases }: GroupSummary, object: number): (HTMLElement | string)[][] {
  const own = streams.filter((stream) => stream.object === object && stream.words !== '');
  const shown = own.some(({ phase }) => phase !== null) ? own.filter(({ phase }) => phase !== null) : own;
  return shown.map(({ phase, routine, loads, stores, words }) => {
    const name = phase === null ? '' : (phases[phase - 1]?.name ?? '');
    const where = phase === null ? (routine ?? '') : [String(phase), name].filter(Boolean).join(' ');
    const what = stores === 0 ? 'loads' : loads === 0 ? 'stores' : 'both';
    return [make('b', {}, where), ` ${what}: ${words}`];
  });
}
