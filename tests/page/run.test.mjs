// The run at a glance: what is shown first of a trace that nobody prepared, and what can be done there.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { DIST, ROOT, addressHas, addressLacks, byId, drop, each, exported, message, open, rests, runSeen, site, temporaryFolder } from './browser.mjs';
import { smallTrace, write } from './traces.mjs';

const FILES = ['prv.gz', 'pcf', 'row'].map((ending) => path.join(DIST, `example-mpi.${ending}`));

async function openRun(t, options = {}) {
  const address = await site(t);
  const { page } = await open(t, address, options);
  await drop(page, FILES);
  await runSeen(page);
  return { page, address };
}

/** Share of the plot of the time line that has each colour, as `#RRGGBB`. */
const colours = (page) => page.evaluate(() => {
  const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById('canvas-timeline'));
  const { plot } = JSON.parse(canvas.dataset.layout);
  const scale = canvas.width / canvas.getBoundingClientRect().width;
  const [left, right] = [plot.left, plot.right].map((px) => Math.round(px * scale));
  const { data } = canvas.getContext('2d').getImageData(left + 1, 2, right - left - 2, canvas.height - 4);
  const counts = {};
  for (let i = 0; i < data.length; i += 4) {
    const colour = `#${[0, 1, 2].map((k) => data[i + k].toString(16).padStart(2, '0')).join('')}`.toUpperCase();
    counts[colour] = (counts[colour] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).map(([colour, count]) => [colour, (4 * count) / data.length]));
});

const rows = (page) => byId(page, 'run-table').locator('tbody tr').evaluateAll((rows) => rows.map((row) => [row.dataset.kind, ...[...row.children].map((cell) => cell.textContent)]));

test('a run that nobody prepared is shown first, and one click folds what is folded best', async (t) => {
  const { page } = await openRun(t);
  assert.equal(await byId(page, 'tab-run').getAttribute('aria-pressed'), 'true');
  assert.match(await byId(page, 'run-sentence').textContent(), /^40 iterations of 45\.3\sms hold 100\.0\s% of the run; cluster 1, after MPI_Sendrecv · 41 \(halo\.c\), is 47\.2\s% of each/);
  const all = await rows(page);
  assert.deepEqual(all.map(([kind]) => kind), ['iteration', ...Array(5).fill('cluster'), 'apart', 'events', 'events']);
  // Five kinds of bursts, each in every pass of eight ranks.
  for (const [, , , times] of all.slice(0, 6)) assert.equal(times, '320');
  const lines = await byId(page, 'efficiency').locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.children[1].textContent));
  assert.deepEqual(lines.slice(3), ['–', '–']);
  const [parallel, balance, communication] = lines.map(Number);
  assert.ok(Math.abs(parallel - (balance * communication) / 100) < 0.1, String(lines));

  await byId(page, 'run-fold').click();
  await rests(page, 'ready');
  assert.equal(await byId(page, 'run').isVisible(), false);
  assert.match(await page.locator('#facts').innerText(), /from MPI_Sendrecv · 41 \(halo\.c\)[^]*320 of 320 instances/);
  await page.goBack();
  await runSeen(page);
});

test('the time line has as much of each colour as the table says', async (t) => {
  const { page } = await openRun(t);
  const counts = await colours(page);
  const shares = (await rows(page)).filter(([kind]) => kind === 'cluster').map((row) => Number(row[2]) / 100);
  const hues = await page.evaluate(() => [0, 1, 2, 3].map((hue) => {
    const element = document.createElement('i');
    element.className = `hue-${hue}`;
    document.body.append(element);
    const rgb = /(\d+), (\d+), (\d+)/.exec(getComputedStyle(element).backgroundColor);
    element.remove();
    return `#${rgb.slice(1).map((channel) => Number(channel).toString(16).padStart(2, '0')).join('')}`.toUpperCase();
  }));
  // Two of 34 px are the gap between rows; a pixel has one colour, whatever else it holds.
  for (const [at, hue] of hues.entries()) assert.ok(Math.abs(counts[hue] / (32 / 34) - shares[at]) < 0.03, `${hue} ${counts[hue]} ${shares[at]}`);
});

