// What is looked at of a profile, as a text of the address and back.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const { lookedIn, textOf } = await import('../../../www/profile/looked.ts');

const usual = lookedIn(null);

test('what is at its default is left out, and all else comes back as it was', () => {
  assert.equal(textOf(usual), null);
  const looked = { ...usual, measure: 'IPC=PAPI_TOT_INS/PAPI_TOT_CYC, or so', exclusive: true, node: 0, root: 12, thread: 3, by: 'name', turned: [1, 20], search: 'a:b,c %~', kind: 'group:MPI', order: 'histogram', x: { node: 7, measure: 'PAPI_L3_TCM' }, colour: { node: null, measure: '' }, size: { node: 1, measure: 'a~b' }, cost: 250, heat: true, costs: true, whole: true, unwind: 'none' };
  assert.deepEqual(lookedIn(textOf(looked)), looked);
});

test('what nobody wrote stays at its default', () => {
  for (const text of ['', ',', 'node:', 'node:-1', 'node:1e9', 'by:nothing', 'turned:1..2', 'turned:x', 'exclusive:yes', 'x:7', '__proto__:1', 'constructor:1', 'search:%E0%A4%A', 'unwind:all', 'order:size']) {
    assert.deepEqual(lookedIn(text), usual, text);
  }
  assert.equal(lookedIn('search:'.padEnd(9000, 'a')).search.length, 2000);
  assert.equal(lookedIn(`turned:${'1.'.repeat(5000)}2`).turned.length, 200);
});
