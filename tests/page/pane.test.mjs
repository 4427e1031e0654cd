// The pane of source code: which file, which line, with which numbers, and what it says of files
// that are not the right ones.

import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import test from 'node:test';
import {
  addressHas, byId, DIST, drop, exported, nextFrame, open, openExample, rests, ROOT, setFragment, shared, showPanel, site, temporaryFolder,
} from './browser.mjs';
import { sound } from './looks.mjs';
import { smallTrace, write } from './traces.mjs';

/** The program of `smallTrace`, which samples lines 12 and 17. */
const WORK = `#include "work.h"

/* Made up: the trace says that lines 12 and 17 were sampled. */
int before(int n)
{
    return n;
}

void work(double *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 2.0;
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            continue;
        while (a[i] > 1)
            a[i] /= 2;
    }
}
`;

async function traceIn(folder, options) {
  return write(folder, 'run', smallTrace({ samples: 40, ...options }));
}

async function fileIn(folder, name, text) {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

/** Clicks on the source lane at folded time `x`. */
async function clickLane(page, x) {
  const canvas = page.locator('#canvas-source');
  const { plot } = JSON.parse(await canvas.getAttribute('data-layout'));
  const y = (plot.top + plot.bottom) / 2;
  await canvas.click({ position: { x: plot.left + x * (plot.right - plot.left), y } });
}

/** The row of a line, as the texts of its cells. */
async function cells(page, line) {
  const row = byId(page, 'pane-lines').locator(`tr[data-number="${line}"]`);
  await row.waitFor();
  return row.locator('th, td').allTextContents();
}

const words = (page) => byId(page, 'pane-words').innerText();
/** Waits until the pane says so: a file that is looked for is said to be missing a moment later. */
const says = (page, text) => byId(page, 'pane-words').filter({ hasText: text }).waitFor();
const textThere = (page) => byId(page, 'pane-lines').locator('.tint-keyword').first().waitFor();

test('a trace and its source dropped together: a click on the lane shows the line, marked, with its numbers', async (t) => {
  const folder = await temporaryFolder(t);
  const { page } = await open(t, await site(t));
  await drop(page, [...(await traceIn(folder)), await fileIn(folder, 'work.c', WORK), await fileIn(folder, 'work.h', '')]);
  await rests(page, 'ready');
  await clickLane(page, 0.2);
  await textThere(page);
  const marked = byId(page, 'pane-lines').locator('tr[aria-current="true"]');
  assert.equal(await marked.getAttribute('data-number'), '12');
  assert.match(await marked.innerText(), /a\[i\] = a\[i\] \* 2\.0;/);
  assert.equal(await words(page), '');

  const csv = String(await exported(page, 'csv', 'code.csv')).trim().split(/\r?\n/).map((line) => line.split(','));
  const column = (name) => csv[0].indexOf(name);
  const lineOf = (number) => csv.find((row) => row[column('line')] === String(number) && row[column('file')] === 'work.c');
  for (const number of [12, 17]) {
    const row = lineOf(number);
    const [, , samples, ms, mips] = await cells(page, number);
    assert.equal(samples, row[column('samples')], `samples of ${number}`);
    const wanted = Number(row[column('exclusive_ms')]);
    assert.ok(Math.abs(Number(ms) - wanted) <= 0.0006, `${ms} ms, ${wanted} in the table`);
    assert.ok(Math.abs(Number(mips.replace('\u202f', '')) - Number(row[column('PAPI_TOT_INS')])) <= 0.51, `${mips} MIPS`);
  }
  assert.deepEqual((await cells(page, 4)).slice(2, 6), ['', '', '', '']);

  // Loops: in the list, in the gutter, and of the phases.
  await byId(page, 'pane-outline').locator('summary').click();
  const outline = await byId(page, 'pane-outline').locator('li button').allInnerTexts();
  assert.deepEqual(outline, ['work 9–19', 'loop 11–12', 'loop 13–18', 'loop 16–17']);
  await page.getByRole('button', { name: 'Fold loop 13–18' }).click();
  await byId(page, 'pane-lines').locator('tr[data-number="15"]').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'loop 16–17', exact: true }).click();
  await byId(page, 'pane-lines').locator('tr[data-number="16"][aria-current]').waitFor();

  // It is in the address, and Escape ends it.
  await addressHas(page, /pane=16:work\.c/);
  await page.keyboard.press('Escape');
  await byId(page, 'pane').waitFor({ state: 'hidden' });
});

