// Phases: the table says what the folding and the rail say, and what is done to them by hand is
// folded, linked and taken back.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import {
  addressHas, addressLacks, byId, column, drop, layout, nextFrame, open, rests, setFragment, showPanel, site,
  temporaryFolder,
} from './browser.mjs';
import { opened, openWithFakeEngine } from './fake.mjs';
import { sound } from './looks.mjs';
import { BORDERS, phased } from './phased.mjs';

/** A page with a folding of phases open. */
async function withPhases(t, how = {}, options = {}) {
  const { folding, order, heard, folds, page } = await openWithFakeEngine(t, options);
  const file = path.join(await temporaryFolder(t), 'some.prv');
  await writeFile(file, 'x');
  const shown = phased(folding, how);
  await drop(page, [file]);
  await heard(0);
  await order({ fold: JSON.stringify(shown) });
  await order({ value: opened('some.prv') });
  await rests(page, 'ready');
  return { page, order, folds, folding, group: shown.groups.find(({ number }) => number === shown.shown) };
}

const rows = (page) => byId(page, 'phases-table').locator('tbody');
const asked = async (folds) => (await folds()).at(-1).settings;

/** The ± of a mean where the curve's band reaches it throughout, else between what the curve runs. */
function besideMean({ rate, rate_band: band, phases }, phase, start, end) {
  const { rate: mean, half_width: half } = phases[phase];
  const [first, last] = [start, end].map((x) => x * (rate.length - 1));
  const inside = [...rate.keys()].filter((j) => (j > first || (j === 0 && start === 0)) && (j < last || end === 1));
  if (inside.every((j) => Math.abs(rate[j] - mean) <= band[j] + half)) return `± ${Math.round(half)}`;
  const written = (value) => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return [Math.min, Math.max].map((of) => written(of(...inside.map((j) => rate[j])))).join('–');
}

test('the table of phases has the numbers of the folding, and the rail its borders', async (t) => {
  const { page, group } = await withPhases(t, { names: ['', 'solve'] }, { density: 2 });
  const meanMs = group.mean_duration_ns / 1e6;
  assert.equal(await rows(page).count(), 4);
  const cells = await rows(page).evaluateAll((bodies) => bodies.map((body) => Array.from(body.rows[0].cells, (cell) => ({ ...cell.dataset, within: cell.querySelector('small')?.textContent }))));
  const instructions = group.curves.find((curve) => curve.instructions);
  for (const [i, { start, end }] of group.phases.entries()) {
    const [, ms, share, mips, ...ratios] = cells[i];
    assert.ok(Math.abs(ms.value - (end - start) * meanMs) < 1e-9 * meanMs);
    assert.ok(Math.abs(share.value - (end - start)) < 1e-12);
    assert.equal(Number(mips.value), instructions.phases[i].rate);
    assert.equal(mips.within, besideMean(instructions, i, start, end));
    assert.equal(ratios.length, 2);
    for (const { counter, value } of ratios) {
      const { rate } = group.curves.find((curve) => curve.counter === counter).phases[i];
      assert.ok(Math.abs(value / (rate / instructions.phases[i].rate) - 1) < 1e-9, counter);
    }
  }
  assert.match(await rows(page).nth(1).innerText(), /solve/);
  const place = group.places[group.phases[0].place];
  assert.ok((await rows(page).first().textContent()).includes(`${group.routines[place.routine]} [${place.line}]`));

  const { plot } = JSON.parse(await page.locator('#canvas-performance').getAttribute('data-layout'));
  const lines = await linesOfRail(page);
  for (const at of BORDERS) {
    const px = plot.left + at * (plot.right - plot.left);
    assert.ok(lines.some((line) => Math.abs(line - px) <= 1), `no line at ${px} among ${lines}`);
  }
});

/** Where the rail has lines from top to bottom, in CSS pixels. */
function linesOfRail(page) {
  return page.evaluate(() => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById('canvas-rail'));
    const scale = canvas.width / canvas.getBoundingClientRect().width;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const drawn = (x, y) => data[4 * (y * canvas.width + x) + 3] > 100;
    const columns = Array.from({ length: canvas.width }, (_, x) => x);
    return columns.filter((x) => [0.2, 0.5, 0.8].every((share) => drawn(x, Math.round(canvas.height * share)))).map((x) => x / scale);
  });
}

