// Another profile beside the one that is open: of TAU, of a trace, by address; and values that the program told.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { DIST, ROOT, addressHas, addressLacks, byId, drop, each, nextFrame, open, openExample, site, temporaryFolder } from './browser.mjs';
import { shot, sound, violations } from './looks.mjs';
import { MULTIPLIED, dropped, multiplied, profileOf, shown, snapshots, thread } from './profiled.mjs';
import { write } from './traces.mjs';

const run = promisify(execFile);
const TRACEFOLD = path.join(ROOT, 'target/debug/tracefold');

/** Drops files beside the profile that is open. */
const beside = (page, files) => drop(page, files, 0.8);

/** Waits until both are told. */
const told = (page) => byId(page, 'profile-beside').and(page.locator('[data-state="told"]')).waitFor();

/** Each row as its name, what it is marked as, and its figures as they are printed, without what they may be off. */
const rows = (page) => each(page, '[data-testid="profile-beside-table"] tbody tr', (row) => [row.querySelector('.name').textContent, row.className.replace('now ', ''), ...[...row.querySelectorAll('td')].map((cell) => cell.firstChild.textContent.replaceAll('\u202f', ' '))]);

const row = (page, name) => page.locator('[data-testid="profile-beside-table"] tbody tr', { has: page.locator(`.name[title^="${name}"]`) }).first();

test('a second profile lies beside the first: what differs most, over the threads, with what samples leave open', async (t) => {
  const page = await dropped(t, await profileOf(t, [{}, { wait: 300, work: 700 }]));
  await beside(page, await profileOf(t, [{ work: 500 }, { work: 500 }, { work: 500 }]));
  await told(page);
  // By themselves, in µs.
  assert.deepEqual(await rows(page), [
    ['work', 'less', '800.0', '500.0', '−300.0', '0.625', '900.0', '500.0'],
    ['dot', 'less', '480.0', '300.0', '−180.0', '0.625', '540.0', '300.0'],
    ['axpy', 'less', '320.0', '200.0', '−120.0', '0.625', '360.0', '200.0'],
    ['MPI_Wait()', 'less', '200.0', '100.0', '−100.0', '0.500', '300.0', '100.0'],
  ]);
  assert.match(await row(page, 'dot').locator('td').nth(2).innerText(), /±/);
  assert.match(await byId(page, 'profile-beside-doubts').innerText(), /^One run each: .*\nA has 2 threads, B 3: means are of a thread, totals of all\.$/);
  // The node that is picked in the tree, of every metric.
  assert.match(await byId(page, 'profile-beside-pair').innerText(), /^dot met by 2 of 2 threads of A and 3 of 3 threads of B/);
  assert.deepEqual(await violations(page), []);
  await row(page, 'MPI_Wait()').locator('.name').click();
  await byId(page, 'profile-beside-pair').filter({ hasText: 'MPI_Wait()' }).waitFor();
  assert.equal(await page.locator('[data-testid="profile-tree"] tr.now .name').textContent(), 'MPI_Wait()');
  const total = await each(page, '[data-testid="profile-beside-pair"] tbody tr:last-child > *', ({ textContent }) => textContent);
  assert.deepEqual(total, ['total', '400.0', '300.0', '−100.0', '0.750']);

  await byId(page, 'profile-beside').locator('[data-value="total"]').click();
  await addressHas(page, /profile=.*over:total/);
  await page.locator('[data-testid="profile-beside-table"] thead [data-by="a"]').filter({ hasText: 'A total' }).waitFor();
  assert.deepEqual((await rows(page)).find(([name]) => name === 'dot').slice(1, 5), ['open', '0.960', '0.900', '−0.060']);
  await byId(page, 'profile-beside-search').fill('AXPY');
  await page.waitForFunction(() => document.querySelectorAll('[data-testid="profile-beside-table"] tbody tr').length === 1);
  await byId(page, 'profile-beside-search').fill('');
  await page.locator('[data-testid="profile-beside-table"] thead [data-by="name"]').click();
  await page.waitForFunction(() => document.querySelector('[data-testid="profile-beside-table"] tbody .name').textContent === 'MPI_Wait()');

  await byId(page, 'profile-beside-close').click();
  await addressLacks(page, /over:/);
  assert.equal(await byId(page, 'profile-beside').isVisible(), false);
  assert.equal(await byId(page, 'profile-tree').isVisible(), true);
});

