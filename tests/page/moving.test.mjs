// Moving about: what Back takes back, what asks before it is left, and keys by their place.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import {
  DIST, addressHas, addressLacks, addressWritten, byId, column, curves, drop, layout, open, openExample, rests, setFragment, shared, showPanel, site,
  table, temporaryFolder,
} from './browser.mjs';
import { opened as openedTrace, openWithFakeEngine } from './fake.mjs';
import { smallTargets, violations } from './looks.mjs';

const LONG_ENOUGH_TO_REST_MS = 700;

async function opened(t, options = {}) {
  const { page } = await open(t, await site(t), options);
  await openExample(page);
  return page;
}

/** What is visible of the region, as the address has it. */
const range = (page) => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('range'));
/** Presses keys that change what is visible, one soon after the other, and waits until that rests and is in
 * the address. */
async function press(page, ...codes) {
  const before = await range(page);
  await page.evaluate(async (codes) => {
    for (const code of codes) {
      dispatchEvent(new KeyboardEvent('keydown', { code, key: '', bubbles: true }));
      await new Promise((done) => requestAnimationFrame(done));
    }
  }, codes);
  await page.waitForFunction((before) => new URLSearchParams(location.hash.slice(1)).get('range') !== before, before);
  await addressWritten(page);
}

test('Back takes back a zoom that rested, and one that went on is one step', async (t) => {
  const page = await opened(t);
  await press(page, 'KeyW');
  const first = await range(page);
  await press(page, 'KeyW', 'KeyW', 'KeyD');
  const second = await range(page);
  assert.ok(first && second && first !== second);
  for (const expected of [first, null, second]) {
    if (expected === second) await page.goForward().then(() => page.goForward());
    else await page.goBack();
    await page.waitForFunction((expected) => new URLSearchParams(location.hash.slice(1)).get('range') === expected, expected);
    await rests(page, 'ready');
  }
});

test('what was shown just before a step is there again after Back', async (t) => {
  const page = await opened(t);
  await showPanel(page, 'regions');
  await addressWritten(page);
  // Sooner than the address is written.
  await page.evaluate(async () => {
    for (const button of ['[data-testid=panel-settings]', '#table-switch']) {
      /** @type {HTMLElement} */ (document.querySelector(button)).click();
      await new Promise((done) => setTimeout(done, 20));
    }
  });
  await addressHas(page, /view=table/);
  await page.goBack();
  await addressHas(page, /^#profileURL=[^&]*&panel=settings$/);
  await page.locator('[role=tabpanel]#panel-settings').waitFor();
});

test('what a link has inside is no zoom that Back takes back', async (t) => {
  const address = await site(t);
  const { page } = await open(t, address);
  await openExample(page);
  await setFragment(page, { range: '0.2_0.5' });
  const link = new URL(await shared(page));
  const s = new URLSearchParams(link.hash.slice(1)).get('s');
  const { page: other } = await open(t, address, { fragment: `#s=${s}` });
  await rests(other, 'ready');
  const before = await other.evaluate(() => history.length);
  await addressHas(other, /range=0\.2_0\.5/);
  await other.waitForTimeout(LONG_ENOUGH_TO_REST_MS);
  assert.equal(await other.evaluate(() => history.length), before);
});

test('a dropped trace is asked about before it is left, and what the address names is not', async (t) => {
  const asks = (page) => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  const { page } = await open(t, await site(t));
  assert.equal(await asks(page), false, 'nothing is open');
  await drop(page, ['prv.gz', 'pcf', 'row'].map((ending) => path.join(DIST, `example.${ending}`)));
  await rests(page, 'ready');
  assert.equal(await asks(page), true);
  const before = await page.evaluate(() => history.length);
  await press(page, 'KeyW');
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes('range'));
  await rests(page, 'ready');
  assert.ok(before >= 2, 'that it was opened is a step');
});

