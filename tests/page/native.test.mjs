// The page and the command line give the same bytes.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { DIST, ROOT, byId, drop, exported, open, rests, setFragment, site, temporaryFolder } from './browser.mjs';
import { memorySamples, namd, smallTrace, withoutShared, write } from './traces.mjs';

const COMMAND = path.join(ROOT, 'target/debug/tracefold');

/** A table as the command line writes it. */
async function native(t, files, region, table, options = []) {
  const out = await temporaryFolder(t);
  await promisify(execFile)(COMMAND, ['fold', ...files, '--region', region, '--out', out, '--format', 'csv', ...options]);
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

test('the page and the command line draw the same figures and reports of the same view', async (t) => {
  const files = ['prv.gz', 'pcf', 'row'].map((ending) => path.join(DIST, `example.${ending}`));
  const { page } = await open(t, await site(t), { fragment: '#theme=dark' });
  await drop(page, files);
  await rests(page, 'ready');
  const region = await byId(page, 'region').inputValue();
  const counters = await page.evaluate(() => JSON.parse(document.querySelector('#canvas-performance').dataset.layout).strips.flatMap(({ curves }) => curves));
  const { model } = await page.evaluate(() => ({ model: document.querySelector('#model option:nth-child(2)')?.value }));
  const views = [{}, { range: '0.2_0.6', hidden: counters[0], colour: 'level' }, { counter: counters[0] }, ...(model ? [{ model, stacks: 'icicle' }] : [])];
  for (const view of views) {
    await setFragment(page, { range: null, hidden: null, colour: null, counter: null, model: null, stacks: null, ...view });
    await rests(page, 'ready');
    if (view.counter) await byId(page, 'lane-samples').locator('canvas:not([data-points="0"])').waitFor();
    else await byId(page, 'lane-address').locator('canvas[data-references]').waitFor();
    const options = Object.entries(view).flatMap(([key, text]) => ['--view', `${key}=${text}`]);
    for (const format of ['svg', 'html']) {
      const ofPage = await exported(page, format, `.${format}`);
      const expected = await native(t, files, region, `folding.${format}`, ['--format', format, '--view', 'shown=1', ...options]);
      assert.ok(expected.length > 5000, `${expected.length} bytes`);
      assert.ok(ofPage.equals(expected), `${JSON.stringify(view)} ${firstDifference(ofPage.toString(), expected.toString())}`);
    }
  }
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

test('the page and the command line find the same loops of the example', async (t) => {
  const files = ['prv.gz', 'pcf', 'row'].map((ending) => path.join(DIST, `example.${ending}`));
  const source = path.join(await temporaryFolder(t), 'stream.c');
  await copyFile(path.join(DIST, 'example-stream.c'), source);
  const { page } = await open(t, await site(t));
  await drop(page, files);
  await rests(page, 'ready');
  await setFragment(page, { pane: '226:stream.c' });
  await byId(page, 'pane-phases').getByText('loop').first().waitFor();
  const ofPage = {
    phases: await byId(page, 'pane-phases').locator('li').allTextContents(),
    loops: (await byId(page, 'pane-outline').locator('li').allTextContents()).filter((text) => text.startsWith('loop')),
  };

  const region = await byId(page, 'region').inputValue();
  const table = async (name) => {
    const [head, ...rows] = (await native(t, files, region, name, ['--source', source])).toString().trim().split('\n').map((line) => line.split(','));
    return rows.filter(([, group]) => group === '1').map((row) => Object.fromEntries(head.map((column, i) => [column, row[i]])));
  };
  const percent = (share) => `${Math.round(share * 100)}\u202f%`;
  const phases = (await table('phases.csv')).map((row) => ({ ...row, words: `${row.phase} ${row.block} ${row.first_line}–${row.last_line} in ${row.routine} ${percent(row.block_share)}` }));
  const withLoop = phases.filter(({ block }) => block === 'loop');
  assert.equal(withLoop.length, 3);
  assert.deepEqual(ofPage.phases.filter((text) => text.includes('loop')), withLoop.map(({ words }) => words));
  assert.ok(phases.filter(({ block }) => block === '').every(({ file, first_line: first, block_share: share }) => `${file}${first}${share}` === ''));

  const loops = (await table('code.csv')).filter(({ kind }) => kind === 'loop').sort((a, b) => a.line - b.line);
  assert.ok(loops.length >= 3);
  assert.deepEqual(ofPage.loops.map((text) => text.split(' ')[1]), loops.map(({ line, last_line: last }) => (line === last ? line : `${line}–${last}`)));
  for (const [i, { exclusive_ms: ms }] of loops.entries()) {
    const shown = Number(/ ([\d.]+)\u202fms/.exec(ofPage.loops[i])[1]);
    assert.ok(Math.abs(shown - ms) <= 0.006 * ms, `${ofPage.loops[i]}, ${ms} ms in the table`);
  }
});
