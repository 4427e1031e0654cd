// What becomes of the view where it is carried on: to another region, another trace, another link.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const { carried, defaultView, laidOver, within } = await import('../../../www/view.ts');

/** Nothing at its default. */
const other = /** @type {import('../../../www/view.ts').ViewState} */ ({
  sources: ['src/'], shown: 2, view: 'table', tab: 'run', profile: 'exclusive:1', metric: 'load_balance', window: [0.1, 0.3], by: 'ipc', plane: 'duration', brush: [0.1, 2, 1000, 2.5e9], distances: 'shown', multiples: 'shown', rates: 'C', course: 'total:C', gauge: 7, clusters: [2], counter: 'C', model: 'm', ratios: ['D'], range: [0.1, 0.2], selection: [0.1, 0.15], hidden: ['D'], curves: ['C', '', 'D'],
  picked: 'object:b', object: 'b', colour: 'level', stacks: 'icicle', panel: 'code', order: ['code:share'], code: 'tree', pane: '1:a.c', theme: 'dark',
  besideAddresses: ['b.prv'], besideLink: 'AnAyMxcBAAAAAAAAAAAAAA', besideRuns: 'aAnAyMxcBAAAAAAAAAAAAAA.bAnAyMxcBAAAAAAAAAAAAAA', besideGroup: 3, besideObjects: '1.2.*', besideWindow: '5-8', compareBy: 'share', least: '2', between: '5', clock: 'equal', phase: 2, third: 'C', swap: 'yes', pairs: '2-2.3',
});
/** The keys that are as they were. */
const kept = (view) => Object.keys(other).filter((key) => view[key] === other[key]).sort();

test('every key is tried here', () => {
  assert.deepEqual(Object.keys(other).sort(), Object.keys(defaultView).sort());
  for (const key of Object.keys(other)) assert.notDeepEqual(other[key], defaultView[key], key);
});

test('another region has its own group and range, another trace all its own but how the page looks', () => {
  assert.deepEqual(Object.keys(other).filter((key) => !kept(carried(other, 'region')).includes(key)).sort(), ['besideGroup', 'pairs', 'phase', 'range', 'selection', 'shown']);
  assert.deepEqual(kept(carried(other, 'trace')), ['sources', 'theme', 'view']);
});

test('what stands in the address counts before what is inside a link', () => {
  const view = laidOver(other, { ...defaultView, counter: 'E' });
  assert.deepEqual(view, { ...other, counter: 'E' });
});

test('what the group has stays, what it lacks is at its default, and the page says so', () => {
  const group = /** @type {any} */ ({ number: 2, counters: [{ counter: 'C' }], models: [{ name: 'm' }], objects: [{ name: 'b' }], routines: [], gauges: [{ code: 7 }] });
  assert.equal(within(other, group).view, other);
  const { view, remark } = within(other, { ...group, objects: [], counters: [] });
  assert.deepEqual(view, { ...other, counter: null, course: null, picked: null, object: null });
  assert.equal(remark, 'There is no object b here; nothing is picked.');
});
