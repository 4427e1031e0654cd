// Spline or segments: what is folded first, and what the decision takes the place of.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const { atFirst, decided, earlyPicture, emptyState, folded, opened, openingBegan, openingStopped, regionChosen, sameCurves, shownOf } = await import('../../../www/state.ts');

test('only what has to be decided is folded without the decision first', () => {
  assert.deepEqual(atFirst({ region: 'x' }), { region: 'x', fit: 'kriging' });
  assert.deepEqual(atFirst({ fit: 'auto' }), { fit: 'kriging' });
  assert.equal(atFirst({ fit: 'segments' }), null);
  assert.ok(sameCurves({ a: '1', names: '1:1=x' }, { breaks: '1:0.5', a: '1' }));
  assert.ok(sameCurves({ a: '1' }, { routines: 'samples:7', align: 'pivot', a: '1' }));
  assert.ok(!sameCurves({ a: '1' }, { a: '2' }));
});

const picture = (/** @type {string} */ region) => /** @type {any} */ ({ summary: () => ({ region, shown: 1, groups: [{ number: 1, counters: [], gauges: [], axis: { counter: null } }] }) });
const from = /** @type {any} */ ({ source: { kind: 'files' }, trace: {}, regionsBy: '' });
const region = (/** @type {import('../../../www/state.ts').State} */ state) => shownOf(state)?.summary.region;

test('a decision takes the place of its own picture only, shown or behind an early one', () => {
  const [first, final, other] = ['first', 'final', 'other'].map(picture);
  const waiting = opened(emptyState, from, first, emptyState, 'deciding');
  assert.equal(shownOf(waiting)?.deciding, true);
  assert.equal(region(decided(waiting, first, final)), 'final');
  assert.equal(region(decided(waiting, first, null)), 'first');
  assert.equal(shownOf(decided(waiting, first, null))?.deciding, false);
  const replaced = folded(waiting, other);
  assert.equal(decided(replaced, first, final), replaced);
  const early = decided(earlyPicture(openingBegan(waiting, 'b.prv'), other, 0.1, emptyState), first, final);
  assert.equal(region(early), 'other');
  assert.equal(region(openingStopped(early)), 'final');
});

test('what was put by hand belongs to one region', () => {
  const shown = { ...opened(emptyState, from, picture('a'), emptyState), settings: { breaks: '1:0.5', names: '1:1=x', nugget: '0.1' } };
  assert.deepEqual(regionChosen(shown, 'b').settings, { nugget: '0.1', region: 'b' });
  assert.deepEqual(Object.keys(regionChosen(shown, 'a').settings).sort(), ['breaks', 'names', 'nugget', 'region']);
});