test('without the source the pane lists the sampled lines, and source dropped later joins the open trace', async (t) => {
  const folder = await temporaryFolder(t);
  const { page } = await open(t, await site(t));
  await drop(page, await traceIn(folder));
  await rests(page, 'ready');
  await page.locator('#canvas-source').focus();
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await byId(page, 'pane-lines').locator('tr').first().waitFor();
  assert.deepEqual(await byId(page, 'pane-lines').locator('tr').evaluateAll((rows) => rows.map((row) => row.dataset.number)), ['12', '17']);
  await says(page, /Drop work\.c here/);
  const [, , samples] = await cells(page, 17);
  const facts = await page.locator('#facts').innerText();

  await drop(page, [await fileIn(folder, 'work.c', WORK)]);
  await textThere(page);
  assert.equal((await cells(page, 17))[2], samples);
  assert.equal(await page.locator('#facts').innerText(), facts, 'the trace stayed');
  assert.match(await page.locator('#remark').innerText(), /1 source file added/);
});

test('source dropped first is kept for the trace', async (t) => {
  const folder = await temporaryFolder(t);
  const { page } = await open(t, await site(t));
  await drop(page, [await fileIn(folder, 'work.c', WORK)]);
  await page.getByText('1 source file kept: open a trace now.').waitFor();
  await rests(page, 'empty');
  await drop(page, await traceIn(folder));
  await rests(page, 'ready');
  await clickLane(page, 0.8);
  await byId(page, 'pane-lines').locator('tr[data-number="17"][aria-current]').waitFor();
  await textThere(page);
});

test('a folder of source with a trace in it: the source is found by name, and notes beside it are no trace', async (t) => {
  const folder = await temporaryFolder(t);
  const project = path.join(folder, 'project');
  await mkdir(project);
  await traceIn(project);
  await fileIn(project, 'src/work.c', WORK);
  await fileIn(project, 'README.txt', 'perf 1 [000] 1.0: nothing\n');
  await fileIn(project, 'data/table.csv.gz', 'x');
  const { page } = await open(t, await site(t));
  await drop(page, [project]);
  await rests(page, 'ready');
  await clickLane(page, 0.2);
  await textThere(page);
  assert.equal(await page.locator('#pane .path').innerText(), 'project/src/work.c');
});

test('routines and loops of every language are those that the command line finds', async (t) => {
  const folder = path.join(ROOT, 'tests/outline');
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.outline'));
  assert.ok(names.length >= 10);
  const { page } = await open(t, await site(t));
  await drop(page, [...(await traceIn(await temporaryFolder(t))), ...names.map((name) => path.join(folder, name))]);
  await rests(page, 'ready');
  for (const name of names) {
    const text = await readFile(path.join(folder, `${name}.outline`), 'utf8');
    const expected = text.trimEnd().split('\n').map((line) => `${line.search(/\S/) / 2} ${line.trim().replace(/^(loop .*?) in .*/, '$1')}`);
    await setFragment(page, { pane: `1:${name}` });
    await page.waitForFunction((name) => document.getElementById('pane-title')?.textContent === name, name);
    const shown = () => byId(page, 'pane-outline').locator('li').evaluateAll((entries) => entries.map((entry) => `${entry.className.replace('depth-', '')} ${entry.textContent}`));
    for (let i = 0; i < 50 && String(await shown()) !== String(expected); i += 1) await page.waitForTimeout(100);
    assert.deepEqual(await shown(), expected, name);
  }
});

test('several files of one name are a choice', async (t) => {
  const folder = await temporaryFolder(t);
  const { page } = await open(t, await site(t));
  await fileIn(folder, 'all/new/work.c', WORK);
  await fileIn(folder, 'all/old/work.c', WORK.replace('* 2.0', '* 3.0'));
  await drop(page, [...(await traceIn(folder)), path.join(folder, 'all')]);
  await rests(page, 'ready');
  await clickLane(page, 0.2);
  const choice = byId(page, 'pane-choice');
  await choice.waitFor();
  await says(page, /2 files are named work\.c/);
  await choice.selectOption('all/old/work.c');
  await textThere(page);
  assert.match((await cells(page, 12)).at(-1), /\* 3\.0/);
  await choice.selectOption('all/new/work.c');
  await page.waitForFunction(() => document.querySelector('[data-testid="pane-lines"] tr[data-number="12"]').textContent.includes('* 2.0'));
});

