// What a person sees when a trace is not what it should be. What was open stays open.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { byId, drop, open, openExample, rests, site, temporaryFolder } from './browser.mjs';
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

/** name → the files dropped together, and what the page says */
const REFUSED = {
  'a file of 0 bytes': [{ 'empty.prv': '' }, /empty\.prv could not be read\.\s.*empty/s],
  'a picture that is named .prv': [{ 'picture.prv': PNG }, /picture\.prv could not be read\.\s.*#Paraver/s],
  'a .pcf without its .prv': [{ 'alone.pcf': good.pcf }, /\.prv/],
  'a header without records': [{ 'header.prv': `${lines[0]}\n` }, /This trace has no repeated region\./],
  'a header that cannot be read': [
    { 'header.prv': `#Paraver (01/01/2026 at 00:00):x_ns:1(1):1:1(1:1)\n${lines.slice(1).join('\n')}` },
    /header\.prv could not be read\.\s.*[Ll]ine 1, column \d+: found x, expected/s,
  ],
  'a line that breaks off among the first': [
    { 'cut.prv': [...lines.slice(0, 4), '2:1:1:1', ...lines.slice(5)].join('\n'), 'cut.pcf': good.pcf },
    /cut\.prv could not be read\.\s.*[Ll]ine 5, column \d+: found .*, expected/s,
  ],
  'a gzip file that is cut before any record': [
    { 'short.prv.gz': gzipSync(good.prv).subarray(0, 12) }, /short\.prv\.gz could not be read\./,
  ],
  'two traces at once': [{ 'a.prv': good.prv, 'b.prv': good.prv, 'a.pcf': good.pcf }, /a\.prv.*b\.prv|two|2 traces/s],
};

/** name → the files dropped together, and the notice that the page shows beside the picture */
const NOTICED = {
  'a last line that is cut': [{ 'cut.prv': good.prv.slice(0, -9), 'cut.pcf': good.pcf }, /cut/],
  'a gzip file that is cut after records': [
    { 'short.prv.gz': gzipSync(smallTrace({ instances: 200, samples: 30 }).prv).subarray(0, 30_000), 'short.pcf': good.pcf },
    /read up to here|cut/,
  ],
  'a header that promises other numbers': [
    { 'numbers.prv': [lines[0].replace(/\d+_ns:1\(1\):1:1\(1:1\)/, '17_ns:2(4,4):1:3(2:1,2:1,4:2)'), ...lines.slice(1)].join('\n'), 'numbers.pcf': good.pcf },
    /header/,
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
      const said = await page.getByRole('main').innerText();
      t.diagnostic(said.replace(/\s+/g, ' ').slice(0, 600));
      assert.match(said, words);
      assert.match(said, /Still open:/);
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

for (const [name, [files, words]] of Object.entries(NOTICED)) {
  test(`${name} is noticed beside the picture`, async (t) => {
    const { page } = await open(t, await site(t));
    await dropped(t, page, files);
    await rests(page, 'ready');
    const said = await byId(page, 'notices').innerText();
    t.diagnostic(said.replace(/\s+/g, ' ').slice(0, 400));
    assert.match(said, words);
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
    '#nugget=much': /nugget/,
    '#region=nowhere': /nowhere/,
    '#counters=PAPI_NONE': /PAPI_NONE/,
    '#monotone=yes': /monotone/,
  })) {
    await t.test(fragment, async (t) => {
      const folder = await temporaryFolder(t);
      const { page } = await open(t, address, { fragment });
      await drop(page, await write(folder, 'good', good));
      await rests(page, 'error');
      const said = await page.getByRole('main').innerText();
      t.diagnostic(said.replace(/\s+/g, ' ').slice(0, 400));
      assert.match(said, words);
    });
  }
});
