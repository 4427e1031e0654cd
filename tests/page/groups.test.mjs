// Instances: how long they last, a part of them chosen by hand, and those left out with the reason.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import {
  addressHas, byId, drop, exported, open, openExample, rests, setFragment, showPanel, site,
  temporaryFolder,
} from './browser.mjs';
import { opened, openWithFakeEngine } from './fake.mjs';
import { violations } from './looks.mjs';
import { phased } from './phased.mjs';

const KEPT = [0, 3, 40, 90, 30, 4, 0, 0, 0, 0];
const REJECTED = [2, 0, 0, 0, 0, 3, 1, 0, 0, 1];
/** Of ten steps of 10 ms, from 100 to 200 ms. */
const DURATIONS = { limits_ns: [1.1e8, 1.6e8], durations: { least_ns: 1e8, most_ns: 2e8, kept: KEPT, rejected: REJECTED } };

async function withDurations(t, change = () => ({})) {
  const { folding, order, heard, folds, page } = await openWithFakeEngine(t);
  const file = path.join(await temporaryFolder(t), 'some.prv');
  await writeFile(file, 'x');
  await drop(page, [file]);
  await heard(0);
  const shown = phased(folding, { group: DURATIONS });
  const groups = shown.groups.map((group) => ({ ...group, ...change(group) }));
  await order({ fold: JSON.stringify({ ...shown, groups }) });
  await order({ value: opened('some.prv') });
  await rests(page, 'ready');
  await showPanel(page, 'settings');
  return { page, order, folds };
}

test('the histogram has a bar for each step, in two tones, with the limits', async (t) => {
  const { page } = await withDurations(t);
  const histogram = byId(page, 'durations');
  await histogram.scrollIntoViewIfNeeded();
  const bars = (kind) => histogram.locator(`.${kind}`).evaluateAll((bars) => bars.map((bar) => [Math.round(Number(bar.getAttribute('x')) / 28), Number(bar.dataset.count)]));
  const counted = (counts) => counts.flatMap((n, i) => (n > 0 ? [[i, n]] : []));
  assert.deepEqual(await bars('kept'), counted(KEPT));
  assert.deepEqual(await bars('rejected'), counted(REJECTED));
  const limits = await histogram.locator('.limit').evaluateAll((lines) => lines.map((line) => Number(line.getAttribute('x1'))));
  assert.deepEqual(limits.map((x) => Math.round((x / 280) * 100)), [10, 60]);
  assert.match(await histogram.getAttribute('aria-label'), /100\.0\sms to 200\.0\sms/);
});

test('a range of durations is brushed, or chosen by keys, and folded alone', async (t) => {
  const { page, folds } = await withDurations(t);
  const histogram = byId(page, 'durations');
  await histogram.scrollIntoViewIfNeeded();
  const { x, y, width } = await histogram.boundingBox();
  await page.mouse.move(x + 0.2 * width, y + 20);
  await page.mouse.down();
  await page.mouse.move(x + 0.4 * width, y + 20);
  await page.mouse.move(x + 0.5 * width, y + 20);
  await page.mouse.up();
  await rests(page, 'ready');
  const asked = async () => (await folds()).at(-1).settings.durations;
  const [low, high] = (await asked()).split('..').map(Number);
  assert.ok(Math.abs(low - 1.2e8) < 1e6 && Math.abs(high - 1.5e8) < 1e6, `${low} to ${high}`);
  await addressHas(page, /durations=/);
  await byId(page, 'durations-all').click();
  await rests(page, 'ready');
  assert.equal(await asked(), undefined);

  const longest = page.getByLabel('Longest instance that is folded');
  await longest.focus();
  await page.keyboard.press('PageDown');
  await rests(page, 'ready');
  const chosen = (await asked()).split('..').map(Number);
  assert.equal(chosen[0], 1e8);
  assert.ok(chosen[1] < 2e8 && chosen[1] > 1.5e8, `${chosen[1]}`);
});

test('instances are listed as the engine tells them, and how many are not', async (t) => {
  const { page, order } = await withDurations(t);
  const lines = [
    { fate: 'outlier', durationNs: 1.05e8, cells: ['1.2.1', '2.00\u202fms', '105.00\u202fms', 'shorter than 110.00\u202fms'] },
    { fate: 'prefiltered', durationNs: 1.4e8, cells: ['1.4.1', '4.00\u202fms', '140.00\u202fms', 'its samples lie unlike those of the others'] },
    { fate: 'used', durationNs: 1.3e8, cells: ['1.1.1', '1.00\u202fms', '130.00\u202fms', ''] },
  ];
  const rows = { title: '2 of 4 instances of group 1 left out', lines, more: 'The first 3 are shown; groups.csv has all.' };
  await order({ rows });
  await byId(page, 'instances-button').click();
  const dialog = byId(page, 'instances');
  await dialog.waitFor();
  assert.equal(await dialog.locator('h2').innerText(), rows.title);
  await dialog.locator('tbody tr').first().waitFor();
  const cells = await dialog.locator('tbody tr').evaluateAll((rows) => rows.map((row) => Array.from(row.cells, (cell) => cell.textContent)));
  assert.deepEqual(cells, lines.map(({ cells }) => cells));
  assert.deepEqual(await dialog.locator('tbody tr').evaluateAll((rows) => rows.map(({ dataset }) => dataset.fate)), ['outlier', 'prefiltered', 'used']);
  assert.match(await dialog.innerText(), /The first 3 are shown; groups\.csv has all\./);
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  assert.ok(await dialog.isHidden());
});

