// Profiles: of a trace that is open, and of TAU. Who spends the time, by probes and samples.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { DIST, ROOT, addressHas, addressLacks, byId, drop, each, message, nextFrame, open, openExample, rests, site, temporaryFolder } from './browser.mjs';
import { sound, violations } from './looks.mjs';
import { dropped, profileOf, shown, thread } from './profiled.mjs';
import { smallTrace, write } from './traces.mjs';

const run = promisify(execFile);
const TRACEFOLD = path.join(ROOT, 'target/debug/tracefold');
const EXAMPLE = ['prv.gz', 'pcf', 'row'].map((ending) => path.join(DIST, `example.${ending}`));
const CORPUS = path.join(process.env.TRACEFOLD_SHARED ?? '', 'corpus/tau');
const hasCorpus = { skip: existsSync(CORPUS) ? false : 'the corpus is not here' };

/** Each row as name, kind, and its figures as they are printed. */
const rows = (page) => each(page, '[data-testid="profile-tree"] tbody tr[data-node]', (row) => [row.querySelector('.name').textContent, row.dataset.kind, ...Array.from(row.querySelectorAll('td[data-value]'), (cell) => cell.textContent)]);

const names = async (page) => (await rows(page)).map(([name]) => name);

const row = (page, name) => page.locator('[data-testid="profile-tree"] tbody tr[data-node]', { has: page.locator(`.name[title="${name}"]`) }).first();

test('files of TAU are a profile: who spends the time, what samples say inside, and how sure that is', async (t) => {
  const page = await dropped(t, await profileOf(t, [{}, { wait: 300, work: 700 }]));
  assert.equal(await byId(page, 'status').getAttribute('data-state'), 'ready');
  assert.equal(await byId(page, 'tab-profile').getAttribute('aria-pressed'), 'true');
  assert.equal(await byId(page, 'tab-run').isDisabled(), true);
  // Means of two threads: work 800 µs, of which samples hit dot three times in four.
  assert.deepEqual((await rows(page)).map((row) => row.map((text) => text.replaceAll('\u202f', ' '))), [
    ['main', 'probe', '1.000', '0.000', '0.0', '2', ''],
    ['work', 'probe', '0.800', '0.800', '80.0', '20', ''],
    ['dot', 'sample', '0.480', '0.480 ±0.043', '48.0', '', '120'],
    ['axpy', 'sample', '0.320', '0.320 ±0.085', '32.0', '', '40'],
    ['MPI_Wait()', 'probe', '0.200', '0.200', '20.0', '8', ''],
  ]);
  assert.match(await byId(page, 'profile-sentence').innerText(), /^Probes end at work; samples go on: dot holds 48\.0\s% \[43\.\d, 5\d\.\d\] of the time, most of it at dot\.c:7\.$/);
  assert.match(await byId(page, 'profile-quality').innerText(), /samples\s+160/);
  assert.deepEqual(await violations(page), []);
});

test('what the page shows of a profile is what the command line writes', async (t) => {
  const files = await profileOf(t, [{}, { wait: 300, work: 700 }, { wait: 20 }]);
  const page = await dropped(t, files);
  const [download] = await Promise.all([page.waitForEvent('download'), byId(page, 'profile-save-json').click()]);
  const { stdout } = await run(TRACEFOLD, ['profile', '--json', ...files]);
  const ours = JSON.parse(await readFile(await download.path(), 'utf8'));
  const theirs = JSON.parse(stdout);
  assert.deepEqual(ours.nodes, theirs.nodes);
  assert.deepEqual(ours.threads, theirs.threads);
  const [select] = await Promise.all([page.waitForEvent('download'), byId(page, 'profile-save-tau').click()]);
  assert.match(select.suggestedFilename(), /\.profile\.tau\.zip$/);
});

