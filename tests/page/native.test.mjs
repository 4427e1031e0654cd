// The page and the command line give the same bytes.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { DIST, ROOT, byId, drop, exported, open, rests, site, temporaryFolder } from './browser.mjs';
import { memorySamples, namd, smallTrace, withoutShared, write } from './traces.mjs';

const COMMAND = path.join(ROOT, 'target/release/tracefold');

/** A table as the command line writes it. */
async function native(t, files, region, table) {
  const out = await temporaryFolder(t);
  await promisify(execFile)(COMMAND, ['fold', ...files, '--region', region, '--out', out, '--format', 'csv']);
  return readFile(path.join(out, table));
}

/** A table as the page exports it, and the region it shows. */
async function inThePage(t, files, table) {
  const { page } = await open(t, await site(t));
  await drop(page, files);
  await rests(page, 'ready');
  const region = await byId(page, 'region').inputValue();
  return { region, bytes: await exported(page, 'csv', table) };
}

async function sameBytes(t, files, table = 'curves.csv') {
  const { region, bytes } = await inThePage(t, files, table);
  const expected = await native(t, files, region, table);
  assert.ok(expected.length > 1000, 'there are curves to compare');
  assert.ok(bytes.equals(expected), firstDifference(bytes.toString(), expected.toString()));
}

function firstDifference(page, native) {
  const [ours, theirs] = [page.split('\n'), native.split('\n')];
  const at = ours.findIndex((line, i) => line !== theirs[i]);
  return `line ${at + 1}: the page has\n${ours[at]}\nthe command line\n${theirs[at]}`;
}

test('the page and the command line write the same curves of the example', async (t) => {
  await sameBytes(t, [path.join(DIST, 'example.prv.gz'), path.join(DIST, 'example.pcf'), path.join(DIST, 'example.row')]);
});

test('the page and the command line write the same curves of 444.namd', { skip: withoutShared }, async (t) => {
  await sameBytes(t, namd);
});

const EXTREMES = {
  'counts near 2^62 in instances of nanoseconds': { duration: 40, totals: ['4611686018427387000', '4611686018427387903', '1'] },
  'single events in instances of days': { duration: 90_000_000_000_000, totals: ['1', '3', '2'] },
  'instances with thousands of samples': { instances: 3, samples: 4000, duration: 9_000_000 },
  'counts of every size in one trace': { totals: ['9007199254740993', '7', '123456789'] },
};

for (const [name, shape] of Object.entries(EXTREMES)) {
  test(`the page and the command line write the same curves of ${name}`, async (t) => {
    const folder = await temporaryFolder(t);
    await sameBytes(t, await write(folder, 'extreme', smallTrace(shape)));
  });
}

test('the page and the command line merge the same memory samples', async (t) => {
  const folder = await temporaryFolder(t);
  const mem = path.join(folder, 'mem.txt');
  await writeFile(mem, memorySamples({ instances: 40 }));
  const trace = await write(folder, 'run', smallTrace({ instances: 40 }));
  await sameBytes(t, [mem, ...trace], 'lines.csv');
});
