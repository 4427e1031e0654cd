// Several runs on the tab Efficiency: the table, what is told of it, the plots, and what is saved.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { DIST, ROOT, byId, drop, open, site, temporaryFolder } from './browser.mjs';
import { lookedAt, LOOKS, violations } from './looks.mjs';
import { smallTrace, write } from './traces.mjs';

const PCF = 'EVENT_TYPE\n7 42000050 PAPI_TOT_INS [Instr completed]\n7 42000059 PAPI_TOT_CYC [Total cycles]\n';
const TOOL = path.join(ROOT, 'target/debug/tracefold');

/**
 * A run of so many ranks: what each computes, in one burst of so many instructions and cycles of 1 ns, and what the
 * run takes. The last rank computes `less` than the others.
 */
function ranks(count, { each = 800e6, run = 1e9, instructions = 2e9, less = 0 }) {
  const records = [];
  for (let rank = 1; rank <= count; rank += 1) {
    const ns = rank === count ? each - less : each;
    records.push([0, `1:${rank}:1:${rank}:1:0:${ns}:1`], [ns, `2:${rank}:1:${rank}:1:${ns}:50000002:10:42000050:${instructions / count}:42000059:${ns}`], [ns, `1:${rank}:1:${rank}:1:${ns}:${run}:13`]);
  }
  const all = records.sort(([a], [b]) => a - b).map(([, record]) => record);
  const tasks = Array(count).fill('1:1').join(',');
  return { prv: `#Paraver (01/02/2026 at 10:00):${run}_ns:1(${count}):1:${count}(${tasks})\n${all.join('\n')}\n`, pcf: PCF };
}

/** Less and less efficient; the two ranks are unlike. */
const RUNS = {
  1: ranks(1, {}),
  2: ranks(2, { each: 450e6, run: 500e6, instructions: 2.1e9, less: 50e6 }),
  4: ranks(4, { each: 300e6, run: 400e6, instructions: 2.4e9 }),
};

async function folderOf(t) {
  const folder = await temporaryFolder(t);
  const files = {};
  for (const [count, run] of Object.entries(RUNS)) files[count] = await write(folder, `solver-${count}`, run);
  return { folder, files };
}

/** The run of one rank is open, and others are added. */
async function openRuns(t, counts = [4, 2]) {
  const { folder, files } = await folderOf(t);
  const { page } = await open(t, await site(t));
  await drop(page, files[1]);
  await byId(page, 'tab-efficiency').click();
  await byId(page, 'efficiencies').waitFor();
  for (const [at, count] of counts.entries()) {
    const where = at === 0 ? page.locator('#efficiencies') : page.locator('#scaling');
    await where.getByTestId('add-runs-files').setInputFiles(files[count]);
    await page.waitForFunction((columns) => document.querySelectorAll('#scaling-table thead .name').length === columns, at + 2);
  }
  return { page, folder, files };
}

/** Of each row its key and the values of its cells. */
const rows = (page) => byId(page, 'scaling-table').locator('tbody tr').evaluateAll((rows) => Object.fromEntries(rows.map((row) => [row.dataset.key, [...row.querySelectorAll('td')].map((cell) => cell.dataset.value)])));

const columnsOf = (page) => byId(page, 'scaling-table').locator('thead .name').allTextContents();

test('each run has a column, by its ranks, with the numbers of the command line', async (t) => {
  const { page, folder } = await openRuns(t);
  assert.deepEqual(await columnsOf(page), ['1 rank', '2 ranks', '4 ranks']);
  const files = [1, 2, 4].map((count) => path.join(folder, `solver-${count}.prv`));
  const { stdout } = await promisify(execFile)(TOOL, ['efficiency', ...files, '--json']);
  const told = JSON.parse(stdout);
  const shown = await rows(page);
  assert.ok(Object.keys(shown).length > 12);
  for (const [key, values] of Object.entries(shown)) {
    const isReplayed = key === 'serialisation' || key === 'transfer';
    assert.deepEqual(values, told.map((run) => (isReplayed ? '' : String(run[key]))), key);
  }
  assert.equal(await page.locator('#scaling h1').textContent(), 'solver');
});

