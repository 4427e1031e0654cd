// How the page looks in the states that only some traces bring about, for everybody: with axe, and
// as pictures for people to look at.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { byId, drop, message, open, rests, ROOT, setFragment, site, temporaryFolder } from './browser.mjs';
import { openWithFakeEngine } from './fake.mjs';
import { sound } from './looks.mjs';
import { smallTrace, write } from './traces.mjs';
import './typescript.mjs';

const { zipOf } = await import('../../www/actions/zip.ts');

/** A zip of these files, by name, as Tracefold itself writes it. */
async function zipped(t, name, files) {
  const file = path.join(await temporaryFolder(t), name);
  const parts = Object.entries(files).map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) }));
  const bytes = new Uint8Array(await zipOf(parts).arrayBuffer());
  await writeFile(file, bytes);
  return { file, bytes };
}

test('of several traces one is chosen', async (t) => {
  const { prv, pcf } = smallTrace();
  const { file } = await zipped(t, 'runs.zip', { 'before/run.prv': prv, 'before/run.pcf': pcf, 'after/run.prv': prv });
  const { page } = await open(t, await site(t));
  await drop(page, [file]);
  await rests(page, 'error');
  assert.match(await message(page), /Which trace\? \| There are 2 traces/);
  await sound(page, 'choices');
  // The list has the keyboard: Tab goes on in it, Enter takes what is reached.
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  const first = await focused();
  await page.keyboard.press('Tab');
  assert.deepEqual([first, await focused()].sort(), ['runs.zip/after/run.prv', 'runs.zip/before/run.prv']);
  if (first === 'runs.zip/before/run.prv') await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await rests(page, 'ready');
  assert.match(await byId(page, 'region').inputValue(), /work/, 'its own labels are read');
});

test('an early picture is marked as one', async (t) => {
  const { page, early, order, heard } = await openWithFakeEngine(t);
  const file = path.join(await temporaryFolder(t), 'large.prv');
  await writeFile(file, 'x');
  await drop(page, [file]);
  await heard(0);
  await order({ early, share: 0.05 });
  await byId(page, 'early').waitFor();
  await page.locator('[data-testid="lane-performance"] canvas[data-layout]').waitFor();
  await sound(page, 'early');
});

test('memory that does not suffice: the part that was read is shown and marked', async (t) => {
  const { page } = await open(t, `${await site(t)}?memory=1`);
  await drop(page, await write(await temporaryFolder(t), 'run', smallTrace({ instances: 20_000 })));
  await rests(page, 'ready');
  assert.equal(await byId(page, 'partial').innerText(), 'in part');
  assert.match(await byId(page, 'partial-words').innerText(), /^A part of the trace\. Only the first \d+ % of the trace were read: .* Choose some threads/);
  await sound(page, 'partial');
});

test('the real recording is opened and says how sure its numbers are', async (t) => {
  const { page } = await open(t, await site(t));
  await drop(page, [path.join(ROOT, 'tests/traces/calls-perf.txt.gz')]);
  await rests(page, 'ready');
  assert.match(await byId(page, 'region').inputValue(), /iteration/);
  assert.equal(await byId(page, 'generated').count(), 0);
  const sentences = await byId(page, 'provenance').getByRole('listitem').allInnerTexts();
  assert.equal(sentences[0], 'Counters are read where instances begin and end.');
  assert.match(sentences.at(-1), /^Clock: perf/);
  await sound(page, 'perf');
  await setFragment(page, { counter: 'task-clock' });
  await byId(page, 'lane-samples').waitFor();
  await sound(page, 'perf-counter');
  await setFragment(page, { counter: undefined, view: 'table' });
  await byId(page, 'table').waitFor();
  await sound(page, 'perf-table');
  await setFragment(page, { view: undefined });
  const menu = page.getByRole('button', { name: 'Export', exact: true });
  await sound(page, 'export', {
    shown: async () => {
      await page.keyboard.press('Escape');
      if (!(await menu.isVisible())) await page.getByRole('button', { name: 'More' }).click();
      await menu.click();
      await byId(page, 'export-csv').waitFor();
    },
  });
});

test('an archive that is damaged is refused in words', async (t) => {
  const { file, bytes } = await zipped(t, 'runs.zip', { 'run.prv': smallTrace().prv });
  await writeFile(file, bytes.subarray(0, bytes.length / 2));
  const { page } = await open(t, await site(t));
  await drop(page, [file]);
  await rests(page, 'error');
  assert.match(await message(page), /^runs\.zip could not be read\. \| /);
  await sound(page, 'damaged');
});
