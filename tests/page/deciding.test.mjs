// Spline or segments: the spline is on screen at once, the decision takes its place when it comes.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { addressHas, byId, drop, message, rests, setFragment, showPanel, state, temporaryFolder } from './browser.mjs';
import { opened, openWithFakeEngine } from './fake.mjs';
import { phased } from './phased.mjs';

/** A page with a trace open whose engine waits with its decisions. */
async function undecided(t, options = {}) {
  const { folding, order, heard, folds, page } = await openWithFakeEngine(t, options);
  const file = path.join(await temporaryFolder(t), 'some.prv');
  await writeFile(file, 'x');
  const none = { phases: [], breaks: [], fit: { kind: 'spline', breaks_bic: 0, breaks_cross_validation: 0, uncertain: false } };
  const spline = phased(folding, { borders: [], group: none, region: 'Loop:spline' });
  await drop(page, [file]);
  await heard(0);
  await order({ hold: true, fold: JSON.stringify(spline) });
  await order({ value: opened('some.prv') });
  await isReady(page);
  return { page, order, folds, heard, folding, file, decided: JSON.stringify(phased(folding, { region: 'Loop:segments' })) };
}

/** Ready, with or without a decision. */
const isReady = (page) => page.locator('[data-testid="status"][data-state="ready"]').waitFor();
const region = (page) => page.locator('#facts h1').innerText();
const report = (page) => byId(page, 'fit-report').innerText();

test('the spline is shown and used while the decision is awaited, which then takes its place without a word', async (t) => {
  const { page, order, folds, decided } = await undecided(t);
  assert.equal(await region(page), 'spline');
  assert.equal(await report(page), 'Spline, deciding…');
  assert.match(await byId(page, 'lane-rail').innerText(), /Looking for breaks…/);
  assert.deepEqual((await folds()).map(({ settings }) => settings.fit), ['kriging', undefined]);
  assert.ok(await byId(page, 'region').isEnabled());
  await page.locator('#canvas-performance').hover();
  await page.keyboard.press('w');
  const zoomed = await page.locator('#canvas-performance').getAttribute('data-layout');
  await order({ decide: decided });
  await showPanel(page, 'settings');
  await page.getByText('1.85× nearer than the spline').waitFor();
  assert.equal(await state(page), 'ready');
  assert.equal(await region(page), 'segments');
  assert.match(await report(page), /^Segments: 1\.85× nearer/);
  assert.equal(await page.locator('#canvas-performance').getAttribute('data-layout'), zoomed, 'what is looked at stays');
  await addressHas(page, /range=/);
  assert.doesNotMatch(page.url(), /fit=/);
  assert.equal((await folds()).length, 2);
});

test('the report says which curve, by how much, and when it is uncertain', async (t) => {
  const { page, order, heard, folding } = await openWithFakeEngine(t);
  const file = path.join(await temporaryFolder(t), 'some.prv');
  await writeFile(file, 'x');
  const folded = (fit) => order({ fold: JSON.stringify(phased(folding, { group: { fit } })) });
  await drop(page, [file]);
  await heard(0);
  await folded({ kind: 'spline' });
  await order({ value: opened('some.prv') });
  await rests(page, 'ready');
  assert.equal(await report(page), 'Spline.');
  for (const [points, fit, words] of /** @type {[string, object, string][]} */ ([
    ['500', { kind: 'spline', error_ratio: 1.5 }, 'Spline: 1.50× nearer than segments in cross-validation.'],
    ['600', { kind: 'spline', error_ratio: 0.98 }, 'Spline: segments are not nearer in cross-validation.'],
    ['700', { kind: 'segments', error_ratio: 1 / 1.85, uncertain: true }, 'Segments: 1.85× nearer than the spline in cross-validation. Uncertain: fewer than 100 samples per counter.'],
    ['800', { kind: 'pieces', log_odds: 40 }, 'Smooth pieces: smooth between breaks that are beyond doubt.'],
    ['900', { kind: 'segments', log_odds: Math.log(20) }, 'Segments: straight between breaks, odds of 20 to 1.'],
  ])) {
    await folded(fit);
    await setFragment(page, { points });
    await rests(page, 'ready');
    assert.equal(await report(page), words);
  }
});

test('one click takes the spline or segments, and automatic decides again', async (t) => {
  const { page, order, folds, decided } = await undecided(t);
  await showPanel(page, 'settings');
  await byId(page, 'fit-kriging').click();
  await rests(page, 'ready');
  assert.equal((await folds()).at(-1).settings.fit, 'kriging');
  await addressHas(page, /fit=kriging/);
  await order({ decide: decided });
  await page.waitForTimeout(200);
  assert.equal(await region(page), 'spline', 'a decision that nobody waits for is dropped');
  await byId(page, 'fit-auto').click();
  await isReady(page);
  assert.equal(await report(page), 'Spline, deciding…');
  await order({ decide: decided });
  await rests(page, 'ready');
  assert.equal(await region(page), 'segments');
});

test('a choice that cannot be folded gives the picture back, and its decision is asked for again', async (t) => {
  const { page, order, folds, decided } = await undecided(t);
  await byId(page, 'model').selectOption('expression…');
  await byId(page, 'expression').fill('NOPE');
  await page.keyboard.press('Enter');
  await byId(page, 'expression-error').getByText('found NOPE').waitFor();
  assert.deepEqual((await folds()).map(({ settings }) => settings.fit), ['kriging', undefined, undefined, undefined]);
  await order({ decide: decided });
  await rests(page, 'ready');
  assert.equal(await region(page), 'segments');
});

test('without a decision the spline stays, and the page says so', async (t) => {
  const { page, order } = await undecided(t);
  await order({ refuse: { message: 'too little memory' } });
  await rests(page, 'ready');
  assert.equal(await report(page), 'Spline.');
  assert.match(await page.locator('#remark').innerText(), /could not be compared/);
});

test('an engine that crashes over the decision is started again, and does not decide', async (t) => {
  const { page, order, folds, heard } = await undecided(t, { expected: /unreachable/ });
  await order({ trap: true });
  await heard(1);
  await order({ value: opened('some.prv') });
  await rests(page, 'ready');
  assert.deepEqual((await folds()).map(({ settings }) => settings.fit), ['kriging', undefined, 'kriging']);
  await addressHas(page, /fit=kriging/);
  assert.equal(await message(page), '');
});

test('a decision that comes while another trace is read is there when that one is given up', async (t) => {
  const { page, order, decided, folding, file, heard } = await undecided(t);
  await drop(page, [file]);
  await heard(1);
  await order({ early: JSON.stringify({ ...folding, region: 'Loop:early' }), share: 0.1 });
  await byId(page, 'early').waitFor();
  await order({ decide: decided });
  await page.waitForTimeout(200);
  assert.equal(await region(page), 'early');
  await byId(page, 'cancel').click();
  await rests(page, 'ready');
  assert.equal(await region(page), 'segments');
  assert.equal(await message(page), '');
});
