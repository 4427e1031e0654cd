// Tables in the order of a column, as the address says it.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const { inOrder, orderOf, turned } = await import('../../../www/controls/order.ts');

test('a click on a head goes from the largest to the least and back to what was, for its table alone', () => {
  const start = ['code:share'];
  const once = turned(start, 'phases', 'PAPI:TOT');
  assert.deepEqual(orderOf(once, 'phases'), { column: 'PAPI:TOT', isRising: false });
  const twice = turned(once, 'phases', 'PAPI:TOT');
  assert.deepEqual(orderOf(twice, 'phases'), { column: 'PAPI:TOT', isRising: true });
  assert.deepEqual(turned(twice, 'phases', 'PAPI:TOT'), start);
  assert.deepEqual(orderOf(turned(twice, 'phases', 'share'), 'phases'), { column: 'share', isRising: false }, 'another column begins anew');
  assert.deepEqual(orderOf(twice, 'code'), { column: 'share', isRising: false });
  assert.equal(orderOf(twice, 'data'), null);
});

test('rows without a value come last in either order, and equal ones stay as they were', () => {
  const rows = [['a', 2], ['b', null], ['c', 5], ['d', 2], ['e', undefined]];
  const names = (isRising) => inOrder(rows, { column: 'x', isRising }, ([, value]) => value).map(([name]) => name).join('');
  assert.deepEqual([names(false), names(true)], ['cadbe', 'adcbe']);
  assert.equal(inOrder(rows, null, () => 0), rows);
});
