// The side panel: its tabs, the order of its tables, and that nothing in it is cut at any width.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { addressHas, byId, drop, each, open, openExample, rests, setFragment, showPanel, site, temporaryFolder } from './browser.mjs';
import { opened, openWithFakeEngine } from './fake.mjs';
import { lookedAt, shot, violations } from './looks.mjs';
import { phased } from './phased.mjs';

const PARTS = /** @type {const} */ (['phases', 'code', 'data', 'regions', 'settings']);

/** The example, on a page of this width. */
async function example(t, options = {}) {
  const { page } = await open(t, await site(t), options);
  await openExample(page);
  return page;
}

const selected = (page) => page.locator('#panel-tabs [aria-selected=true]').allInnerTexts();
const shownParts = (page) => page.locator('[role=tabpanel]:visible').evaluateAll((parts) => parts.map(({ id }) => id));
/** Values behind the cells of a kind, from the top. */
const values = (page, table, place) => byId(page, table).locator('tbody').evaluateAll((bodies, place) => bodies.map((body) => body.querySelectorAll('td[data-value]')[place].dataset.value), place);

test('one part of the panel is shown, chosen by click or by keys, and the address keeps it', async (t) => {
  const page = await example(t);
  assert.deepEqual([await selected(page), await shownParts(page)], [['Phases'], ['panel-phases']]);
  await showPanel(page, 'data');
  await addressHas(page, /panel=data/);
  assert.deepEqual([await selected(page), await shownParts(page)], [['Data'], ['panel-data']]);
  await page.keyboard.press('ArrowRight');
  await addressHas(page, /panel=regions/);
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Regions', 'the focus goes along');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  await addressHas(page, /panel=settings/);
  assert.deepEqual(await shownParts(page), ['panel-settings'], 'from the first to the last');
  // One stop of Tab for all of them.
  assert.equal(await page.locator('#panel-tabs [tabindex="0"]').count(), 1);
});

/** What Tab reaches. */
const stops = (page) => page.evaluate(() => [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]
  .filter((element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true })).length);

test('a long table is one stop of Tab, in which arrows go on', async (t) => {
  const { folding, order, heard, page } = await openWithFakeEngine(t);
  const file = path.join(await temporaryFolder(t), 'some.prv');
  await writeFile(file, 'x');
  await drop(page, [file]);
  await heard(0);
  const borders = Array.from({ length: 29 }, (_, i) => (i + 1) / 30);
  await order({ fold: JSON.stringify(phased(folding, { borders })) });
  await order({ value: opened('some.prv') });
  await rests(page, 'ready');
  for (const part of PARTS) {
    if (!(await byId(page, `panel-${part}`).isVisible())) continue;
    await showPanel(page, part);
    assert.ok(await stops(page) <= 60, `${await stops(page)} stops of Tab beside ${part}`);
  }
  await showPanel(page, 'code');
  await page.locator('#panel-code [data-line]').first().click();
  await page.locator('#pane .listing tr[data-number]').first().waitFor();
  assert.ok(await stops(page) <= 60, `${await stops(page)} stops of Tab with the source open`);

  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-key'));
  const names = await each(page, '#code tbody .name', (name) => name.dataset.key);
  await page.locator('#code tbody .name').first().focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), names[1], 'the same of the next row');
  assert.equal(await page.locator('#code tbody [tabindex="0"]').getAttribute('data-key'), names[1], 'which Tab comes back to');
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), names[0]);
});

test('a tab without anything is not there, and what the address names of it gives way', async (t) => {
  const { folding, order, heard, page } = await openWithFakeEngine(t, { fragment: '#panel=data' });
  const file = path.join(await temporaryFolder(t), 'some.prv');
  await writeFile(file, 'x');
  await drop(page, [file]);
  await heard(0);
  await order({ fold: JSON.stringify(phased(folding, { group: { objects: [], streams: [] } })) });
  await order({ value: opened('some.prv') });
  await rests(page, 'ready');
  assert.equal(await byId(page, 'panel-data').isVisible(), false, 'no address was sampled');
  assert.deepEqual(await selected(page), ['Phases']);
  // The run has only its settings.
  await byId(page, 'tab-run').click();
  await page.locator('#panel-tabs').waitFor({ state: 'hidden' });
  assert.deepEqual(await shownParts(page), ['panel-settings']);
});

