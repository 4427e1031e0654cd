// The address lane: where it is, what a click on it picks, and what the cursor tells of data.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressWritten, byId, each, exported, open, openExample, rests, setFragment, shared, showPanel, site } from './browser.mjs';
import { places } from './looks.mjs';
import { addressLayout, openReferenced } from './referenced.mjs';

/** Where a point of a lane lies on the page. */
async function pointOf(page, lane, x, y) {
  const box = await byId(page, lane).locator('canvas').boundingBox();
  const { plot } = JSON.parse(await byId(page, lane).locator('canvas').getAttribute('data-layout'));
  return [box.x + plot.left + x * (plot.right - plot.left), box.y + y];
}

/** Clicks on a lane at folded time `x` and `y` px from its top. */
async function click(page, lane, x, y) {
  await page.mouse.click(...(await pointOf(page, lane, x, y)));
  await frames(page);
}

const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Colour of each pixel of a lane in a column, from the top. */
const pixels = (page, id, x) => page.evaluate(({ id, x }) => {
  const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById(id));
  const { plot } = JSON.parse(canvas.dataset.layout);
  const column = Math.round(plot.left + x * (plot.right - plot.left));
  const { data } = canvas.getContext('2d').getImageData(column - 3, 0, 7, canvas.height);
  return Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 4).join());
}, { id, x });

const middleOf = (rows, object) => {
  const { top, bottom } = rows.find((row) => row.object === object);
  return (top + bottom) / 2;
};

const fragment = async (page) => {
  await addressWritten(page);
  return new URLSearchParams(await page.evaluate(() => location.hash.slice(1)));
};

test('a trace without references has no address lane, and one with some has its objects by address', async (t) => {
  const without = await open(t, await site(t), {});
  await openExample(without.page);
  if (await byId(without.page, 'panel-data').isHidden()) assert.ok(await byId(without.page, 'lane-address').isHidden());
  const { page } = await openReferenced(t);
  assert.ok(await byId(page, 'lane-address').isVisible());
  const { rows } = await addressLayout(page);
  assert.deepEqual(rows.map(({ object, kind }) => `${object} ${kind}`), ['a static', 'b static', 'stream.c:181 malloc']);
  assert.ok(rows[0].top >= rows[1].bottom - 0.01 && rows[1].top > rows[2].bottom + 10, 'a hole under what was allocated');
  const lanes = await Promise.all(['lane-source', 'lane-address', 'lane-performance'].map((lane) => byId(page, lane).locator('canvas').boundingBox()));
  assert.ok(lanes[0].y < lanes[1].y && lanes[1].y < lanes[2].y);
  assert.match(await byId(page, 'lane-address').locator('canvas').getAttribute('aria-label'), /stream\.c:181, malloc, 76\.3.MiB: 700 loads/);
});

test('a click on a band picks its object in all lanes, and again nothing', async (t) => {
  const { page } = await openReferenced(t);
  const { rows } = await addressLayout(page);
  // In the first phase b is not referenced, a is.
  const of = (object) => pixels(page, 'canvas-address', 0.1).then((all) => all.length && new Set(all.slice(7 * Math.ceil(rows.find((r) => r.object === object).top + 2), 7 * Math.floor(rows.find((r) => r.object === object).bottom - 2))));
  const before = { a: await of('a'), curves: await pixels(page, 'canvas-performance', 0.1), source: await pixels(page, 'canvas-source', 0.1) };
  await click(page, 'lane-address', 0.1, middleOf(rows, 'b'));
  assert.equal((await fragment(page)).get('picked'), 'object:b');
  assert.match(await byId(page, 'picked').innerText(), /Object b/);
  assert.notDeepEqual(await of('a'), before.a, 'references of others are faint');
  assert.notDeepEqual(await pixels(page, 'canvas-performance', 0.1), before.curves, 'where it was not sampled');
  assert.notDeepEqual(await pixels(page, 'canvas-source', 0.1), before.source, 'lines of other moments');
  await click(page, 'lane-address', 0.1, middleOf(rows, 'b'));
  assert.equal((await fragment(page)).get('picked'), null);
  assert.deepEqual(await of('a'), before.a);
  assert.deepEqual(await pixels(page, 'canvas-performance', 0.1), before.curves);
  assert.ok(await byId(page, 'picked').isHidden());
});

