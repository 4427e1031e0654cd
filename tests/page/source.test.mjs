// The source lane and its tables: how long which routine and line ran, from where it was called, and
// what is picked and shown as an icicle.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import {
  addressHas, addressLacks, byId, drop, exported, open, rests, setFragment, shared, showPanel,
  temporaryFolder,
} from './browser.mjs';
import { opened, openWithFakeEngine } from './fake.mjs';
import { sound } from './looks.mjs';
import { phased } from './phased.mjs';
import { RUNS, stacked } from './stacked.mjs';

/** A page with a folding of call-stacks and phases open. */
async function withStacks(t, how = {}, options = {}) {
  const { folding, order, heard, page } = await openWithFakeEngine(t, options);
  const file = path.join(await temporaryFolder(t), 'some.prv');
  await writeFile(file, 'x');
  const shown = phased(stacked(folding, how));
  // Each phase is of the routine that runs in it.
  for (const group of shown.groups) {
    const runs = (phase) => Object.keys(RUNS).findLast((name) => RUNS[name][0] <= phase.start + 1e-9 && RUNS[name][1] >= phase.end - 1e-9);
    for (const phase of group.phases) phase.place = group.places.findIndex(({ routine, samples }) => group.routines[routine] === runs(phase) && samples > 0);
  }
  await drop(page, [file]);
  await heard(0);
  await order({ fold: JSON.stringify(shown) });
  await order({ value: opened('some.prv') });
  await rests(page, 'ready');
  await showPanel(page, 'code');
  return { page, group: shown.groups.find(({ number }) => number === shown.shown) };
}

const routine = (page, name) => byId(page, 'routines-table').locator(`tbody[data-routine="${name}"]`);
const nameOf = (page, name) => routine(page, name).getByRole('button', { name, exact: true });
const value = async (body, kind) => Number(await body.locator(`[data-kind=${kind}]`).first().getAttribute('data-value'));

/** The share of time that each sample stands for, by the definition. */
function shares({ lines: { x } }) {
  return x.map((at, i) => {
    const from = i === 0 ? 0 : (x[i - 1] + at) / 2;
    const to = i === x.length - 1 ? 1 : (at + x[i + 1]) / 2;
    return to - from;
  });
}

test('routines have the time and the speed that samples and curves give them', async (t) => {
  const { page, group } = await withStacks(t);
  const meanMs = group.mean_duration_ns / 1e6;
  const weights = shares(group);
  const curve = group.curves.find(({ instructions }) => instructions);
  const rate = (x) => {
    const at = x * (curve.rate.length - 1);
    const below = Math.min(Math.floor(at), curve.rate.length - 2);
    return curve.rate[below] + (at - below) * (curve.rate[below + 1] - curve.rate[below]);
  };
  for (const name of ['__memcpy_ssse3_back', 'Scale', 'Add', 'Triad']) {
    const own = group.lines.place.map((place) => group.routines[group.places[place].routine] === name);
    const sum = (of) => weights.reduce((sum, weight, i) => sum + (own[i] ? of(weight, i) : 0), 0);
    const share = sum((weight) => weight);
    const body = routine(page, name);
    assert.ok(Math.abs((await value(body, 'exclusive')) - share * meanMs) < 1e-6 * meanMs, name);
    assert.ok(Math.abs((await value(body, 'share')) - share) < 1e-6, name);
    const mips = sum((weight, i) => weight * rate(group.lines.x[i])) / share;
    assert.ok(Math.abs((await value(body, 'rate')) / mips - 1) < 1e-6, name);
    assert.equal(await body.locator('svg.histogram path').count(), 1);
  }
  assert.ok(Math.abs((await value(routine(page, 'main'), 'inclusive')) - meanMs) < 1e-6 * meanMs);
  assert.equal(await value(routine(page, 'main'), 'exclusive'), 0);
  assert.equal(await value(routine(page, 'Copy'), 'inclusive'), await value(routine(page, '__memcpy_ssse3_back'), 'inclusive'));
  const own = await byId(page, 'routines-table').locator('[data-kind=exclusive]').evaluateAll((cells) => cells.map(({ dataset }) => Number(dataset.value)));
  assert.deepEqual(own, own.toSorted((a, b) => b - a), 'the longest first');
});

