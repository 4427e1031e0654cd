// How much of the time is above a limit, and for how long at a stretch.

import assert from 'node:assert/strict';
import test from 'node:test';
import { stretches } from '../../../www/controls/energy.js';

const moments = (/** @type {string} */ text) => [...text].map((letter) => letter === '#');

test('the share above and the longest stretch above are those of the moments', () => {
  assert.deepEqual(stretches(moments('..##.###..')), { share: 0.5, longest: 0.3 });
  assert.deepEqual(stretches(moments('##')), { share: 1, longest: 1 });
  assert.deepEqual(stretches(moments('..')), { share: 0, longest: 0 });
  assert.deepEqual(stretches([]), { share: 0, longest: 0 });
});
