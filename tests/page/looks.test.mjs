// Who can use the page, where its requests go, and pictures of it for people to look at.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { byId, drop, open, openExample, rests, setFragment, site, temporaryFolder } from './browser.mjs';
import { sound } from './looks.mjs';
import { namd, withoutShared } from './traces.mjs';

async function unreadable(t) {
  const file = path.join(await temporaryFolder(t), 'stream-b.prv');
  await writeFile(file, '#Paraver (01/01/2026 at 00:00):9_ns:1(1):1:1(1:1)\n2:1:1:1:1:x:60000019:1\n');
  return [file];
}

test('axe finds nothing in the states empty, ready and error', async (t) => {
  const { page } = await open(t, await site(t));
  await rests(page, 'empty');
  await sound(page, 'empty');
  await openExample(page);
  await sound(page, 'example');
  await setFragment(page, { view: 'table' });
  await byId(page, 'table').waitFor();
  await sound(page, 'table');
  await drop(page, await unreadable(t));
  await rests(page, 'error');
  await sound(page, 'error');
});

test('444.namd is drawn for people to look at', { skip: withoutShared }, async (t) => {
  const { page } = await open(t, await site(t));
  await drop(page, namd);
  await rests(page, 'ready');
  await sound(page, 'namd');
  await setFragment(page, { counter: 'PAPI_L1_DCM' });
  await rests(page, 'ready');
  await sound(page, 'namd-counter');
});

test('the example opens in a dark window of 400 px', async (t) => {
  const { page } = await open(t, await site(t), { colours: 'dark', width: 400 });
  await openExample(page);
  await sound(page, 'example-opened', { looks: [{ colours: 'dark', width: 400 }] });
});

test('no request leaves the page, from opening to exporting', async (t) => {
  const address = await site(t);
  const { page } = await open(t, address);
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await openExample(page);
  await setFragment(page, { view: 'table' });
  await byId(page, 'table').waitFor();
  await byId(page, 'share').click();
  assert.ok(asked.some((url) => url.startsWith(address)), 'the example was asked of the site');
  assert.deepEqual(asked.filter((url) => !url.startsWith(address) && !/^(blob|data):/.test(url)), []);
});

test('a stray request would be seen: the check for requests that leave the page can fail', async (t) => {
  const { page, strays, errors } = await open(t, await site(t));
  await page.goto('http://127.0.0.1:9/elsewhere').catch(() => {});
  assert.equal(strays.length, 1);
  strays.length = 0;
  errors.length = 0;
});