test('rows are opened and closed, put in order, found and filtered; the address says which', async (t) => {
  const page = await dropped(t, await profileOf(t, [{}, {}]));
  await row(page, 'work').locator('[data-turn]').click();
  assert.deepEqual(await names(page), ['main', 'work', 'MPI_Wait()']);
  await row(page, 'work').locator('[data-turn]').click();
  await page.locator('[data-testid="profile-tree"] thead [data-by="name"]').click();
  assert.deepEqual(await names(page), ['main', 'MPI_Wait()', 'work', 'axpy', 'dot']);
  await byId(page, 'profile-search').fill('AXPY');
  await nextFrame(page);
  assert.deepEqual(await names(page), ['main', 'work', 'axpy']);
  await addressHas(page, /profile=.*search:AXPY/);
  await byId(page, 'profile-search').fill('');
  await byId(page, 'profile-kind').selectOption('group:MPI');
  await nextFrame(page);
  assert.deepEqual(await names(page), ['main', 'MPI_Wait()']);
});

test('keys alone lead through the tree, and zoom the icicle', async (t) => {
  const page = await dropped(t, await profileOf(t, [{}, {}]));
  await page.locator('.profile-rows').focus();
  const picked = () => page.locator('[data-testid="profile-tree"] tr.now .name').textContent();
  assert.equal(await picked(), 'dot');
  await page.keyboard.press('ArrowUp');
  await nextFrame(page);
  assert.equal(await picked(), 'work');
  await page.keyboard.press('ArrowLeft');
  await nextFrame(page);
  assert.deepEqual(await names(page), ['main', 'work', 'MPI_Wait()']);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await nextFrame(page);
  assert.equal(await picked(), 'MPI_Wait()');
  await page.keyboard.press('Enter');
  await addressHas(page, /root:/);
  assert.equal(await page.locator('.zoomed').isVisible(), true);
  await page.keyboard.press('Enter');
  await addressLacks(page, /root:/);
});

test('a click on the icicle picks, on a bar it shows that thread alone', async (t) => {
  const page = await dropped(t, await profileOf(t, [{}, { wait: 700, work: 300 }]));
  const { plot } = JSON.parse(await byId(page, 'profile-icicle').getAttribute('data-layout'));
  // main has 2000 µs: work 1200 of them, then MPI_Wait.
  const x = plot.left + (plot.right - plot.left) * 0.8;
  await byId(page, 'profile-icicle').click({ position: { x, y: 30 } });
  await nextFrame(page);
  assert.match(await byId(page, 'profile-picked').innerText(), /^MPI_Wait\(\)[^]*Inclusive\s+0\.400\sms[^]*Balance\s+0\.57/);
  await page.waitForSelector('[data-testid="profile-threads"][data-layout]');
  await byId(page, 'profile-threads').click({ position: { x, y: 60 } });
  await addressHas(page, /thread:1/);
  await page.waitForFunction(() => /1\.000/.test(document.querySelector('[data-testid="profile-tree"]')?.textContent ?? '') && document.querySelector('[data-testid="profile-all-threads"]'));
  assert.equal((await rows(page)).find(([name]) => name === 'MPI_Wait()')[2], '0.700');
  await byId(page, 'profile-all-threads').click();
  await addressLacks(page, /thread:/);
});

test('threads are points: how what they do is related, on axes of one’s choice', async (t) => {
  const page = await dropped(t, await profileOf(t, [{ wait: 100, work: 900 }, { wait: 200, work: 800 }, { wait: 350, work: 650 }]));
  await page.waitForSelector('#canvas-profile-points[data-layout]');
  // What does not work waits: the sampled routine against MPI, as in the paper.
  assert.match(await byId(page, 'profile-r').innerText(), /3; r −1\.00/);
  await row(page, 'work').click();
  await page.locator('[data-pin="x"]').click();
  await row(page, 'main').click();
  await page.waitForFunction(() => /3$/.test(document.querySelector('[data-testid="profile-r"]')?.textContent ?? ''));
});