test('what is saved is what the command line writes', async (t) => {
  const { page, folder } = await openRuns(t);
  const files = [1, 2, 4].map((count) => path.join(folder, `solver-${count}.prv`));
  await promisify(execFile)(TOOL, ['efficiency', ...files, '--out', path.join(folder, 'out'), '--format', 'csv,svg']);
  for (const [button, names] of [['scaling-csv', ['efficiency.csv', 'core_time.csv']], ['scaling-svg', ['efficiency.svg']]]) {
    const saved = [];
    page.on('download', (download) => saved.push(download));
    await byId(page, button).click();
    while (saved.length < names.length) await page.waitForTimeout(20);
    for (const [at, name] of names.entries()) {
      assert.equal(saved[at].suggestedFilename(), name);
      assert.equal(await readFile(await saved[at].path(), 'utf8'), await readFile(path.join(folder, 'out', name), 'utf8'), name);
    }
    page.removeAllListeners('download');
  }
});

test('what is printed of the core seconds adds up in every column, and both plots are drawn', async (t) => {
  const { page } = await openRuns(t);
  const cells = await byId(page, 'scaling-parts').locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replace('−', '-').replace(/\s/g, '')))));
  assert.equal(cells.length, 7);
  for (const column of [0, 1, 2]) {
    const [all, ...parts] = cells.map((row) => row[column]).toReversed();
    assert.ok(Math.abs(parts.reduce((sum, part) => sum + part) - all) < 1e-6, `column ${column}`);
  }
  // A rank that waits: 0.1 s of imbalance of 1 s in all, and 0.1 of communication.
  assert.deepEqual(cells.map((row) => row[1]), [0.8, 0.04, 0.01, 0, 0.05, 0.1, 1]);
  for (const plot of ['scaling-plot', 'scaling-core']) {
    const colours = await byId(page, plot).evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    });
    assert.ok(colours > 20, `${plot}: ${colours} colours`);
  }
});

test('another reference, weak scaling and another run are told by keys as well', async (t) => {
  const { page } = await openRuns(t);
  const sentence = byId(page, 'scaling-sentence');
  const panel = byId(page, 'scaling-panel');
  // 0.8 s of useful time, then 4 × 0.3 s of 4 × 0.4 s.
  assert.match(await sentence.textContent(), /^50\.0\s% of the ideal is reached on 4 ranks\. It is lost by communication 25\s%, lower IPC 20\s%, more instructions 17\s%\.$/);
  await page.keyboard.press('[');
  assert.match(await sentence.textContent(), /on 2 ranks/);
  assert.match(await panel.locator('h2').first().textContent(), /^2 ranks/);
  await byId(page, 'scaling-reference').selectOption('1');
  assert.match(await sentence.textContent(), /^85\.0\s% of the ideal is reached on 2 ranks\./);
  await byId(page, 'scaling-scales').focus();
  await byId(page, 'scaling-scales').selectOption('weak');
  assert.match(await page.locator('#scaling .facts').textContent(), /weak scaling against 2 ranks/);
  assert.match(await page.locator('#scaling .remarks').textContent(), /another input/);
  assert.equal(await byId(page, 'scaling-scales').evaluate((select) => select === document.activeElement), true);
  await byId(page, 'scaling-table').getByRole('button', { name: 'Load balance' }).click();
  assert.match(await panel.textContent(), /A thread computes 425\.0\sms on average; the one with most 450\.0\sms\./);
  assert.match(page.url(), /metric=load_balance/);
  await byId(page, 'scaling-table').getByRole('button', { name: '4 ranks' }).click();
  assert.match(await panel.textContent(), /A thread computes 300\.0\sms on average/);
  await page.keyboard.press('Escape');
  assert.equal(await byId(page, 'scaling').isVisible(), false);
  assert.equal(await byId(page, 'efficiencies').isVisible(), true);
});