test('keys are meant by their place, whatever letter is on it, with the focus on a list too', async (t) => {
  const page = await opened(t);
  await byId(page, 'group').focus();
  await page.evaluate(() => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyW', key: 'z', bubbles: true })));
  await addressHas(page, /range=/);
  await page.evaluate(() => dispatchEvent(new KeyboardEvent('keydown', { code: 'Digit0', key: 'à', bubbles: true })));
  await addressHas(page, /^(?!.*range=)/);
  await page.evaluate(() => dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyZ', key: 'w', bubbles: true })));
  await page.waitForTimeout(LONG_ENOUGH_TO_REST_MS);
  assert.equal(await range(page), null, 'the letter says nothing');
});

test('a double click fits, but for the source lane', async (t) => {
  const page = await opened(t);
  for (const [lane, expected] of [['lane-performance', null], ['lane-source', '0.2_0.5']]) {
    await setFragment(page, { range: '0.2_0.5' });
    const box = await byId(page, lane).locator('canvas').boundingBox();
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForTimeout(LONG_ENOUGH_TO_REST_MS);
    assert.equal(await range(page), expected, lane);
  }
});

test('a phase that has the lanes alone shows nothing of its neighbours at its edges', async (t) => {
  const page = await opened(t);
  await page.locator('[data-phase="2"]').click();
  await addressHas(page, /range=/);
  await rests(page, 'ready');
  // Once more from the address, which has six decimals of the ends.
  for (const reload of [false, true]) {
    if (reload) {
      await addressWritten(page);
      await page.reload();
      await rests(page, 'ready');
    }
    const { plot } = await layout(page);
    const { colour, strip } = (await curves(page)).find(({ strip }) => strip.right);
    for (const x of [plot.left + 0.5, (plot.left + plot.right) / 2, plot.right - 1]) {
      const pixels = await column(page, x, strip.top + 2, strip.bottom - 2);
      const inked = pixels.filter((pixel) => Math.hypot(...pixel.map((c, i) => c - colour[i])) < 60).length;
      assert.ok(inked >= 1 && inked <= 3, `MIPS is a line of 2 px at ${x}, not of ${inked}`);
    }
  }
});

test('what was searched in one trace is forgotten in another', async (t) => {
  const { page, order, heard } = await openWithFakeEngine(t);
  const lines = Array.from({ length: 14 }, (_, i) => ({ region: `Loop:${'abcdefghijklmn'[i]}`, title: 'abcdefghijklmn'[i], group: 1, figures: [] }));
  const files = [];
  for (const name of ['first.prv', 'second.prv']) {
    files.push(path.join(await temporaryFolder(t), name));
    await writeFile(files.at(-1), 'x');
  }
  const search = page.locator('#region-search');
  const listed = () => page.locator('#region option').count();
  for (const [nth, file] of files.entries()) {
    await drop(page, [file]);
    await heard(nth);
    const name = path.basename(file);
    await order({ value: { ...openedTrace(name), regions: { heads: [], lines } } });
    await page.locator('#file', { hasText: name }).waitFor();
    await rests(page, 'ready');
    await search.waitFor();
    assert.equal(await search.inputValue(), '', name);
    assert.ok(await listed() >= 14, name);
    await search.fill('abc');
    await page.waitForFunction(() => document.querySelectorAll('#region option').length < 14);
  }
});

/** Who has the keys: what it is called. */
const keysAt = (page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
const keysGoTo = (page, name) => page.waitForFunction((name) => new RegExp(name).test(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''), name.source);
/** Says where the keys are not, as long as they are somewhere. */
const keysAreSomewhere = (page) => page.waitForFunction(() => document.activeElement && document.activeElement !== document.body);

test('a range is picked, moved and let go by keys alone, and told', async (t) => {
  const page = await opened(t);
  const selection = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('selection')?.split('_').map(Number));
  await page.locator('#canvas-performance').focus();
  await page.keyboard.press('r');
  await keysGoTo(page, /^End of the range$/);
  await addressHas(page, /selection=/);
  const [from, to] = await selection();
  assert.ok(to > from);
  const end = byId(page, 'range-end').nth(1);
  const told = await end.getAttribute('aria-valuetext');
  assert.match(told, /^\d.*; the range is \d.* long$/);
  await page.keyboard.press('Shift+ArrowRight');
  await page.waitForFunction((told) => document.activeElement.getAttribute('aria-valuetext') !== told, told);
  await page.keyboard.press('Shift+Tab');
  await keysGoTo(page, /^Begin of the range$/);
  await page.keyboard.press('Home');
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get('selection')?.startsWith('0_'));
  assert.ok((await selection())[1] > to);
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => !new URLSearchParams(location.hash.slice(1)).get('selection')?.startsWith('0_'));
  assert.deepEqual(await smallTargets(page), []);
  assert.deepEqual(await violations(page), []);
  // An end does not go beyond the other.
  await page.keyboard.press('End');
  await addressWritten(page);
  const [begin, last] = await selection();
  assert.ok(begin < last, `${begin} ${last}`);
  await page.keyboard.press('Escape');
  await addressLacks(page, /selection=/);
  await keysAreSomewhere(page);
  await page.keyboard.press('r');
  await keysGoTo(page, /^End of the range$/);
  await page.keyboard.press('Enter');
  await addressHas(page, /range=/);
  await keysAreSomewhere(page);
});