test('bands lie round the curves, as wide as the folding says, and nowhere else', async (t) => {
  const { page, group } = await withPhases(t, {}, { density: 2 });
  const curve = group.curves.find((curve) => curve.instructions);
  const hidden = group.curves.filter((other) => other !== curve).map(({ counter }) => encodeURIComponent(counter)).join(',');
  await setFragment(page, { hidden });
  await rests(page, 'ready');
  const { plot, strips } = await layout(page);
  const strip = strips.find(({ right }) => right);
  const y = (rate) => strip.bottom - ((rate * strip.factor - strip.min) / (strip.max - strip.min)) * (strip.bottom - strip.top);
  let seen = 0;
  for (const x of [0.05, 0.1, 0.15, 0.3, 0.35, 0.5, 0.55, 0.6]) {
    const rate = curve.rate[Math.round(x * (curve.rate.length - 1))];
    const px = plot.left + x * (plot.right - plot.left);
    const at = async (share) => (await column(page, px, y(rate * (1 + share)) - 0.5, y(rate * (1 + share)) + 0.5))[0];
    // The folding of this test has bands of 5 % of the rate.
    const [inside, below, outside, far] = [await at(0.03), await at(-0.03), await at(0.08), await at(0.16)];
    const apart = (a, b) => Math.hypot(...a.map((c, i) => c - b[i]));
    if (apart(inside, far) > 15 && apart(below, far) > 15 && apart(outside, far) < 8) seen += 1;
  }
  assert.ok(seen >= 6, `at ${seen} of 8 places, as grid lines and names lie somewhere`);
});

test('pointing at a row marks the phase in all lanes, and a click zooms to it', async (t) => {
  const { page } = await withPhases(t);
  await rows(page).nth(2).hover();
  const marked = page.locator('.overlay .marked');
  await marked.first().waitFor({ state: 'attached' });
  assert.ok((await marked.count()) >= 3, 'rail, source and performance');
  const { plot } = JSON.parse(await page.locator('#canvas-performance').getAttribute('data-layout'));
  const x = Number(await marked.first().getAttribute('x'));
  assert.ok(Math.abs(x - (plot.left + BORDERS[1] * (plot.right - plot.left))) < 1);
  await rows(page).nth(2).click({ position: { x: 60, y: 8 } });
  await addressHas(page, /range=0\.425_0\.7(&|$)/);
  assert.ok(await rows(page).nth(2).evaluate((row) => row.classList.contains('now')));
  await page.mouse.move(300, 300);
  await page.keyboard.press(']');
  await addressHas(page, /range=0\.7_1(&|$)/);
  await page.keyboard.press('[');
  await addressHas(page, /range=0\.425_0\.7(&|$)/);
  await page.goBack();
  await addressHas(page, /range=0\.7_1(&|$)/);
});

test('counters that are read at one place are steps, and nothing is said of what lies between', async (t) => {
  const { page } = await open(t, await site(t));
  const records = Array.from({ length: 20 }, (_, instance) => {
    const at = (ns) => `2:1:1:1:1:${1000 * instance + ns}`;
    return `${at(0)}:60000019:3:42000050:0\n${at(250)}:42000050:600\n${at(800)}:60000019:0:42000050:${300 + instance}\n`;
  });
  const file = path.join(await temporaryFolder(t), 'calls.prv');
  await writeFile(file, `#Paraver (01/02/2026 at 10:00):20000_ns:1(1):1:1(1:1)\n${records.join('')}`);
  await drop(page, [file]);
  await rests(page, 'ready');
  await showPanel(page, 'settings');
  await page.getByText('Steps: mean rates between readings; their course in between is not known.').waitFor();
  await page.getByText('No break: the course between readings is not known').waitFor();
  await showPanel(page, 'phases');
  await page.getByText('The course between readings is not known.', { exact: true }).waitFor();
  // Level until the reading, and behind it.
  for (const x of [0.1, 0.25]) assert.match(await rateAt(page, x), /^Rate 2.400 MIPS$/);
  for (const x of [0.4, 0.9]) assert.match(await rateAt(page, x), /^Rate 56\d MIPS ± /);
});

/** The row of the tooltip that says the rate at a moment. */
async function rateAt(page, x) {
  const { plot } = await layout(page);
  await page.locator('#canvas-performance').hover({ position: { x: plot.left + x * (plot.right - plot.left), y: 60 } });
  await nextFrame(page);
  const row = byId(page, 'tip').locator('div').filter({ hasText: 'Rate' });
  return (await row.innerText()).replace(/\s+/g, ' ').trim();
}

const HOSTILE = '<img src=x onerror=alert(1)>; a=b,c%2C';

test('a phase is named by keyboard, whatever the name, and Back takes it back', async (t) => {
  const { page, order, folds, folding } = await withPhases(t);
  await page.locator('[data-phase="2"]').focus();
  await page.keyboard.press('F2');
  await page.keyboard.type(HOSTILE);
  await order({ fold: JSON.stringify(phased(folding, { names: ['', HOSTILE] })) });
  await page.keyboard.press('Enter');
  await byId(page, 'phases-table').getByText(HOSTILE).waitFor();
  assert.equal((await asked(folds)).names, '1:2=<img src%3Dx onerror%3Dalert(1)>%3B a%3Db%2Cc%252C');
  assert.equal(await page.locator('#phases img, #lanes img').count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.phase), '2', 'the focus is where it was');
  await order({ fold: JSON.stringify(phased(folding)) });
  await page.goBack();
  await addressLacks(page, /names=/);
  await rests(page, 'ready');
  assert.equal((await asked(folds)).names, undefined);
});

