// What every browser test needs: a page of ours in Chromium, files dropped on it from disk, and a
// look at its states, its numbers and its pixels.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../serve.mjs';

export { chromium };

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const DIST = path.join(ROOT, 'dist');

export const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium';
export const FLAGS = [
  '--disable-background-networking', '--disable-component-update', '--disable-gpu',
  '--disable-quic', '--disable-sync', '--no-first-run',
  // Root may not use Chromium's sandbox; the pages that run here are our own.
  '--no-sandbox',
  // Nothing but this computer has a name or an address.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];
/** How long a fold may take where much else runs: waiting longer costs nothing that passes. */
export const PATIENCE_MS = 60_000;

const LAUNCH = { executablePath: CHROMIUM, headless: true, args: FLAGS };
/**
 * How the Chromium of all tests of a file is begun: pages of all ports of this computer have one process, and what
 * one has compiled serves the next.
 */
const OF_FILE = { ...LAUNCH, args: [...FLAGS, '--process-per-site'] };
/**
 * The profiles of that Chromium, by device pixels in a CSS pixel. All tests share them: what a page keeps is kept
 * by its site, and each test has a site of its own. What is measured is measured in a new Chromium.
 */
const profiles = new Map();
let chromiumOfFile = null;
const isTest = /\.test\.mjs$/.test(process.argv[1] ?? '');
if (isTest) after(async () => (await chromiumOfFile)?.close());

/** What is to be done when a test ends, by test. */
const ENDINGS = new WeakMap();

/**
 * Ends at the end of a test what it began, the last first: a page that still loads goes before its
 * site. All is ended, and the first failure is the test's.
 *
 * @param {import('node:test').TestContext} t
 * @param {() => unknown} end
 */
function atEnd(t, end) {
  const endings = ENDINGS.get(t) ?? [];
  if (endings.push(end) > 1) return;
  ENDINGS.set(t, endings);
  t.after(async () => {
    const failures = [];
    for (const end of endings.reverse()) {
      try {
        await end();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  });
}

/**
 * A folder that is gone after the test.
 *
 * @param {import('node:test').TestContext} t
 * @returns {Promise<string>}
 */
export async function temporaryFolder(t) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tracefold-'));
  atEnd(t, () => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Serves `folder` until the test ends.
 *
 * @param {import('node:test').TestContext} t
 * @returns {Promise<string>} its address, with a slash at the end
 */
export async function site(t, folder = DIST) {
  assert.ok(existsSync(folder), `${folder} is missing: run make build`);
  const server = await serve(folder);
  atEnd(t, server.close);
  return server.url;
}

/**
 * A page.
 *
 * Every request that does not go to the site of `address` (from disk: to that very file) is noted in `strays`,
 * every error that reaches the console in `errors`. A test that says nothing else fails for either. `allow` makes
 * another origin one that the page may ask.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} address
 * @param {{ fragment?: string, colours?: 'light' | 'dark', width?: number, height?: number,
 *   density?: number, expected?: RegExp }} [options] `density`: device pixels in a CSS pixel;
 *   `expected`: errors in the console that the test brings about
 */
export async function open(
  t, address, { fragment = '', colours = 'light', width = 1280, height = 800, density = 1, expected } = {},
) {
  const context = isTest ? await profileOf(density) : await chromium.launchPersistentContext('', { ...LAUNCH, deviceScaleFactor: density, acceptDownloads: true });
  const strays = [];
  const errors = [];
  const fromDisk = address.startsWith('file:');
  const origins = [new URL(address).origin];
  const isOwn = (url) => (fromDisk ? url.split('#')[0] === address : origins.includes(new URL(url).origin));
  const note = (request) => {
    const url = request.url();
    if (!isOwn(url) && !/^(blob|data):/.test(url)) strays.push(url);
  };
  atEnd(t, async () => {
    // The first page of a profile keeps the process.
    await (isTest ? Promise.all(context.pages().slice(1).map((page) => page.close())) : context.close());
    assert.deepEqual(strays, [], 'requests that leave the site');
    assert.deepEqual(errors, [], 'errors in the console');
  });
  const page = isTest ? await context.newPage() : context.pages()[0];
  page.on('request', note);
  page.on('popup', (popup) => popup.on('request', note));
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: colours });
  page.on('pageerror', (error) => errors.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected?.test(message.text())) errors.push(`${message.text()} (${message.location().url})`);
  });
  page.setDefaultTimeout(PATIENCE_MS);
  restAfterActing(page);
  await page.goto(address + fragment);
  // The engine tells the settings: once they are there, the page listens.
  await page.locator('#settings > *').first().waitFor({ state: 'attached' });
  return { page, context, strays, errors, allow: (origin) => origins.push(origin) };
}