test('probes that cost more than they tell are listed, and left out by a file for TAU', async (t) => {
  const tiny = '"tiny(int) C" 200000 0 1000 1000 0 GROUP="TAU_DEFAULT"';
  const page = await dropped(t, await profileOf(t, [{ extra: tiny }]));
  await byId(page, 'profile-costly').locator('summary').click();
  await page.waitForSelector('.costly tbody tr');
  assert.match(await page.locator('.costly tbody').innerText(), /^tiny\(int\) C\s+200\s000\s+5\.000\sns$/);
  const [download] = await Promise.all([page.waitForEvent('download'), byId(page, 'profile-save-select').click()]);
  assert.match(await readFile(await download.path(), 'utf8'), /BEGIN_EXCLUDE_LIST\ntiny\(int\) C\nEND_EXCLUDE_LIST\n$/);
  // Where a call costs next to nothing, all are worth it.
  await byId(page, 'profile-cost').fill('1');
  await byId(page, 'profile-cost').press('Enter');
  await addressHas(page, /cost:1/);
});

test('of several profiles one is chosen, and what cannot be read is said', async (t) => {
  const folder = await temporaryFolder(t);
  for (const name of ['before', 'after']) {
    await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, name, 'profile.0.0.0'), thread(name === 'after' ? { work: 500 } : {}));
  }
  const archive = path.join(folder, 'both.tar');
  await run('tar', ['-cf', archive, '-C', folder, 'before', 'after']);
  const { page } = await open(t, await site(t));
  await drop(page, [archive]);
  await rests(page, 'error');
  assert.equal(await message(page), 'Which profile? | There are 2 profiles. One is opened at a time.');
  await byId(page, 'choice').filter({ hasText: 'after' }).click();
  await shown(page);
  assert.deepEqual([(await rows(page))[0][2], await page.locator('[data-by="inclusive"]').innerText()], ['600.0', 'incl. µs']);
  // Of a version that nobody knows; what was open stays.
  const packed = path.join(folder, 'broken.ppk');
  await writeFile(packed, Buffer.from([0, 80, 0, 80, 0, 75, 0, 0, 0, 9, 0, 0, 0, 9]));
  await drop(page, [packed]);
  await rests(page, 'error');
  assert.match(await message(page), /^broken\.ppk could not be read\. \| .*version/);
  assert.equal((await rows(page))[0][2], '600.0');
  // A profile that is cut is shown as far as it goes, and says so.
  await writeFile(path.join(folder, 'profile.0.0.0'), thread().split('\n').slice(0, 5).join('\n'));
  await drop(page, [path.join(folder, 'profile.0.0.0')]);
  await byId(page, 'profile-notices').filter({ hasText: 'fewer lines than it says' }).waitFor();
});

test('a link that names what there is not shows what there is', async (t) => {
  const page = await dropped(t, await profileOf(t, [{}, {}]), { fragment: '#profile=root:99999,node:88888,thread:77,turned:7.66666,x:55555~TIME,by:name' });
  assert.deepEqual(await names(page), ['main', 'MPI_Wait()', 'work', 'axpy', 'dot']);
  await page.waitForSelector('#canvas-profile-points[data-layout]');
});

test('the open trace has a profile, whose regions are folded with a click', async (t) => {
  const { page } = await open(t, await site(t));
  await drop(page, EXAMPLE);
  await rests(page, 'ready');
  await byId(page, 'tab-profile').click();
  await shown(page);
  assert.match(await byId(page, 'profile-sentence').innerText(), /^Probes end at main loop; samples go on: Triad holds /);
  const { stdout } = await run(TRACEFOLD, ['profile', '--format', 'csv', ...EXAMPLE]);
  const lines = stdout.trim().split('\n').map((line) => line.split(','));
  const [node, name, inclusive] = ['node', 'name', 'TIME inclusive ns'].map((head) => lines[0].indexOf(head));
  const triad = lines.slice(1).filter((line) => line[name] === 'Triad' && line[lines[0].indexOf('kind')] === 'summary');
  const mean = triad.reduce((sum, line) => sum + Number(line[inclusive]), 0) / 4;
  const [, , text] = (await rows(page)).find(([name, kind]) => name === 'Triad' && kind === 'summary');
  assert.equal(text.split(' ')[0], (mean / 1e9).toFixed(3), `node ${triad[0][node]}`);
  // As TAU has it, a sample stands for all since the one before.
  await byId(page, 'profile-weights').selectOption('whole');
  await page.waitForFunction(() => /since the one before/.test(document.querySelector('[data-testid="profile-quality"]')?.textContent ?? ''));
  await byId(page, 'profile-fold').click();
  await rests(page, 'ready');
  assert.equal(await page.locator('#facts h1').innerText(), 'main loop');
});

