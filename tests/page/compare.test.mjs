// Another run beside what is open: told as the command line tells it, by keyboard, in links, and gone again.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { addressHas, addressWritten, byId, drop, each, open, openExample, rests, ROOT, setFragment, shared, site, table, temporaryFolder } from './browser.mjs';
import { cutOff, shot, sound, violations } from './looks.mjs';
import { loop, slower } from './loops.mjs';
import { smallTrace, write } from './traces.mjs';

const run = promisify(execFile);
const TRACEFOLD = path.join(ROOT, 'target/debug/tracefold');

/** Drops files on the right half, beside what is open; what was told of others is no answer. */
async function beside(page, files) {
  await page.evaluate(() => document.querySelectorAll('[data-testid="compare-state"], [data-testid="series-state"]').forEach((words) => words.removeAttribute('data-state')));
  await drop(page, files, 0.8);
}

/** Waits until the comparison is told, or cannot be; gives its sentences, or why. */
async function compared(page, wanted = 'ready') {
  const words = byId(page, 'compare-state');
  await page.waitForFunction(() => ['ready', 'failed'].includes(document.querySelector('[data-testid="compare-state"]')?.getAttribute('data-state') ?? ''), null, { timeout: 60_000 });
  const why = await words.innerText();
  assert.equal(await words.getAttribute('data-state'), wanted, why);
  return wanted === 'ready' ? byId(page, 'compare-sentences').innerText() : why;
}

/** Cells of the table of phases, a row each. */
const rows = (page) => each(page, '[data-testid="compare-rows"] tbody tr', (row) => [...row.children].map(({ textContent }) => textContent.trim()));

async function twoRuns(t, made = { seed: 2, phases: slower(1, 1.15) }) {
  const folder = await temporaryFolder(t);
  const a = await write(folder, 'a', loop({ seed: 1 }));
  return { folder, a, b: await write(folder, 'b', loop(made)) };
}

test('the phase that became slower is told, by keyboard too, as the command line tells it; then A is as it was', async (t) => {
  const { folder, a, b } = await twoRuns(t);
  const { page } = await open(t, await site(t));
  await drop(page, a);
  await rests(page, 'ready');
  await addressWritten(page);
  const before = { address: await page.evaluate(() => location.href), table: await table(page) };
  await beside(page, b);
  assert.match(await compared(page), /^Phase 2 \(scale\) takes 13\.0 → 14\.9 ms, \+15 %/);
  assert.equal((await rows(page)).length, 5);
  const [{ painted }] = await each(page, '[data-testid="compare-difference"]', (canvas) => ({ painted: canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0) }));
  assert.ok(painted);

  // A line for each routine, the largest change first; a thousand samples cannot make two milliseconds sure.
  const lines = () => each(page, '[data-testid="compare-lines"] tbody tr', (row) => [row.className, ...[...row.children].map(({ textContent }) => textContent.trim())]);
  const ofWhole = await lines();
  assert.deepEqual([ofWhole.length, ofWhole[0][1]], [4, 'scale loop.c:20']);
  assert.match(ofWhole[0].slice(2).join(' '), /^1\d\.\d 1\d\.\d \+\d\.\d ± \d\.\d$/);
  for (const key of [']', ']']) await page.keyboard.press(key);
  await page.waitForFunction(() => document.getElementById('announce')?.textContent?.startsWith('Phase 2 scale: 13.0 and 14.9, +15 %, slower'));
  assert.deepEqual((await lines()).map(([, name]) => name), ['scale loop.c:20'], 'those of the phase');
  await page.locator('[data-row][aria-pressed="true"]', { hasText: '2 scale' }).waitFor();
  await page.keyboard.press('x');
  await page.waitForFunction(() => /^Phase 2 \(scale\) takes 14\.9 → 13\.0 ms, −13 %/.test(document.querySelector('[data-testid="compare-sentences"]')?.textContent ?? ''));
  await page.keyboard.press('x');
  await page.waitForFunction(() => /^Phase 2 \(scale\) takes 13\.0 →/.test(document.querySelector('[data-testid="compare-sentences"]')?.textContent ?? ''));

  const arrives = page.waitForEvent('download');
  await byId(page, 'compare-json').click();
  const saved = JSON.parse(await readFile(await (await arrives).path(), 'utf8'));
  const { stdout } = await run(TRACEFOLD, ['compare', 'a.prv', 'b.prv', '--json'], { cwd: folder });
  const told = JSON.parse(stdout);
  for (const part of ['total', 'phases', 'structure', 'lines', 'ratios', 'assumed']) assert.deepEqual(saved[part], told[part], part);

  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await byId(page, 'compare').waitFor({ state: 'hidden' });
  await addressWritten(page);
  assert.deepEqual({ address: await page.evaluate(() => location.href), table: await table(page) }, before);
});