test('source of another version is told', async (t) => {
  const folder = await temporaryFolder(t);
  const { page } = await open(t, await site(t));
  await drop(page, [...(await traceIn(folder)), await fileIn(folder, 'work.c', WORK.split('\n').slice(0, 14).join('\n'))]);
  await rests(page, 'ready');
  await clickLane(page, 0.8);
  await page.getByText('another version: line 17 was sampled, and the file ends at line 14').waitFor();
  assert.match((await cells(page, 17)).at(-1), /beyond the end/);

  await drop(page, [await fileIn(folder, 'work.c', WORK.replace(/^.*2\.0;$/m, '    // a remark'))]);
  await page.getByText(/may be of another version: \d+\u202f% of its time is on lines without code/).waitFor();
});

test('binary, empty and hostile files, and names of every kind', async (t) => {
  const folder = await temporaryFolder(t);
  const { page } = await open(t, await site(t));
  const file = '<img src=x onerror=alert`1`>&.c';
  await drop(page, await traceIn(folder, { file, routine: '<script>alert(1)</script>' }));
  await rests(page, 'ready');
  await clickLane(page, 0.2);
  await byId(page, 'pane-lines').locator('tr').first().waitFor();
  assert.equal(await page.locator('#pane-title').textContent(), file);
  assert.match((await cells(page, 12)).at(-1), /^<script>alert\(1\)<\/script>$/);

  const offer = (buffer) => byId(page, 'source-files').setInputFiles({ name: file, mimeType: 'text/plain', buffer });
  await offer(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]));
  await page.getByText('cannot be shown: It is not text').waitFor();
  await offer(Buffer.alloc(0));
  await page.getByText('cannot be shown: It is empty').waitFor();
  await offer(Buffer.from(`// </td><script>alert(2)</script>\n"<b>${'\n'.repeat(20)}<!-- ${'x'.repeat(3000)} \u0007`));
  await page.getByText('<script>alert(2)</script>').waitFor();
  assert.equal(await page.locator('#pane script, #pane img, #pane code b').count(), 0);
  await offer(Buffer.from(`int a;\n${'{'.repeat(5000)}\n${'('.repeat(20000)}\n${'for(;;)'.repeat(3000)}`));
  await byId(page, 'pane-lines').getByText('int', { exact: true }).waitFor();
});

test('sourceURL in the address: a file, a folder, and one that is not there', async (t) => {
  const folder = await temporaryFolder(t);
  await traceIn(folder);
  await fileIn(folder, 'src/work.c', WORK);
  // Page, trace and source are of one server.
  await cp(DIST, folder, { recursive: true });
  const address = await site(t, folder);
  const { page } = await open(t, address, { fragment: '#profileURL=run.prv&sourceURL=src/', expected: /404/ });
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await rests(page, 'ready');
  assert.ok(!asked.some((path) => path.startsWith('/src')), 'nothing is loaded before it is looked at');
  await clickLane(page, 0.2);
  await textThere(page);
  assert.match(await page.locator('#pane .path').innerText(), /src\/work\.c$/);
  await addressHas(page, /sourceURL=src\//);

  await setFragment(page, { sourceURL: 'nowhere/' });
  await page.getByText('nowhere/ has no work.c').waitFor();
  await setFragment(page, { sourceURL: 'src/work.c' });
  await textThere(page);
  const link = await shared(page);
  const { page: other } = await open(t, address, { fragment: new URL(link).hash });
  await rests(other, 'ready');
  await textThere(other);
});

test('source on another host is loaded only by the page for that, once a person agrees', async (t) => {
  const asked = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(200, { 'access-control-allow-origin': '*' });
    response.end(WORK);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => server.close(() => {}) && server.closeAllConnections());
  const other = `http://127.0.0.1:${server.address().port}`;
  const { page, allow } = await open(t, await site(t), { fragment: `#profileURL=example.prv.gz&sourceURL=${other}/src/&pane=2140:memcpy.S` });
  allow(other);
  await rests(page, 'ready');
  await byId(page, 'source-consent').waitFor();
  await says(page, /127\.0\.0\.1:\d+, which will see that you asked/);
  assert.deepEqual(asked, []);
  await byId(page, 'source-consent').click();
  await page.waitForURL(/remote\.html#/);
  await rests(page, 'ready');
  await byId(page, 'pane-lines').getByText('for (int i = 0; i < n; i++) {').waitFor();
  assert.deepEqual(asked, ['/src/memcpy.S']);
  await says(page, /another version/); // it has too few lines
});

test('the example has its text, and phases are its loops', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  await setFragment(page, { pane: '226:stream.c' });
  await textThere(page);
  await sound(page, 'pane', {
    shown: async () => {
      await byId(page, 'pane-phases').getByText('loop').first().waitFor();
      const places = await byId(page, 'pane-phases').locator('button').allInnerTexts();
      assert.deepEqual(places, ['__memcpy_ssse3_back [2140] in memcpy.S', 'loop 224–227 in Scale', 'loop 236–237 in Add', 'loop 247–248 in Triad']);
      // The pane tells the table, which shows it on the next frame.
      await nextFrame(page);
      const titles = await byId(page, 'phases-table').locator('.what [data-line]').evaluateAll((links) => links.map(({ title }) => title));
      assert.deepEqual(titles, places, 'the table of phases tells them, too');
    },
  });
});

