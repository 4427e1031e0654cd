// Memory samples that were recorded apart, dropped together with a trace.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { byId, drop, exported, open, rests, site, temporaryFolder } from './browser.mjs';
import { memorySamples, smallTrace, write } from './traces.mjs';

/** The files of a small trace, and a recording beside it. */
async function both(t, recording) {
  const folder = await temporaryFolder(t);
  const mem = path.join(folder, 'mem.txt');
  await writeFile(mem, recording);
  return [mem, ...(await write(folder, 'run', smallTrace()))];
}

async function lines(page) {
  const rows = (await exported(page, 'csv', 'lines.csv')).toString().trim().split('\n');
  return rows.slice(1);
}

test('memory samples dropped with a trace are merged with it, and the page says how', async (t) => {
  const { page } = await open(t, await site(t));
  const [mem, ...trace] = await both(t, memorySamples());
  await drop(page, trace);
  await rests(page, 'ready');
  const before = await lines(page);
  await drop(page, [mem, ...trace]);
  await page.getByText('Memory references').waitFor({ state: 'attached' });
  await rests(page, 'ready');
  assert.match(
    await byId(page, 'provenance').textContent(),
    /Memory references: 12 loads and 0 stores of mem\.txt, aligned by 12 instances of work/,
  );
  // Each is a sample of the routine, a third of the way.
  const added = (await lines(page)).filter((row) => !before.includes(row));
  assert.equal(added.length, 12);
  for (const row of added) assert.match(row, /,0\.33333\d*,work,/);
});

test('a recording of another program is left out in words, and the trace opens', async (t) => {
  const { page } = await open(t, await site(t));
  await drop(page, await both(t, memorySamples({ instances: 5, routine: 'other' })));
  await rests(page, 'ready');
  assert.match(await page.locator('#file').innerText(), /run\.prv/);
  const notices = await byId(page, 'notices').textContent();
  assert.match(notices, /cannot be merged with the trace; they were left out: found markers of other in mem\.txt and work in run\.prv/);
  assert.doesNotMatch(await byId(page, 'provenance').textContent(), /Memory references/);
});