test('what cannot be read, or tells of no run, leaves what is there', async (t) => {
  const { page, folder } = await openRuns(t, [4]);
  const state = byId(page, 'scaling-state');
  const input = page.locator('#scaling').getByTestId('add-runs-files');
  await input.setInputFiles({ name: 'notes.prv', mimeType: 'text/plain', buffer: Buffer.from('no trace\n') });
  await state.filter({ hasText: 'notes.prv' }).waitFor();
  assert.match(await state.textContent(), /The runs that are here are as they were\./);
  assert.deepEqual(await columnsOf(page), ['1 rank', '4 ranks']);
  const silent = await write(folder, 'silent', smallTrace());
  await input.setInputFiles(silent);
  await page.waitForFunction(() => document.querySelectorAll('#scaling-table thead .name').length === 3);
  assert.match(await page.locator('#scaling .remarks').textContent(), /silent\.prv: No efficiencies: nothing tells when threads compute\./);
  // Nobody knows of threads that compute: it stands last.
  assert.deepEqual((await rows(page)).load_balance, ['1', '1', '']);
  await byId(page, 'scaling-reference').selectOption('2');
  assert.match(await byId(page, 'scaling-sentence').textContent(), /Nobody can tell how silent\.prv uses its threads/);
  await byId(page, 'scaling-reference').selectOption('0');
  assert.match(await byId(page, 'scaling-sentence').textContent(), /of the ideal is reached on 4 ranks/);
});

test('several runs in one drop on the right half are added at once, and another trace ends it all', async (t) => {
  const { files } = await folderOf(t);
  const { page } = await open(t, await site(t));
  await drop(page, files[1]);
  await byId(page, 'tab-efficiency').click();
  await byId(page, 'efficiencies').waitFor();
  await page.locator('#efficiencies').getByTestId('add-runs-files').setInputFiles([...files[2], ...files[4]]);
  await page.waitForFunction(() => document.querySelectorAll('#scaling-table thead .name').length === 3);
  await byId(page, 'tab-run').click();
  assert.equal(await byId(page, 'scaling').isVisible(), false);
  await byId(page, 'tab-efficiency').click();
  assert.equal(await byId(page, 'scaling').isVisible(), true);
  await drop(page, files[2]);
  await page.locator('header', { hasText: 'solver-2' }).waitFor();
  await byId(page, 'tab-efficiency').click();
  await byId(page, 'efficiencies').waitFor();
  assert.equal(await byId(page, 'scaling').isVisible(), false);
});

test('nothing of it is out of reach', async (t) => {
  const { page } = await openRuns(t);
  for (const look of LOOKS) {
    await lookedAt(page, look);
    assert.deepEqual(await violations(page), [], `${look.colours}, ${look.width} px`);
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
  }
});

test('where a run that is added has no loop, whole runs are looked at again', async (t) => {
  const { files } = await folderOf(t);
  const mpi = ['prv.gz', 'pcf', 'row'].map((ending) => path.join(DIST, `example-mpi.${ending}`));
  const { page } = await open(t, await site(t));
  await drop(page, mpi);
  await byId(page, 'tab-efficiency').click();
  await byId(page, 'efficiencies').waitFor();
  await page.locator('#efficiencies').getByTestId('add-runs-files').setInputFiles(mpi);
  await byId(page, 'scaling-window').selectOption('loop');
  const ofLoop = (await rows(page)).runtime_ns[0];
  await page.locator('#scaling').getByTestId('add-runs-files').setInputFiles(files[4]);
  await page.waitForFunction(() => document.querySelectorAll('#scaling-table thead .name').length === 3);
  assert.equal(await byId(page, 'scaling-window').count(), 0);
  const { runtime_ns } = await rows(page);
  assert.ok(runtime_ns.every((value) => value !== '') && !runtime_ns.includes(ofLoop), String(runtime_ns));
});