test('a cluster that is picked in the table is marked in all pictures and in the address', async (t) => {
  const { page } = await openRun(t);
  const before = await colours(page);
  await byId(page, 'run-table').locator('tr[data-kind=cluster] td').first().click();
  await addressHas(page, /clusters=1(&|$)/);
  await page.mouse.move(5, 5);
  await page.waitForTimeout(100);
  const after = await colours(page);
  const blue = '#154BBF';
  assert.ok(Math.abs(after[blue] - before[blue]) < 1e-9, 'its own colour stays');
  assert.equal(after['#CB7A1A'] ?? 0, 0, 'all others are faint');
  await byId(page, 'run-table').locator('tr[data-kind=cluster] td').first().click();
  await addressLacks(page, /clusters=/);
  await page.mouse.move(5, 5);
  await page.waitForTimeout(100);
  assert.ok((await colours(page))['#CB7A1A'] > 0.1);
});

/** Drags over the points from one share of the plot to another, each across and down. */
async function brush(page, from, to) {
  const canvas = byId(page, 'scatter');
  await canvas.scrollIntoViewIfNeeded();
  const { x, y } = await canvas.boundingBox();
  const { plot } = JSON.parse(await canvas.getAttribute('data-layout'));
  const at = ([across, down]) => [x + plot.left + across * (plot.right - plot.left), y + plot.top + down * (plot.bottom - plot.top)];
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]));
  await page.mouse.move(...at(to));
  await page.mouse.up();
  await page.mouse.move(5, 5);
}

const brushedRows = (page) => byId(page, 'run-table').locator('tr[data-kind=cluster]').evaluateAll((rows) => rows.map((row) => Number(/(\d+) brushed/.exec(row.textContent)?.[1] ?? 0)));

test('points that are brushed are marked in the time line, in the table and in the address, until Escape', async (t) => {
  const { page, address } = await openRun(t);
  const before = await colours(page);
  const share = (counts) => (counts['#154BBF'] ?? 0) + (counts['#CB7A1A'] ?? 0);
  await brush(page, [0, 0], [1, 1]);
  await addressHas(page, /brush=/);
  await page.waitForFunction(() => /of the time/.test(document.getElementById('scatter-hint').textContent));
  const all = await brushedRows(page);
  assert.ok(all.length === 5 && all.every((count) => count > 0), String(all));
  await page.waitForTimeout(300);
  assert.ok(Math.abs(share(await colours(page)) - share(before)) < 0.02, 'all of it is brushed');

  // The upper half has what takes most instructions.
  await brush(page, [0, 0], [1, 0.5]);
  await page.waitForTimeout(300);
  const some = await brushedRows(page);
  assert.ok(some.some((count) => count === 0) && some.some((count) => count > 0), String(some));
  const counts = await colours(page);
  assert.ok(share(counts) > 0 && Object.keys(counts).length > 0);
  const words = await page.locator('#scatter-hint').textContent();
  assert.equal(Number(/^[\d\s\u202f]+/.exec(words)[0].replace(/\D/g, '')), some.reduce((a, b) => a + b, 0));

  const fragment = new URL(page.url()).hash;
  const profile = new URL('example-mpi.prv.gz', address).href;
  const { page: other } = await open(t, address, { fragment: `#profileURL=${encodeURIComponent(profile)}&${fragment.slice(1)}` });
  await runSeen(other);
  await other.waitForFunction(() => /brushed/.test(document.getElementById('scatter-hint').textContent));
  assert.deepEqual(await brushedRows(other), some);

  await page.keyboard.press('Escape');
  await addressLacks(page, /brush=/);
  await page.waitForTimeout(300);
  assert.deepEqual(await brushedRows(page), [0, 0, 0, 0, 0]);
  assert.deepEqual(await colours(page), before);
});

