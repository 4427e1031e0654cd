// Where lanes lie, from what the browser alone knows.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const { AXIS, DENSITY, GAP, RAIL, freeHeight, laneHeights, laneTops } = await import('../../../www/lanes/sizes.ts');

const above = { activity: 0, source: 24, address: 24, performance: 48, gauge: 0, samples: 0 };
const sizes = { window: 1280, width: 900, column: 800, status: 40, above };

test('rail, lanes with what stands over them, strip and axis fill the column', () => {
  const heights = laneHeights(freeHeight(sizes), { alone: false, hasActivity: false, hasSource: true, hasAddress: true, hasGauge: false });
  const tops = laneTops(above, (name) => heights[name]);
  assert.deepEqual([tops.rail, tops.source], [0, RAIL + 24]);
  assert.equal(tops.address, tops.source + heights.source + GAP + 24);
  assert.equal(tops.performance, tops.address + heights.address + GAP + 48);
  assert.equal(tops.samples, undefined);
  assert.equal(tops.density, tops.performance + heights.performance + 6);
  assert.equal(tops.axis, tops.density + DENSITY);
  assert.equal(sizes.status + tops.axis + AXIS, sizes.column);
});

test('a lane that is not there takes no room', () => {
  const heights = laneHeights(400, { alone: true, hasActivity: true, hasSource: false, hasAddress: true, hasGauge: false });
  const tops = laneTops({ activity: 0, source: 0, address: 0, performance: 24, gauge: 0, samples: 24 }, (name) => heights[name]);
  assert.deepEqual([tops.activity, tops.source, tops.address], [undefined, undefined, undefined]);
  assert.equal(tops.performance, RAIL + GAP + 24);
});

test('activity is the first lane where there is one', () => {
  const with24 = { ...sizes, above: { ...above, activity: 24 } };
  const heights = laneHeights(freeHeight(with24), { alone: false, hasActivity: true, hasSource: true, hasAddress: false, hasGauge: false });
  const tops = laneTops({ ...with24.above, address: 0 }, (name) => heights[name]);
  assert.deepEqual([tops.activity, tops.source], [RAIL + 24, RAIL + 24 + heights.activity + GAP + 24]);
  assert.equal(tops.performance, tops.source + heights.source + GAP + 48);
});

test('lanes that could not be read are as high as they must be, and the page scrolls', () => {
  assert.equal(freeHeight({ ...sizes, column: 300 }), freeHeight({ ...sizes, window: 400 }));
});

test('memory controllers have the last lane, and leave with one counter alone', () => {
  const shows = { alone: false, hasActivity: true, hasSource: false, hasAddress: false, hasGauge: true };
  const with24 = { ...sizes, above: { ...above, activity: 24, source: 0, address: 0, gauge: 24 } };
  const heights = laneHeights(freeHeight(with24), shows);
  const tops = laneTops(with24.above, (name) => heights[name]);
  assert.equal(tops.gauge, tops.performance + heights.performance + GAP + 24);
  assert.equal(sizes.status + tops.axis + AXIS, sizes.column);
  assert.equal(laneHeights(400, { ...shows, alone: true }).gauge, 0);
});