test('the table of both is that of the command line, by whichever way they came', async (t) => {
  const [a, b] = [await profileOf(t, [{}, { wait: 300, work: 700 }]), await profileOf(t, [{ work: 500, extra: '"only here" 3 0 5 5 0 GROUP="TAU_DEFAULT"' }])];
  const page = await dropped(t, a);
  await byId(page, 'compare-button').click();
  await byId(page, 'profile-beside-files').setInputFiles(b);
  await told(page);
  const [download] = await Promise.all([page.waitForEvent('download'), byId(page, 'profile-beside-csv').click()]);
  const { stdout } = await run(TRACEFOLD, ['profile', ...a, '--with', ...b, '--format', 'csv']);
  assert.equal(await readFile(await download.path(), 'utf8'), stdout);
  // For people, the same rows in the same order.
  const people = (await run(TRACEFOLD, ['profile', ...a, '--with', ...b])).stdout.split('\n').slice(2);
  const names = (await rows(page)).map(([name]) => name);
  assert.deepEqual(people.slice(0, names.length).map((line) => line.trim().split(/\s{2,}/).at(-1).replace(/^\[\w+\] | \(only [AB]\)$/g, '')), names);
  assert.equal(await row(page, 'only here').locator('em').textContent(), 'only B');
});

test('a profile of TAU beside a trace is a comparison of profiles, and doubts that they are of one program', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  await beside(page, await profileOf(t, [{}]));
  await told(page);
  await addressHas(page, /tab=profile/);
  assert.match(await byId(page, 'profile-beside-doubts').innerText(), /are they the same program\?/);
  // A trace beside the profile of a trace: itself.
  await beside(page, ['prv.gz', 'pcf', 'row'].map((ending) => path.join(DIST, `example.${ending}`)));
  await byId(page, 'profile-beside').filter({ hasText: 'Nothing differs.' }).waitFor();
});

test('what cannot be laid beside a profile is told with why, and A stays', async (t) => {
  const page = await dropped(t, await profileOf(t, [{}]));
  const before = await byId(page, 'profile-tree').innerText();
  const folder = await temporaryFolder(t);
  await writeFile(path.join(folder, 'broken.ppk'), Buffer.from([0, 80, 0, 80, 0, 75, 0, 0, 0, 9, 0, 0, 0, 9]));
  await beside(page, [path.join(folder, 'broken.ppk')]);
  await byId(page, 'profile-beside-state').filter({ hasText: /^broken\.ppk could not be laid beside this\. .*version/ }).waitFor();
  await writeFile(path.join(folder, 'notes.txt'), 'nothing of the kind');
  await beside(page, [path.join(folder, 'notes.txt')]);
  await byId(page, 'profile-beside-state').filter({ hasText: /^notes\.txt could not be laid beside this\. / }).waitFor();
  assert.equal(await byId(page, 'profile-tree').innerText(), before);
  // Of several trials one is asked for.
  for (const name of ['first', 'second']) {
    await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, name, 'profile.0.0.0'), thread({ work: name === 'first' ? 300 : 400 }));
  }
  await run('tar', ['czf', 'both.tar.gz', 'first', 'second'], { cwd: folder });
  await beside(page, [path.join(folder, 'both.tar.gz')]);
  await byId(page, 'profile-beside-state').locator('[data-choice]').nth(1).click();
  await told(page);
  assert.equal((await rows(page)).find(([name]) => name === 'work')[3], '400.0');
  await byId(page, 'profile-beside-close').press('Escape');
  await byId(page, 'profile-beside').waitFor({ state: 'hidden' });
});

test('an address names the profile beside', async (t) => {
  const folder = await temporaryFolder(t);
  await cp(DIST, folder, { recursive: true });
  const [[a], [b]] = [await profileOf(t, [{}]), await profileOf(t, [{ work: 450 }])];
  await cp(a, path.join(folder, 'a', 'profile.0.0.0'));
  await cp(b, path.join(folder, 'b', 'profile.0.0.0'));
  const { page } = await open(t, await site(t, folder), { fragment: '#profileURL=a/profile.0.0.0&compareURL=b/profile.0.0.0' });
  await told(page);
  assert.deepEqual((await rows(page))[0].slice(0, 5), ['work', 'less', '900.0', '450.0', '−450.0']);
});