test('keys skip to the picture and to the numbers, and are never lost', async (t) => {
  const { page } = await open(t, await site(t), { fragment: '#profileURL=example.prv.gz' });
  await rests(page, 'ready');
  await page.keyboard.press('Tab');
  assert.equal(await keysAt(page), 'Skip to the picture');
  await page.keyboard.press('Enter');
  await keysGoTo(page, /^Source/);
  await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('[data-testid=skip-panel]')).focus());
  await page.keyboard.press('Enter');
  await keysGoTo(page, /^Phases$/);

  // The panel goes with what had the keys.
  await page.keyboard.press('\\');
  await page.locator('#panel').waitFor({ state: 'hidden' });
  await keysAreSomewhere(page);
  await page.keyboard.press('\\');
  await page.locator('#panel').waitFor();
  // A table in another order.
  const head = page.locator('#phases .by').first();
  const name = await head.textContent();
  await head.focus();
  await page.keyboard.press('Enter');
  await addressHas(page, /order=/);
  assert.equal(await keysAt(page), name);
  // A button that goes with what it undoes.
  await showPanel(page, 'code');
  await page.locator('#code [data-pick]').first().click();
  const undo = byId(page, 'picked').locator('button');
  await undo.focus();
  await page.keyboard.press('Enter');
  await byId(page, 'picked').waitFor({ state: 'hidden' });
  await keysAreSomewhere(page);
  // A tab of another view, and back.
  await byId(page, 'tab-efficiency').focus();
  for (const view of ['tab-efficiency', 'tab-region']) {
    await byId(page, view).focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction((view) => document.querySelector(`[data-testid=${view}]`).hasAttribute('data-current'), view);
    await keysGoTo(page, /^(Efficiency|Region)$/);
  }
  // A dialog that is closed.
  await page.locator('#help-button').focus();
  await page.keyboard.press('Enter');
  await page.locator('#help[open]').waitFor();
  await page.keyboard.press('Escape');
  await keysGoTo(page, /^Help$/);
  // A button that is for one phase, and for none when all are shown.
  await showPanel(page, 'phases');
  await page.locator('[data-phase="2"]').click();
  await byId(page, 'phase-name').focus();
  await page.keyboard.press('0');
  await page.waitForFunction(() => /** @type {HTMLButtonElement} */ (document.querySelector('[data-testid=phase-name]')).disabled);
  await keysAreSomewhere(page);
  // What a person left stays left.
  await page.locator('#help-button').focus();
  await page.mouse.click(640, 790);
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
});

test('Shift and a drag measure, and change nothing else, until Escape', async (t) => {
  const page = await opened(t);
  await addressWritten(page);
  const before = await page.evaluate(() => [location.hash, history.length]);
  const lane = await byId(page, 'lane-performance').locator('canvas').boundingBox();
  const { plot } = await layout(page);
  const to = (share) => page.mouse.move(lane.x + plot.left + share * (plot.right - plot.left), lane.y + 40);
  const card = byId(page, 'measure');
  await page.keyboard.down('Shift');
  await to(0.25);
  await page.mouse.down();
  await to(0.4);
  await to(0.75);
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await card.waitFor();
  const text = (await card.innerText()).replace(/\s+/g, ' ');
  // Half of 64 ms, to a pixel.
  assert.match(text, /^3[12]\.\d ms (49\.\d|50\.\d) % 1[56]\.\d ms to 4[78]\.\d ms/);
  const shown = await page.locator('#legend [role=group]').evaluateAll((entries) => entries.map((entry) => entry.getAttribute('aria-label')));
  assert.deepEqual(await card.locator('tbody th').allInnerTexts(), shown, 'each counter that is shown');
  await page.waitForFunction(() => /^Measured 3/.test(document.querySelector('#cursor-words').textContent));
  await addressWritten(page);
  assert.deepEqual(await page.evaluate(() => [location.hash, history.length]), before, 'nothing is zoomed or picked');
  const rates = Object.fromEntries(await card.locator('tbody tr').evaluateAll((rows) => rows.map((row) => [row.cells[0].textContent, [row.cells[1].textContent, row.cells[2].textContent]])));
  const [mean, events] = rates.MIPS.map((text) => Number(text.replace(/\D*$/, '').replace(/\s/g, '')));
  const inside = (await table(page)).filter(({ x }) => x > 0.26 && x < 0.74).map(({ values }) => values['mips PAPI_TOT_INS']);
  assert.ok(mean > Math.min(...inside) && mean < Math.max(...inside), `${mean} in ${inside}`);
  // Millions of instructions: their rate, times half of 64 ms.
  assert.ok(Math.abs(events / (mean * 0.032) - 1) < 0.02, `${events} of ${mean}`);
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await card.waitFor({ state: 'hidden' });

  // The same by keys.
  await page.mouse.move(5, 5);
  await page.locator('#canvas-performance').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('m');
  for (let i = 0; i < 4; i += 1) await page.keyboard.press('Shift+ArrowRight');
  await card.waitFor();
  assert.match(await card.innerText(), /^\d.*\sms/);
  await page.keyboard.press('Escape');
  await card.waitFor({ state: 'hidden' });
  // A click with Shift is no click: nothing is picked.
  await page.mouse.click(lane.x + plot.left + 100, lane.y + 40, { button: 'left' });
  await addressWritten(page);
  const picked = await page.evaluate(() => location.hash);
  await page.keyboard.down('Shift');
  await page.locator('#canvas-source').click({ position: { x: plot.left + 60, y: 60 } });
  await page.keyboard.up('Shift');
  await addressWritten(page);
  assert.equal(await page.evaluate(() => location.hash), picked);
});
