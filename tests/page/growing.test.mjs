// A trace that is still being written, in the page: how far it had come, and what has come since.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { addressHas, byId, DIST, drop, open, PATIENCE_MS, rests, ROOT, setFragment, site, temporaryFolder } from './browser.mjs';
import { violations } from './looks.mjs';

const COMMAND = path.join(ROOT, 'target/debug/tracefold');
const REGION = 'User function:main loop';

/** The bundled example, of which a pipe has brought a first share, and what writes its part to `file`. */
async function coming(t, file) {
  const text = gunzipSync(await readFile(path.join(DIST, 'example.prv.gz')));
  const writer = spawn(COMMAND, ['accumulate', '-', path.join(DIST, 'example.pcf'), '--name', 'example.prv', '--region', REGION, '--every', '1', '-o', file]);
  t.after(() => writer.kill('SIGKILL'));
  let at = 0;
  /** Writes up to a share of the trace, and waits until that is in the part. */
  const comes = async (share) => {
    const before = await sizeOf(file);
    const end = Math.floor(text.length * share);
    writer.stdin.write(text.subarray(at, end));
    at = end;
    await until(async () => (await sizeOf(file)) !== before);
  };
  const ends = async () => {
    writer.stdin.end(text.subarray(at));
    const [status] = await once(writer, 'exit');
    assert.equal(status, 0);
  };
  await comes(0.3);
  return { comes, ends };
}

const sizeOf = (file) => stat(file).then(({ size }) => size, () => 0);

async function until(holds) {
  const end = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'it never came');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** How many instances there are, as the facts say. */
const instances = async (page) => Number(/of ([\d\u202f]+) instances/.exec(await byId(page, 'instances-button').textContent())?.[1].replace('\u202f', ''));

async function hasMore(page, before) {
  await until(async () => (await byId(page, 'status').getAttribute('data-state')) === 'ready' && (await instances(page)) > before);
  return instances(page);
}

test('of a file that was dropped what has come since is loaded, when it is asked for and as it comes', async (t) => {
  const file = path.join(await temporaryFolder(t), 'live.part');
  const { comes, ends } = await coming(t, file);
  const { page } = await open(t, await site(t));
  await drop(page, [file]);
  await rests(page, 'ready');
  assert.match(await page.locator('#partial').textContent(), /The trace was still being written: its first \d+ kB are here, up to \d+\.\d{3} s\./);
  assert.equal(await byId(page, 'read-again').count(), 0);
  assert.deepEqual(await violations(page), []);
  await setFragment(page, { group: 'none', range: '0.2_0.6' });
  await rests(page, 'ready');
  const first = await instances(page);
  await comes(0.6);
  const steps = await page.evaluate(() => history.length);
  await byId(page, 'load-since').click();
  const second = await hasMore(page, first);
  // What is shown stays, and is no step back.
  await addressHas(page, /group=none/);
  await addressHas(page, /range=0\.2_0\.6/);
  assert.equal(await page.evaluate(() => history.length), steps);
  await byId(page, 'follow').check();
  await comes(0.8);
  await hasMore(page, second);
  assert.ok(await byId(page, 'follow').isChecked());
  await ends();
  await byId(page, 'growing').waitFor({ state: 'hidden' });
  await rests(page, 'ready');
  assert.ok(await page.locator('#partial').isHidden());
  const { stdout } = await promisify(execFile)(COMMAND, ['regions', path.join(DIST, 'example.prv.gz'), '--set', 'group=none', '--json']);
  assert.equal(await instances(page), JSON.parse(stdout).find(({ region }) => region === REGION).instances);
  await page.getByText('The trace has ended: this is all of it.').waitFor();
});

test('what an address names is loaded again, and if that fails what is shown stays', async (t) => {
  const folder = await temporaryFolder(t);
  await cp(DIST, folder, { recursive: true });
  const file = path.join(folder, 'live.part');
  const { comes } = await coming(t, file);
  const url = await site(t, folder);
  const { page } = await open(t, url, { fragment: '#profileURL=live.part', expected: /404|503/ });
  await rests(page, 'ready');
  const first = await instances(page);
  await comes(0.6);
  await byId(page, 'load-since').click();
  const second = await hasMore(page, first);
  await byId(page, 'follow').check();
  // One that could not be read is told, and the next is read.
  await page.route('**/live.part', (route) => (route.request().method() === 'GET' ? route.fulfill({ status: 503, body: 'busy' }) : route.continue()));
  await comes(0.7);
  await byId(page, 'status').and(page.locator('[data-state="error"]')).waitFor();
  assert.ok(await byId(page, 'follow').isChecked());
  await page.unroute('**/live.part');
  await comes(0.8);
  const third = await hasMore(page, second);
  // What is wrong with another file stays to be read, whatever comes meanwhile, until it is put away.
  await drop(page, [path.join(DIST, 'icon.svg')]);
  await byId(page, 'status').and(page.locator('[data-state="error"]')).waitFor();
  await comes(0.9);
  await page.waitForTimeout(5000);
  assert.ok(await page.locator('#message').isVisible());
  assert.match(await page.locator('#message').textContent(), /icon\.svg/);
  assert.ok(await byId(page, 'follow').isChecked());
  await byId(page, 'back').click();
  const fourth = await hasMore(page, third);
  await page.route('**/live.part', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.getByText('No more is loaded as it comes: the server answered 404. What is shown stays.').waitFor();
  assert.ok(!(await byId(page, 'follow').isChecked()));
  assert.equal(await instances(page), fourth);
});

test('a file that the browser reads but once is to be dropped again', async (t) => {
  const file = path.join(await temporaryFolder(t), 'live.part');
  await coming(t, file);
  const { page } = await open(t, await site(t));
  await page.locator('#open').setInputFiles(file);
  await rests(page, 'ready');
  assert.match(await byId(page, 'growing').textContent(), /dropped here again/);
  assert.equal(await byId(page, 'load-since').count(), 0);
  // A whole trace has nothing of it.
  await drop(page, [path.join(DIST, 'example.prv.gz'), path.join(DIST, 'example.pcf')]);
  await rests(page, 'ready');
  assert.ok(await byId(page, 'growing').isHidden());
});
