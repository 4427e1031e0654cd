// Phases changed by hand: what becomes of borders and names, as the texts of the settings.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const { dividedAt, merged, moved, named, namesOf } = await import('../../../www/phases.ts');

const edges = [0, 0.25, 0.5, 0.75, 1];
const group = /** @type {any} */ ({ number: 2, phases: edges.slice(1).map((end, i) => ({ number: i + 1, start: edges[i], end })) });
const others = { breaks: '1:0.4;3:', names: '1:1=a' };

test('a border is moved, and those of other groups stay', () => {
  assert.deepEqual(moved(others, group, 1, 0.6), { breaks: '1:0.4;2:0.25,0.6,0.75;3:', names: '1:1=a' });
});

test('two phases become one, and those after them keep their names', () => {
  const before = { names: '2:1=first,3=third,4=fourth' };
  assert.deepEqual(merged(before, group, 1), { breaks: '2:0.25,0.75', names: '2:1=first,2=third,3=fourth' });
  assert.equal(merged({ names: '2:2=b,3=c' }, group, 1).names, '2:2=b');
  const alone = /** @type {any} */ ({ number: 1, phases: group.phases.slice(0, 2) });
  assert.equal(merged({}, alone, 0).breaks, '1:');
});

test('a phase is divided where there is none yet, and those after it keep their names', () => {
  const names = { names: '2:2=b,3=c' };
  assert.deepEqual(dividedAt(names, group, [0.3, 0.4]), { breaks: '2:0.25,0.3,0.4,0.5,0.75', names: '2:2=b,5=c' });
  assert.equal(dividedAt(names, group, [0.5, 0, 1, NaN]).breaks, '2:0.25,0.5,0.75');
  assert.equal(dividedAt({}, /** @type {any} */ ({ number: 1, phases: [] }), [0.5]).breaks, '1:0.5');
});

test('a name may hold every letter, and an empty one is none', () => {
  const hostile = 'a=b;c,d:e%2C <img onerror=x>';
  const settings = named(others, group, 3, ` ${hostile} `);
  assert.equal(settings.names, '1:1=a;2:3=a%3Db%3Bc%2Cd:e%252C <img onerror%3Dx>');
  assert.equal(namesOf(settings, 2).get(3), hostile);
  assert.deepEqual(named(settings, group, 3, '  '), others);
  assert.deepEqual(named({ names: '2:1=a' }, group, 1, ''), {});
});
