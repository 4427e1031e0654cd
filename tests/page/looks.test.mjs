// Who can use the page, where its requests go, and pictures of it for people to look at.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { byId, drop, open, openExample, rests, setFragment, site, temporaryFolder } from './browser.mjs';
import { cutOff, shot, violations } from './looks.mjs';
import { namd, withoutShared } from './traces.mjs';

async function unreadable(t) {
  const file = path.join(await temporaryFolder(t), 'stream-b.prv');
  await writeFile(file, '#Paraver (01/01/2026 at 00:00):9_ns:1(1):1:1(1:1)\n2:1:1:1:1:x:60000019:1\n');
  return [file];
}

for (const colours of /** @type {const} */ (['light', 'dark'])) {
  for (const width of [1280, 400]) {
    test(`axe finds nothing in the states empty, ready and error, ${colours} and ${width} px wide`, async (t) => {
      const { page } = await open(t, await site(t), { colours, width });
      await rests(page, 'empty');
      await shot(page, `empty-${colours}-${width}`);
      assert.deepEqual(await violations(page), []);

      await openExample(page);
      await shot(page, `example-${colours}-${width}`);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(await cutOff(page), []);

      await setFragment(page, { view: 'table' });
      await byId(page, 'table').waitFor();
      await shot(page, `table-${colours}-${width}`);
      assert.deepEqual(await violations(page), []);

      await drop(page, await unreadable(t));
      await rests(page, 'error');
      await shot(page, `error-${colours}-${width}`);
      assert.deepEqual(await violations(page), []);
    });

    test(`444.namd is drawn for people to look at, ${colours} and ${width} px wide`, { skip: withoutShared }, async (t) => {
      const { page } = await open(t, await site(t), { colours, width });
      await drop(page, namd);
      await rests(page, 'ready');
      await shot(page, `namd-${colours}-${width}`);
      await setFragment(page, { counter: 'PAPI_L1_DCM' });
      await rests(page, 'ready');
      await shot(page, `namd-counter-${colours}-${width}`);
      assert.deepEqual(await violations(page), []);
    });
  }
}

test('no request leaves the page, from opening to exporting', async (t) => {
  const address = await site(t);
  const { page, context } = await open(t, address);
  const asked = [];
  context.on('request', (request) => asked.push(request.url()));
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