test('a head puts its table in order: from the largest, from the least, as it was', async (t) => {
  const page = await example(t);
  const head = byId(page, 'phases-table').getByRole('button', { name: 'MIPS', exact: true });
  const asFound = await values(page, 'phases-table', 2);
  const sorted = asFound.toSorted((a, b) => Number(b) - Number(a));
  assert.notDeepEqual(asFound, sorted, 'it is not in that order by itself');
  const by = () => byId(page, 'phases-table').locator('th[aria-sort]:not([aria-sort=none])').evaluateAll((heads) => heads.map((head) => [head.textContent, head.getAttribute('aria-sort')]));
  for (const [wanted, expected] of /** @type {const} */ ([['descending', sorted], ['ascending', sorted.toReversed()]])) {
    await head.click();
    await byId(page, 'phases-table').locator(`th[aria-sort=${wanted}]`).waitFor();
    await addressHas(page, /order=phases/);
    assert.deepEqual(await by(), [['MIPS', wanted]]);
    assert.deepEqual(await values(page, 'phases-table', 2), expected);
    assert.ok(await head.evaluate((head) => head === document.activeElement), 'the focus stays');
  }
  await head.click();
  await byId(page, 'phases-table').locator('th[aria-sort]:not([aria-sort=none])').waitFor({ state: 'detached' });
  assert.deepEqual([await by(), await values(page, 'phases-table', 2)], [[], asFound]);
});

test('each table has an order of its own, which another page shows from the address', async (t) => {
  const page = await example(t);
  await byId(page, 'phases-table').getByRole('button', { name: '%', exact: true }).click();
  await showPanel(page, 'code');
  await byId(page, 'routines-table').getByRole('button', { name: 'ms', exact: true }).click();
  await showPanel(page, 'regions');
  await byId(page, 'regions').getByRole('button', { name: 'samples', exact: true }).click();
  await addressHas(page, /order=.*regions/);
  const order = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('order');
  const other = await example(t, { fragment: `#order=${encodeURIComponent(order)}&panel=regions` });
  for (const [part, table, place] of /** @type {const} */ ([['phases', 'phases-table', 1], ['code', 'routines-table', 0], ['regions', 'regions', 2]])) {
    await showPanel(other, part);
    const found = (await values(other, table, place)).map(Number);
    assert.deepEqual(found, found.toSorted((a, b) => b - a), table);
  }
});

test('data lie by what they cost, with their share and the line that is at them most', async (t) => {
  const page = await example(t);
  await showPanel(page, 'data');
  const rows = await byId(page, 'objects-table').locator('tbody').evaluateAll((bodies) => bodies.map((body) => [...body.querySelectorAll('td[data-value]')].map(({ dataset }) => Number(dataset.value))));
  const costs = rows.map(([loads, , mean]) => loads * mean);
  const total = costs.reduce((a, b) => a + b);
  assert.ok(rows.length >= 3);
  assert.deepEqual(costs, costs.toSorted((a, b) => b - a), 'the dearest first');
  for (const [i, row] of rows.entries()) assert.ok(Math.abs(row[4] - costs[i] / total) < 1e-9, `${row[4]} of object ${i}`);
  assert.match(await byId(page, 'objects-table').textContent(), /mostly by \w+ \[\d+\]/);
});

test('groups tell how many instances they have and how long these are, and regions their types', async (t) => {
  const page = await example(t);
  const groups = await page.locator('#group option').allInnerTexts();
  assert.match(groups[0], /^1 of 2 · 421 × 64\.0\sms$/);
  await showPanel(page, 'regions');
  assert.match(await byId(page, 'regions').locator('tbody').first().innerText(), /^main\s+User function\s/);
});

test('the ratios of a table can be chosen, and their heads show it', async (t) => {
  const page = await example(t);
  const lists = byId(page, 'phases-table').locator('thead .other');
  assert.equal(await lists.count(), 2);
  const boxes = await each(page, '[data-testid=phases-table] thead .other', (list) => list.getBoundingClientRect().width);
  assert.ok(boxes.every((width) => width >= 14), `${boxes}`);
  await page.getByLabel('Ratio 1').selectOption({ label: 'L3 misses' });
  await addressHas(page, /ratios=/);
  assert.ok((await byId(page, 'phases-table').locator('thead').innerText()).includes('L3'));
});

test('no table of the panel is cut at any width', async (t) => {
  const page = await example(t);
  for (const width of [400, 640, 768, 900, 1024, 1280, 2560]) {
    await lookedAt(page, { colours: 'light', width });
    for (const part of PARTS) {
      await setFragment(page, { panel: part === 'phases' ? undefined : part });
      await page.locator(`[role=tabpanel]#panel-${part}`).waitFor();
      const cut = await page.evaluate((part) => {
        const panel = document.getElementById(`panel-${part}`);
        const right = document.getElementById('panel').getBoundingClientRect().right + 0.5;
        const cells = [...panel.querySelectorAll('th, td')].filter((cell) => cell.getBoundingClientRect().width > 0);
        const figures = cells.filter((cell) => !cell.querySelector('.what, .name, select') && !cell.matches('.what'));
        return [
          ...cells.filter((cell) => cell.getBoundingClientRect().right > right).map((cell) => `${cell.textContent} is out of the panel`),
          ...figures.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => `${cell.textContent} is cut`),
        ];
      }, part);
      assert.deepEqual(cut, [], `${part} at ${width} px`);
      if (width === 1280 || width === 400) await shot(page, `panel-${part}-${width}`);
    }
    assert.deepEqual(await violations(page), [], `${width} px`);
  }
});