test('the instances of the example are those that groups.csv has, those left out first and with the reason', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  await byId(page, 'instances-button').click();
  // They come from the engine a moment later.
  await byId(page, 'instances').locator('tbody tr').first().waitFor();
  const told = await byId(page, 'instances').locator('tbody tr').evaluateAll((rows) => rows.map(({ cells, dataset }) => ({ object: cells[0].textContent, reason: cells[3].textContent, ns: dataset.ns, fate: dataset.fate })));
  const listed = told.map(({ object, ns, fate }) => `${object},${ns},${fate === 'used' ? 1 : 0}`);
  await page.keyboard.press('Escape');
  const [head, ...lines] = String(await exported(page, 'csv', 'groups.csv')).trim().split('\n');
  const columns = head.trim().split(',');
  const field = (row, name) => row[columns.indexOf(name)];
  const rows = lines.map((line) => line.trim().split(','));
  const group = String((await page.locator('#group').inputValue()));
  const written = rows.filter((row) => field(row, 'group') === group)
    .map((row) => `${field(row, 'appl')}.${field(row, 'task')}.${field(row, 'thread')},${field(row, 'duration_ns')},${field(row, 'used')}`);
  assert.ok(written.length > 100, `${written.length} instances`);
  assert.deepEqual([...listed].sort(), written.sort());
  const left = written.filter((row) => row.endsWith(',0')).length;
  assert.ok(left > 0 && (await page.locator('#facts').innerText()).includes(`${written.length - left} of ${written.length} instances`));

  const [folding] = [JSON.parse(String(await exported(page, 'json', '.json')))].flat();
  const [shortest, longest] = folding.groups.find(({ number }) => String(number) === group).limits_ns;
  assert.deepEqual(told.map(({ fate }) => fate), [...Array(left).fill('outlier'), ...Array(written.length - left).fill('used')]);
  for (const { ns, reason } of told.slice(0, left)) {
    const [, side, limit] = /^(shorter|longer) than ([\d.]+)\u202fms$/.exec(reason) ?? assert.fail(reason);
    assert.ok(side === 'shorter' ? Number(ns) < shortest : Number(ns) > longest, `${ns} ns: ${reason}`);
    const limitNs = side === 'shorter' ? shortest : longest;
    assert.ok(Math.abs(Number(limit) * 1e6 - limitNs) <= 5e-5 * limitNs, `${reason}, ${limitNs} ns`);
  }
  assert.ok(told.slice(left).every(({ reason }) => reason === ''));
});

test('a range of durations in a shared address folds those instances alone', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  const all = await page.locator('#facts').innerText();
  const middle = Number(/mean\s+([\d.]+)/.exec(all)[1]) * 1e6;
  await setFragment(page, { durations: `${Math.round(0.999 * middle)}..${Math.round(1.001 * middle)}` });
  await rests(page, 'ready');
  const [, kept] = /(\d+) of (\d+)\s+instances/.exec(await page.locator('#facts').innerText());
  const [, before] = /(\d+) of (\d+)\s+instances/.exec(all);
  assert.ok(Number(kept) > 0 && Number(kept) < Number(before), `${kept} of ${before}`);
});

test('a counter of energy has its power, its joules and the time above a limit', async (t) => {
  const { page } = await withDurations(t, ({ curves: [first, ...rest] }) => ({ curves: [{ ...first, joules: 1e-9 }, ...rest] }));
  const energy = byId(page, 'energy');
  await energy.scrollIntoViewIfNeeded();
  assert.match(await energy.innerText(), /\d\sW · [\d.]+\sJ per instance · [\d.]+\s[GM] instructions per J/);
  assert.match(await page.locator('#legend').innerText(), /\d\sW/);
  await page.getByLabel('Limit (W)').fill('0');
  assert.equal(await byId(page, 'energy-above').locator('li').getAttribute('data-share'), '1');
  await page.getByLabel('Limit (W)').fill('1e9');
  assert.equal(await byId(page, 'energy-above').locator('li').getAttribute('data-share'), '0');
  await page.getByLabel('Limit (W)').fill('many');
  assert.match(await byId(page, 'energy-above').innerText(), /A number of watts is expected/);

  // Of all limits: from all of the time to none of it, and the stretch at the left is the whole region.
  const plots = byId(page, 'energy-limits').locator('svg');
  assert.equal(await plots.count(), 2);
  for (const plot of await plots.all()) {
    const heights = (await plot.locator('polyline').getAttribute('points')).split(' ').map((point) => Number(point.split(',')[1]));
    assert.ok(heights.every((height, i) => i === 0 || height >= heights[i - 1]), heights.join(' '));
    assert.equal(heights[0], 4, 'all of it is above nothing');
    assert.equal(heights.at(-1), 84, 'none of it is above the most');
  }
  const most = Number(/from 0 to ([\d.]+) W/.exec(await byId(page, 'energy-limits').locator('[role=img]').first().getAttribute('aria-label'))[1]);
  const { width, height } = await plots.first().boundingBox();
  await plots.first().click({ position: { x: (width * (56 + 244 / 2)) / 300, y: height / 2 } });
  const asked = Number(await page.getByLabel('Limit (W)').inputValue());
  assert.ok(Math.abs(asked / most - 0.5) < 0.02, `${asked} of ${most}`);
  const share = Number(await byId(page, 'energy-above').locator('li').getAttribute('data-share'));
  const [x, y] = (await plots.first().locator('polyline').getAttribute('points')).split(' ')[60].split(',').map(Number);
  assert.ok(Math.abs(x - 178) < 0.1 && Math.abs((84 - y) / 80 - share) < 0.1, `${x} ${y} ${share}`);
  assert.equal(await plots.first().locator('line').getAttribute('hidden'), null);
});