test('a routine that is picked leaves its references, and Escape brings all back', async (t) => {
  const { page } = await openReferenced(t);
  const shown = () => pixels(page, 'canvas-address', 0.85);
  const before = await shown();
  await showPanel(page, 'code');
  await page.locator('aside [data-pick^="routine:"]').getByText('Scale', { exact: true }).click();
  assert.equal((await fragment(page)).get('picked'), 'routine:Scale');
  assert.notDeepEqual(await shown(), before, 'Triad runs there');
  // The first one closes the source text that the click has opened.
  for (let i = 0; i < 2; i += 1) await page.keyboard.press('Escape');
  assert.equal((await fragment(page)).get('picked'), null);
  assert.deepEqual(await shown(), before);
});

test('a click on a band of the source lane picks its routine', async (t) => {
  const { page } = await openReferenced(t);
  await click(page, 'lane-source', 0.3, 60);
  assert.equal((await fragment(page)).get('picked'), 'routine:Scale');
  assert.match(await byId(page, 'picked').innerText(), /Routine Scale/);
});

test('the chip takes a pick back, and a level picks its loads', async (t) => {
  const { page } = await openReferenced(t);
  await byId(page, 'lane-address').hover();
  await byId(page, 'colour').click();
  await byId(page, 'lane-address').getByRole('button', { name: 'DRAM', exact: true }).click();
  const asked = await fragment(page);
  assert.deepEqual([asked.get('colour'), asked.get('picked')], ['level', 'level:7']);
  assert.match(await byId(page, 'picked').innerText(), /Loads from DRAM/);
  await byId(page, 'picked').getByRole('button').click();
  assert.equal((await fragment(page)).get('picked'), null);
});

test('the tooltip tells line, data, load and rate in at most five rows, and Escape hides it', async (t) => {
  const { page } = await openReferenced(t);
  const { rows } = await addressLayout(page);
  await page.mouse.move(...(await pointOf(page, 'lane-address', 0.3, middleOf(rows, 'stream.c:181'))));
  await frames(page);
  const tip = byId(page, 'tip');
  const told = Object.fromEntries((await tip.locator('div').evaluateAll((all) => all.map((row) => [row.querySelector('span').textContent, row.textContent]))));
  assert.deepEqual(Object.keys(told), ['', 'Line', 'Data', 'Load', 'Rate', 'From']);
  assert.match(told.Data, /stream\.c:181.*malloc at/);
  assert.match(told.Load, /\d+ cycles from (DRAM|L2)/);
  await page.keyboard.press('Escape');
  assert.ok(await tip.isHidden());
});

for (const width of [1280, 400]) {
  test(`cursor and names lie where the lanes are painted, ${width} px wide`, async (t) => {
    const { page } = await openReferenced(t, { width });
    const { rows } = await addressLayout(page);
    await page.mouse.move(...(await pointOf(page, 'lane-performance', 0.3, 40)));
    await frames(page);
    const box = (locator) => locator.boundingBox().then(({ y, height }) => [y, y + height].map(Math.round));
    const plots = [];
    for (const lane of ['source', 'address', 'performance']) {
      const canvas = page.locator(`#canvas-${lane}`);
      const { plot } = JSON.parse(await canvas.getAttribute('data-layout'));
      const [top] = await box(canvas);
      // Names of routines stand over the lines of the source lane.
      plots.push([top + plot.top + (lane === 'source' ? 24 : 0), top + plot.bottom].map(Math.round));
    }
    const lines = await each(page, '.overlay line.cursor', (line) => {
      const { top, bottom } = line.getBoundingClientRect();
      return [top, bottom].map(Math.round);
    });
    assert.deepEqual(lines.slice(0, plots.length), plots);
    const [address] = await box(page.locator('#canvas-address'));
    const names = await each(page, '[data-testid=object-name]', (name) => Math.round(name.getBoundingClientRect().top));
    assert.deepEqual(names, rows.map(({ top }) => Math.round(address + top)));
  });
}