/**
 * A profile of the Chromium of all tests of a file, with a page that is none of theirs and stays, so that their
 * process does: a third of the time that it takes to open a trace is to compile what is opened with.
 *
 * @param {number} density
 */
function profileOf(density) {
  if (!profiles.has(density)) profiles.set(density, begin());
  return profiles.get(density);

  async function begin() {
    chromiumOfFile ??= chromium.launch(OF_FILE);
    const context = await (await chromiumOfFile).newContext({ deviceScaleFactor: density, acceptDownloads: true });
    const { url, close } = await serve(path.join(ROOT, 'static'));
    await (await context.newPage()).goto(`${url}icon.svg`);
    await close();
    return context;
  }
}

/** Longest that an action waits for the page to show it: one that is hidden or closed shows nothing. */
const SHOWN_MS = 2000;

/** What all locators share, once their actions rest. */
let locators = null;

/**
 * From here on, what is done to a page is done once the page has shown it: it shows a change of its state on
 * the next frame, and a test that looks sooner sees what was there before.
 *
 * @param {import('playwright-core').Page} page
 */
function restAfterActing(page) {
  restAfter(page.keyboard, ['press', 'type'], () => page);
  restAfter(page.mouse, ['click', 'up', 'wheel'], () => page);
  if (locators) return;
  locators = Object.getPrototypeOf(page.locator('html'));
  restAfter(locators, ['check', 'click', 'dblclick', 'fill', 'hover', 'press', 'selectOption', 'uncheck'], (locator) => locator.page());
}

function restAfter(of, names, pageOf) {
  for (const name of names) {
    const act = of[name];
    of[name] = async function acted(...how) {
      const answer = await act.apply(this, how);
      let timer;
      const longest = new Promise((done) => { timer = setTimeout(done, SHOWN_MS); });
      await Promise.race([nextFrame(pageOf(this)).catch(() => {}), longest]);
      clearTimeout(timer);
      return answer;
    };
  }
}

/**
 * Drops files from disk on the middle of the page, or where `across` says (.8 is on the right half), as a person does:
 * the browser reads them itself.
 *
 * @param {import('playwright-core').Page} page
 * @param {string[]} files
 */
export async function drop(page, files, across = 0.5) {
  for (const file of files) assert.ok(existsSync(file), `${file} is missing`);
  const { width, height } = page.viewportSize();
  const devtools = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await devtools.send('Input.dispatchDragEvent', {
      type,
      x: across * width,
      y: height / 2,
      data: { items: [], files, dragOperationsMask: 1 },
    });
  }
  await devtools.detach();
}

export const byId = (page, id) => page.locator(`[data-testid="${id}"]`);

/** `empty`, `busy`, `ready` or `error`. */
export const state = (page) => byId(page, 'status').getAttribute('data-state');

/**
 * What went wrong, as a person reads it: a heading and a sentence.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string>}
 */
export async function message(page) {
  const parts = byId(page, 'status').locator('.message').locator('h1, .words');
  return (await parts.allInnerTexts()).join(' | ');
}

/**
 * Waits until the page has come to rest in `wanted`, and has nothing to decide; fails at once when it
 * rests in another state.
 *
 * @param {import('playwright-core').Page} page
 * @param {'empty' | 'ready' | 'error'} wanted
 */
export async function rests(page, wanted) {
  await nextFrame(page);
  await page.waitForFunction(
    (wanted) => {
      const status = document.querySelector('[data-testid="status"]');
      const state = status?.getAttribute('data-state');
      return (state === wanted && !status.hasAttribute('data-deciding')) || (wanted === 'ready' && state === 'error');
    },
    wanted,
    { timeout: PATIENCE_MS },
  );
  assert.equal(await state(page), wanted, await message(page));
  if (wanted === 'ready') await painted(page);
}

/**
 * Waits for the pictures of the run.
 *
 * @param {import('playwright-core').Page} page
 */
export async function runSeen(page) {
  await byId(page, 'run').waitFor();
  await page.waitForFunction(() => {
    const timeline = document.getElementById('canvas-timeline');
    return timeline instanceof HTMLCanvasElement && timeline.dataset.layout && timeline.getContext('2d').getImageData(timeline.width / 2, timeline.height / 2, 1, 1).data[3] > 0;
  });
}

/**
 * The page has so many workers. That one has ended is told a moment after the page ended it.
 *
 * @param {import('playwright-core').Page} page
 * @param {number} count
 */
export async function hasWorkers(page, count) {
  const last = Date.now() + 20_000;
  while (page.workers().length !== count && Date.now() < last) await page.waitForTimeout(20);
  assert.equal(page.workers().length, count, 'workers');
}

