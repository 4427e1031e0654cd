// The tab Efficiency: the table, where the core seconds go, the threads, and what the address has of it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { DIST, ROOT, addressHas, byId, drop, each, open, rests, site, temporaryFolder } from './browser.mjs';
import { smallTrace, write } from './traces.mjs';

const FILES = ['prv.gz', 'pcf', 'row'].map((ending) => path.join(DIST, `example-mpi.${ending}`));

/** What the command line tells of the same trace. */
async function told() {
  const { stdout } = await promisify(execFile)(path.join(ROOT, 'target/debug/tracefold'), ['efficiency', ...FILES, '--json']);
  return JSON.parse(stdout)[0];
}

async function openEfficiency(t, fragment = '') {
  const address = await site(t);
  const { page } = await open(t, address, { fragment });
  await drop(page, FILES);
  await byId(page, 'tab-efficiency').click();
  await byId(page, 'efficiencies').waitFor();
  return { page, address };
}

/** Of each row its key and the values of its cells. */
const rows = (page) => byId(page, 'efficiencies-table').locator('tbody tr').evaluateAll((rows) => rows.map((row) => [row.dataset.key, ...[...row.querySelectorAll('td')].map((cell) => cell.dataset.value)]));

test('the table has what the command line tells, and dashes where one run has no number', async (t) => {
  const { page } = await openEfficiency(t);
  await addressHas(page, /tab=efficiency/);
  const expected = await told();
  const shown = await rows(page);
  for (const [key, value] of shown) {
    const isReplayed = key === 'serialisation' || key === 'transfer';
    // Beside itself a run has scalabilities of 1; alone it has none.
    const wantsReference = key === 'global_efficiency' || key.endsWith('_scalability');
    assert.equal(value, isReplayed || wantsReference ? '' : String(expected[key]), key);
  }
  const keys = shown.map(([key]) => key);
  for (const key of ['parallel_efficiency', 'load_balance', 'communication_efficiency', 'ipc', 'runtime_ns']) assert.ok(keys.includes(key), key);
  // The loop has more of the time of its passes than the run of its own.
  const loop = Object.fromEntries(shown.map(([key, , value]) => [key, Number(value)]));
  assert.ok(Math.abs(loop.load_balance * loop.communication_efficiency - loop.parallel_efficiency) < 1e-9);
  assert.equal((await page.locator('#efficiencies-table thead').innerText()).trim(), 'Efficiencies% of the ideal\trun\titerations');
});

test('what is printed of the core seconds adds up, and the bar is as wide as it says', async (t) => {
  const { page } = await openEfficiency(t);
  const cells = await byId(page, 'core-table').locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replace('−', '-').replace(/\s/g, '')))));
  assert.equal(cells.length, 4);
  for (const column of cells[0].keys()) {
    const [all, ...parts] = cells.map((row) => row[column]).toReversed();
    assert.ok(Math.abs(parts.reduce((sum, part) => sum + part) - all) < 1e-6, `column ${column}`);
  }
  const [run] = await each(page, '.slices', (bar) => [...bar.children].map((slice) => slice.getBoundingClientRect().width / bar.getBoundingClientRect().width));
  run.forEach((share, part) => assert.ok(Math.abs(100 * share - cells[part][1]) < 0.6, `part ${part}: ${share}`));
});

test('what is picked is explained with the numbers of the run, and stands in the address', async (t) => {
  const { page, address } = await openEfficiency(t);
  const panel = byId(page, 'efficiency');
  await byId(page, 'efficiencies-table').getByRole('button', { name: 'Load balance' }).click();
  await addressHas(page, /metric=load_balance/);
  assert.match(await panel.innerText(), /A thread computes [\d.\s]+ms on average; rank \d+ most, [\d.\s]+ms\./);
  await panel.getByRole('button', { name: 'Show it in the time line' }).click();
  await byId(page, 'run').waitFor();
  await addressHas(page, /by=duration/);
  await page.goBack();
  await byId(page, 'efficiencies').waitFor();

  const fragment = (metric) => `#profileURL=${encodeURIComponent(new URL('example-mpi.prv.gz', address).href)}&tab=efficiency&metric=${metric}`;
  for (const [metric, title] of [['transfer', 'Transfer'], ['no_such_thing', 'Parallel efficiency']]) {
    const { page: other } = await open(t, address, { fragment: fragment(metric) });
    await byId(other, 'efficiencies').waitFor();
    assert.equal(await other.locator('#metric-title').textContent(), title);
  }
});

test('a thread is told under its bar', async (t) => {
  const { page } = await openEfficiency(t);
  const bars = byId(page, 'threads');
  const hint = page.locator('#threads-hint');
  const before = await hint.textContent();
  assert.match(before, /^Of the run rank \d computes least, [\d.]+\s%, and rank \d most, [\d.]+\s%\.$/);
  const { width } = await bars.boundingBox();
  await bars.hover({ position: { x: 112 + 10, y: 90 } });
  assert.match(await hint.textContent(), /^rank 1: [\d.\s]+ms, [\d.]+\s% of the run, /);
  await bars.hover({ position: { x: width - 68 - 10, y: 90 } });
  assert.match(await hint.textContent(), /^rank 8: /);
  await page.mouse.move(5, 300);
  await page.waitForFunction((before) => document.getElementById('threads-hint').textContent === before, before);
});

test('a trace that tells nothing of what threads do says so', async (t) => {
  const { page } = await open(t, await site(t));
  await drop(page, await write(await temporaryFolder(t), 'plain', smallTrace()));
  await rests(page, 'ready');
  await byId(page, 'tab-efficiency').click();
  await byId(page, 'efficiencies').waitFor();
  assert.equal(await byId(page, 'efficiencies-sentence').textContent(), 'No efficiencies: nothing tells when threads compute.');
  assert.equal(await byId(page, 'efficiencies-table').isVisible(), false);
  const tab = byId(page, 'tab-efficiency');
  assert.equal(await tab.getAttribute('title'), 'No efficiencies: nothing tells when threads compute.');
  assert.equal(await tab.evaluate((tab) => getComputedStyle(tab).opacity), '0.45');
});