test('a link to both tells the same where neither trace is', async (t) => {
  const { a, b } = await twoRuns(t);
  const address = await site(t);
  const { page } = await open(t, address);
  await drop(page, a);
  await rests(page, 'ready');
  await beside(page, b);
  const sentences = await compared(page);
  const link = await shared(page);
  assert.ok(link.length < 30_000, `${link.length}`);
  const { page: other } = await open(t, address, { fragment: `#${link.split('#')[1]}` });
  assert.equal(await compared(other), sentences);
  // Times are exact in links; bars of a pixel are not compared.
  assert.deepEqual(await rows(other), await rows(page));
});

test('a link that was folded with other settings is compared, and these are told', async (t) => {
  const { a, b } = await twoRuns(t);
  const address = await site(t);
  const { page: before } = await open(t, address, { fragment: '#fit=segments' });
  await drop(before, b);
  await rests(before, 'ready');
  const link = new URL(await shared(before)).hash.match(/[#&]s=([\w-]+)/)?.[1];
  const { page } = await open(t, address);
  await drop(page, a);
  await rests(page, 'ready');
  await setFragment(page, { with: link });
  assert.match(await compared(page), /^Phase 2 \(scale\) takes .*Folded with unlike settings: fit by default and segments\.$/);
});

test('a trace beside itself is the same result, and a trace by address is beside another', async (t) => {
  const { page } = await open(t, await site(t), { fragment: '#profileURL=example.prv.gz&compareURL=example.prv.gz' });
  assert.match(await compared(page), /^The same result\./);
});

test('what cannot be compared is told with what to do, and A stays', async (t) => {
  const { folder, a, b } = await twoRuns(t, { seed: 4, region: 'play' });
  const { page } = await open(t, await site(t));
  await drop(page, a);
  await rests(page, 'ready');
  await beside(page, [b[1]]);
  assert.match(await compared(page, 'failed'), /^b\.pcf: found only the labels of a trace, expected a trace.*What is open is as it was\.$/s);
  assert.ok(await byId(page, 'lane-performance').isVisible());

  await beside(page, b);
  await byId(page, 'compare-state').filter({ hasText: /^B has no region User function:work; it has User function:play, .*What is open is as it was\.$/ }).waitFor();
  await byId(page, 'compare-close').click();
  await byId(page, 'compare').waitFor({ state: 'hidden' });

  const c = await write(folder, 'c', loop({ seed: 5 }));
  await beside(page, c);
  assert.match(await compared(page), /^No change of time seen; changes of all of it beyond/);
});

test('what an address asks for is refused by its own words where it is broken', async (t) => {
  const { a } = await twoRuns(t);
  const { page } = await open(t, await site(t));
  await drop(page, a);
  await rests(page, 'ready');
  await byId(page, 'compare-button').click();
  await byId(page, 'compare-link').fill('https://example.org/#range=0_1');
  await byId(page, 'compare-link-go').click();
  await page.getByText('That is no link with a picture inside').waitFor();
  await byId(page, 'compare-link').fill('https://example.org/#s=AnAyMxcBAAAAAAAAAAAAAA');
  await byId(page, 'compare-link-go').click();
  assert.match(await compared(page, 'failed'), /^This link is (damaged|incomplete)\..*What is open is as it was\.$/s);
  await page.keyboard.press('Escape');
  assert.ok(await byId(page, 'lane-performance').isVisible());
});

test('a comparison can be read by everyone, in any theme and at any width', async (t) => {
  const { a, b } = await twoRuns(t);
  const { page } = await open(t, await site(t));
  await drop(page, a);
  await rests(page, 'ready');
  await beside(page, b);
  await compared(page);
  await page.keyboard.press(']');
  await page.locator('[data-row][aria-pressed="true"]').waitFor();
  const looks = /** @type {const} */ (['light', 'dark']).flatMap((colours) => [400, 900, 1280, 2560].map((width) => ({ colours, width })));
  await sound(page, 'compare', { looks });
});

test('further runs of a side measure what one each assumes, and are there again when A is folded otherwise', async (t) => {
  const { folder, a, b } = await twoRuns(t);
  const address = await site(t);
  const { page } = await open(t, address);
  await drop(page, a);
  await rests(page, 'ready');
  await beside(page, b);
  await compared(page);
  assert.match(await byId(page, 'compare-assumed').innerText(), /^One run each\./);
  for (const [side, name, made] of /** @type {const} */ ([['a', 'c', { seed: 3 }], ['b', 'd', { seed: 4, phases: slower(1, 1.15) }]])) {
    const files = await write(folder, name, loop(made));
    const chooses = page.waitForEvent('filechooser');
    await byId(page, `compare-more-${side}`).click();
    await (await chooses).setFiles(files);
    await byId(page, 'compare-sides').filter({ hasText: `${name}.prv` }).waitFor();
  }
  await page.getByText('2 and 2 runs').waitFor();
  assert.equal(await byId(page, 'compare-assumed').innerText(), '');
  // As the command line tells the same four runs.
  const arrives = page.waitForEvent('download');
  await byId(page, 'compare-json').click();
  const saved = JSON.parse(await readFile(await (await arrives).path(), 'utf8'));
  const { stdout } = await run(TRACEFOLD, ['compare', 'a.prv', 'c.prv', '--with', 'b.prv', 'd.prv', '--json'], { cwd: folder });
  assert.deepEqual(saved.phases, JSON.parse(stdout).phases);
  // A link has all four, and tells the same of them.
  const link = await shared(page);
  assert.ok(link.length <= 30_000, `${link.length} characters`);
  const { page: elsewhere } = await open(t, address, { fragment: new URL(link).hash });
  await compared(elsewhere);
  await elsewhere.getByText('2 and 2 runs').waitFor();
  assert.match(await byId(elsewhere, 'compare-sides').innerText(), /a\.prv, c\.prv.*b\.prv, d\.prv/s);
  assert.deepEqual(await rows(elsewhere), await rows(page));
  await elsewhere.keyboard.press('x');
  await byId(elsewhere, 'compare-sides').filter({ hasText: /b\.prv, d\.prv.*a\.prv, c\.prv/s }).waitFor();
  // What was cut of them is told, and the first of each side are compared.
  await setFragment(elsewhere, { withRuns: 'aAnAyMxcBAAAAAAAAAAAAAA' });
  await byId(elsewhere, 'compare-added').filter({ hasText: /^Further runs of the link were left out\. This link is (damaged|incomplete)/ }).waitFor();
  await elsewhere.getByText('One run each.').first().waitFor();
  // So is one that is of another region.
  const { page: strange } = await open(t, address, { fragment: '#profileURL=example.prv.gz' });
  await rests(strange, 'ready');
  const ofAnother = new URL(await shared(strange)).hash.match(/[#&]s=([\w-]+)/)?.[1];
  await setFragment(elsewhere, { withRuns: `b${ofAnother}` });
  await byId(elsewhere, 'compare-added').filter({ hasText: /^Further runs of the link were left out\. example\.prv\.gz is folded over User function:main loop, A over User function:work\.$/ }).waitFor();

  const other = await write(folder, 'other', loop({ seed: 5, region: 'play' }));
  const chooses = page.waitForEvent('filechooser');
  await byId(page, 'compare-more-b').click();
  await (await chooses).setFiles(other);
  await byId(page, 'compare-added').filter({ hasText: /^other\.prv was not added\. B has no region/ }).waitFor();
  assert.match(await byId(page, 'compare-sentences').innerText(), /^Phase 2 \(scale\)/);

  // Folded otherwise, A is another picture: B and all further runs are folded again as it is.
  await page.evaluate(() => document.querySelector('[data-testid="compare-sides"]')?.replaceChildren());
  await setFragment(page, { fit: 'segments' });
  await byId(page, 'compare-sides').filter({ hasText: /a\.prv, c\.prv.*b\.prv, d\.prv/ }).waitFor();
  await page.getByText('2 and 2 runs').waitFor();
});

test('two ranks of one run are parts of it: nothing is assumed of other runs, in a link neither', async (t) => {
  const address = await site(t);
  const { page } = await open(t, address);
  await openExample(page);
  await byId(page, 'compare-button').click();
  await byId(page, 'compare-objects').fill('rank 2');
  await byId(page, 'compare-objects-go').click();
  await page.getByText('Write application, task and thread').waitFor();
  await byId(page, 'compare-objects').fill('1.2.*');
  await byId(page, 'compare-objects-go').click();
  const sentences = await compared(page);
  assert.match(await byId(page, 'compare-assumed').innerText(), /^Parts of one run\./);
  await addressWritten(page);
  assert.match(page.url(), /withObjects=1\.2\.\*/);
  const link = await shared(page);
  const { page: other } = await open(t, address, { fragment: `#${link.split('#')[1]}` });
  assert.equal(await compared(other), sentences);

  await page.keyboard.press('Escape');
  await byId(page, 'compare').waitFor({ state: 'hidden' });
  await page.goBack();
  await compared(page);
});

test('two parts of one run are compared, A being what lies outside of B, and a link has both', async (t) => {
  const address = await site(t);
  const { page } = await open(t, address);
  await openExample(page);
  await byId(page, 'compare-button').click();
  await byId(page, 'compare-window').fill('800-500');
  await byId(page, 'compare-window-go').click();
  await page.getByText('Write where the part begins and ends, in ms').waitFor();
  await byId(page, 'compare-window').fill('500.5-');
  await byId(page, 'compare-window-go').click();
  const sentences = await compared(page);
  assert.match(await byId(page, 'compare-sides').innerText(), /A\s+up to 500\.499999\sms[^]*B\s+from 500\.5\sms/);
  assert.match(await byId(page, 'compare-assumed').innerText(), /^Parts of one run\./);
  await addressWritten(page);
  assert.match(page.url(), /withWindow=500500000-/);
  const link = await shared(page);
  const { page: other } = await open(t, address, { fragment: `#${link.split('#')[1]}` });
  assert.equal(await compared(other), sentences);

  // It says why the runs are not compared as a whole, and what is wrong with a part that begins behind the end.
  assert.equal(await byId(page, 'compare-whole-words').innerText(), 'Not compared as a whole: B is of the same run as A.');
  assert.match(await byId(other, 'compare-whole-words').innerText(), /B is a link, which holds one region of its run\.$/);
  await setFragment(page, { withWindow: '90000000000000-' });
  await byId(page, 'compare-state').filter({ hasText: /What is open is as it was/ }).waitFor();
  await page.keyboard.press('Escape');
  await byId(page, 'compare').waitFor({ state: 'hidden' });
  assert.match(await page.locator('#facts').innerText(), /instances/);
});

test('where rates bend and do not jump all of it is one phase: of two runs, of parts of one, in links of them', async (t) => {
  const folder = await temporaryFolder(t);
  const address = await site(t);
  // So many steps, each so low, that no break is one of the program.
  const wave = Array.from({ length: 64 }, (_, i) => ({ routine: 'wave', ms: 1, mips: 3000 + 2000 * Math.sin((2 * Math.PI * (i + 0.5)) / 32), misses: 20 + 10 * Math.cos((2 * Math.PI * (i + 0.5)) / 32) }));
  const made = (name, seed, phases = wave) => write(folder, name, loop({ seed, phases, samples: 20 }));
  const { page } = await open(t, address);
  await drop(page, await made('a', 3));
  await rests(page, 'ready');
  const facts = await page.locator('#facts').innerText();
  const bend = /No change of time seen[^]*Rates bend and do not jump, so all of it is one phase/;
  await beside(page, await made('b', 4));
  assert.match(await compared(page), bend);
  assert.equal((await rows(page)).length, 2, 'all of it, and the one phase that it is');
  const link = await shared(page);
  const { page: other } = await open(t, address, { fragment: `#${link.split('#')[1]}` });
  assert.match(await compared(other), bend);
  // Pairs by hand bring no borders, and are not passed over.
  await byId(other, 'compare-pairs').fill('1-1');
  await byId(other, 'compare-pairs').press('Enter');
  await other.getByText('The pairs that you named are left out.').waitFor();
  // What is on screen stays as it was folded.
  await page.keyboard.press('Escape');
  await byId(page, 'compare').waitFor({ state: 'hidden' });
  assert.equal(await page.locator('#facts').innerText(), facts);

  await byId(page, 'compare-button').click();
  await byId(page, 'compare-window').fill('4800-');
  await byId(page, 'compare-window-go').click();
  assert.match(await compared(page), bend);

  // Longer by a fifth in one half of it: that is told of all of it.
  await page.keyboard.press('Escape');
  await beside(page, await made('c', 5, wave.map((phase, i) => (i < 32 ? { ...phase, ms: 1.2 } : phase))));
  assert.match(await compared(page), /All of it takes 6\d\.\d → 7\d\.\d ms, \+1\d\D[^]*Rates bend/);
});

test('runs of which nobody knows when threads compute say so where they are compared as a whole', async (t) => {
  const folder = await temporaryFolder(t);
  const { page } = await open(t, await site(t));
  await drop(page, await write(folder, 'a', smallTrace()));
  await rests(page, 'ready');
  await beside(page, await write(folder, 'b', smallTrace({ duration: 1_100_000 })));
  await compared(page);
  await byId(page, 'compare-whole-ask').click();
  await page.getByText('A: No efficiencies: nothing tells when threads compute. B: No efficiencies: nothing tells when threads compute.').waitFor();
});

/** The series once it is told, or why it is not. */
async function series(page, wanted = 'ready') {
  await page.waitForFunction(() => ['ready', 'failed'].includes(document.querySelector('[data-testid="series-state"]')?.getAttribute('data-state') ?? ''), null, { timeout: 60_000 });
  const words = byId(page, 'series-state');
  const why = await words.innerText();
  assert.equal(await words.getAttribute('data-state'), wanted, why);
  return wanted === 'ready' ? byId(page, 'series-sentences').innerText() : why;
}

test('several runs beside what is open are a series, whose values stand in their names, as the command line tells it', async (t) => {
  const folder = await temporaryFolder(t);
  // The second phase takes as long as the number of threads in the name says, the others do not.
  const made = [1, 2, 4, 8].map((value, at) => write(folder, `run-${value}t`, loop({ seed: 11 + at, phases: slower(1, value ** 0.5) })));
  const [a, ...others] = await Promise.all(made);
  const { page } = await open(t, await site(t));
  await drop(page, a);
  await rests(page, 'ready');
  await beside(page, others.flat());
  const sentences = await series(page);
  assert.match(sentences, /Phase 2 \(scale\): time ∝ run\^0\.\d+ \[0\.\d+, 0\.\d+\]\./);
  assert.equal(await byId(page, 'series-values').inputValue(), '1, 2, 4, 8');
  assert.equal(await byId(page, 'series-row').count(), 4);
  const drawn = await each(page, '[data-testid="series-row"], [data-testid="series-plot"], [data-testid="series-axis"]', (canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0));
  assert.ok(drawn.length === 7 && drawn.every(Boolean), `${drawn}`);

  const files = [a, ...others].map(([prv]) => path.basename(prv));
  const told = JSON.parse((await run(TRACEFOLD, ['compare', ...files, '--series', 'run', '--json'], { cwd: folder })).stdout);
  assert.deepEqual(told.sentences.join(' '), sentences);
  const cells = await each(page, '[data-testid="series-runs"] tbody tr', (row) => [...row.children].map(({ dataset, textContent }) => dataset.value ?? textContent));
  const { time, instructions } = told.total.measures;
  assert.deepEqual(cells, told.values.map((value, at) => [String(value), ...[time, instructions].map(({ runs }) => String(runs[at].value))]));

  // Phase by phase with the keyboard; the tables follow.
  for (const key of [']', ']']) await page.keyboard.press(key);
  const picked = await each(page, '[data-testid="series-runs"] tbody tr', (row) => row.children[1].dataset.value);
  assert.deepEqual(picked, told.phases[1].measures.time.runs.map(({ value }) => String(value)));

  // Other values are typed; what is no series leaves what there is.
  await byId(page, 'series-values').fill('1, 2, 4');
  await byId(page, 'series-values').press('Enter');
  await page.getByText('found 3 values for 4 runs, expected one for each').waitFor();
  await byId(page, 'series-values').fill('a, b, c, d');
  await byId(page, 'series-values').press('Enter');
  await page.waitForFunction(() => /Phase 2 \(scale\), run d beside a: /.test(document.querySelector('[data-testid="series-sentences"]')?.textContent ?? ''));
  assert.deepEqual(await violations(page), []);
  for (const width of [400, 900, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.waitForFunction(() => [...document.querySelectorAll('#series canvas')].every(({ clientWidth }) => clientWidth <= innerWidth));
    assert.deepEqual(await cutOff(page), [], `${width} px`);
    await shot(page, `series-${width}`);
  }

  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  await page.keyboard.press('Escape');
  await byId(page, 'series').waitFor({ state: 'hidden' });
  assert.ok(await byId(page, 'lane-performance').isVisible());
});

test('two runs are no series, and a run without the region ends it with A as it was', async (t) => {
  const folder = await temporaryFolder(t);
  const [a, b, c, other] = await Promise.all([['a', {}], ['b', {}], ['c', {}], ['other', { region: 'play' }]].map(([name, made], at) => write(folder, name, loop({ seed: 21 + at, ...made }))));
  const { page } = await open(t, await site(t));
  await drop(page, a);
  await rests(page, 'ready');
  await beside(page, [...b, ...other]);
  assert.match(await series(page, 'failed'), /^B has no region User function:work.*What is open is as it was\.$/s);
  await byId(page, 'series-close').click();
  await byId(page, 'series').waitFor({ state: 'hidden' });
  await beside(page, [...b, ...c]);
  assert.match(await series(page), /No time follows run beyond doubt\.|No run differs from the first beyond doubt\./);
});

test('the runs as a whole are compared when it is asked, as the command line does, with further runs and swapped', async (t) => {
  const { folder, a, b } = await twoRuns(t);
  const c = await write(folder, 'c', loop({ seed: 3, phases: slower(1, 1.15) }));
  const { page } = await open(t, await site(t));
  await drop(page, a);
  await rests(page, 'ready');
  await beside(page, b);
  await compared(page);
  await byId(page, 'compare-whole-ask').click();
  const tables = byId(page, 'compare-whole');
  const ofRegions = tables.getByRole('table', { name: 'Regions' });
  await ofRegions.waitFor();
  const said = async () => {
    const arrives = page.waitForEvent('download');
    await byId(page, 'compare-json').click();
    return JSON.parse(await readFile(await (await arrives).path(), 'utf8'));
  };
  const told = async (...more) => JSON.parse((await run(TRACEFOLD, ['compare', ...more, '--json', '--regions'], { cwd: folder })).stdout);
  assert.deepEqual((await said()).regions, (await told('a.prv', 'b.prv')).regions);
  const sums = await ofRegions.locator('.sum td').allInnerTexts();
  assert.equal(sums.length, 4);
  // A further run is read once more for what it is as a whole; what is asked stays asked.
  await byId(page, 'compare-further').setInputFiles([]);
  const choosing = page.waitForEvent('filechooser');
  await byId(page, 'compare-more-b').click();
  await (await choosing).setFiles(c);
  await page.getByText('1 and 2').first().waitFor();
  const both = (await told('a.prv', '--with', 'b.prv', 'c.prv')).regions;
  await page.waitForFunction(async () => !document.querySelector('[data-testid="compare-whole-words"]')?.textContent.includes('…'));
  assert.deepEqual((await said()).regions, both);
  await page.keyboard.press('x');
  await page.waitForFunction((sums) => document.querySelector('[data-testid="compare-whole"] [aria-label="Regions"] .sum td:last-child')?.textContent !== sums.at(-1), sums);
  assert.deepEqual((await said()).regions, (await told('b.prv', 'c.prv', '--with', 'a.prv')).regions);
  assert.deepEqual(await violations(page), []);
  await byId(page, 'compare-close').click();
  await byId(page, 'compare').waitFor({ state: 'hidden' });
});

test('the source of both stands line beside line, with its time, as the command line tells it', async (t) => {
  const { folder, a, b } = await twoRuns(t);
  // Six lines were put over all others, and the line that became slower says something else.
  const lines = (side) => Array.from({ length: 40 }, (_, n) => (n === 19 ? `  scaled(${side});` : `  line ${n + 1};`));
  const sources = { a: path.join(folder, 'before', 'loop.c'), b: path.join(folder, 'after', 'loop.c') };
  for (const file of Object.values(sources)) await mkdir(path.dirname(file));
  await writeFile(sources.a, `${lines('a').join('\n')}\n`);
  await writeFile(sources.b, `${[...lines('b'), '  // six', '  // lines', '  // more', '  // are', '  // here', '  // now'].join('\n')}\n`);
  const { page } = await open(t, await site(t));
  await drop(page, a);
  await rests(page, 'ready');
  await beside(page, b);
  await compared(page);

  // By keyboard: the line of the phase, then its text, whose title has the keys.
  for (const key of [']', ']']) await page.keyboard.press(key);
  const line = page.locator('[data-testid="compare-lines"] button', { hasText: 'loop.c:20' });
  await line.focus();
  await page.keyboard.press('Enter');
  await byId(page, 'both-words').filter({ hasText: 'Add loop.c' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'loop.c');
  const give = async (side) => {
    const chooses = page.waitForEvent('filechooser');
    await page.locator(`[data-testid="compare-sources"] button[title="Files of ${side.toUpperCase()}"]`).click();
    await (await chooses).setFiles(sources[side]);
  };
  await give('a');
  await byId(page, 'both-words').filter({ hasText: 'B is taken to have run the same text' }).waitFor();
  await beside(page, [sources.b]);
  const changed = page.locator('[data-testid="both-lines"] tr.changed', { hasText: 'scaled(b);' });
  await changed.waitFor();
  assert.equal(await byId(page, 'both-words').innerText(), '');
  assert.match(await changed.innerText(), /^20\s+13\.\d\s.*scaled\(a\);\s+20\s+14\.\d.*scaled\(b\);\s+\+\d\.\d\s+± \d\.\d$/s);
  assert.equal(await changed.getAttribute('aria-current'), 'true', 'the line that was asked for');
  assert.match(await page.locator('[data-testid="both-lines"] tr.hunk').innerText(), /^\s*13\.\d.*changed 20 → 20.*14\.\d/s);
  const folded = page.locator('[data-testid="both-lines"] .folded');
  assert.ok((await folded.allInnerTexts()).some((words) => /⋯ changed none → 41–46, not sampled/.test(words)), String(await folded.allInnerTexts()));
  const before = await page.locator('[data-testid="both-lines"] tr').count();
  await page.getByRole('button', { name: 'Show changed none → 41–46, not sampled' }).click();
  assert.equal(await page.locator('[data-testid="both-lines"] tr').count(), before + 5);

  const arrives = page.waitForEvent('download');
  await byId(page, 'compare-json').click();
  const saved = JSON.parse(await readFile(await (await arrives).path(), 'utf8'));
  const { stdout } = await run(TRACEFOLD, ['compare', 'a.prv', 'b.prv', '--json', '--source', 'before', '--source-with', 'after'], { cwd: folder });
  assert.ok(saved.sources.length === 1 && saved.sources[0].hunks.length === 2);
  assert.deepEqual(saved.sources, JSON.parse(stdout).sources);

  // Swapped, each side keeps its own text.
  await page.keyboard.press('x');
  await page.locator('[data-testid="both-lines"] tr.changed', { hasText: /scaled\(b\);.*scaled\(a\);/s }).waitFor();
  assert.deepEqual(await violations(page), []);
  // Escape closes the text, then what was picked, then B.
  await page.keyboard.press('Escape');
  await byId(page, 'compare-sources').waitFor({ state: 'hidden' });
  assert.ok(await byId(page, 'compare').isVisible());
});

test('phases are the same where a person says so: by dragging one onto another, in words, and in a link', async (t) => {
  const { folder, a, b } = await twoRuns(t);
  const { page } = await open(t, await site(t));
  await drop(page, a);
  await rests(page, 'ready');
  await beside(page, b);
  await compared(page);
  // From the middle of phase 2 of A to that of phase 3 of B.
  const rail = async (side) => await byId(page, `compare-phases${side}`).boundingBox();
  const [of, onto] = [await rail('A'), await rail('B')];
  const spans = await each(page, '[data-testid="compare-rows"] tbody tr:not(:last-child) td:nth-child(2)', (cell) => Number(cell.textContent));
  const all = spans.reduce((sum, ms) => sum + ms, 0);
  // Beside a lane, as `sizes.ts` has them.
  const [left, right] = [112, 68];
  const at = (phase) => left + (of.width - left - right) * ((spans.slice(0, phase).reduce((sum, ms) => sum + ms, 0) + spans[phase] / 2) / all);
  await page.mouse.move(of.x + at(1), of.y + of.height / 2);
  await page.mouse.down();
  await page.mouse.move(onto.x + at(2), onto.y + onto.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelector('[data-testid="compare-pairs"]')?.value === '2-3');
  const told = async (pairs) => JSON.parse((await run(TRACEFOLD, ['compare', 'a.prv', 'b.prv', '--json', '--pairs', pairs], { cwd: folder })).stdout);
  const names = ({ phases }) => phases.map(({ routine, routine_b: ofB }) => (routine === ofB ? routine : `${routine} → ${ofB}`));
  const wanted = names(await told('2-3'));
  assert.ok(wanted.some((name) => name.includes('→')), String(wanted));
  await page.waitForFunction((count) => document.querySelectorAll('[data-testid="compare-rows"] [data-row]').length === count, wanted.length);
  const saved = async () => {
    const arrives = page.waitForEvent('download');
    await byId(page, 'compare-json').click();
    return JSON.parse(await readFile(await (await arrives).path(), 'utf8'));
  };
  assert.deepEqual(names(await saved()), wanted);
  await addressHas(page, 'pairs=2-3');
  // Swapped, the pair is, too.
  await page.keyboard.press('x');
  await page.waitForFunction(() => document.querySelector('[data-testid="compare-pairs"]')?.value === '3-2');
  await page.keyboard.press('x');

  // What is no phase is said, and the comparison stays as it was found.
  const field = byId(page, 'compare-pairs');
  await field.fill('2-9');
  await field.press('Enter');
  await byId(page, 'compare-pairs-wrong').filter({ hasText: 'found phase 9 of B, expected one of its 4 phases' }).waitFor();
  await field.fill('two');
  await field.press('Enter');
  await byId(page, 'compare-pairs-wrong').filter({ hasText: 'expected phases of A and of B such as 2-2.3' }).waitFor();
  await field.fill('');
  await field.press('Enter');
  await page.waitForFunction(() => document.querySelector('[data-testid="compare-sentences"]')?.textContent?.startsWith('Phase 2 (scale) takes 13.0 →'));
  assert.equal(await byId(page, 'compare-pairs-wrong').innerText(), '');
});

test('data objects of both sides stand beside one another, as the command line tells it', async (t) => {
  const folder = await temporaryFolder(t);
  const ofBoth = ['a', 'b'].map((name) => ['prv.gz', 'pcf', 'row'].map((kind) => path.join(folder, `${name}.${kind}`)));
  for (const files of ofBoth) for (const file of files) await copyFile(path.join(ROOT, 'static', `example${path.basename(file).slice(1)}`), file);
  // In B an object has another name.
  const [, pcf] = ofBoth[1];
  const labels = await readFile(pcf, 'utf8');
  const renamed = labels.replace(' a [0x', ' other [0x');
  assert.notEqual(labels, renamed);
  await writeFile(pcf, renamed);
  const { page } = await open(t, await site(t));
  await drop(page, ofBoth[0]);
  await rests(page, 'ready');
  await beside(page, ofBoth[1]);
  await compared(page);
  const row = (name) => page.locator('[data-testid="compare-references"] tr.sure').filter({ has: page.locator('th', { hasText: new RegExp(`^${name}$`) }) });
  await row('other').waitFor();
  // What only one side has is a dash on the other.
  assert.match(await row('other').innerText(), /^other\s+–\s+\d+\.\d\s+\+\d/s);
  assert.match(await row('a').innerText(), /^a\s+\d+\.\d\s+–\s+−\d/s);

  const arrives = page.waitForEvent('download');
  await byId(page, 'compare-json').click();
  const { objects } = JSON.parse(await readFile(await (await arrives).path(), 'utf8'));
  const { stdout } = await run(TRACEFOLD, ['compare', 'a.prv.gz', 'b.prv.gz', '--json'], { cwd: folder });
  assert.ok(objects.length > 2);
  assert.deepEqual(objects, JSON.parse(stdout).objects);
  assert.equal(await byId(page, 'compare-references').locator('tbody th').count(), objects.length);
  const sentences = await byId(page, 'compare-sentences').innerText();
  assert.match(sentences, /Data object a is gone: \d+\.\d % of the references\. Data object other is new/);
  assert.match(await byId(page, 'compare-references').innerText(), /static · 76\.3\sMiB\s+loads: descending, 16 B per step/);

  // Swapped, what was gone is new.
  await page.keyboard.press('x');
  await row('a').filter({ hasText: '+' }).waitFor();
  assert.deepEqual(await violations(page), []);
});

test('where what lays data objects beside one another cannot be loaded, it is tried once, said, and the rest is there', async (t) => {
  const example = ['prv.gz', 'pcf', 'row'].map((kind) => path.join(ROOT, 'static', `example.${kind}`));
  const { page } = await open(t, await site(t), { expected: /painter_both|ERR_CONNECTION_REFUSED/ });
  let asked = 0;
  await page.route('**/painter_both.wasm', (route) => {
    asked += 1;
    return route.abort('connectionrefused');
  });
  await drop(page, example);
  await rests(page, 'ready');
  await beside(page, example);
  assert.equal(await compared(page), 'The same result.');
  await page.locator('#remark').getByText(/fetch|load/i).waitFor();
  // What changes the page otherwise does not ask again.
  await page.keyboard.press(']');
  await page.keyboard.press(']');
  assert.equal(asked, 1);
  assert.ok(await byId(page, 'compare-references').isHidden());
});