test('rows of the tables and phases lead to their lines, and Back takes a click back as a whole', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  const at = (place) => page.waitForFunction((place) => new URLSearchParams(location.hash.slice(1)).get('pane') === place, place);
  await byId(page, 'phases-table').locator('.what [data-line]').nth(2).click();
  await at('237:stream.c');
  await page.getByRole('button', { name: '2', exact: true }).click();
  await byId(page, 'phase-source').click();
  await at('226:stream.c');
  await showPanel(page, 'code');
  await page.getByRole('button', { name: 'Triad', exact: true }).click();
  await at('248:stream.c');
  await page.goBack();
  await at('226:stream.c');
  assert.ok(!(await page.evaluate(() => location.hash)).includes('picked'));
  await byId(page, 'pane-file').selectOption({ label: 'memcpy.S 21.9\u202f%' });
  await at('2140:memcpy.S');
  await says(page, /Drop memcpy\.S here/);
  await byId(page, 'pane-close').click();
  await byId(page, 'pane').waitFor({ state: 'hidden' });
});

test('nothing of the pane is loaded before it is opened, and a parser only for its language', async (t) => {
  const { page } = await open(t, await site(t));
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await openExample(page);
  const ofPane = () => asked.filter((path) => /pane-|colours-|parser-|source\//.test(path)).map((path) => path.replace(/-[A-Z0-9]+\.js$/, ''));
  assert.deepEqual(ofPane(), []);
  await setFragment(page, { pane: '226:stream.c' });
  await textThere(page);
  assert.deepEqual(ofPane().sort(), ['/colours', '/pane', '/parser', '/source/tree-sitter-c.wasm', '/source/web-tree-sitter.wasm']);
});

test('of a folder with more files than a trace may have, only the source that is asked for is read', async (t) => {
  const folder = await temporaryFolder(t);
  const { page } = await open(t, await site(t));
  for (let i = 0; i < 24; i += 1) {
    const part = path.join(folder, 'tree', `part${i}`);
    await mkdir(part, { recursive: true });
    await Promise.all(Array.from({ length: 500 }, (_, j) => writeFile(path.join(part, `f${j}.${j % 2 ? 'c' : 'o'}`), 'int x;\n')));
  }
  await fileIn(folder, 'tree/part7/work.c', WORK);
  await drop(page, await traceIn(folder));
  await rests(page, 'ready');
  await drop(page, [path.join(folder, 'tree')]);
  await page.getByText('6\u202f001 source files added.').waitFor();
  await clickLane(page, 0.2);
  await textThere(page);
  assert.equal(await page.locator('#pane .path').innerText(), 'tree/part7/work.c');
});

test('a file of 50 000 lines shows only what is in view, and any line of it', async (t) => {
  const folder = await temporaryFolder(t);
  const { page } = await open(t, await site(t));
  const body = Array.from({ length: 5600 }, (_, i) => `\nstatic double f${i}(double *a, int n)\n{\n    double sum = 0;\n    for (int j = 0; j < n; j++) {\n        sum += a[j];\n    }\n    return sum; /* ${i} */\n}\n`).join('');
  const last = (WORK + body).split('\n').length - 1;
  assert.ok(last > 50_000);
  await drop(page, [...(await traceIn(folder)), await fileIn(folder, 'work.c', WORK + body)]);
  await rests(page, 'ready');
  await clickLane(page, 0.2);
  await textThere(page);
  await page.getByText('11\u202f205').waitFor();
  assert.ok((await byId(page, 'pane-lines').locator('tr').count()) < 150);
  await page.locator('.listing').evaluate((element) => (element.scrollTop = element.scrollHeight));
  await byId(page, 'pane-lines').locator(`tr[data-number="${last}"]`).waitFor();
});