test('phases are merged, divided and put back', async (t) => {
  const { page, folds } = await withPhases(t);
  await page.locator('[data-phase="1"]').click();
  await byId(page, 'phase-merge').click();
  await rests(page, 'ready');
  assert.equal((await asked(folds)).breaks, '1:0.425,0.7');
  await setFragment(page, { range: undefined, breaks: undefined, selection: '0.5_0.6' });
  await rests(page, 'ready');
  await byId(page, 'phase-break').click();
  await rests(page, 'ready');
  assert.equal((await asked(folds)).breaks, '1:0.22,0.425,0.5,0.6,0.7');
  await page.locator('#canvas-performance').hover({ position: { x: 300, y: 60 } });
  await setFragment(page, { selection: undefined });
  await page.locator('#canvas-performance').hover({ position: { x: 310, y: 60 } });
  await page.keyboard.press('b');
  await rests(page, 'ready');
  assert.match((await asked(folds)).breaks, /^1:0\.22,0\.2\d+,0\.425,0\.7$/);
  await byId(page, 'phase-reset').click();
  await rests(page, 'ready');
  assert.equal((await asked(folds)).breaks, undefined);
});

test('a border is dragged in the rail, and moved and taken away by keys', async (t) => {
  const { page, folds } = await withPhases(t);
  const { plot } = JSON.parse(await page.locator('#canvas-performance').getAttribute('data-layout'));
  const width = plot.right - plot.left;
  const border = byId(page, 'border').nth(1);
  const { x, y } = await border.boundingBox();
  const wanted = 0.5;
  await page.mouse.move(x + 4, y + 10);
  await page.mouse.down();
  await page.mouse.move(x + 20, y + 10);
  await page.mouse.move(x + 4 + (wanted - BORDERS[1]) * width, y + 10);
  await page.mouse.up();
  await rests(page, 'ready');
  const [first, second, third] = (await asked(folds)).breaks.replace('1:', '').split(',').map(Number);
  assert.ok(Math.abs(second - wanted) < 1.5 / width, `${second}`);
  assert.deepEqual([first, third], [0.22, 0.7]);

  await border.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await rests(page, 'ready');
  const moved = Number((await asked(folds)).breaks.split(',')[1]);
  assert.ok(Math.abs(moved - (BORDERS[1] + 11 / width)) < 1e-5, `${moved}`);
  await border.focus();
  await page.keyboard.press('Delete');
  await rests(page, 'ready');
  assert.equal((await asked(folds)).breaks, '1:0.22,0.7');
});

test('two ratios are chosen, and the address keeps them', async (t) => {
  const { page, group } = await withPhases(t);
  const counters = group.curves.filter((curve) => !curve.instructions).map(({ counter }) => counter);
  await page.getByLabel('Ratio 2').selectOption(counters[0]);
  await addressHas(page, /ratios=/);
  await page.reload();
  assert.match(page.url(), new RegExp(`ratios=[^&]*${counters[0]}`));
});

test('too few samples, samples locked to the iteration, and the axis that would be better are said', async (t) => {
  const doubtful = { locked: true, samples: 31, displacement: 0.012, better_over_instructions: true };
  const { page, folds } = await withPhases(t, { group: doubtful });
  const words = await byId(page, 'doubts').innerText();
  assert.match(words, /has 31 samples\. Under 50 the curves say little; they are drawn with their bands\./);
  assert.match(words, /Sampling is locked to the iteration\..*another sampling period, such as a prime number of microseconds, or let the tracer vary it at random/);
  await showPanel(page, 'settings');
  assert.match(await page.locator('#settings').innerText(), /lie ±1\.2\s% \(.*\) beside those of the curve/);
  await byId(page, 'over-instructions').click();
  await addressHas(page, /x=PAPI_TOT_INS/);
  assert.equal((await asked(folds)).x, 'PAPI_TOT_INS:time');
});

const MANY = Array.from({ length: 11 }, (_, i) => (i + 1) / 12);

test('axe finds nothing with phases, few or many', async (t) => {
  const { page, order, folding } = await withPhases(t, { names: ['copy', 'scale'] });
  await sound(page, 'phases');
  await order({ fold: JSON.stringify(phased(folding, { borders: MANY, group: { locked: true } })) });
  await setFragment(page, { points: '500' });
  await rests(page, 'ready');
  await sound(page, 'phases-many', {
    shown: async () => {
      assert.equal(await rows(page).count(), 12);
      assert.equal(await rows(page).locator('.what').count(), 12, 'each has its routine');
    },
  });
});