test('a drag with Shift is a lasso, which holds what it goes round alone, and stays in the address', async (t) => {
  const { page, address } = await openRun(t);
  const canvas = byId(page, 'scatter');
  await canvas.scrollIntoViewIfNeeded();
  const { x, y } = await canvas.boundingBox();
  const { plot } = JSON.parse(await canvas.getAttribute('data-layout'));
  const at = (across, down) => [x + plot.left + across * (plot.right - plot.left), y + plot.top + down * (plot.bottom - plot.top)];
  // Round the edge of the whole plot and back inside of it: what reaches as far as all points holds none.
  const around = [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0.001]];
  const drag = async (places) => {
    await page.keyboard.down('Shift');
    await page.mouse.move(...at(...places[0]));
    await page.mouse.down();
    for (const place of places.slice(1)) await page.mouse.move(...at(...place), { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.mouse.move(5, 5);
    await page.waitForFunction(() => /of the time/.test(document.getElementById('scatter-hint').textContent));
  };
  await drag(around);
  const all = await brushedRows(page);
  assert.ok(all.length === 5 && all.every((count) => count > 0), String(all));
  await drag([...around, [0.002, 0.002], [0.002, 0.998], [0.998, 0.998], [0.998, 0.002], [0.002, 0.0015]]);
  await page.waitForTimeout(300);
  assert.deepEqual(await brushedRows(page), [0, 0, 0, 0, 0]);

  // The upper half, cut off aslant.
  await drag([[0, 0], [1, 0], [1, 0.4], [0, 0.6]]);
  await addressHas(page, /brush=(\d[^_&]*_){9,}/);
  await page.waitForTimeout(400);
  const some = await brushedRows(page);
  assert.ok(some.some((count) => count === 0) && some.some((count) => count > 0), String(some));
  const counts = await colours(page);
  const fragment = new URL(page.url()).hash;
  const profile = new URL('example-mpi.prv.gz', address).href;
  const { page: other } = await open(t, address, { fragment: `#profileURL=${encodeURIComponent(profile)}&${fragment.slice(1)}` });
  await runSeen(other);
  await other.waitForFunction(() => /brushed/.test(document.getElementById('scatter-hint').textContent));
  assert.deepEqual(await brushedRows(other), some);
  await other.mouse.move(5, 5);
  await other.waitForTimeout(400);
  assert.deepEqual(await colours(other), counts, 'the time line marks the same bursts');

  // By keys it is a rectangle, where it reached to.
  await canvas.focus();
  await page.keyboard.press('ArrowLeft');
  await addressHas(page, /brush=([^_&]+_){3}[^_&]+(&|$)/);
  await page.keyboard.press('Escape');
  await addressLacks(page, /brush=/);
});

test('points are brushed by keys, which move the brush and its corner', async (t) => {
  const { page } = await openRun(t);
  await byId(page, 'scatter').focus();
  await page.keyboard.press('Enter');
  await addressHas(page, /brush=/);
  const values = async () => /brush=([^&]+)/.exec(page.url())[1].split('_').map(Number);
  const first = await values();
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction((was) => !location.hash.includes(was), `brush=${first.join('_')}`);
  const moved = await values();
  assert.ok(moved[0] < first[0] && moved[1] < first[1] && Math.abs(moved[2] / first[2] - 1) < 1e-4, `${first} ${moved}`);
  await page.keyboard.press('Shift+ArrowRight');
  await page.waitForFunction((was) => !location.hash.includes(was), `brush=${moved.join('_')}`);
  const wider = await values();
  assert.ok(wider[1] > moved[1] && Math.abs(wider[0] / moved[0] - 1) < 1e-4, `${moved} ${wider}`);
  await page.keyboard.press('Escape');
  await addressLacks(page, /brush=/);
});

test('the line of Eps is moved by mouse and by keys, and clusters follow', async (t) => {
  const { page } = await openRun(t);
  const clusters = async () => (await rows(page)).filter(([kind]) => kind === 'cluster').length;
  assert.equal(await clusters(), 5);
  await page.locator('#distances summary').click();
  await addressHas(page, /distances=shown/);
  const slider = byId(page, 'distances');
  await page.waitForFunction(() => document.getElementById('canvas-distances').dataset.layout);
  assert.equal(await slider.getAttribute('aria-valuenow'), '0.1');
  await slider.focus();
  await page.keyboard.press('ArrowUp');
  await addressHas(page, /eps=0\.11(&|$)/);
  await page.waitForFunction(() => document.getElementById('canvas-distances').getAttribute('aria-valuenow') === '0.11');

  await slider.scrollIntoViewIfNeeded();
  const { x, y } = await slider.boundingBox();
  const { plot } = JSON.parse(await slider.getAttribute('data-layout'));
  const middle = x + (plot.left + plot.right) / 2;
  await page.mouse.move(middle, y + plot.bottom - 60);
  await page.mouse.down();
  await page.mouse.move(middle, y + plot.top + 1);
  const eps = Number(await slider.getAttribute('aria-valuenow'));
  assert.ok(eps > 0.9, String(eps));
  assert.match(page.url(), /eps=0\.11(&|$)/, 'nothing is clustered while it moves');
  await page.mouse.up();
  await addressHas(page, new RegExp(`eps=${eps}(&|$)`));
  // So far apart, kinds of bursts are one cluster.
  await page.waitForFunction(() => document.querySelectorAll('[data-testid=run-table] tr[data-kind=cluster]').length < 5);
});

test('keys zoom, step from pass to pass and back to the whole, and the address has what is visible', async (t) => {
  const { page } = await openRun(t);
  await page.keyboard.press(']');
  await addressHas(page, /run=0(\.\d+)?_0\.02\d+/);
  await page.keyboard.press(']');
  await addressHas(page, /run=0\.02\d+_0\.04\d+/);
  await page.keyboard.press('0');
  await addressLacks(page, /run=/);
  await page.keyboard.press('w');
  await addressHas(page, /run=0\.1_0\.9/);
});

test('what was found is saved as the command line writes it, and is read beside the trace', async (t) => {
  const { page, address } = await openRun(t);
  const folder = await temporaryFolder(t);
  const written = async (command, format) => {
    await promisify(execFile)(path.join(ROOT, 'target/debug/tracefold'), [command, ...FILES, '--out', folder, '--format', format]);
    const names = (await readdir(folder)).toSorted();
    return Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))]));
  };
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  assert.deepEqual(await page.locator('#export-list').getByRole('button').allInnerTexts(), ['Picture as SVG', 'What was found, as tables', 'Clusters and iterations for Paraver', 'The same as text, to be dropped again']);
  await page.keyboard.press('Escape');
  const save = (format) => exported(page, `run-${format}`, `.run.${format}.zip`);
  const tables = await save('csv');
  for (const command of ['iterations', 'clusters', 'efficiency']) await written(command, 'csv');
  // Files of an archive are stored as they are.
  for (const [name, bytes] of await written('iterations', 'csv')) assert.ok(tables.includes(bytes) && tables.includes(name), name);

  const svg = String(await exported(page, 'run-svg', '.run.svg'));
  for (const words of ['>rank 8<', '40 × iteration', '>Bursts<']) assert.ok(svg.includes(words), words);
  const pictures = new Map(await written('clusters', 'svg'));
  assert.ok(svg === String(pictures.get('run.svg')), 'the command line writes another picture');

  const text = path.join(folder, 'found.zip');
  await writeFile(text, await save('semantic'));
  const { page: other } = await open(t, address);
  await drop(other, [...FILES, text]);
  await rests(other, 'ready');
  assert.match(await other.locator('#regions').textContent(), /Cluster_1/);
});

