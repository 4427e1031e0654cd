// Parts of folds in the page: what they show, what they have not, and what is no part any more.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { DIST, ROOT, addressHas, byId, drop, exported, message, open, rests, setFragment, site, temporaryFolder } from './browser.mjs';
import { violations } from './looks.mjs';

const COMMAND = path.join(ROOT, 'target/debug/tracefold');
const REGION = 'User function:main loop';
const EXAMPLE = ['prv.gz', 'pcf', 'row'].map((ending) => path.join(DIST, `example.${ending}`));

const tracefold = (...words) => promisify(execFile)(COMMAND, words);

/** The example in two parts by tasks, and both as one. */
async function parts(t) {
  const folder = await temporaryFolder(t);
  const file = (name) => path.join(folder, `${name}.part`);
  for (const number of [1, 2]) await tracefold('accumulate', ...EXAMPLE, '--region', REGION, '--part', `${number}/2`, '-o', file(number));
  await tracefold('merge', file(2), file(1), '--partial', file('all'));
  return file;
}

test('a part folds to the bytes of its trace, and has no run, efficiency or profile', async (t) => {
  const file = await parts(t);
  const { page } = await open(t, await site(t));
  await drop(page, [file('all')]);
  await rests(page, 'ready');
  assert.equal(await byId(page, 'region').inputValue(), REGION);
  const options = await byId(page, 'region').locator('option').allTextContents();
  assert.equal(options.length, 1, options.join());
  const bytes = await exported(page, 'csv', 'curves.csv');
  const out = await temporaryFolder(t);
  await tracefold('fold', ...EXAMPLE, '--region', REGION, '--out', out);
  const expected = await readFile(path.join(out, 'curves.csv'));
  assert.ok(expected.length > 1000 && bytes.equals(expected));
  for (const tab of ['tab-run', 'tab-efficiency', 'tab-profile']) {
    assert.ok(await byId(page, tab).isDisabled(), tab);
    assert.equal(await byId(page, tab).getAttribute('title'), 'This needs the trace: a part of a fold has the samples of one region alone.');
  }
  assert.ok(await byId(page, 'tab-region').isEnabled());
  assert.deepEqual(await violations(page), []);
  // Nor by the address, nor another region.
  await setFragment(page, { tab: 'run' });
  await rests(page, 'ready');
  assert.ok(await byId(page, 'lane-performance').isVisible());
  await setFragment(page, { tab: null, group: 'none' });
  await rests(page, 'ready');
  await addressHas(page, /group=none/);
  assert.ok(await byId(page, 'lane-performance').isVisible());
});

test('what is missing of a part is said beside the name, and bytes that are no part say why', async (t) => {
  const file = await parts(t);
  const { page } = await open(t, await site(t));
  await drop(page, [file(1)]);
  await rests(page, 'ready');
  assert.match(await page.locator('#partial').textContent(), /Parts of the trace are missing: share 2 of 2 of the tasks\./);
  assert.equal(await byId(page, 'read-again').count(), 0, 'there is no more to read');
  const bytes = await readFile(file('all'));
  const damaged = file('damaged');
  await writeFile(damaged, bytes.subarray(0, bytes.length / 2));
  await drop(page, [damaged]);
  await rests(page, 'error');
  assert.ok((await message(page)).includes('Found a part that is cut or damaged, expected one as it was written: copy it again, or accumulate it again.'), await message(page));
  await page.getByRole('button', { name: 'Back to it' }).click();
  await rests(page, 'ready');
  assert.equal(await byId(page, 'region').inputValue(), REGION);
});
