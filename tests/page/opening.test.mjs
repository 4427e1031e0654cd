// What a person sees while a trace is opened: progress, early pictures, a question, a crash.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import {
  addressHas, byId, drop, hasWorkers, message, open, openExample, rests, shared, showPanel, site,
  state, temporaryFolder,
} from './browser.mjs';
import { opened, openWithFakeEngine } from './fake.mjs';
import { smallTrace, write } from './traces.mjs';

/** A file to be dropped; the made-up engine does not read it. */
async function someFile(t, name) {
  const file = path.join(await temporaryFolder(t), name);
  await writeFile(file, 'x');
  return file;
}

test('an early picture is shown, marked and looked at while the rest is read; the final one keeps the view', async (t) => {
  const { page, early, order, heard } = await openWithFakeEngine(t);
  await drop(page, [await someFile(t, 'large.prv')]);
  await heard(0);
  assert.match(await byId(page, 'status').innerText(), /500\sMB\s+of 10\.0\sGB|500\sMB of 10\sGB/);
  await order({ early, share: 0.05 });
  await byId(page, 'early').waitFor();
  assert.equal(await byId(page, 'early').innerText(), 'first 5\u202f% of the trace');
  assert.equal(await state(page), 'busy');
  await byId(page, 'cancel').waitFor();
  await page.locator('[data-testid="lane-performance"] canvas[data-layout]').waitFor();
  assert.ok(await byId(page, 'region').isDisabled(), 'nothing can be folded again yet');
  assert.ok(await page.locator('#export').isHidden(), 'what is not final is not exported');

  await page.locator('#canvas-performance').hover();
  await page.keyboard.press('w');
  const ticks = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('range'));
  await order({ early, share: 0.2 });
  await page.getByText('first 20\u202f% of the trace').waitFor();
  await order({ value: opened('large.prv') });
  await rests(page, 'ready');
  assert.equal(await byId(page, 'early').count(), 0);
  await addressHas(page, /range=/);
  assert.match(await ticks(), /^0\.\d+_0\.\d+$/);
});

test('Cancel after an early picture brings back what was open', async (t) => {
  const { page, early, order, heard } = await openWithFakeEngine(t);
  const region = () => page.locator('#facts h1').innerText();
  await drop(page, [await someFile(t, 'first.prv')]);
  await heard(0);
  await order({ early, share: 0.05 });
  await byId(page, 'early').waitFor();
  assert.equal(await region(), 'early');
  await byId(page, 'cancel').click();
  await rests(page, 'empty');
  assert.ok(await page.locator('#landing').isVisible());

  await drop(page, [await someFile(t, 'first.prv')]);
  await heard(1);
  await order({ value: opened('first.prv') });
  await rests(page, 'ready');
  const before = await region();
  await drop(page, [await someFile(t, 'second.prv')]);
  await heard(2);
  await order({ early, share: 0.05 });
  await byId(page, 'early').waitFor();
  await byId(page, 'cancel').click();
  await rests(page, 'ready');
  assert.equal(await region(), before);
  assert.notEqual(before, 'early');
});

test('of several traces in a drop the page asks which, by keyboard too', async (t) => {
  const { page, order, heard } = await openWithFakeEngine(t);
  await drop(page, [await someFile(t, 'runs.zip')]);
  assert.equal((await heard(0)).choice, undefined);
  const choices = [
    { name: 'a/run.prv', size: 2e6, missing: [] },
    { name: 'b/run.prv', size: 3e9, missing: ['.pcf', '.row'] },
  ];
  await order({ value: { choices } });
  await rests(page, 'error');
  assert.match(await message(page), /Which trace\? \| There are 2 traces/);
  assert.match(await page.locator('.choices').innerText(), /b\/run\.prv\s+3\.0\sGB · without \.pcf and \.row/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal((await heard(1)).choice, 'b/run.prv');
  await order({ value: opened('b/run.prv') });
  await rests(page, 'ready');
});

test('an engine that crashes while it opens a trace is replaced, and the page says so', async (t) => {
  const { page, order, heard } = await openWithFakeEngine(t);
  await drop(page, [await someFile(t, 'first.prv')]);
  await heard(0);
  await order({ trap: true });
  await rests(page, 'error');
  assert.match(await message(page), /The engine stopped unexpectedly/);
  await drop(page, [await someFile(t, 'second.prv')]);
  await heard(1);
  await order({ value: opened('second.prv') });
  await rests(page, 'ready');
});

test('an engine that traps while it folds is replaced, opens the trace again, and the page says so', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  const others = await byId(page, 'region').locator('option').evaluateAll((options) => options.map(({ value }) => value));
  const before = await byId(page, 'region').inputValue();
  // A module of one function, whose only instruction is `unreachable`, in place of the engine's.
  await page.workers()[0].evaluate(() => {
    const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 116, 0, 0, 10, 5, 1, 3, 0, 0, 11];
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)));
    self.onmessage = () => exports.t();
  });
  await byId(page, 'region').selectOption(others.find((value) => value !== before));
  await page.getByText('The engine stopped unexpectedly. It was started again').waitFor();
  await rests(page, 'ready');
  await hasWorkers(page, 1);
  assert.equal(await byId(page, 'region').inputValue(), before);
});

