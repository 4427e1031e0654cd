// A large file that is read: the page stays free, Cancel is at once, a crash loses nothing.

import assert from 'node:assert/strict';
import { cp, mkdtemp, open as openFile, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { DIST, byId, drop, hasWorkers, message, open, openExample, rests, site, temporaryFolder } from './browser.mjs';
import { smallTrace, write } from './traces.mjs';

/** No task of the page takes this share of the time in which a large file is read. */
const BRIEF = 0.05;

/** A chunk of records is written so often: some 150 MB, which no machine reads in a moment. */
const TIMES = 120;

/** @type {string} */
let folder;
/** @type {string} */
let large;
test.before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tracefold-'));
  large = path.join(folder, 'large.prv');
  const [header, ...records] = smallTrace({ instances: 1300 }).prv.trimEnd().split('\n');
  const file = await openFile(large, 'w');
  await file.write(`${header.replace(/:\d+_ns/, ':99000000000000_ns')}\n`);
  // Time goes on from one chunk to the next: the first digits of every time count the chunks.
  for (let chunk = 0; chunk < TIMES; chunk += 1) {
    const later = (line) => line.replace(/^(2:1:1:1:1:)(\d+)/, (_, object, time) => `${object}${10 + chunk}${time.padStart(11, '0')}`);
    await file.write(`${records.map(later).join('\n')}\n`);
  }
  await file.close();
});
test.after(() => rm(folder, { recursive: true, force: true }));

/** Before the worker's own script: once 20 MB are read, what the engine calls next traps. */
const TRAP = `
{
  const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 116, 0, 0, 10, 5, 1, 3, 0, 0, 11];
  const { Instance, Module } = WebAssembly;
  const { exports } = new Instance(new Module(new Uint8Array(bytes)));
  const { readAsArrayBuffer } = FileReaderSync.prototype;
  let read = 0;
  FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
    read += blob.size;
    return readAsArrayBuffer.call(this, blob);
  };
  const trapping = (value) => typeof value !== 'function' ? value : (...args) => {
    if (read > 2e7) exports.t();
    return value(...args);
  };
  const all = (things, change) => Object.fromEntries(Object.entries(things).map(([name, thing]) => [name, change(thing)]));
  WebAssembly.Instance = function (module, imports) {
    return new Instance(module, all(imports, (functions) => all(functions, trapping)));
  };
  WebAssembly.Instance.prototype = Instance.prototype;
}
`;

/** The page with the example open, and the name of its region. */
async function withExample(t) {
  const { page } = await open(t, await site(t));
  await openExample(page);
  return { page, region: await byId(page, 'region').inputValue() };
}

/**
 * Notes what the page's own thread does until the function that is given back is called: that
 * gives the milliseconds of processor time of every task of it. Time on the clock would tell how
 * busy the machine is.
 */
async function watched(page) {
  const devtools = await page.context().newCDPSession(page);
  const events = [];
  devtools.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', '__metadata'] } });
  return async () => {
    const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
    await devtools.send('Tracing.end');
    await complete;
    const thread = ({ pid, tid }) => `${pid} ${tid}`;
    const main = new Set(events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(thread));
    return events.filter((event) => /RunTask$/.test(event.name) && main.has(thread(event))).map(({ tdur = 0 }) => tdur / 1000);
  };
}

test('the page is busy only in passing while a large file is read, and says how long it takes', async (t) => {
  const { page } = await open(t, `${await site(t)}?early=1`);
  const tasks = await watched(page);
  const began = performance.now();
  await drop(page, [large]);
  await byId(page, 'cancel').waitFor();
  const words = new Set();
  let early = 0;
  while (await byId(page, 'cancel').isVisible()) {
    early += await byId(page, 'early').count();
    words.add(await page.locator('#reading-row').innerText().catch(() => ''));
    await page.waitForTimeout(50);
  }
  await rests(page, 'ready');
  const tookMs = performance.now() - began;
  assert.ok([...words].some((text) => /\d+\s%.*\sMB of \d+\sMB.*MB\/s.* left/s.test(text)), [...words].join(' | '));
  assert.ok(early > 0, 'an early picture was seen');
  const times = await tasks();
  assert.ok(times.length > 100, `${times.length} tasks`);
  // What is read on the page's own thread would be most of the time; how many milliseconds it is
  // busy at most depends on the machine, and stands in BENCHMARKS.md.
  const longest = Math.max(...times);
  assert.ok(longest < tookMs * BRIEF, `a task of ${longest} ms while reading took ${tookMs} ms`);
});

test('a page that is busy would be seen: the check for it can fail', async (t) => {
  const { page } = await open(t, await site(t));
  const tasks = await watched(page);
  const began = performance.now();
  await page.evaluate(() => new Promise((resolve) => setTimeout(() => {
    for (const end = performance.now() + 400; performance.now() < end; ) Math.random();
    resolve();
  })));
  const tookMs = performance.now() - began;
  assert.ok(Math.max(...await tasks()) >= tookMs * BRIEF);
});

test('Cancel in the middle of a large file is answered at once, what was open is there, and the next file opens', async (t) => {
  const { page, region } = await withExample(t);
  await drop(page, [large]);
  await page.waitForFunction(() => Number(document.querySelector('progress')?.value) > 0.05);
  const frames = await page.evaluate(async () => {
    const status = document.querySelector('[data-testid="status"]');
    document.getElementById('cancel').click();
    let waited = 0;
    for (; status.dataset.state === 'busy'; waited += 1) await new Promise(requestAnimationFrame);
    return waited;
  });
  assert.ok(frames <= 3, `answered after ${frames} frames`);
  await rests(page, 'ready');
  assert.equal(await byId(page, 'region').inputValue(), region);
  const others = await byId(page, 'region').locator('option').evaluateAll((options) => options.map(({ value }) => value));
  await byId(page, 'region').selectOption(others.find((value) => value !== region));
  await rests(page, 'ready');
  assert.notEqual(await byId(page, 'region').inputValue(), region, 'its engine folds on');
  await drop(page, await write(folder, 'next', smallTrace()));
  await page.waitForFunction(() => document.getElementById('file').innerText.includes('next.prv'));
  await rests(page, 'ready');
});

test('an engine that traps in the middle of a large file is replaced: the page says so, and the next file opens', async (t) => {
  const trapping = await temporaryFolder(t);
  await cp(DIST, trapping, { recursive: true });
  const worker = path.join(trapping, 'engine/worker.js');
  await writeFile(worker, TRAP + (await readFile(worker, 'utf8')));
  const { page } = await open(t, await site(t, trapping));
  // So many workers read together, whatever this computer has.
  await page.evaluate(() => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 8 }));
  await openExample(page);
  const region = await byId(page, 'region').inputValue();
  await drop(page, [large]);
  await rests(page, 'error');
  assert.match(await message(page), /^The engine stopped unexpectedly: unreachable\. \| This is a fault of Tracefold/);
  await page.getByRole('button', { name: 'Back to it' }).click();
  await rests(page, 'ready');
  assert.equal(await byId(page, 'region').inputValue(), region);
  await drop(page, await write(folder, 'next', smallTrace()));
  await page.waitForFunction(() => document.getElementById('file').innerText.includes('next.prv'));
  await rests(page, 'ready');
  await hasWorkers(page, 1);
});