test('what a counter counts between its readings is shown of what is visible', async (t) => {
  const { page, address } = await openRun(t);
  await byId(page, 'rates').locator('summary').click();
  await addressHas(page, /rates=PAPI_TOT_INS/);
  const words = () => page.locator('#rates-hint').textContent();
  await page.waitForFunction(() => document.getElementById('rates-hint').textContent.includes('8 threads'));
  const [whole, mips] = (await words()).match(/^([\d\s]+) stretches from one reading to the next, on 8 threads: ([\d\s]+)\sMIPS on average/).slice(1).map((text) => Number(text.replace(/\s/g, '')));
  // Forty passes of the loop, and several calls in each.
  assert.ok(whole > 8 * 40 && mips > 0, await words());
  assert.ok((await page.locator('#canvas-rates').evaluate((canvas) => new Set(canvas.getContext('2d').getImageData(canvas.width / 2, 0, 1, canvas.height).data).size)) > 2, 'nothing is painted');
  const before = await words();
  await page.locator('#canvas-timeline').focus();
  await page.keyboard.press(']');
  await page.waitForFunction((before) => document.getElementById('rates-hint').textContent !== before, before);
  const [pass] = (await words()).match(/^[\d\s]+/).map((text) => Number(text.replace(/\s/g, '')));
  assert.ok(pass < whole / 10, `${pass} of ${whole}`);
  await page.locator('#rates-counter').selectOption({ label: 'Cycles' });
  await addressHas(page, /rates=PAPI_TOT_CYC/);

  const { page: other } = await open(t, address, { fragment: `#profileURL=${encodeURIComponent(new URL('example-mpi.prv.gz', address).href)}&rates=NONE` });
  await other.waitForFunction(() => document.getElementById('rates-hint')?.textContent === 'There is no counter NONE here; choose another one.');
});