test('the cursor by keys says the same to those who do not see it', async (t) => {
  const { page } = await openReferenced(t);
  await byId(page, 'lane-address').locator('canvas').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => /Data .+ Load /s.test(document.getElementById('cursor-words').textContent));
});

test('a name in the gutter gives its object the lane, by click and by keys', async (t) => {
  const { page } = await openReferenced(t);
  const name = byId(page, 'object-name').nth(1);
  await name.focus();
  await page.keyboard.press('Enter');
  await frames(page);
  const { rows, plot } = await addressLayout(page);
  assert.deepEqual(rows.map(({ object }) => object), ['b']);
  assert.deepEqual([rows[0].top, rows[0].bottom], [plot.top, plot.bottom]);
  assert.equal((await fragment(page)).get('object'), 'b');
  await page.keyboard.press('Escape');
  await frames(page);
  assert.equal((await addressLayout(page)).rows.length, 3);
});

test('the fragment and a link carry pick, object and colour, and a link some references, which it says', async (t) => {
  const { page } = await openReferenced(t);
  await setFragment(page, { picked: 'object:b', object: 'b', colour: 'level' });
  await frames(page);
  assert.equal((await addressLayout(page)).rows.length, 1);
  const link = await shared(page);
  const elsewhere = await open(t, link.split('#')[0], { fragment: `#${link.split('#')[1]}` });
  await rests(elsewhere.page, 'ready');
  assert.equal((await addressLayout(elsewhere.page)).rows[0].object, 'b');
  assert.match(await byId(elsewhere.page, 'shared-words').innerText(), /1.500 of 3.000 references/);
  await showPanel(elsewhere.page, 'data');
  const table = await byId(elsewhere.page, 'objects-table').innerText();
  assert.match(table, /stream\.c:181[\s\S]*random/);
});

test('the table of data tells each object\'s cost, levels and ways', async (t) => {
  const { page } = await openReferenced(t);
  await showPanel(page, 'data');
  const table = byId(page, 'objects-table');
  const words = await table.innerText();
  for (const expected of [/static · 76\.3.MiB · at least 625.KiB touched/, /descending, 64.B per step/, /random/, /L1 50.%/, /DRAM 35.%/]) assert.match(words, expected);
  await table.getByRole('button', { name: 'b', exact: true }).click();
  assert.equal((await fragment(page)).get('picked'), 'object:b');
});

test('names from a trace stay text, however odd', async (t) => {
  const object = (name, address, bytes) => ({ name, kind: 'dynamic', address, bytes, loads: 1, stores: 1, bytes_touched: 64, levels: [] });
  const objects = [
    object('<img src=x onerror=alert(1)>', '1000', 1), object(`x\u001b]0;y\u0007${'z'.repeat(10_000)}`, '2000', 64),
    object('kernel', 'ffffffff80000000', 4096), ...Array.from({ length: 12 }, (_, i) => object(`o${i}`, (0x10000000 + i * 0x100000).toString(16), 64)),
  ];
  const { page } = await openReferenced(t, { objects });
  const { rows } = await addressLayout(page);
  assert.ok(rows.length > 3 && rows.length <= 8, `${rows.length} objects`);
  assert.equal(await page.locator('#main img:not(#multiples-picture)').count(), 0);
  const svg = String(await exported(page, 'svg', '.svg'));
  assert.match(svg, /\d+ smaller/);
  assert.doesNotMatch(svg, /<img|\u001b/);
});

for (const width of [400, 900, 1280]) test(`what is loaded when the first reference is shown moves nothing in ${width} px`, async (t) => {
  const { page } = await open(t, await site(t), { width });
  const release = /** @type {(() => void)[]} */ ([]);
  await page.route(/\/(objects|memory)-\w+\.js$/, async (route) => {
    await new Promise((go) => release.push(() => go(null)));
    await route.continue();
  });
  await openExample(page);
  while (release.length < 2) await frames(page);
  await frames(page);
  assert.equal(await page.locator('#address-legend > *').count(), 0);
  const before = await places(page);
  for (const go of release) go();
  await page.locator('#address-legend > *').first().waitFor({ state: 'attached' });
  await byId(page, 'objects-table').waitFor({ state: 'attached' });
  await frames(page);
  assert.deepEqual(await places(page), before);
});
