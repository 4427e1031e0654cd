// A dragged range: its card, the tables that are of it, the way to it and back, and odd ranges.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { addressHas, addressLacks, byId, drop, layout, nextFrame, open, openExample, rests, setFragment, shared, showPanel, site, temporaryFolder } from './browser.mjs';
import { opened, openWithFakeEngine } from './fake.mjs';
import { smallTargets, sound, violations } from './looks.mjs';
import { phased } from './phased.mjs';
import { openReferenced } from './referenced.mjs';

const PLAIN = /\u202f/g;
const ONE_LINE = /\s+/g;
const card = (page) => byId(page, 'range');
const isShown = (page) => card(page).waitFor({ state: 'visible' });
const isGone = (page) => card(page).waitFor({ state: 'hidden' });
/** Of the card, once it is there, in one line with plain blanks. */
async function words(page) {
  await isShown(page);
  return (await card(page).innerText()).replace(ONE_LINE, ' ').trim();
}
/** What a table is of; waits until it is of a range. */
const noteOf = async (page, part) => (await page.locator(`#panel-${part} [data-testid=of-range]`).innerText()).replace(PLAIN, ' ');
const sharesOf = (page) => byId(page, 'routines-table').locator('td[data-kind=share]').evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.value)));
const sum = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** Drags from one share of the region to another, as far as it is seen, over the performance lane. */
async function drag(page, from, to, drop = true) {
  const { plot } = await layout(page);
  const box = await page.locator('#canvas-performance').boundingBox();
  const x = (share) => box.x + plot.left + share * (plot.right - plot.left);
  await page.mouse.move(x(from), box.y + plot.top + 20);
  await page.mouse.down();
  await page.mouse.move(x((from + to) / 2), box.y + plot.top + 22);
  await page.mouse.move(x(to), box.y + plot.top + 24);
  if (drop) await page.mouse.up();
}

async function example(t, options = {}) {
  const { page } = await open(t, await site(t), options);
  await openExample(page);
  return page;
}

test('a drag has a card that tells its length, every counter with its interval, samples, lines', async (t) => {
  const page = await example(t);
  await drag(page, 0.3, 0.5, false);
  await addressHas(page, /selection=/);
  assert.equal(await card(page).isVisible(), false, 'it waits until the range is let go');
  await page.mouse.up();
  await isShown(page);
  const told = await words(page);
  assert.match(told, /^[\d .]+ (ms|µs|s) /, told);
  assert.match(told, /[\d .]+ (ms|µs|s) to [\d .]+ (ms|µs|s) · (19\.[89]|20\.[012]) %/, told);
  assert.match(told, /Work [\d .]+ [kMGT] instructions/);
  assert.match(told, /Samples \d[\d ]* of \d/);
  assert.match(told, /Lines \S/);
  const rows = await card(page).locator('tr').evaluateAll((rows) => rows.map((row) => [row.dataset.counter, ...Array.from(row.querySelectorAll('td'), (cell) => cell.innerText)]));
  const counters = await byId(page, 'lane-performance').locator('.legend [data-of]').evaluateAll((values) => values.map((value) => value.dataset.of));
  assert.deepEqual(rows.map(([counter]) => counter).sort(), counters.sort(), 'each counter once');
  for (const [counter, value, , interval] of rows) {
    const [mean, low, high] = [value, ...interval.replace(/[[\]]/g, '').split(', ')].map((text) => Number(text.replace(PLAIN, '')));
    // The mean is printed in a digit less.
    const rounding = 0.5 / 10 ** (value.split('.')[1]?.length ?? 0);
    assert.ok(low < high && low - rounding <= mean && mean <= high + rounding, `${counter}: ${value} ${interval}`);
  }
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await smallTargets(page), []);
  await page.keyboard.press('Escape');
  await isGone(page);
});

