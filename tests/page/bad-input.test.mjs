// What a person sees when a trace is not what it should be. What was open stays open.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { constants, deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { byId, drop, message, open, openExample, rests, site, temporaryFolder } from './browser.mjs';
import { opened as openedTrace, openWithFakeEngine } from './fake.mjs';
import { smallTrace, write } from './traces.mjs';

/** A picture of one pixel. */
const PNG = (() => {
  const chunk = (type, data) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.from([0, 255, 255, 255]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
})();

const good = smallTrace();
const lines = good.prv.split('\n');

/** name → the files dropped together, and the whole message: heading | sentence */
const REFUSED = {
  'a file of 0 bytes': [
    { 'empty.prv': '' },
    'empty.prv could not be read. | Found an empty file, expected a header that begins with “#Paraver”.',
  ],
  'a picture that is named .prv': [
    { 'picture.prv': PNG },
    'picture.prv could not be read. | Line 1, column 1: found “\ufffdPNG”, expected a header such as “#Paraver (date):DURATION_ns:NODES:APPLICATIONS:…”.',
  ],
  'a .pcf without its .prv': [
    { 'alone.pcf': good.pcf },
    'alone.pcf could not be read. | Found only the labels of a trace, expected a trace: a .prv (with its .pcf and .row), an .extract, the text of perf script, an OTF2 archive or a fold record, bare, gzipped or in a .zip or .tar.',
  ],
  'a header without records': [
    { 'header.prv': `${lines[0]}\n` },
    'header.prv could not be folded. | this trace has no repeated region: no type of event opens and closes; it holds no event',
  ],
  'a header that cannot be read': [
    { 'header.prv': `#Paraver (01/01/2026 at 00:00):x_ns:1(1):1:1(1:1)\n${lines.slice(1).join('\n')}` },
    'header.prv could not be read. | Line 1, column 32: found “x_ns”, expected the duration.',
  ],
  'a line that breaks off among the first': [
    { 'cut.prv': [...lines.slice(0, 4), '2:1:1:1', ...lines.slice(5)].join('\n'), 'cut.pcf': good.pcf },
    'cut.prv could not be read. | Line 5, column 8: found the end of the line, expected a thread.',
  ],
  'a gzip file that is cut before any record': [
    { 'short.prv.gz': gzipSync(good.prv).subarray(0, 12) },
    'short.prv.gz could not be read. | Found a gzip file that stops before its first record, expected a whole gzip file.',
  ],
};

/** A download that broke off, its whole lines, and when the last of them and the trace end, in s. */
const short = gzipSync(smallTrace({ instances: 200, samples: 30 }).prv).subarray(0, 30_000);
const shortLines = gunzipSync(short, { finishFlush: constants.Z_SYNC_FLUSH }).toString().split('\n').slice(0, -1);
const [endS, promisedS] = [shortLines.at(-1).split(':')[5], shortLines[0].match(/:(\d+)_ns/)[1]].map((ns) => ns / 1e9);

/** name → the files dropped together, and the notices that the page shows beside the picture */
const NOTICED = {
  'a last line that is cut': [
    { 'cut.prv': good.prv.slice(0, -9), 'cut.pcf': good.pcf },
    'The last line is cut; it was left out. (cut.prv:133)',
  ],
  'a gzip file that is cut after records': [
    { 'short.prv.gz': short, 'short.pcf': good.pcf },
    'The gzip file is cut short; it was read up to there. (short.prv.gz)',
    `The trace ends at ${endS} s, and its header promises ${promisedS} s: what came after is missing. (short.prv.gz:${shortLines.length})`,
  ],
  'a header that promises other numbers': [
    { 'numbers.prv': `${good.prv}2:1:1:3:1:1000:40000001:1\n`, 'numbers.pcf': good.pcf },
    'A record of a thread that the header does not have; it was left out. (numbers.prv:134)',
  ],
};

async function dropped(t, page, files) {
  const folder = await temporaryFolder(t);
  const paths = Object.keys(files).map((name) => path.join(folder, name));
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  await drop(page, paths);
}

test('a trace that cannot be read is refused in words, and the one that was open stays open', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  const region = await byId(page, 'region').inputValue();
  for (const [name, [files, words]] of Object.entries(REFUSED)) {
    await t.test(name, async (t) => {
      await dropped(t, page, files);
      await rests(page, 'error');
      assert.equal(await message(page), words);
      assert.match(await byId(page, 'status').innerText(), /Still open: example\.prv\.gz, main loop\./);
      await page.getByRole('button', { name: 'Back to it' }).click();
      await rests(page, 'ready');
      assert.equal(await byId(page, 'region').inputValue(), region);
    });
  }
});

