// The one x axis: pixels and folded time, zooming and panning.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const { between, panned, timeScale, zoomed } = await import('../../../www/lanes/timeline.ts');

const near = (actual, expected) => actual.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) < 1e-12, `${actual}, not ${expected}`));

test('the scale maps to pixels and back, and ends at the gutters', () => {
  const scale = timeScale([0.25, 0.75], 100, 300);
  assert.equal(scale.toPx(0.5), 200);
  assert.equal(scale.toTime(200), 0.5);
  assert.equal(scale.toTime(0), 0.25);
  assert.equal(scale.toTime(1000), 0.75);
});

test('zooming keeps the time under the pointer where it is', () => {
  const range = zoomed([0, 1], 0.3, 0.5);
  near(range, [0.15, 0.65]);
  assert.equal(timeScale(range, 0, 100).toPx(0.3), 30);
});

test('zooming out ends at the whole instance, zooming in at one part in 10,000', () => {
  near(zoomed([0.2, 0.8], 0.3, 10), [0, 1]);
  near(zoomed([0.5, 0.6], 0.5, 1e-9), [0.5, 0.5001]);
});

test('panning stops at both ends', () => {
  near(panned([0, 0.5], -1), [0, 0.5]);
  near(panned([0.4, 0.9], 1), [0.5, 1]);
  near(panned([0.2, 0.4], 0.5), [0.3, 0.5]);
});

test('a selection goes from left to right', () => {
  near(between(0.7, 0.2), [0.2, 0.7]);
  near(between(1, 1), [0.9999, 1]);
});