test('the page is free at once after Cancel: it does not wait for an engine that is busy', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  const folder = await temporaryFolder(t);
  const { prv } = smallTrace();
  const [header, ...records] = prv.trimEnd().split('\n');
  const large = path.join(folder, 'large.prv');
  await writeFile(large, `${header}\n${`${records.join('\n')}\n`.repeat(25_000)}`);
  const begins = page.waitForEvent('worker');
  await drop(page, [large]);
  const reading = await begins;
  await byId(page, 'cancel').waitFor();
  const ended = reading.waitForEvent('close', { timeout: 10_000 });
  // The engine that reads answers nothing until it is done; the click is answered by the next frame.
  const states = await page.evaluate(async () => {
    const status = document.querySelector('[data-testid="status"]');
    const before = status.dataset.state;
    document.getElementById('cancel').click();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return [before, status.dataset.state];
  });
  assert.deepEqual(states, ['busy', 'ready']);
  await ended;
});

test('a folder is opened whole, and files keep the names that they have in it', async (t) => {
  const { page } = await open(t, await site(t));
  const folder = path.join(await temporaryFolder(t), 'measured');
  await mkdir(path.join(folder, 'deep'), { recursive: true });
  await write(path.join(folder, 'deep'), 'run', smallTrace());
  await drop(page, [folder]);
  await rests(page, 'ready');

  const fake = await openWithFakeEngine(t);
  await drop(fake.page, [folder]);
  assert.deepEqual((await fake.heard(0)).names, ['measured/deep/run.pcf', 'measured/deep/run.prv']);
});

test('an empty folder is refused in words', async (t) => {
  const { page } = await open(t, await site(t));
  const folder = path.join(await temporaryFolder(t), 'empty');
  await mkdir(folder);
  await drop(page, [folder]);
  await rests(page, 'error');
  assert.match(await message(page), /There is no file in what was dropped/);
});

test('the engine is loaded before it is asked for, once, and not at all for a link', async (t) => {
  const address = await site(t);
  const { page } = await open(t, address);
  const loaded = () => page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('engine_bg.wasm')).length);
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('engine_bg.wasm')));
  assert.equal(page.workers().length, 0);
  await openExample(page);
  await drop(page, await write(await temporaryFolder(t), 'run', smallTrace()));
  await page.waitForFunction(() => document.getElementById('file').innerText.includes('run.prv'));
  await rests(page, 'ready');
  assert.equal(await loaded(), 1);

  const link = await shared(page);
  const { page: other } = await open(t, address, { fragment: new URL(link).hash });
  await rests(other, 'ready');
  await other.waitForTimeout(500);
  const names = await other.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  assert.ok(names.some((name) => name.endsWith('painter_bg.wasm')) && !names.some((name) => name.includes('engine')), names.join(' '));
});

test('of a trace too large for the memory a part is chosen with the settings, and read again', async (t) => {
  const { page } = await open(t, `${await site(t)}?memory=1`);
  await drop(page, await write(await temporaryFolder(t), 'run', smallTrace({ instances: 20_000 })));
  await rests(page, 'ready');
  const words = () => byId(page, 'partial-words').innerText();
  assert.match(await words(), /Only the first \d+ % of the trace were read/);
  // An instance begins every 2 ms.
  await showPanel(page, 'settings');
  await page.locator('#setting-to').fill('1000000000');
  await page.locator('#setting-to').blur();
  await addressHas(page, /to=1000000000/);
  await rests(page, 'ready');
  await byId(page, 'read-again').click();
  await page.waitForFunction(() => !document.querySelector('#partial').textContent.includes('the first'));
  await rests(page, 'ready');
  assert.match(await words(), /^A part of the trace\. Only times .*were read\. Read it again with these settings$/);
  assert.match(await page.locator('#facts').innerText(), /500 of 500 instances/);
});

test('a timeline that is dropped after its trace adds its rows to the regions', async (t) => {
  const { page } = await open(t, await site(t));
  const folder = await temporaryFolder(t);
  const trace = smallTrace();
  await drop(page, await write(folder, 'run', trace));
  await rests(page, 'ready');
  const regions = () => byId(page, 'region').locator('option').evaluateAll((options) => options.map(({ value }) => value));
  const before = await regions();
  const begins = [...trace.prv.matchAll(/:(\d+):60000019:1/g)].map(([, ns]) => ns);
  const rows = begins.map((ns) => `THREAD 1.1.1\t${ns}\t500000\tfirst half\n`).join('');
  const timeline = path.join(folder, 'halves.csv');
  await writeFile(timeline, rows);
  await drop(page, [timeline]);
  await page.waitForFunction(() => [...document.querySelectorAll('[data-testid="region"] option')].some(({ value }) => value === 'halves:first half'));
  await rests(page, 'ready');
  assert.deepEqual((await regions()).filter((region) => !region.startsWith('halves')), before);
  // What was shown stays.
  assert.equal(await byId(page, 'region').inputValue(), 'User function:work');
  await byId(page, 'region').selectOption('halves:first half');
  await rests(page, 'ready');
  assert.match(await page.locator('#facts h1').innerText(), /first half/);
});