test('values that the program told are listed, of all threads or of one', async (t) => {
  const folder = await temporaryFolder(t);
  const events = (largest) => `2 userevents\n# eventname numevents max min mean sumsqr\n"Heap" 1 ${largest} ${largest} ${largest} ${largest * largest}\n"Size : main => MPI_Send()" 2 4 2 3 20\n`;
  await writeFile(path.join(folder, 'profile.0.0.0'), thread() + events(8));
  await writeFile(path.join(folder, 'profile.1.0.0'), thread() + events(2));
  const page = await dropped(t, ['profile.0.0.0', 'profile.1.0.0'].map((name) => path.join(folder, name)));
  await byId(page, 'profile-events').locator('summary').click();
  await addressHas(page, /profile=.*events:1/);
  await byId(page, 'profile-events').locator('tbody tr').nth(1).waitFor();
  const cells = () => each(page, '[data-testid="profile-events"] tbody tr', (row) => [...row.children].map(({ textContent }) => textContent.replaceAll('\u202f', ' ')));
  assert.deepEqual(await cells(), [
    ['Heap', '2', '5', '2', '8', '3', '10', '2 threads'],
    ['Size main => MPI_Send()', '4', '3', '2', '4', '1', '12', '2 threads'],
  ]);
  assert.deepEqual(await violations(page), []);
  await byId(page, 'profile-threads').click({ position: { x: 240, y: 60 } });
  await page.waitForFunction(() => document.querySelector('[data-testid="profile-events"] tbody tr td:last-child').textContent.startsWith('1'));
  assert.deepEqual((await cells())[0].slice(0, 3), ['Heap', '1', '8']);
});

test('snapshots tell what ran from moment to moment, as a picture and as a table', async (t) => {
  const folder = await temporaryFolder(t);
  const states = [['step 1', 100, 800, 100], ['step 2', 200, 1000, 800], ['final', 300, 1800, 900]];
  for (const thread of [0, 1]) await writeFile(path.join(folder, `snapshot.${thread}.0.0`), snapshots(thread, states));
  const page = await dropped(t, [0, 1].map((thread) => path.join(folder, `snapshot.${thread}.0.0`)));
  await page.waitForSelector('#canvas-profile-intervals[data-layout]');
  await byId(page, 'profile-intervals-table').locator('summary').click();
  const cells = await each(page, '[data-testid="profile-intervals-table"] tr', (row) => [...row.children].map(({ textContent }) => textContent.replaceAll('\u202f', ' ')));
  assert.deepEqual(cells, [
    ['interval', 'until', 'work', 'wait', 'the rest'],
    ['0.000 to 1.000 ms', 'step 1', '80.0 %', '10.0 %', '10.0 %'],
    ['1.000 to 2.000 ms', 'step 2', '20.0 %', '70.0 %', '10.0 %'],
    ['2.000 to 3.000 ms', 'final', '80.0 %', '10.0 %', '10.0 %'],
  ]);
  const canvas = page.locator('#canvas-profile-intervals');
  const { width, height } = await canvas.boundingBox();
  await canvas.hover({ position: { x: width / 2, y: height / 2 } });
  assert.equal((await byId(page, 'profile-tip').textContent()).replaceAll('\u202f', ' '), '1.000 to 2.000 ms until step 2: wait 70.0 %');
  await canvas.click({ position: { x: width / 2, y: height / 2 } });
  await addressHas(page, /profile=node:/);
  assert.equal(await page.locator('[data-testid="profile-tree"] tr.now .name').textContent(), 'wait');
  assert.deepEqual(await violations(page), []);
  await shot(page, 'profile-over-time');
});