test('what is looked at of a profile is in the address, and Back takes it back; one thread has none to be compared with', async (t) => {
  const address = await site(t);
  const folder = await temporaryFolder(t);
  const files = await write(folder, 'small', smallTrace());
  const { page } = await open(t, address);
  await drop(page, files);
  await rests(page, 'ready');
  await byId(page, 'tab-profile').click();
  await shown(page);
  assert.equal(await byId(page, 'profile-threads').isVisible(), false);
  assert.deepEqual(await names(page), ['application', 'work', 'work', 'work', 'work']);
  await page.locator('[aria-label="What numbers are of"] button', { hasText: 'exclusive' }).click();
  await addressHas(page, /tab=profile.*profile=exclusive:1|profile=exclusive:1.*tab=profile/);
  await page.goBack();
  await addressLacks(page, /exclusive:1/);
});

test('profiles of the corpus are shown as they are', hasCorpus, async (t) => {
  for (const [folder, words] of [
    ['taucmdr-mpi-profile-example', /compute holds 43\.0\s%/],
    ['tau2-matmult-heatmap', /compute\.omp_fn\.2 holds 44\.0\s%/],
    ['tau2-classbreakdown-merged-xml', /futex_wait holds 61\.8\s%/],
    ['tau2-mpas-phases', /^Probes alone, no samples: main\(\) holds /],
    ['taucmdr-mm-sample', /samples go on: /],
  ]) {
    const files = (await readdir(path.join(CORPUS, folder))).filter((name) => !name.endsWith('.md')).map((name) => path.join(CORPUS, folder, name));
    const page = await dropped(t, files);
    assert.match(await byId(page, 'profile-sentence').innerText(), words, folder);
    assert.deepEqual(await violations(page), [], folder);
  }
});

/** A text profile of TAU in which main calls so many routines, and takes `own` µs by itself. */
function manyRoutines(count, own) {
  const routines = Array.from({ length: count }, (_, i) => [`r${String(i).padStart(3, '0')}`, 100 + ((i * 37) % count)]);
  const total = routines.reduce((sum, [, us]) => sum + us, own);
  const lines = [`"main" 1 ${count} ${own} ${total} 0 GROUP="TAU_DEFAULT"`, ...routines.flatMap(([name, us]) => [`"${name}" 1 0 ${us} ${us} 0 GROUP="TAU_DEFAULT"`, `"main => ${name}" 1 0 ${us} ${us} 0 GROUP="TAU_CALLPATH|TAU_DEFAULT"`])];
  return `${lines.length} templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls # <metadata></metadata>\n${lines.join('\n')}\n0 aggregates\n`;
}

