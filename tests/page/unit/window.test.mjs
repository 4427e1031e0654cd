// Parts of one run, as they are typed and as they are folded.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const { windowName, windowOf, windowsOf } = await import('../../../www/compare/window.ts');

test('a part is typed in ms, with either end left out', () => {
  for (const [typed, expected] of [['500-800', '500000000-800000000'], [' .5 – 1.25 ', '500000-1250000'], ['7-', '7000000-'], ['-7', '-7000000'], ['0-', '0-']]) {
    assert.equal(windowOf(typed), expected, typed);
  }
  for (const typed of ['', '-', '7', '8-7', '7-7', 'a-b', '1-2-3', '-.', '1e3-', '99999999999-']) assert.equal(windowOf(typed), null, typed);
});

test('A is what lies outside where that is one part, and what was chosen where something was', () => {
  assert.deepEqual(windowsOf('5-', { fit: 'segments' }), [{ fit: 'segments', to: '4' }, { fit: 'segments', from: '5' }]);
  assert.deepEqual(windowsOf('-5', {}), [{ from: '6' }, { to: '5' }]);
  assert.deepEqual(windowsOf('5-8', {}), [{}, { from: '5', to: '8' }]);
  assert.deepEqual(windowsOf('0-', {}), [{}, { from: '0' }]);
  assert.deepEqual(windowsOf('5-', { to: '3' }), [{ to: '3' }, { from: '5' }]);
});

test('a part is named in ms', () => {
  assert.deepEqual(['5000000-8500000', '5000000-', '-5000000'].map(windowName), ['5–8.5\u202fms', 'from 5\u202fms', 'up to 5\u202fms']);
});
