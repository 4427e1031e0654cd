// Links: the same picture elsewhere, without the trace and without a server.

import assert from 'node:assert/strict';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { constants, deflateRawSync, inflateRawSync, inflateSync } from 'node:zlib';
import {
  DIST, addressLacks, byId, drop, exported, layout, message, open, openExample, rests, setFragment, shared,
  showPanel, site, state, table, temporaryFolder,
} from './browser.mjs';
import { PUBLISHED, namd, smallTrace, withoutShared, write } from './traces.mjs';

/** Steps of a 12-bit curve over its range. */
const STEPS = 4095;

/** One step of each counter's rate in a link, from the curves themselves (`curves.csv`). */
function stepsOf(csv, group) {
  const rates = new Map();
  for (const line of csv.toString().trimEnd().split('\n').slice(1)) {
    // The region, first, may hold commas of its own.
    const fields = line.split(',').slice(-7);
    if (fields[0] !== group) continue;
    const { least, most } = rates.get(fields[1]) ?? { least: Infinity, most: -Infinity };
    const rate = Number(fields[6]);
    rates.set(fields[1], { least: Math.min(least, rate), most: Math.max(most, rate) });
  }
  return new Map(Array.from(rates, ([counter, { least, most }]) => [counter, (most - least) / STEPS]));
}

/** The numbers of two tables differ by no more than one step of their curves. */
function withinTheQuantum(original, opened, steps) {
  assert.deepEqual(opened.map(({ x }) => x), original.map(({ x }) => x));
  for (const column of Object.keys(original[0].values)) {
    const [, kind, counter] = column.match(/^(\S+) (.*)$/);
    for (const [row, { values }] of original.entries()) {
      const [value, other] = [values[column], opened[row].values[column]];
      let allowed = steps.get(counter);
      if (kind === 'per-instruction') {
        // A ratio has the steps of both its rates.
        const mips = Object.keys(values).find((name) => name.startsWith('mips '));
        const step = steps.get(mips.slice('mips '.length));
        allowed = (allowed + value * step) / (values[mips] - step);
      }
      const same = value === null || other === null ? value === other : Math.abs(other - value) <= allowed * 1.001;
      assert.ok(same, `${column}, row ${row}: ${other}, not ${value} ± ${allowed}`);
    }
  }
}

async function linkShowsTheSame(t, page, address) {
  const lanes = await layout(page);
  const steps = stepsOf(await exported(page, 'csv', 'curves.csv'), await byId(page, 'group').inputValue());
  assert.ok(steps.size > 1, 'there are curves');
  const link = await shared(page);
  assert.ok(link.length <= 30_000, `the link has ${link.length} characters`);
  assert.match(link, /[#&]s=/);
  await setFragment(page, { view: 'table' });
  const numbers = await table(page);

  const elsewhere = await open(t, address, { fragment: new URL(link).hash });
  await rests(elsewhere.page, 'ready');
  const theirs = await layout(elsewhere.page);
  assert.deepEqual(theirs.plot, lanes.plot);
  assert.deepEqual(theirs.strips.map(({ curves }) => curves), lanes.strips.map(({ curves }) => curves));
  assert.equal(await byId(elsewhere.page, 'lane-source').count(), await byId(page, 'lane-source').count());
  await setFragment(elsewhere.page, { view: 'table' });
  withinTheQuantum(numbers, await table(elsewhere.page), steps);

  const counter = lanes.strips[0].curves[0];
  await setFragment(elsewhere.page, { view: undefined, counter });
  await rests(elsewhere.page, 'ready');
  assert.match(await elsewhere.page.locator('body').innerText(), /samples are not (in|part of) (the|this|a) link/i);
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
  const said = byId(other, 'sent');
  assert.match(await said.innerText(), /^shared picture of example\.prv\.gz · 0 bytes sent/);
  assert.match(await said.getAttribute('title'), /^Open the trace itself for its samples/);
  assert.match(await byId(page, 'sent').innerText(), /^0 bytes sent/);
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
