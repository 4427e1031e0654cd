// Links: the same picture elsewhere, without the trace and without a server.

import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { constants, deflateRawSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import {
  DIST, addressLacks, byId, drop, layout, message, ofTable, open, openExample, rests, setFragment, shared,
  showPanel, site, state, temporaryFolder,
} from './browser.mjs';
import { PUBLISHED, namd, smallTrace, withoutShared, write } from './traces.mjs';

async function linkShowsTheSame(t, page, address) {
  const lanes = await layout(page);
  const link = await shared(page);
  assert.ok(link.length <= 30_000, `the link has ${link.length} characters`);
  assert.match(link, /[#&]s=/);
  await setFragment(page, { view: 'table' });
  const numbers = await byId(page, 'table').innerText();
  assert.ok(numbers.split('\n').length > 20, numbers);

  const elsewhere = await open(t, address, { fragment: new URL(link).hash });
  await rests(elsewhere.page, 'ready');
  const theirs = await layout(elsewhere.page);
  // The line that says that it is shared takes some height.
  const across = ({ left, right }) => ({ left, right });
  assert.deepEqual(across(theirs.plot), across(lanes.plot));
  assert.deepEqual(theirs.strips.map(({ curves }) => curves), lanes.strips.map(({ curves }) => curves));
  assert.equal(await byId(elsewhere.page, 'lane-source').count(), await byId(page, 'lane-source').count());
  await setFragment(elsewhere.page, { view: 'table' });
  assert.equal(await byId(elsewhere.page, 'table').innerText(), numbers);

  const counter = lanes.strips[0].curves[0];
  await setFragment(elsewhere.page, { view: undefined, counter });
  await rests(elsewhere.page, 'ready');
  assert.match(await elsewhere.page.locator('body').innerText(), /samples are not part of this link/i);
}

test('a link shows the example in a browser that has never seen the trace', async (t) => {
  const address = await site(t);
  const { page } = await open(t, address);
  await openExample(page);
  await linkShowsTheSame(t, page, address);
});

test('a link shows 444.namd in a browser that has never seen the trace', { skip: withoutShared }, async (t) => {
  const address = await site(t);
  const { page } = await open(t, address, { fragment: `#${PUBLISHED}` });
  await drop(page, namd);
  await rests(page, 'ready');
  await linkShowsTheSame(t, page, address);
});

test('Back and Forward go through what was shown', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  const first = new URL(page.url()).hash;
  const region = byId(page, 'region');
  const before = await region.inputValue();
  const others = await region.locator('option').evaluateAll((options) => options.map((o) => o.value));
  const other = others.find((value) => value && value !== before);
  assert.ok(other, `the example has more than one region: ${others}`);
  await region.selectOption(other);
  await page.waitForFunction((first) => location.hash !== first, first);
  await rests(page, 'ready');

  await page.goBack();
  await page.waitForFunction((before) => document.querySelector('[data-testid="region"]').value === before, before);
  await rests(page, 'ready');
  await page.goForward();
  await page.waitForFunction((other) => document.querySelector('[data-testid="region"]').value === other, other);
  await rests(page, 'ready');
});

test('a trace on the same server is opened by profileURL, under any path', async (t) => {
  const folder = await temporaryFolder(t);
  const under = path.join(folder, 'some', 'where');
  await mkdir(under, { recursive: true });
  await cp(DIST, under, { recursive: true });
  await write(under, 'small', smallTrace());
  const address = `${await site(t, folder)}some/where/`;
  const fragment = '#profileURL=small.prv&profileURL=small.pcf&region=work';
  const { page } = await open(t, address, { fragment });
  await rests(page, 'ready');
  assert.match(await byId(page, 'region').inputValue(), /work/);
  assert.match(page.url(), /profileURL=/);
});

test('every table of a link tells what that of the trace tells', async (t) => {
  const address = await site(t);
  const { page } = await open(t, address);
  await openExample(page);
  const tables = async (page) => {
    const texts = [];
    for (const part of /** @type {const} */ (['phases', 'code', 'data'])) {
      if (!(await byId(page, `panel-${part}`).isVisible())) continue;
      await showPanel(page, part);
      texts.push(...(await page.locator(`[role=tabpanel]#panel-${part} table`).allInnerTexts()));
    }
    return texts;
  };
  const expected = await tables(page);
  assert.ok(expected.length >= 3 && expected.every((text) => text.split('\n').length > 4), `${expected.length} tables`);
  const { page: other } = await open(t, address, { fragment: new URL(await shared(page)).hash });
  await rests(other, 'ready');
  assert.deepEqual(await tables(other), expected);
  const told = await byId(other, 'shared-words').innerText();
  assert.match(told, /^A shared picture of example\.prv\.gz, made by Tracefold \d[\d.]+\. It has .*\d of .*\d references.*\. Opening the trace adds its instances, all samples/);
  assert.match(await byId(other, 'about').innerText(), /^shared picture of example\.prv\.gz · generated example$/);
  assert.ok(await byId(page, 'shared-words').isHidden());
});

test('a link has a cloud of references, and of samples of the counter that is shown alone', async (t) => {
  const address = await site(t);
  const { page } = await open(t, address);
  await openExample(page);
  const link = await shared(page);
  const { page: other } = await open(t, address, { fragment: new URL(link).hash });
  await rests(other, 'ready');
  await byId(other, 'lane-address').locator('canvas[data-references]').waitFor();
  const key = (page) => byId(page, 'latency-key').innerText();
  assert.equal(await key(other), await key(page));

  await setFragment(page, { counter: 'PAPI_TOT_INS' });
  await page.waitForFunction(() => Number(document.querySelector('#canvas-samples')?.dataset.points) > 0);
  const { page: alone } = await open(t, address, { fragment: new URL(await shared(page)).hash });
  await rests(alone, 'ready');
  assert.equal(await alone.locator('#canvas-samples').getAttribute('data-points'), '1500');
  assert.match(await byId(alone, 'shared-words').innerText(), /1\s500 of \d\s\d{3} samples of PAPI_TOT_INS/);
});

test('every name that leaves is listed, and pseudonyms take the place of all', async (t) => {
  const address = await site(t);
  const { page } = await open(t, address);
  await openExample(page);
  await shared(page);
  await byId(page, 'share-names').locator('summary').click();
  const leaving = await byId(page, 'share-names').innerText();
  const known = ['example.prv.gz', 'example.pcf', 'main loop', 'stream.c', 'Triad', '__memcpy_ssse3_back', 'stream.c:181'];
  for (const name of known) assert.ok(leaving.includes(name), `${name} in ${leaving}`);
  assert.match(leaving, /[0-9a-f]{64}/);
  const numbers = (page) => ofTable(page, (table) => [...table.querySelectorAll('td')].map((cell) => cell.textContent));
  const expected = await numbers(page);
  assert.ok(expected.length > 50);

  await byId(page, 'share').click();
  await byId(page, 'share-pseudonyms').check();
  await page.getByText(/pseudonyms, no name/).waitFor();
  const link = new URL(await byId(page, 'share-link').inputValue());
  const { page: other } = await open(t, address, { fragment: link.hash });
  await rests(other, 'ready');
  assert.deepEqual(await numbers(other), expected);
  const words = await other.evaluate(() => {
    const hints = [...document.querySelectorAll('[title], [aria-label]')].map((element) => `${element.title} ${element.ariaLabel}`);
    return [document.title, document.body.innerText, ...hints].join('\n');
  });
  for (const name of known) assert.ok(!words.includes(name), `${name} is not there`);
  assert.match(words, /routine 1/);
  assert.match(link.hash, /^#s=[\w-]+$/);
});

test('a shared picture is compared with its trace, and with another', async (t) => {
  const address = await site(t);
  const link = await linkOfTheExample(t, address);
  const example = ['example.prv.gz', 'example.pcf', 'example.row'].map((name) => path.join(DIST, name));
  const checked = async (files) => {
    const { page } = await open(t, address, { fragment: link.hash });
    await rests(page, 'ready');
    await byId(page, 'recheck-files').setInputFiles(files);
    await page.locator('[data-testid="shared-words"]:not([data-equal=""])').waitFor({ timeout: PATIENCE_MS });
    return byId(page, 'shared-words').innerText();
  };
  const words = await checked(example);
  assert.match(words, /^Re-checked\. All [\d\s\u202f]+ numbers and words of its tables are equal to the digit\. The files are the same, by SHA-256\. Both are of Tracefold/);
  const bytes = gunzipSync(await readFile(example[0]));
  const folder = await temporaryFolder(t);
  // One thread less: other numbers.
  const other = bytes.toString().split('\n').filter((line) => !/^2:4:/.test(line)).join('\n');
  await writeFile(path.join(folder, 'example.prv'), other);
  const differs = await checked([path.join(folder, 'example.prv'), example[1]]);
  assert.match(differs, /numbers and words of its tables differ\. The files are others: their SHA-256 is not that of the link\./);
  assert.match(differs, / in the link, .* now/);
});

test('where the clipboard is refused the link is there to be copied', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); });
  await byId(page, 'share').click();
  await page.getByText('Copy this link.').waitFor();
  assert.match(await byId(page, 'share-link').inputValue(), /[#&]s=/);
});

/** A link that someone else made of the example. */
async function linkOfTheExample(t, address) {
  const { page } = await open(t, address);
  await openExample(page);
  return new URL(await shared(page));
}

const content = (link) => new URLSearchParams(link.hash.slice(1)).get('s');

/** However long a busy machine takes: what hangs is ended by it. */
const PATIENCE_MS = 300_000;

async function opensWith(t, address, s) {
  const { page } = await open(t, address, { fragment: `#s=${s}` });
  const isAtRest = () => ['ready', 'error'].includes(document.querySelector('[data-testid="status"]')?.getAttribute('data-state'));
  await page.waitForFunction(isAtRest, null, { timeout: PATIENCE_MS });
  return { page, state: await state(page), words: await page.locator('body').innerText() };
}

test('a link that is cut in the middle says so', async (t) => {
  const address = await site(t);
  const s = content(await linkOfTheExample(t, address));
  const opened = await opensWith(t, address, s.slice(0, s.length / 2));
  assert.equal(opened.state, 'error');
  assert.match(opened.words, /This link is incomplete\.\s+Its end is missing; ask for it again, or open the trace\./);
});

test('a link of a newer version shows what is understood and says so', async (t) => {
  const address = await site(t);
  const bytes = Buffer.from(content(await linkOfTheExample(t, address)), 'base64url');
  bytes[0] += 2;
  const opened = await opensWith(t, address, bytes.toString('base64url'));
  assert.equal(opened.state, 'ready');
  assert.match(opened.words, new RegExp(
    `This link was made by a newer Tracefold \\(version ${bytes[0]}\\)\\.\\s+What is understood is shown\\.`));
});

test('a link that would inflate to a gigabyte is refused', async (t) => {
  const address = await site(t);
  const bytes = Buffer.from(content(await linkOfTheExample(t, address)), 'base64url');
  const bomb = gigabyte(isRaw(bytes.subarray(1)));
  const opened = await opensWith(t, address, Buffer.concat([bytes.subarray(0, 1), bomb]).toString('base64url'));
  assert.equal(opened.state, 'error');
  assert.match(opened.words, /link .*(more than|over) 8 MB/i);
});

function isRaw(deflated) {
  try {
    inflateRawSync(deflated);
    return true;
  } catch {
    inflateSync(deflated);
    return false;
  }
}

/** A gigabyte of blanks, deflated: one piece again and again, which is about a megabyte. */
function gigabyte(raw) {
  const piece = deflateRawSync(Buffer.alloc(2 ** 24, 0x20), { finishFlush: constants.Z_FULL_FLUSH });
  const header = raw ? [] : [Buffer.from([0x78, 0x9c])];
  return Buffer.concat([...header, ...Array(64).fill(piece)]);
}

test('what is reset in a link stays reset when the page is loaded again', async (t) => {
  const address = await site(t);
  const { page } = await open(t, address);
  await openExample(page);
  await page.evaluate(() => { location.hash += '&counter=PAPI_TOT_INS&range=0.1_0.9'; });
  await page.locator('[data-testid="all-counters"]').waitFor();
  const link = await shared(page);

  const { page: other } = await open(t, address, { fragment: new URL(link).hash });
  await rests(other, 'ready');
  await other.locator('[data-testid="all-counters"]').click();
  await addressLacks(other, /counter=/);
  await other.reload();
  await rests(other, 'ready');
  assert.equal(await other.locator('[data-testid="all-counters"]').count(), 0);
  assert.doesNotMatch(other.url(), /counter=/);
});

test('a setting beside a link that is not its own is refused by name', async (t) => {
  const address = await site(t);
  const link = await linkOfTheExample(t, address);
  const { page } = await open(t, address, { fragment: `${new URL(link).hash}&nugget=0.01` });
  await rests(page, 'error');
  assert.match(await message(page), /The setting nugget=0\.01 needs the trace/);
});