test('all clusters are folded with equal axes, at the width that there is', async (t) => {
  const { page, address } = await openRun(t);
  const clusters = (await rows(page)).filter(([kind]) => kind === 'cluster').length;
  const picture = byId(page, 'multiples-picture');
  assert.equal(await picture.isVisible(), false);
  await byId(page, 'multiples').locator('summary').click();
  await addressHas(page, /multiples=shown/);
  await picture.waitFor();
  const regions = (await picture.getAttribute('alt')).match(/Cluster \d+/g);
  assert.deepEqual(regions.toSorted(), Array.from({ length: clusters }, (_, at) => `Cluster ${at + 1}`));
  const size = () => picture.evaluate((image) => image.decode().then(() => [image.naturalWidth, image.naturalHeight]));
  const wide = await size();
  const before = await picture.getAttribute('src');
  await page.setViewportSize({ width: 400, height: 800 });
  await page.waitForFunction((src) => document.getElementById('multiples-picture').src !== src, before);
  const narrow = await size();
  // Below one another where there was room for two.
  assert.ok(wide[0] > 600 && narrow[0] < 400 && narrow[1] > 1.5 * wide[1], `${wide} ${narrow}`);

  await page.goto(`${address}#profileURL=${encodeURIComponent(new URL('example-mpi.prv.gz', address).href)}&multiples=shown&eps=0.5`);
  await picture.waitFor();
});

test('where nothing is sampled the source lane has the lines that call, and phases the call that ends them', async (t) => {
  const { page } = await openRun(t);
  await byId(page, 'run-fold').click();
  await rests(page, 'ready');
  assert.equal(await page.locator('#source-hint').textContent(), 'Lines that call; between two calls only the one that ends the stretch is known');
  const words = await page.locator('#canvas-source').getAttribute('aria-label');
  assert.match(words, /^Source: lines of [\d\s]+ calls; phases end with halo \[57\] at .*; norm \[23\] at .*; border \[88\] at .*; advance \[112\] at /);
  assert.equal(await byId(page, 'panel-code').isVisible(), false, 'nothing is said of samples');
  await byId(page, 'region').selectOption('Cluster 1: after MPI_Sendrecv · 41 (halo.c)');
  await rests(page, 'ready');
  assert.equal(await byId(page, 'lane-source').isVisible(), false);
});

