// Many counters: a few are shown at first, the others are a tick away.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { addressHas, addressLacks, byId, drop, each, exported, layout, nextFrame, rests, setFragment, temporaryFolder } from './browser.mjs';
import { opened, openWithFakeEngine } from './fake.mjs';
import { violations } from './looks.mjs';
import { TELLING, withCounters } from './many.mjs';

/** A page with a folding of many counters open. */
async function withMany(t, how = {}, options = {}) {
  const { folding, order, heard, page } = await openWithFakeEngine(t, { width: 1280, height: 800, ...options });
  const file = path.join(await temporaryFolder(t), 'some.prv');
  await writeFile(file, 'x');
  await drop(page, [file]);
  await heard(0);
  await order({ fold: JSON.stringify(withCounters(folding, how)) });
  await order({ value: opened('some.prv') });
  await rests(page, 'ready');
  await page.locator('#status:not([data-deciding])').waitFor({ state: 'attached' });
  return page;
}

/** What has a curve, from the top, but for MIPS. */
const shown = async (page) => (await layout(page)).strips.filter(({ right }) => !right).flatMap(({ curves }) => curves);
/** The colour of each counter of the legend but MIPS, as it is shown. */
const colours = async (page) => new Map(await each(page, '#legend .entries .name', (name) => [name.title.replace(/: show.*/, ''), getComputedStyle(name.querySelector('.swatch')).backgroundColor]));
const count = (page) => byId(page, 'counters-button').innerText();
const box = (page, counter) => byId(page, 'counters').locator(`input[value="${counter}"]`);
const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute('value') ?? document.activeElement?.getAttribute('data-testid') ?? document.activeElement?.getAttribute('type'));

async function openPicker(page) {
  await byId(page, 'counters-button').press('Enter');
  await byId(page, 'counters').waitFor();
}

test('of 28 counters MIPS, cycles and the four that move most with cycles are shown, in strips that can be read', async (t) => {
  const page = await withMany(t);
  assert.deepEqual((await shown(page)).sort(), ['PAPI_TOT_CYC', ...TELLING].sort());
  assert.equal(await count(page), '6 of 28');
  const { strips } = await layout(page);
  assert.ok(strips.length <= 3, 'two at the left, one at the right');
  for (const { top, bottom, min, max, step } of strips) {
    assert.ok(bottom - top >= 58, `${bottom - top} px`);
    assert.ok((max - min) / step >= 1, 'two ticks');
  }
  const entries = await each(page, '#legend .entry', (entry) => entry.getBoundingClientRect().top);
  assert.equal(new Set(entries).size, 1, 'one row');
  const svg = String(await exported(page, 'svg', '.svg'));
  for (const name of ['Cycles', 'Stalled cycles', 'L1D misses', 'L2D misses', 'L3 misses']) {
    assert.ok(svg.split(`>${name}<`).length > 2, `${name} in the legend and beside its curve`);
  }
});

test('the keyboard opens the picker, finds, ticks and closes, and the focus is never lost', async (t) => {
  const page = await withMany(t);
  await openPicker(page);
  assert.equal(await focused(page), 'search');
  assert.ok(!(await page.locator('#panel').isVisible()), 'in place of the panel');
  await page.keyboard.type('other_1');
  assert.equal(await byId(page, 'counters').locator('label:visible').count(), 11, '1, and 10 to 19');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(page), 'OTHER_10');
  await page.keyboard.press('Space');
  await addressHas(page, /curves=/);
  await nextFrame(page);
  assert.equal(await focused(page), 'OTHER_10');
  assert.ok((await shown(page)).includes('OTHER_10'));
  await page.keyboard.press('Space');
  await nextFrame(page);
  assert.ok(!(await shown(page)).includes('OTHER_10'));
  assert.equal(await focused(page), 'OTHER_10');
  await page.keyboard.press('Escape');
  await byId(page, 'counters').waitFor({ state: 'hidden' });
  assert.equal(await focused(page), 'counters-button');
  assert.ok(await page.locator('#panel').isVisible());
});

test('no other curve changes its colour when one is taken away', async (t) => {
  const page = await withMany(t);
  await openPicker(page);
  const before = await colours(page);
  assert.equal(new Set(before.values()).size, 5);
  await box(page, 'PAPI_RES_STL').uncheck();
  await nextFrame(page);
  const after = await colours(page);
  assert.equal(after.size, 4);
  for (const [counter, colour] of after) assert.equal(colour, before.get(counter), counter);
});

test('what is chosen stands in the address and in pictures, and by r² is one click', async (t) => {
  const page = await withMany(t);
  await openPicker(page);
  await box(page, 'OTHER_4').check();
  await box(page, 'PAPI_L1_DCM').uncheck();
  const chosen = await shown(page);
  assert.ok(chosen.includes('OTHER_4') && !chosen.includes('PAPI_L1_DCM'), chosen.join());
  const svg = String(await exported(page, 'svg', '.svg'));
  assert.match(svg, />OTHER_4</);
  assert.doesNotMatch(svg, />L1D misses</);
  await setFragment(page, { curves: 'PAPI_L3_TCM,OTHER_9' });
  await rests(page, 'ready');
  assert.deepEqual((await shown(page)).sort(), ['OTHER_9', 'PAPI_L3_TCM']);
  assert.ok(await box(page, 'OTHER_9').isChecked() && !(await box(page, 'OTHER_4').isChecked()));
  await byId(page, 'counters-reset').click();
  await addressLacks(page, /curves=/);
  assert.equal(await count(page), '6 of 28');
});

test('a counter that is pointed at is shown as long as it is, and none has the colour of another in its strip', async (t) => {
  const page = await withMany(t);
  await openPicker(page);
  const before = await shown(page);
  await byId(page, 'counters').locator('label:has([value=OTHER_3])').hover();
  await nextFrame(page);
  assert.ok((await shown(page)).includes('OTHER_3'));
  assert.doesNotMatch(page.url(), /curves=/);
  await byId(page, 'counters').getByRole('searchbox').hover();
  await nextFrame(page);
  assert.deepEqual(await shown(page), before);
  for (const number of [0, 1, 2, 3, 5, 6]) await box(page, `OTHER_${number}`).check();
  await nextFrame(page);
  const { strips } = await layout(page);
  const colourOf = await colours(page);
  for (const { curves } of strips.filter(({ right }) => !right)) {
    assert.ok(curves.length <= 6);
    assert.equal(new Set(curves.map((curve) => colourOf.get(curve))).size, curves.length, curves.join());
  }
});

for (const width of [400, 1280]) {
  test(`200 counters with names of 400 letters leave a page of ${width} px whole`, async (t) => {
    const page = await withMany(t, { count: 200, name: (index) => `${String(index).padStart(3, '0')}${'W'.repeat(397)}` }, { width });
    assert.equal(await count(page), '6 of 200');
    await openPicker(page);
    assert.equal(await byId(page, 'counters').locator('label').count(), 199);
    await byId(page, 'counters').locator('label input').nth(9).check();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} px too wide`);
    const head = await page.locator('#legend').evaluate((legend) => legend.clientHeight);
    assert.ok(head <= 24, `a legend of ${head} px`);
    assert.deepEqual(await violations(page), []);
  });
}