test('the table of code is of the range, says so, and of all again', async (t) => {
  const page = await example(t);
  await showPanel(page, 'code');
  await byId(page, 'routines-table').waitFor();
  const whole = await sharesOf(page);
  await drag(page, 0.05, 0.15);
  const note = await noteOf(page, 'code');
  assert.match(note, / to .*; shares are of this range/);
  const part = await sharesOf(page);
  assert.ok(Math.abs(sum(part) - 1) < 0.01, `all of the range: ${part}`);
  assert.notDeepEqual(part, whole);
  // The card's first line is one of the table's first routine, with no larger share.
  const [, share] = /(\d+) %/.exec(await card(page).locator('dl i:has-text("%")').first().innerText()) ?? [];
  assert.ok(Number(share) <= 100 * Math.max(...part) + 0.5);
  await page.locator('#panel-code').getByRole('button', { name: 'Whole region' }).click();
  await addressLacks(page, /selection=/);
  await byId(page, 'of-range').waitFor({ state: 'detached' });
  assert.deepEqual(await sharesOf(page), whole);
});

test('F and the button zoom to the range, and Back is there again', async (t) => {
  const page = await example(t);
  for (const zoom of [() => page.keyboard.press('f'), () => byId(page, 'range-zoom').click()]) {
    await drag(page, 0.25, 0.75);
    await isShown(page);
    await zoom();
    await isGone(page);
    await addressHas(page, /(^|[#&])range=0\.2[45]\d*_0\.7[45]/);
    await addressLacks(page, /selection=/);
    await page.goBack();
    await addressLacks(page, /[#&]range=/);
    await isShown(page);
    await page.keyboard.press('Escape');
    await isGone(page);
  }
});

test('an address with a range opens with its card and tables', async (t) => {
  const page = await example(t);
  await showPanel(page, 'code');
  await drag(page, 0.1, 0.2);
  await addressHas(page, /selection=0\.(09\d*|1\d*)_0\.(19\d*|2\d*)/);
  await isShown(page);
  const [told, note, shares] = [await words(page), await noteOf(page, 'code'), await sharesOf(page)];
  const fragment = new URL(page.url()).hash;
  const again = await open(t, await site(t), { fragment });
  await rests(again.page, 'ready');
  await isShown(again.page);
  assert.equal(await words(again.page), told);
  assert.equal(await noteOf(again.page, 'code'), note);
  assert.deepEqual(await sharesOf(again.page), shares);
});

test('a shared picture tells of its range what the trace does', async (t) => {
  const { page } = await openReferenced(t);
  await showPanel(page, 'code');
  await drag(page, 0.25, 0.45);
  await isShown(page);
  const of = async (page) => {
    await showPanel(page, 'data');
    const data = await byId(page, 'objects-table').innerText();
    await showPanel(page, 'code');
    return [await words(page), await noteOf(page, 'code'), await byId(page, 'routines-table').innerText(), data];
  };
  const told = await of(page);
  const { hash } = new URL(await shared(page));
  const again = await open(t, await site(t), { fragment: hash });
  await rests(again.page, 'ready');
  await isShown(again.page);
  assert.deepEqual(await of(again.page), told);
  await setFragment(again.page, { selection: '0.1_0.2' });
  await again.page.locator('#panel-code [data-testid=of-range]', { hasText: 'as coarse as a link carries them' }).waitFor();
  await showPanel(again.page, 'data');
  await again.page.locator('#panel-data [data-testid=of-range]', { hasText: 'Of the whole region' }).waitFor();
});

test('data are those that the range references, and other references are left out', async (t) => {
  const { page } = await openReferenced(t);
  await showPanel(page, 'data');
  const names = () => byId(page, 'objects-table').locator('tbody .name').allInnerTexts();
  assert.equal((await names()).length, 3);
  // In the second phase what is loaded is `stream.c:181`, and what is stored `b`.
  await drag(page, 0.25, 0.4);
  await noteOf(page, 'data');
  assert.deepEqual(await names(), ['stream.c:181', 'b']);
  const told = await words(page);
  assert.match(told, /Loads \d[\d ]* 95 % within \d+ cycles/);
  assert.match(told, /Data stream\.c:181\s+100 %, \d[\d ]* loads/);
  const answer = async (what) => Number((await card(page).locator('dl > div', { hasText: what }).locator('b').innerText()).replace(PLAIN, ''));
  const [loads, stores] = [await answer('Loads'), await answer('Stores')];
  const figures = await byId(page, 'objects-table').locator('tbody').evaluateAll((bodies) => bodies.map((body) => Array.from(body.querySelectorAll('td[data-value]'), (cell) => Number(cell.dataset.value))));
  assert.deepEqual([sum(figures.map(([loads]) => loads)), sum(figures.map(([, stores]) => stores))], [loads, stores]);
  await card(page).getByRole('button', { name: 'stream.c:181' }).click();
  await addressHas(page, /picked=object/);
});

/** The page with a folding that was changed, open. */
async function shown(t, change, options) {
  const all = await openWithFakeEngine(t, options);
  const file = path.join(await temporaryFolder(t), 'some.prv');
  await writeFile(file, 'x');
  await drop(all.page, [file]);
  await all.heard(0);
  await all.order({ fold: JSON.stringify(change(all.folding)) });
  await all.order({ value: opened('some.prv') });
  await rests(all.page, 'ready');
  return all.page;
}

test('where too few samples are nothing is told of counters, and where there are none of code', async (t) => {
  const page = await shown(t, (folding) => {
    const made = phased(folding);
    for (const group of made.groups) {
      const kept = group.lines.x.map((x, i) => [x, i]).filter(([x]) => x < 0.5).map(([, i]) => i);
      group.lines = { x: kept.map((i) => group.lines.x[i]), place: kept.map((i) => group.lines.place[i]), context: kept.map((i) => group.lines.context[i]) };
      group.sparse = [{ start: 0.5, end: 1 }];
    }
    return made;
  });
  await showPanel(page, 'code');
  await drag(page, 0.6, 0.9);
  await isShown(page);
  assert.match(await words(page), /Too few samples here: what curves do is not known\./);
  const values = await card(page).locator('tr td:nth-of-type(1)').allInnerTexts();
  assert.ok(values.length > 0 && values.every((value) => value === '–'), `${values}`);
  await byId(page, 'no-code').waitFor();
  await page.keyboard.press('Escape');
  await drag(page, 0.4, 0.6);
  await isShown(page);
  assert.match(await words(page), /(49|50|51) % of it has too few samples\./);
  await byId(page, 'routines-table').waitFor();
});

test('a range of one pixel, and one without any counter, have a card', async (t) => {
  const page = await example(t);
  const { plot } = await layout(page);
  const box = await page.locator('#canvas-performance').boundingBox();
  await page.mouse.move(box.x + plot.left + 200, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + plot.left + 220, box.y + 60);
  await page.mouse.move(box.x + plot.left + 206, box.y + 60);
  await page.mouse.up();
  await setFragment(page, { selection: '0.3_0.3001' });
  await isShown(page);
  assert.match(await words(page), / · 0\.0 %/);
  assert.doesNotMatch(await words(page), /NaN|undefined|Infinity/);
  await setFragment(page, { selection: '0.9_0.2' });
  await isGone(page);
  const bare = await shown(t, (folding) => ({ ...folding, groups: folding.groups.map((group) => ({ ...group, curves: [] })) }));
  await setFragment(bare, { selection: '0.3_0.4' });
  await isShown(bare);
  assert.equal(await card(bare).locator('tr').count(), 0);
});

test('the card is seen whole at any width, in any theme, with many counters', async (t) => {
  const page = await example(t);
  await setFragment(page, { selection: '0.3_0.55' });
  await isShown(page);
  await sound(page, 'range', {
    looks: [{ width: 400, colours: 'light' }, { width: 640, height: 700, colours: 'dark' }, { width: 900, colours: 'light' }, { width: 1280, colours: 'dark' }],
    shown: async ({ width }) => {
      const [inner, outer] = [await card(page).boundingBox(), await page.locator('#lanes').boundingBox()];
      assert.ok(inner.x >= outer.x - 0.5 && inner.x + inner.width <= outer.x + outer.width + 0.5, `${width}: ${JSON.stringify([inner, outer])}`);
      assert.equal(await card(page).evaluate((card) => card.scrollWidth > card.clientWidth + 1), false, `${width}: wider than the card`);
    },
  });
});