test('a routine opens to its lines by keyboard, and their times are its own', async (t) => {
  const { page } = await withStacks(t);
  const body = routine(page, '__memcpy_ssse3_back');
  const own = await value(body, 'exclusive');
  const turn = body.getByRole('button', { name: 'Lines of __memcpy_ssse3_back' });
  await turn.focus();
  await page.keyboard.press('Enter');
  assert.equal(await turn.getAttribute('aria-expanded'), 'true');
  assert.ok(await turn.evaluate((turn) => turn === document.activeElement), 'the focus stays');
  const lines = byId(page, 'routines-table').locator('tbody.line');
  assert.ok((await lines.count()) >= 2);
  const times = await lines.locator('[data-kind=exclusive]').evaluateAll((cells) => cells.map(({ dataset }) => Number(dataset.value)));
  assert.ok(Math.abs(times.reduce((a, b) => a + b) - own) < 1e-9 * own);
  assert.match(await lines.first().innerText(), /2140 memcpy\.S/);
  await page.keyboard.press('Enter');
  assert.equal(await lines.count(), 0);
});

/** Colour and opacity of the source lane at a folded time and a height. */
function pixel(page, time, y) {
  return page.evaluate(({ time, y }) => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById('canvas-source'));
    const { plot } = JSON.parse(canvas.dataset.layout);
    const scale = canvas.width / canvas.getBoundingClientRect().width;
    const x = plot.left + time * (plot.right - plot.left);
    return Array.from(canvas.getContext('2d').getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data);
  }, { time, y });
}

const picked = (page) => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('picked'));

test('a click picks a routine or a line, all else becomes faint, and another click takes it back', async (t) => {
  const { page } = await withStacks(t);
  const cap = async (time) => (await pixel(page, time, 1))[3];
  assert.equal(await cap(0.5), 255);
  await nameOf(page, 'Scale').click();
  await addressHas(page, /picked/);
  assert.equal(await picked(page), 'routine:Scale');
  assert.equal(await nameOf(page, 'Scale').getAttribute('aria-pressed'), 'true');
  assert.equal(await cap(0.3), 255);
  assert.ok(Math.abs((await cap(0.5)) - 51) < 8, `${await cap(0.5)} of 255 is not a fifth`);
  await nameOf(page, 'Scale').click();
  await addressLacks(page, /picked/);
  assert.equal(await cap(0.5), 255);

  await routine(page, 'Add').getByRole('button', { name: 'Lines of Add' }).click();
  await byId(page, 'routines-table').locator('tbody.line').getByRole('button').first().click();
  await addressHas(page, /picked/);
  assert.match(await picked(page), /^line:2\d\d:stream\.c$/);
  assert.ok((await cap(0.3)) < 60 && (await cap(0.5)) === 255);
  await page.goBack();
  await addressLacks(page, /picked/);
});

test('the icicle shows callers over what they call, on the page and as SVG', async (t) => {
  const { page } = await withStacks(t);
  const turn = byId(page, 'stacks');
  await turn.focus();
  await page.keyboard.press('Enter');
  await addressHas(page, /stacks=icicle/);
  assert.equal(await turn.getAttribute('aria-pressed'), 'true');
  assert.match(await page.locator('#canvas-source').getAttribute('aria-label'), /icicle of 3 levels.*main › Copy › __memcpy_ssse3_back/);
  // The upper edge of a cell has the routine's colour in full.
  const hue = async (name) => routine(page, name).locator('.square').evaluate((square) => getComputedStyle(square).backgroundColor.match(/\d+/g).map(Number));
  const height = await page.locator('#canvas-source').evaluate((canvas) => canvas.getBoundingClientRect().height);
  for (const [name, time, row] of [['main', 0.1, 0], ['main', 0.9, 0], ['Copy', 0.1, 1], ['Scale', 0.3, 1], ['__memcpy_ssse3_back', 0.1, 2]]) {
    const [found, wanted] = [await pixel(page, time, (row * height) / 3 + 1.2), await hue(name)];
    assert.ok(wanted.every((channel, i) => Math.abs(channel - found[i]) <= 4), `${name}: ${found}, not ${wanted}`);
  }
  assert.equal((await pixel(page, 0.9, height - 10))[3], 0, 'nothing runs under Triad');
  const svg = String(await exported(page, 'svg', '.svg'));
  assert.match(svg, /main \[\d+\]/);
  await turn.click();
  await addressLacks(page, /stacks/);
});