/** Waits until what is on screen is painted: the lane has told where it has what. */
async function painted(page) {
  const lane = '[data-testid="lane-performance"] canvas[data-layout]';
  await page.waitForSelector(lane, { state: 'attached' });
  await nextFrame(page);
}

/**
 * What `tell` says of each element, in one step: `evaluateAll` first looks for them and then asks, and what
 * the page renders anew in between has neither style nor place any more.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} selector
 * @param {(element: any) => unknown} tell runs in the page
 * @returns {Promise<any[]>}
 */
export function each(page, selector, tell) {
  return page.evaluate(`Array.from(document.querySelectorAll(${JSON.stringify(selector)}), (element) => (${tell})(element))`);
}

/** The page shows a change of its state on the next frame. */
export function nextFrame(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/**
 * Waits until the fragment of the address matches, and the page shows what it says: the address is
 * written first.
 *
 * @param {import('playwright-core').Page} page
 * @param {RegExp} words
 */
export async function addressHas(page, words) {
  await page.waitForFunction((words) => new RegExp(words).test(location.hash), words.source);
  await nextFrame(page);
}

/** As `addressHas`, for what the fragment has no longer. */
export async function addressLacks(page, words) {
  await page.waitForFunction((words) => !new RegExp(words).test(location.hash), words.source);
  await nextFrame(page);
}

/**
 * Shows a part of the side panel, as a person does.
 *
 * @param {import('playwright-core').Page} page
 * @param {'phases' | 'code' | 'data' | 'regions' | 'settings'} part
 */
export async function showPanel(page, part) {
  await byId(page, `panel-${part}`).click();
  await page.locator(`[role=tabpanel]#panel-${part}`).waitFor();
}

/** Opens the bundled example with one click and waits until it is drawn. */
export async function openExample(page) {
  await byId(page, 'example').click();
  await rests(page, 'ready');
}

/**
 * Where the performance lane has what, once what was done to the page is shown; see `paint::Layout`.
 *
 * @param {import('playwright-core').Page} page
 */
export async function layout(page) {
  await nextFrame(page);
  const text = await byId(page, 'lane-performance').locator('canvas[data-layout]').first()
    .getAttribute('data-layout');
  return JSON.parse(text);
}

/**
 * Colours of one pixel column of the performance lane's canvas, from `top` to `bottom` in CSS
 * pixels, laid over the page's surface as a person sees them.
 *
 * @returns {Promise<[number, number, number][]>}
 */
export function column(page, x, top, bottom) {
  return page.evaluate(({ x, top, bottom }) => {
    const canvas = /** @type {HTMLCanvasElement} */ (
      document.querySelector('[data-testid="lane-performance"] canvas[data-layout]'));
    const scale = canvas.width / canvas.getBoundingClientRect().width;
    const from = Math.max(0, Math.floor(top * scale));
    const rows = Math.max(1, Math.ceil(bottom * scale) - from);
    const { data } = canvas.getContext('2d').getImageData(Math.round(x * scale), from, 1, rows);
    const surface = getComputedStyle(canvas.parentElement).backgroundColor.match(/[\d.]+/g).map(Number);
    const under = surface.length === 4 && surface[3] === 0 ? [255, 255, 255] : surface;
    return Array.from({ length: rows }, (_, row) => {
      const alpha = data[row * 4 + 3] / 255;
      return [0, 1, 2].map((c) => data[row * 4 + c] * alpha + under[c] * (1 - alpha));
    });
  }, { x, top, bottom });
}

/**
 * How many of `places` have the colour of a curve within 2 CSS pixels of where its value lies.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ counter: string, colour: number[], strip: object }} curve see `curves`
 * @param {{ x: number, value: number }[]} places folded time and value, as the table has them
 */
export async function drawnPlaces(page, { colour, strip }, places) {
  const { plot } = await layout(page);
  let drawn = 0;
  for (const { x, value } of places) {
    const px = plot.left + x * (plot.right - plot.left);
    const share = (value * strip.factor - strip.min) / (strip.max - strip.min);
    const py = strip.bottom - share * (strip.bottom - strip.top);
    const inside = Math.min(Math.max(px, plot.left + 1), plot.right - 1);
    const colours = await column(page, inside, py - 2, py + 2);
    drawn += colours.some((found) => near(found, colour)) ? 1 : 0;
  }
  return drawn;
}

/**
 * The curves of the performance lane: each with its strip, its colour as the legend shows it, and
 * the name of its column in the table.
 *
 * @param {import('playwright-core').Page} page
 */
export async function curves(page) {
  const { strips } = await layout(page);
  const swatches = await byId(page, 'lane-performance').locator('.legend').evaluate((legend) =>
    Object.fromEntries(Array.from(legend.querySelectorAll('.entry:has([data-of])'), (entry) => [
      entry.querySelector('[data-of]').dataset.of,
      getComputedStyle(entry.querySelector('.swatch')).backgroundColor.match(/[\d.]+/g).map(Number),
    ])));
  return strips.flatMap((strip) => strip.curves.map((counter) => ({
    counter,
    strip,
    colour: swatches[counter],
    column: `${strip.right ? 'mips' : 'per-instruction'} ${counter}`,
  })));
}

/** Alike: closer than any two colours of the palette, and than a curve's edge to its middle. */
function near(colour, wanted) {
  return Math.hypot(...colour.map((c, i) => c - wanted[i])) < 60;
}

/**
 * The table: for each row its folded time and, by `KIND COUNTER`, the values behind its cells
 * (`null` in gaps). Kinds are `mips`, `rate` and `per-instruction`.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<{ x: number, values: Record<string, number | null> }[]>}
 */
export async function table(page) {
  const rows = await ofTable(page, (table) => Array.from(table.tBodies[0].rows, (row) => ({
    x: Number(row.dataset.x),
    values: Object.fromEntries(Array.from(row.cells)
      .filter((cell) => cell.dataset.counter)
      .map(({ dataset: { kind, counter, value } }) => [`${kind} ${counter}`, value === '' ? null : Number(value)])),
  })));
  assert.ok(rows.length > 20, `the table has ${rows.length} rows`);
  return rows;
}

/**
 * What `read` says of the table, which is shown for it where the lanes are.
 *
 * @template T
 * @param {import('playwright-core').Page} page
 * @param {(table: HTMLTableElement) => T} read
 * @returns {Promise<T>}
 */
export async function ofTable(page, read) {
  const turn = () => page.locator('#table-switch').evaluate((button) => button.click());
  const areLanes = await page.locator('#numbers').evaluate((numbers) => numbers.hidden);
  if (areLanes) await turn();
  await page.locator('#numbers:not([hidden]) tbody tr').first().waitFor({ state: 'attached' });
  const said = await byId(page, 'table').evaluate(read);
  if (areLanes) await turn();
  return said;
}

/**
 * Exports through the menu, and gives the downloaded file whose name ends in `ending`.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} format as in the test ids of the menu
 * @param {string} ending
 * @returns {Promise<Buffer>}
 */
export async function exported(page, format, ending) {
  const archived = format === 'csv';
  const arrives = page.waitForEvent('download', {
    predicate: (download) => download.suggestedFilename().endsWith(archived ? '.csv.zip' : ending),
  });
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await byId(page, `export-${format}`).click();
  const bytes = await readFile(await (await arrives).path());
  return archived ? memberOf(bytes, ending) : bytes;
}

/** A file of an archive whose members are stored as they are. */
function memberOf(archive, ending) {
  for (let at = 0; archive.readUInt32LE(at) === 0x04034b50;) {
    const [length, named, extra] = [archive.readUInt32LE(at + 18), archive.readUInt16LE(at + 26), archive.readUInt16LE(at + 28)];
    const begin = at + 30 + named + extra;
    if (archive.toString('utf8', at + 30, at + 30 + named).endsWith(ending)) return archive.subarray(begin, begin + length);
    at = begin + length;
  }
  throw new Error(`the archive has no ${ending}`);
}

/**
 * The page has written what it shows into its fragment, which it does 250 ms after it shows it, and
 * 400 ms after a zoom: by its own clock, which is late where the machine is busy.
 *
 * @param {import('playwright-core').Page} page
 */
export async function addressWritten(page) {
  await nextFrame(page);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 450)));
}

/**
 * Changes the fragment as a person does in the address bar; `undefined` takes a key away.
 *
 * @param {import('playwright-core').Page} page
 * @param {Record<string, string | undefined>} changes
 */
export async function setFragment(page, changes) {
  await addressWritten(page);
  await page.evaluate((changes) => {
    const fragment = new URLSearchParams(location.hash.slice(1));
    for (const [key, value] of changes) {
      if (value === null) fragment.delete(key);
      else fragment.set(key, value);
    }
    if (fragment.toString() === location.hash.slice(1)) return undefined;
    const followed = new Promise((resolve) => {
      addEventListener('popstate', () => requestAnimationFrame(resolve), { once: true });
    });
    location.hash = fragment.toString();
    return followed;
  }, Object.entries(changes).map(([key, value]) => [key, value ?? null]));
  // What fills it is loaded when it is shown first.
  if (changes.view === 'table') await page.locator('#numbers tbody tr').first().waitFor({ state: 'attached' });
}

/** Presses *Share* and gives the link that is then on the clipboard. */
export async function shared(page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(page.url()).origin });
  await byId(page, 'share').click();
  await page.getByText('Link copied.').waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}
