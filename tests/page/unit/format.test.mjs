// What the page itself says: sizes, shares, counted words and names; a narrow no-break space stands
// as `_` here.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const format = await import('../../../www/format.ts');

/** Checks texts against what `write` makes of their values. */
function check(write, expected) {
  const texts = Object.fromEntries(Object.keys(expected).map((value) => [value, write(Number(value)).replaceAll('\u202f', '_')]));
  assert.deepEqual(texts, expected);
}

test('whole numbers in groups of three digits', () => {
  check(format.fixed, { 0: '0', 999: '999', 1000: '1_000', 1234567: '1_234_567' });
});

test('sizes of files in decimal units', () => {
  check(format.fileSize, { 131: '131_bytes', 21000: '21_kB', 2907725: '2.9_MB', 18400000: '18_MB', 2100000000: '2.1_GB' });
});

test('shares in whole per cent', () => check(format.percent, { 0.219: '22_%', 1: '100_%' }));

test('one notice, two notices', () => {
  assert.equal(format.counted(1, 'notice'), '1 notice');
  assert.equal(format.counted(2, 'notice'), '2 notices');
});

test('a region has a type and a name, whatever is in the name', () => {
  assert.deepEqual(['User function:a::b', '123', 'MPI call:*'].map(format.regionName), ['a::b', '123', '*']);
  assert.deepEqual(['User function:a::b', '123', 'MPI call:*'].map(format.regionType), ['User function', '', 'MPI call']);
});

test('names of files can be saved anywhere', () => {
  assert.equal(format.fileName('444.namd.prv', 'User function:main', '.svg'), '444.namd.main.svg');
  assert.equal(format.fileName('a/b.prv.gz', 'User function:<x>::y(int, char*)', '.png'), 'a-b.x-y-int-char.png');
  assert.equal(format.fileName('..', 'x:/', '.csv'), 'tracefold.csv');
  assert.equal(format.fileName('a'.repeat(300), '', '.csv').length, 104);
});

test('what is still to wait is in seconds, then in minutes', () => {
  check(format.timeLeft, { 0.2: '1_s', 9: '9_s', 119.5: '120_s', 120: '2_min', 1234: '21_min' });
});
