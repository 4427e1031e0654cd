// Archives of OTF2 in the page: a folder that is dropped, as many workers as there are, and what is missing.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { teach } from '../bench/chromium.mjs';
import { archive, writeArchive } from './archive.mjs';
import { ROOT, byId, drop, exported, message, open, rests, runSeen, site, temporaryFolder } from './browser.mjs';
import { SHARED, smallTrace, withoutShared, write } from './traces.mjs';

const COMMAND = path.join(ROOT, 'target/debug/tracefold');

test('a folder with an archive folds to the bytes of the command line', async (t) => {
  const folder = await writeArchive(path.join(await temporaryFolder(t), 'scorep-run'), archive());
  const { page } = await open(t, await site(t));
  await drop(page, [folder]);
  await rests(page, 'ready');
  assert.equal(await byId(page, 'region').inputValue(), 'User function:work');
  assert.match(await page.title(), /scorep-run\/traces\.otf2/);
  const bytes = await exported(page, 'csv', 'curves.csv');
  const out = await temporaryFolder(t);
  await promisify(execFile)(COMMAND, ['fold', path.join(folder, 'traces.otf2'), '--region', 'User function:work', '--out', out]);
  const expected = await readFile(path.join(out, 'curves.csv'));
  assert.ok(expected.length > 1000 && bytes.equals(expected));
});

test('what is read beside the ranks of an archive is a lane, with the bytes of the command line', async (t) => {
  const folder = await writeArchive(path.join(await temporaryFolder(t), 'run'), archive({ hasPower: true, instances: 40 }));
  const { page } = await open(t, await site(t));
  await drop(page, [folder]);
  await rests(page, 'ready');
  // 95 on average, over all of the time.
  assert.match(await byId(page, 'lane-gauge').innerText(), /Level[^]*power, mean\s+9\d\.\d\d.W\s+1 reader, read every 100.µs/);
  assert.match(await page.locator('#facts').innerText(), /80 of 80 instances|80 instances/);
  const out = await temporaryFolder(t);
  await promisify(execFile)(COMMAND, ['fold', path.join(folder, 'traces.otf2'), '--region', 'User function:work', '--out', out]);
  assert.ok((await exported(page, 'csv', 'gauges.csv')).equals(await readFile(path.join(out, 'gauges.csv'))));
});

test('one, two and three workers give equal bytes of an archive', async (t) => {
  const { page } = await open(t, await site(t));
  await teach(page);
  // Blocks of one location each; of fewer than eight one worker reads all.
  const files = archive({ ranks: 9, instances: 5000 });
  assert.ok(files['traces/0.evt'].length > 1 << 20);
  const parts = Object.entries(files).map(([name, bytes]) => [name, bytes.toString('base64')]);
  const told = await page.evaluate(async (parts) => {
    const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const files = parts.map(([name, base64]) => new File([bytes(base64)], name.split('/').at(-1)));
    const names = parts.map(([name]) => name);
    const all = [];
    for (const workers of [1, 2, 3]) {
      const worker = await engine();
      const opened = await ask(worker, 'open', { files, names, workers });
      await ask(worker, 'fold', { settings: {} });
      const [json] = await ask(worker, 'exportFile', { format: 'json' });
      const digest = await crypto.subtle.digest('SHA-256', json.bytes);
      all.push({ opened: JSON.stringify(opened), length: json.bytes.length, hash: new Uint8Array(digest).join() });
      worker.terminate();
    }
    return all;
  }, parts);
  assert.ok(told[0].length > 10_000, told[0].opened);
  for (const other of told) assert.deepEqual(other, told[0]);
});

test('an anchor alone, and files without one, say what is missing and leave what is open', async (t) => {
  const folder = await writeArchive(path.join(await temporaryFolder(t), 'run'), archive());
  const { page } = await open(t, await site(t));
  await drop(page, [folder]);
  await rests(page, 'ready');
  const whole = 'the folder that holds traces.otf2, traces.def and traces/';
  for (const [name, words] of [
    ['traces.otf2', `Found no traces.def beside it, expected a whole archive: ${whole}.`],
    ['traces/0.evt', 'Found a part of an OTF2 archive, expected its anchor too: the folder that holds NAME.otf2, NAME.def and NAME/.'],
  ]) {
    await drop(page, [path.join(folder, name)]);
    await rests(page, 'error');
    assert.ok((await message(page)).includes(words), await message(page));
    await page.getByRole('button', { name: 'Back to it' }).click();
    await rests(page, 'ready');
    assert.equal(await byId(page, 'region').inputValue(), 'User function:work');
  }
});

const ARCHIVES = { 'eztrace-steps': 'run', 'made/twin-contexts': 'User function:iteration', 'made/threads-and-levels': 'User function:iteration' };

for (const [name, first] of Object.entries(ARCHIVES)) {
  test(`${name} opens`, { skip: withoutShared }, async (t) => {
    const { page } = await open(t, await site(t));
    await drop(page, [path.join(SHARED, 'corpus/otf2', name)]);
    if (first === 'run') await runSeen(page);
    else {
      await rests(page, 'ready');
      assert.equal(await byId(page, 'region').inputValue(), first);
    }
  });
}

test('several traces are ranks of one run if a person says so', async (t) => {
  const { page } = await open(t, await site(t));
  const folder = await temporaryFolder(t);
  const files = (await Promise.all(['a', 'b', 'c'].map((name, at) => write(folder, name, smallTrace({ instances: 12 + at }))))).flat();
  await drop(page, files);
  await rests(page, 'error');
  assert.match(await message(page), /Which trace\? \| There are 3 traces/);
  await byId(page, 'as-ranks').click();
  await rests(page, 'ready');
  assert.match(await page.locator('#facts').innerText(), /39 of 39 instances|39 instances/);
  assert.match(await page.title(), /a\.prv and 2 more/);
  const out = await temporaryFolder(t);
  await promisify(execFile)(COMMAND, ['fold', ...files.filter((file) => file.endsWith('.prv')), '--as', 'ranks', '--region', 'User function:work', '--out', out]);
  assert.ok((await exported(page, 'csv', 'curves.csv')).equals(await readFile(path.join(out, 'curves.csv'))));
});
