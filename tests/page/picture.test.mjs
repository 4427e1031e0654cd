// What is drawn is what is computed: curves against the table, the table against the reference.

import assert from 'node:assert/strict';
import test from 'node:test';
import { byId, curves, drawnPlaces, drop, open, openExample, rests, setFragment, site, table } from './browser.mjs';
import { PUBLISHED, namd, publishedMips, withoutShared } from './traces.mjs';

/** On a dense screen the middle of a curve of 1.5 px has its colour unmixed. */
const DENSE = { density: 2 };

/** The values of a column in twenty rows of the table, but for gaps. */
function places(rows, column) {
  assert.ok(column in rows[0].values, `no column ${column} among ${Object.keys(rows[0].values)}`);
  return rows.slice(1, 21).map(({ x, values }) => ({ x, value: values[column] })).filter(({ value }) => value !== null);
}

/** The table of what is shown; afterwards the lanes are on screen again. */
async function tableOf(page) {
  await setFragment(page, { view: 'table' });
  const rows = await table(page);
  await setFragment(page, { view: undefined });
  await rests(page, 'ready');
  return rows;
}

async function everyCurveLiesWhereTheTableSays(page) {
  const rows = await tableOf(page);
  const drawn = await curves(page);
  const mips = drawn.find(({ strip }) => strip.right);
  assert.ok(mips, 'the right axis has a curve');
  const mipsPlaces = places(rows, mips.column);
  assert.equal(mipsPlaces.length, 20);
  assert.equal(await drawnPlaces(page, mips, mipsPlaces), 20, 'MIPS');

  const others = drawn.filter(({ strip }) => !strip.right);
  assert.ok(others.length > 0, 'there are other counters than instructions');
  for (const { counter, column } of others) {
    // Alone, because curves may lie upon one another.
    const hidden = drawn.map((curve) => curve.counter).filter((name) => name !== counter);
    await setFragment(page, { hidden: hidden.map(encodeURIComponent).join(',') });
    await rests(page, 'ready');
    const alone = (await curves(page)).find((curve) => curve.counter === counter);
    const at = places(rows, column);
    const found = await drawnPlaces(page, alone, at);
    // The name of a curve may lie on it where there is no better place.
    assert.ok(at.length === 20 && found >= 19, `${counter}: ${found} of ${at.length} places`);
  }
  await setFragment(page, { hidden: undefined });
  await rests(page, 'ready');

  await byId(page, 'lane-performance').getByRole('button', { name: 'MIPS', exact: true }).click();
  await rests(page, 'ready');
  const left = await drawnPlaces(page, mips, mipsPlaces);
  assert.ok(left <= 3, `MIPS is hidden, yet its colour is at ${left} of 20 places`);
}

test('the real trace of 444.namd is dropped from disk, and its curves lie where the table says', { skip: withoutShared }, async (t) => {
  const { page } = await open(t, await site(t), DENSE);
  await drop(page, namd);
  await rests(page, 'ready');
  assert.match(await byId(page, 'region').inputValue(), /main/);
  await everyCurveLiesWhereTheTableSays(page);
});

test('the example opens with one click, says that it is generated, and its curves lie where the table says', async (t) => {
  const { page } = await open(t, await site(t), DENSE);
  await openExample(page);
  assert.match(await page.locator('body').innerText(), /generated/i);
  await everyCurveLiesWhereTheTableSays(page);
});

test('with the published settings the MIPS of 444.namd are those of the reference', { skip: withoutShared }, async (t) => {
  const { page } = await open(t, await site(t), { fragment: `#${PUBLISHED}` });
  await drop(page, namd);
  await rests(page, 'ready');
  await setFragment(page, { view: 'table' });
  const rows = await table(page);
  for (const x of [0.25, 0.5, 0.75]) {
    const row = rows.find((row) => Math.abs(row.x - x) < 1e-9);
    assert.ok(row, `the table has a row at ${x}`);
    const mips = row.values['mips PAPI_TOT_INS'];
    const published = publishedMips(x);
    assert.ok(Math.abs(mips / published - 1) < 0.01, `${mips} at ${x}, published ${published}`);
  }
  assert.match(await page.locator('body').innerText(), /26 of 38/);
});