test('rows that stay in view stay elements, whatever scrolls, is picked or put in another order', async (t) => {
  const folder = await temporaryFolder(t);
  const files = [0, 1].map((thread) => path.join(folder, `profile.${thread}.0.0`));
  await Promise.all(files.map((file, thread) => writeFile(file, manyRoutines(120, 10 + 990 * thread))));
  const page = await dropped(t, files);
  /** Of each row its name, place and spread over the threads; whether it told the same when it was marked, or something
   * else, and whether it is picked. */
  const inView = () => each(page, '[data-testid="profile-tree"] tbody tr[data-node]', (row) => ({
    name: row.querySelector('.name').textContent, place: Number(row.getAttribute('aria-rowindex')), spread: row.querySelector('.spread').innerHTML,
    marked: row.marked === row.dataset.node, isOld: row.marked !== undefined, picked: row.classList.contains('now') && row.getAttribute('aria-selected') === 'true',
  }));
  const mark = () => page.evaluate(() => document.querySelectorAll('[data-testid="profile-tree"] tbody tr[data-node]').forEach((row) => (row.marked = row.dataset.node)));
  const follow = (told) => told.every(({ place }, i) => place === told[0].place + i);
  const first = await inView();
  assert.ok(first.length > 20 && first.length < 60 && first[0].name === 'main' && follow(first), `${first.length}`);
  await mark();

  await page.locator('.profile-rows').hover();
  await page.mouse.wheel(0, 23 * 14);
  await page.waitForFunction((name) => document.querySelector('[data-testid="profile-tree"] tbody tr[data-node] .name')?.textContent !== name, 'main');
  const scrolled = await inView();
  assert.ok(follow(scrolled) && scrolled[0].place > first[0].place, JSON.stringify(scrolled.map(({ place }) => place)));
  const stayed = scrolled.filter(({ marked }) => marked).map(({ name }) => name);
  assert.deepEqual(stayed, first.filter(({ name }) => scrolled.some((row) => row.name === name)).map(({ name }) => name));
  assert.ok(stayed.length > 0 && stayed.length < scrolled.length);
  assert.ok(scrolled.filter(({ isOld }) => isOld).length >= first.length, 'those that left tell what came');

  await mark();
  await page.locator('[data-testid="profile-tree"] tbody tr[data-node] .name', { hasText: stayed.at(-1) }).click();
  await page.waitForFunction((name) => document.querySelector('[data-testid="profile-tree"] tbody tr.now .name')?.textContent === name, stayed.at(-1));
  const now = await inView();
  assert.deepEqual(now.filter(({ picked }) => picked).map(({ name }) => name), [stayed.at(-1)]);
  assert.ok(now.every(({ marked }) => marked), 'nothing is made anew');

  await page.locator('.profile-rows').evaluate((scroll) => (scroll.scrollTop = 0));
  await page.locator('[data-testid="profile-tree"] thead [data-by="name"]').click();
  await page.waitForFunction(() => document.querySelectorAll('[data-testid="profile-tree"] tbody tr[data-node] .name')[1]?.textContent === 'r000');
  const named = await inView();
  assert.ok(follow(named) && named.every(({ isOld }) => isOld), 'in another order they tell something else');
  assert.deepEqual(named.slice(1).map(({ name }) => name), named.slice(1).map(({ name }) => name).sort());

  await page.getByRole('group', { name: 'What numbers are of' }).getByText('exclusive', { exact: true }).click();
  await nextFrame(page);
  const exclusive = await inView();
  assert.deepEqual(exclusive.map(({ name }) => name), named.map(({ name }) => name));
  assert.notEqual(exclusive[0].spread, named[0].spread, 'what is told of other numbers is made anew');
});

test('a profile fits any window, in any theme', async (t) => {
  const page = await dropped(t, await profileOf(t, [{}, { wait: 300, work: 700 }, { wait: 20 }]));
  await byId(page, 'profile-heat-map').locator('summary').click();
  await page.waitForSelector('#canvas-profile-heat[data-layout]');
  await sound(page, 'profile', { looks: [{ width: 400, height: 900, colours: 'light' }, { width: 900, height: 900, colours: 'dark' }, { width: 2560, height: 900, colours: 'light' }] });
});

test('what cannot be loaded is asked for once, and again when a person asks again', async (t) => {
  const { page } = await open(t, await site(t), { expected: /ERR_CONNECTION_REFUSED/ });
  let asked = 0;
  await page.route(/profile-\w+\.js/, (route) => {
    asked += 1;
    return route.abort('connectionrefused');
  });
  await openExample(page);
  await byId(page, 'tab-profile').click();
  await page.locator('#remark').getByText(/fetch|load|import/i).waitFor();
  for (let frame = 0; frame < 20; frame += 1) await nextFrame(page);
  assert.equal(asked, 1);
  await page.unroute(/profile-\w+\.js/);
  await byId(page, 'tab-region').click();
  await byId(page, 'tab-profile').click();
  await shown(page);
});