test('probes alone, samples alone and both tell of one run what each of them can', async (t) => {
  // Malony, Huck 2014, Fig. 2. In ms, of all iterations.
  const { iterations, sizes } = MULTIPLIED;
  const folder = await temporaryFolder(t);
  const trees = {};
  for (const [name, how] of Object.entries({ samples: { probes: false, samples: true }, probes: { probes: true, samples: false }, both: { probes: true, samples: true } })) {
    const { page } = await open(t, await site(t), { fragment: '#tab=profile' });
    await drop(page, await write(folder, name, multiplied(how)));
    await shown(page);
    trees[name] = await each(page, '[data-testid="profile-tree"] tbody tr[data-node]', (row) => ({ name: row.querySelector('.name').textContent, kind: row.dataset.kind, above: Number(row.getAttribute('aria-level')), ms: Number(row.querySelector('td[data-value]').dataset.value) / 1e6, text: row.innerText }));
    trees[`${name} quality`] = await byId(page, 'profile-quality').innerText();
  }
  const namesOf = (tree, kind) => tree.filter((row) => row.kind === kind).map(({ name }) => name);
  // Where samples hit is known, but of which size and iteration is not.
  assert.deepEqual(namesOf(trees.samples, 'probe'), ['application', 'main']);
  assert.deepEqual(namesOf(trees.samples, 'sample'), ['multiply', 'add']);
  // What each size takes is known, exactly, but nothing of what runs inside.
  assert.deepEqual(namesOf(trees.probes, 'probe'), ['application', 'main', 'iteration', 'matrixMultiply(512)', 'matrixMultiply(256)', 'matrixMultiply(128)']);
  assert.deepEqual(namesOf(trees.probes, 'sample'), []);
  assert.match(trees['probes quality'], /samples\s+none/);
  const largest = trees.probes.find(({ name }) => name === 'matrixMultiply(512)');
  assert.equal(largest.ms, iterations * sizes[2][1]);
  // Both: the same times, and inside each size three quarters of them in multiply.
  assert.deepEqual(namesOf(trees.both, 'probe'), namesOf(trees.probes, 'probe'));
  const from = trees.both.findIndex(({ name }) => name === 'matrixMultiply(512)');
  const inside = trees.both.slice(from + 1, from + 4);
  assert.deepEqual(inside.map(({ name, kind }) => [name, kind]), [['matrixMultiply', 'unwind'], ['multiply', 'sample'], ['add', 'sample']]);
  assert.equal(trees.both[from].ms, largest.ms);
  const [, multiply, add] = inside;
  // Half a millisecond before the first sample of a call is told by it, and that behind the last by none.
  assert.ok(Math.abs(multiply.ms - 0.75 * largest.ms) <= iterations / 2 && add.ms === 0.25 * largest.ms, `${multiply.ms} and ${add.ms}`);
  assert.match(multiply.text, /±/);
});

test('calls of a trace are told by the place they come from, when that is asked for', async (t) => {
  const folder = await temporaryFolder(t);
  const labels = 'EVENT_TYPE\n0 50000002 MPI Collective Comm\nVALUES\n0 End\n8 MPI_Allreduce\n\nEVENT_TYPE\n0 70000001 Caller at level 1\nVALUES\n0 End\n3 solve\n4 norm\n\nEVENT_TYPE\n0 80000001 Caller line at level 1\nVALUES\n0 End\n10 10 (solve.c)\n20 20 (norm.c)\n';
  const calls = [[100, 3, 10], [300, 4, 20], [500, 3, 10]].flatMap(([us, caller, line]) => [`2:1:1:1:1:${us}000:50000002:8:70000001:${caller}:80000001:${line}`, `2:1:1:1:1:${us + 50}000:50000002:0`]);
  const prv = `#Paraver (01/01/2026 at 00:00):1000000_ns:1(1):1:1(1:1),0\n${calls.join('\n')}\n2:1:1:1:1:1000000:40000001:0\n`;
  const { page } = await open(t, await site(t), { fragment: '#tab=profile' });
  await drop(page, await write(folder, 'calls', { prv, pcf: labels }));
  await shown(page);
  const parts = () => each(page, '[data-testid="profile-tree"] tbody tr[data-kind="part"]', (row) => `${row.querySelector('.name').textContent} ${row.querySelector('small')?.textContent} ${row.querySelectorAll('td[data-value]')[0].dataset.value}`);
  assert.deepEqual(await parts(), []);
  await byId(page, 'profile-sites').selectOption('1');
  await addressHas(page, /profile=.*sites:1/);
  await page.locator('[data-testid="profile-tree"] tr[data-kind="part"]').first().waitFor();
  assert.deepEqual(await parts(), ['[CALLSITE] MPI_Allreduce [@] solve solve.c:10 100000', '[CALLSITE] MPI_Allreduce [@] norm norm.c:20 50000']);
});

test('two profiles hold in any window, in any theme', async (t) => {
  const page = await dropped(t, await profileOf(t, [{}, { wait: 300, work: 700 }]), { width: 400, height: 900, colours: 'dark' });
  await byId(page, 'profile-compare').click();
  await byId(page, 'profile-beside-files').setInputFiles(await profileOf(t, [{ work: 500 }]));
  await told(page);
  await nextFrame(page);
  await sound(page, 'profiles', { looks: [{ width: 400, height: 900, colours: 'dark' }, { width: 900, height: 900, colours: 'light' }, { width: 1280, height: 900, colours: 'light' }, { width: 2560, height: 900, colours: 'dark' }] });
});