test('colours tell what is said beside them', async (t) => {
  const { page } = await openRun(t);
  const choose = async (name) => {
    const before = await page.locator('#canvas-timeline').evaluate((canvas) => canvas.toDataURL());
    await page.locator('#run-by').getByRole('button', { name, exact: true }).click();
    await page.waitForFunction((before) => document.getElementById('canvas-timeline').toDataURL() !== before, before);
    return { shown: await colours(page), key: await key() };
  };
  const key = () => each(page, '[data-testid=run-key] span', (mark) => [mark.textContent, getComputedStyle(mark.firstChild).backgroundColor]);
  const hex = (rgb) => `#${rgb.match(/\d+/g).slice(0, 3).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`.toUpperCase();
  assert.deepEqual(await key(), []);

  const activity = await choose('activity');
  assert.deepEqual(activity.key.map(([words]) => words), ['computing', 'MPI point-to-point', 'MPI collective', 'other MPI']);
  assert.equal(await byId(page, 'run').locator('#run-blank').textContent(), 'blank: none of these');
  const shares = activity.key.map(([, colour]) => activity.shown[hex(colour)] ?? 0);
  // The program's ranks compute most of the time, and are in a call when they do not; a twentieth are
  // lines between the rows.
  assert.ok(shares[0] > 0.5 && shares.reduce((sum, share) => sum + share) > 0.94, String(shares));

  for (const [name, ends] of [['duration', /^at most [\d.]+\s[µm]s at least [\d.]+\s[µm]s$/], ['IPC', /^at most [\d.]+ at least [\d.]+$/]]) {
    const { shown, key } = await choose(name);
    assert.match(key.map(([words]) => words).join(' '), ends);
    for (const [, colour] of key) assert.ok(shown[hex(colour)] > 0.001, `${name}: ${hex(colour)} of ${JSON.stringify(shown)}`);
  }
});

test('links to a run, a cluster and an iteration show them in a clean profile', async (t) => {
  const { page, address } = await openRun(t);
  await byId(page, 'run').getByRole('button', { name: 'IPC', exact: true }).click();
  await addressHas(page, /by=ipc/);
  const profile = new URL('example-mpi.prv.gz', address).href;
  const wanted = { 'tab=run&by=ipc&run=0.1_0.2': null, 'region=Cluster:2': 'Cluster 2, after MPI_Sendrecv · 57 (halo.c)', 'region=Iteration:1': 'Iteration, from MPI_Sendrecv · 41 (halo.c)' };
  for (const [fragment, title] of Object.entries(wanted)) {
    const { page: other } = await open(t, address, { fragment: `#profileURL=${encodeURIComponent(profile)}&${fragment}` });
    if (title === null) {
      await runSeen(other);
      assert.equal(await other.locator('#run-by [aria-pressed=true]').textContent(), 'IPC');
    } else {
      await rests(other, 'ready');
      assert.equal(await other.locator('#facts h1').textContent(), title);
      assert.equal(await byId(other, 'run').isVisible(), false);
    }
  }
});

test('a sampled region is shown first, and the run beside it when it is asked for', async (t) => {
  const { page } = await open(t, await site(t));
  await byId(page, 'example').click();
  await rests(page, 'ready');
  assert.equal(await byId(page, 'tab-region').getAttribute('aria-pressed'), 'true');
  const later = () => page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('painter_run.wasm')).length);
  assert.equal(await later(), 0);
  await byId(page, 'tab-run').click();
  await runSeen(page);
  assert.equal(await later(), 1);
  await byId(page, 'tab-region').click();
  await rests(page, 'ready');
  assert.equal(await byId(page, 'run').isVisible(), false);
});

test('a trace without calls and states has a run with lines, which says that nothing is known', async (t) => {
  const { page } = await open(t, await site(t));
  await drop(page, await write(await temporaryFolder(t), 'plain', smallTrace()));
  await rests(page, 'ready');
  await byId(page, 'tab-run').click();
  await byId(page, 'run').waitFor();
  assert.match(await byId(page, 'run-sentence').textContent(), /iteration|Nothing repeats/);
  assert.equal(await message(page), '');
});

test('how repetition is found is chosen beside the run, and its pictures follow', async (t) => {
  const { page } = await openRun(t);
  const boundary = page.getByLabel('Iterations begin').first();
  await boundary.selectOption('after MPI_Allreduce · 112 (advance.c)');
  await addressHas(page, /boundary=after\+MPI_Allreduce/);
  await page.waitForFunction(() => /after MPI_Allreduce · 112/.test(document.querySelector('[data-testid="run-table"] tr[data-kind=iteration]')?.textContent ?? ''));
  await page.getByLabel('Iterations begin').first().selectOption('');
  await page.waitForFunction(() => /from MPI_Sendrecv · 41/.test(document.querySelector('[data-testid="run-table"] tr[data-kind=iteration]')?.textContent ?? ''));
});