test('the tree of calls is walked by keyboard, and picks', async (t) => {
  const { page, group } = await withStacks(t);
  await byId(page, 'code').getByRole('button', { name: 'Call tree' }).click();
  const tree = byId(page, 'call-tree');
  const item = (name) => tree.locator('[role=treeitem]').filter({ hasText: name });
  const focused = () => page.evaluate(() => document.activeElement?.querySelector('.called')?.textContent);
  await tree.locator('[tabindex="0"]').focus();
  assert.equal(await focused(), 'main');
  const total = Number(await item('main').locator('b').first().getAttribute('data-value'));
  assert.ok(Math.abs(total - group.mean_duration_ns / 1e6) < 1e-6 * total);
  const names = () => tree.locator('.called').allTextContents();
  assert.equal((await names()).length, 6, 'what takes long is open');
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(await names(), ['main']);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), 'Triad', 'the longest first');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focused(), 'main', 'to what calls it');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await addressHas(page, /picked/);
  assert.equal(await picked(page), 'routine:Triad');
  assert.equal(await item('Triad').getAttribute('aria-selected'), 'true');
});

test('the tree of calls is in the address, and Back brings the list again', async (t) => {
  const { page } = await withStacks(t);
  await byId(page, 'code').getByRole('button', { name: 'Call tree' }).click();
  await addressHas(page, /code=tree/);
  await byId(page, 'call-tree').waitFor();
  await page.goBack();
  await byId(page, 'routines-table').waitFor();
  assert.equal(await page.evaluate(() => location.hash.includes('code=')), false);
  await setFragment(page, { code: 'tree' });
  await byId(page, 'call-tree').waitFor();
});

test('phases name the routine that runs in them, with its caller', async (t) => {
  const { page, group } = await withStacks(t);
  await showPanel(page, 'phases');
  const words = await byId(page, 'phases-table').locator('td.what').allTextContents();
  const line = (name) => group.places[group.phases.map(({ place }) => place).find((place) => group.routines[group.places[place].routine] === name)].line;
  assert.deepEqual(words.map((text) => text.trim()), [
    `Copy › __memcpy_ssse3_back [${line('__memcpy_ssse3_back')}]`,
    ...['Scale', 'Add', 'Triad'].map((name) => `main › ${name} [${line(name)}]`),
  ]);
});

test('call-stacks that could not be joined are told with a remedy', async (t) => {
  const { page } = await withStacks(t, { alignment: { coverage: 0.6, components: 3, ambiguous: 0.4 } });
  const words = await byId(page, 'doubts').innerText();
  for (const part of [/joined for 60\u202f% of the samples/, /in 3 parts/, /4 frames deep/, /40\u202f% of the call-stacks fit more than one caller/]) assert.match(words, part);
  const sound = await withStacks(t);
  assert.equal(await byId(sound.page, 'doubts').isHidden(), true);
});

test('a link has the tables, the tree, what is picked and the icicle', async (t) => {
  const { page, group } = await withStacks(t);
  await nameOf(page, 'Add').click();
  await byId(page, 'stacks').click();
  await addressHas(page, /icicle.*picked|picked.*icicle/);
  const link = await shared(page);
  assert.ok(link.length <= 30_000, `the link has ${link.length} characters`);
  const { page: theirs } = await open(t, new URL('./', link).href, { fragment: new URL(link).hash });
  await rests(theirs, 'ready');
  assert.equal(await nameOf(theirs, 'Add').getAttribute('aria-pressed'), 'true');
  assert.equal(await byId(theirs, 'stacks').getAttribute('aria-pressed'), 'true');
  const meanMs = group.mean_duration_ns / 1e6;
  for (const name of ['main', 'Copy', 'Scale', 'Add', 'Triad']) {
    const [here, there] = [await value(routine(page, name), 'inclusive'), await value(routine(theirs, name), 'inclusive')];
    assert.ok(Math.abs(here - there) < 0.005 * meanMs, `${name}: ${there}, not ${here}`);
  }
  await byId(theirs, 'code').getByRole('button', { name: 'Call tree' }).click();
  await byId(theirs, 'call-tree').waitFor();
  assert.equal(await byId(theirs, 'call-tree').locator('[role=treeitem]').count(), 6);
});

test('axe finds nothing in the tables of code', async (t) => {
  const { page } = await withStacks(t);
  await routine(page, 'Triad').getByRole('button', { name: 'Lines of Triad' }).click();
  await nameOf(page, 'Triad').click();
  await sound(page, 'code');
  await setFragment(page, { stacks: 'icicle', picked: undefined });
  await byId(page, 'code').getByRole('button', { name: 'Call tree' }).click();
  await sound(page, 'tree');
});
