// Spline or segments: the spline is on screen at once, the decision takes its place when it comes.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { addressHas, byId, drop, message, rests, setFragment, showPanel, state, temporaryFolder } from './browser.mjs';
import { opened, openWithFakeEngine } from './fake.mjs';
import { places } from './looks.mjs';
import { phased } from './phased.mjs';

/** A page with a trace open whose engine waits with its decisions. */
async function undecided(t, options = {}, how = { borders: [], group: { phases: [], breaks: [] } }) {
  const { folding, order, heard, folds, page } = await openWithFakeEngine(t, options);
  const file = path.join(await temporaryFolder(t), 'some.prv');
  await writeFile(file, 'x');
  const fit = { kind: 'spline', breaks_bic: 0, breaks_cross_validation: 0, uncertain: false };
  const spline = phased(folding, { ...how, group: { ...how.group, fit }, region: 'Loop:spline' });
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
  assert.match(await byId(page, 'lane-rail').innerText(), /Deciding…/);
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

for (const width of [400, 900, 1280]) test(`phases of the spline are never told, those that are decided come once, and nothing moves in ${width} px`, async (t) => {
  const { page, order, folding } = await undecided(t, { width, height: 800 }, { borders: [0.2, 0.5] });
  const busy = () => page.locator('[aria-busy=true]').evaluateAll((parts) => parts.map(({ id }) => id).sort());
  const phases = () => byId(page, 'phases').locator('tbody').count();
  assert.equal(await phases(), 0);
  assert.match(await byId(page, 'phases').innerText(), /Deciding/);
  assert.match(await byId(page, 'lane-rail').innerText(), /Deciding…/);
  assert.deepEqual(await busy(), ['lane-rail', 'numbers', 'phases']);
  assert.match(await page.locator('#announce').innerText(), /deciding on curves and phases/);
  assert.doesNotMatch(await page.locator('#canvas-rail').getAttribute('aria-label'), /phase 1/i);
  const before = await places(page);
  const borders = Array.from({ length: 13 }, (_, i) => (i + 1) / 14);
  await order({ decide: JSON.stringify(phased(folding, { borders, region: 'Loop:spline' })) });
  await page.locator('#status:not([data-deciding])').waitFor({ state: 'attached' });
  await page.getByText('phases: 14').waitFor({ state: 'attached' });
  assert.equal(await phases(), 14);
  assert.deepEqual(await busy(), []);
  assert.deepEqual(await places(page), before);
});

test('the table says that its numbers are of the spline until it is decided', async (t) => {
  const { page, order, decided } = await undecided(t);
  await page.getByRole('button', { name: 'Table' }).click();
  const caption = page.locator('#table caption');
  assert.match(await caption.innerText(), /Deciding… Until then, values of the spline/);
  const top = () => page.locator('#table thead').evaluate((head) => head.getBoundingClientRect().top);
  const before = await top();
  await order({ decide: decided });
  await page.locator('#numbers[aria-busy=false]').waitFor();
  assert.doesNotMatch(await caption.innerText(), /Deciding/);
  assert.equal(await top(), before);
});

test('a link that is asked for too early waits for the decision, and is of that', async (t) => {
  const { page, order, decided } = await undecided(t);
  const share = byId(page, 'share');
  assert.match(await share.getAttribute('title'), /decided/);
  await share.click();
  assert.match(await page.locator('#toast').innerText(), /Deciding…/);
  assert.equal(await byId(page, 'share-link').count(), 0);
  await order({ decide: decided });
  const link = await byId(page, 'share-link').inputValue();
  await page.goto(link);
  await page.reload();
  await rests(page, 'ready');
  assert.equal(await region(page), 'segments');
});

test('a file that is asked for too early waits for the decision, and is of that', async (t) => {
  const { page, order, folds, decided } = await undecided(t);
  await page.locator('#export-button').click();
  const saved = page.waitForEvent('download');
  await byId(page, 'export-svg').click();
  await page.locator('#remark').getByText('Deciding…').waitFor();
  await order({ decide: decided });
  const svg = await readFile(await (await saved).path(), 'utf8');
  assert.match(svg, />segments</);
  assert.doesNotMatch(svg, />spline</);
  assert.equal((await folds()).length, 2);
});

test('a file that waits is not made of another trace', async (t) => {
  const { page, order, heard, file } = await undecided(t);
  await page.locator('#export-button').click();
  let saved = 0;
  page.on('download', () => (saved += 1));
  await byId(page, 'export-svg').click();
  await drop(page, [file]);
  await heard(1);
  await order({ value: opened('other.prv') });
  await page.locator('#status:not([data-deciding])[data-state=ready]').waitFor({ state: 'attached' });
  await page.locator('#export-button').click();
  const own = page.waitForEvent('download');
  await byId(page, 'export-svg').click();
  await own;
  assert.equal(saved, 1);
});

test('what threads do has its place before it is known, where a runtime is called', async (t) => {
  const { folding, order, heard, page } = await openWithFakeEngine(t);
  const file = path.join(await temporaryFolder(t), 'some.prv');
  await writeFile(file, 'x');
  await drop(page, [file]);
  await heard(0);
  await order({ hold: true });
  await order({ value: { ...opened('some.prv'), hasCalls: true } });
  await isReady(page);
  assert.match(await byId(page, 'lane-activity').innerText(), /Deciding…/);
  const before = await places(page);
  const cells = Array.from({ length: 20 }, () => 0.9);
  const activity = { threads: 4, efficiency: 0.9, load_balance: 1, communication: 0.9, parts: [{ doing: 'computing', shares: cells }, { doing: 'collective', shares: cells.map(() => 0.1) }], lowest: null };
  await order({ decide: JSON.stringify(phased(folding, { group: { activity } })) });
  await page.locator('#status:not([data-deciding])').waitFor({ state: 'attached' });
  await page.locator('#activity-legend', { hasNotText: 'Deciding' }).waitFor();
  const after = await places(page);
  for (const [id, place] of Object.entries(before)) if (/ (lane|canvas)-/.test(id)) assert.equal(after[id], place, id);
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
