// The page as one file, opened from disk: everything is inside, and nothing is asked for.

import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { DIST, byId, curves, drawnPlaces, drop, exported, open, openExample, rests, table, temporaryFolder } from './browser.mjs';
import { smallTrace, write } from './traces.mjs';

/** The page under another name, alone in a folder: nothing beside it can be used. */
async function alone(t) {
  const folder = await temporaryFolder(t);
  const copy = path.join(folder, 'my page.html');
  await copyFile(path.join(DIST, 'tracefold.html'), copy);
  return pathToFileURL(copy).href;
}

test('the one-file page opens a trace dropped on it, draws it and exports it', async (t) => {
  const { page } = await open(t, await alone(t));
  const folder = await temporaryFolder(t);
  await drop(page, await write(folder, 'run', smallTrace()));
  await rests(page, 'ready');

  const instructions = (await curves(page)).find(({ counter }) => counter === 'PAPI_TOT_INS');
  await page.getByRole('button', { name: 'Table' }).click();
  const rows = await table(page);
  await page.getByRole('button', { name: 'Table' }).click();
  const places = rows.map(({ x, values }) => ({ x, value: values[instructions.column] }));
  assert.ok((await drawnPlaces(page, instructions, places)) > 0.95 * places.length);

  const csv = String(await exported(page, 'csv', 'curves.csv'));
  assert.match(csv, /^region,group,counter,x,fitted/);
  assert.match(String(await exported(page, 'svg', '.svg')), /^<svg/);
  assert.equal((await exported(page, 'png', '.png')).subarray(1, 4).toString(), 'PNG');
});

test('the example is inside the one-file page, and a link to it shows the picture again', async (t) => {
  const address = await alone(t);
  const { page } = await open(t, address);
  await openExample(page);
  await page.getByTestId('generated').waitFor();
  await byId(page, 'share').click();
  const link = await byId(page, 'share-link').inputValue();
  assert.ok(link.startsWith(`${address}#s=`), link.slice(0, 100));
  const { page: other } = await open(t, address, { fragment: new URL(link).hash });
  await rests(other, 'ready');
});

test('the one-file page reads a large file with several workers, and has the real recording inside', async (t) => {
  const { page } = await open(t, await alone(t));
  let most = 0;
  page.on('worker', () => (most = Math.max(most, page.workers().length)));
  const folder = await temporaryFolder(t);
  // More than eight blocks of 4 MiB.
  await drop(page, await write(folder, 'large', smallTrace({ instances: 40_000 })));
  await rests(page, 'ready');
  assert.match(await page.locator('#facts').innerText(), /40\u202f000 of 40\u202f000 instances/);
  t.diagnostic(`${most} workers`);

  const { page: other } = await open(t, await alone(t));
  await byId(other, 'example-many').click();
  await rests(other, 'ready');
  assert.match(await other.locator('#performance-title').innerText(), /Performance/);
});

test('the one-file page shows source, with the parser of its language inside', async (t) => {
  const { page } = await open(t, await alone(t));
  const folder = await temporaryFolder(t);
  const source = path.join(folder, 'work.cpp');
  await writeFile(source, `void work(T &a)\n{\n${'\n'.repeat(7)}    for (auto &x : a) {\n\n        x = 1;\n    }\n    while (a)\n\n\n        a--;\n}\n`);
  await drop(page, [...(await write(folder, 'run', smallTrace({ file: 'work.cpp' }))), source]);
  await rests(page, 'ready');
  await page.evaluate(() => (location.hash += '&pane=12:work.cpp'));
  await byId(page, 'pane-lines').locator('.tint-keyword').first().waitFor();
  await page.getByRole('button', { name: 'Fold loop 10–13' }).waitFor();

  const { page: other } = await open(t, await alone(t));
  await openExample(other);
  await other.evaluate(() => (location.hash += '&pane=226:stream.c'));
  await other.getByRole('button', { name: 'loop 224–227 in Scale' }).waitFor();
});

test('the one-file page says that it cannot load from an address, and what to do', async (t) => {
  const { page } = await open(t, await alone(t), { fragment: '#profileURL=http://127.0.0.1:9/run.prv' });
  await rests(page, 'error');
  const words = await byId(page, 'status').innerText();
  assert.match(words, /opened from disk cannot load/);
  assert.match(words, /drop/);
});