test('with nothing open before, a file that cannot be read leaves a page that can open another', async (t) => {
  const { page } = await open(t, await site(t));
  await dropped(t, page, { 'picture.prv': PNG });
  await rests(page, 'error');
  await dropped(t, page, { 'good.prv': good.prv, 'good.pcf': good.pcf });
  await rests(page, 'ready');
});

for (const [name, [files, ...words]] of Object.entries(NOTICED)) {
  test(`${name} is noticed beside the picture`, async (t) => {
    const { page } = await open(t, await site(t));
    await dropped(t, page, files);
    await rests(page, 'ready');
    const notices = byId(page, 'notices');
    await notices.getByRole('button', { name: 'List' }).click();
    assert.deepEqual(await notices.locator('> ul li').allInnerTexts(), words);
  });
}

test('labels that are markup are shown as they are written, and nothing of them runs', async (t) => {
  const routine = '<script>window.hostile=1</script><img src=x onerror=window.hostile=1>\u001b[31m';
  const folder = await temporaryFolder(t);
  const files = await write(folder, '<img src=x onerror=hostile=1>', smallTrace({ routine, file: '<b>x</b>.c' }));
  const { page } = await open(t, await site(t));
  await drop(page, files);
  await rests(page, 'ready');
  assert.match(await page.locator('body').innerText(), /<script>window\.hostile=1<\/script>/);
  assert.equal(await page.evaluate(() => 'hostile' in window), false);
  assert.equal(await page.locator('main script, main img[onerror], header img[onerror]').count(), 0);
});

test('a setting, a counter or a region that does not exist is refused by name', async (t) => {
  const address = await site(t);
  for (const [fragment, words] of Object.entries({
    '#nugget=much': 'setting nugget: found "much", expected auto or a number from 1e-12 to 1e6 such as 0.0001',
    '#region=nowhere': 'unknown region "nowhere"; the nearest are "User function:work", "Iteration: from work"',
    '#counters=PAPI_NONE':
      'unknown counter "PAPI_NONE"; the nearest are "PAPI_TOT_INS", "PAPI_L2_TCM", "PAPI_TOT_CYC"',
    '#monotone=perhaps': 'setting monotone: found "perhaps", expected yes or no',
    '#groups=red': 'unknown setting "groups"; the nearest are group, breaks, eps',
  })) {
    await t.test(fragment, async (t) => {
      const folder = await temporaryFolder(t);
      const { page } = await open(t, address, { fragment });
      await drop(page, await write(folder, 'good', good));
      await rests(page, 'error');
      assert.equal(await message(page), `good.prv could not be folded. | ${words}`);
    });
  }
});

test('of a hundred thousand regions the first are listed, and the search finds the last', async (t) => {
  const { page, order, heard } = await openWithFakeEngine(t);
  const file = path.join(await temporaryFolder(t), 'many.prv');
  await writeFile(file, 'x');
  const lines = Array.from({ length: 100_000 }, (_, i) => ({ region: `Cluster ID:${i}`, title: `Cluster ID:${i}`, group: 1, figures: [] }));
  await drop(page, [file]);
  await heard(0);
  await order({ value: { ...openedTrace('many.prv'), regions: { heads: [], lines } } });
  await rests(page, 'ready');
  const listed = () => page.locator('#region option').allTextContents();
  await page.waitForFunction(() => document.querySelectorAll('#region option').length >= 500);
  assert.ok((await listed()).length <= 501, 'and the one that is folded');
  await page.locator('#region-search').fill('99999');
  await page.waitForFunction(() => document.querySelectorAll('#region option').length <= 2);
  assert.ok((await listed()).includes('Cluster ID:99999'));
  assert.match(await page.locator('#regions-count').textContent(), /^100\s000 · 500 listed$/);
});
