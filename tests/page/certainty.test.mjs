// How sure a curve is: the card of a name in the legend.

import assert from 'node:assert/strict';
import test from 'node:test';
import { addressHas, byId, exported, nextFrame, open, openExample, rests, setFragment, shared, site } from './browser.mjs';
import { violations } from './looks.mjs';

async function withExample(t, options = {}) {
  const { page } = await open(t, await site(t), options);
  await openExample(page);
  await page.locator('#status:not([data-deciding])').waitFor({ state: 'attached' });
  return page;
}

const card = (page) => byId(page, 'certainty');
const nameOf = (page, counter) => page.locator(`#legend [data-certain="${counter}"]`);
/** What the card says of one aspect. */
const told = (page, what) => page.evaluate((what) => {
  const rows = [...document.querySelectorAll('#certainty dl > div')];
  return rows.find((row) => row.querySelector('dt').textContent === what)?.querySelector('dd').textContent;
}, what);

test('a name that is pointed at tells band, samples, instances, what was left out and why, and families', async (t) => {
  const page = await withExample(t);
  assert.ok(await card(page).isHidden());
  await nameOf(page, 'PAPI_TOT_INS').hover();
  await card(page).waitFor();
  assert.equal(await page.evaluate(() => document.querySelector('#certainty p').textContent), 'MIPS PAPI_TOT_INS');
  const [folding] = JSON.parse(String(await exported(page, 'json', '.json')));
  const group = folding.groups.find(({ number }) => number === folding.shown);
  await nameOf(page, 'PAPI_TOT_INS').hover();
  await card(page).waitFor();
  const curve = group.curves.find(({ counter }) => counter === 'PAPI_TOT_INS');
  const plain = async (what) => (await told(page, what)).replace(/[\u202f\s]/g, '');
  assert.match(await plain('Samples'), new RegExp(`^${curve.used}used,${curve.excluded}ofinstancesleftout`));
  assert.match(await plain('Instances'), new RegExp(`^${curve.instances}of${group.instances}\\(`));
  const [{ why, instances }] = group.left_out;
  assert.equal(why, 'outlier');
  assert.match(await plain('Left out'), new RegExp(`^${instances}\\(.*%\\)bytheirduration,beyond`));
  // The half widths of the example's own band, by their definition.
  const shares = curve.rate_band.map((half) => half / curve.mean_rate).sort((a, b) => a - b);
  const [, half, widest] = /within ±([\d.]+).% of the mean, widest ±([\d.]+).%/.exec(await told(page, 'Band'));
  assert.ok(Math.abs(Number(half) / 100 / shares[(shares.length - 1) >> 1] - 1) < 0.06, half);
  assert.ok(Math.abs(Number(widest) / 100 / shares.at(-1) - 1) < 0.06, widest);
  assert.match(await told(page, 'Families'), /^one: /);
  assert.match(await told(page, 'Curve'), /^(Segments|Smooth pieces|Spline)/);
});

test('the keyboard reaches the card, Escape hides it and does nothing else, and it describes the name', async (t) => {
  const page = await withExample(t);
  await setFragment(page, { picked: 'routine:main' });
  await rests(page, 'ready');
  await page.locator('#column').focus();
  const counter = () => page.evaluate(() => document.activeElement?.dataset.certain ?? null);
  for (let i = 0; i < 60 && (await counter()) === null; i += 1) await page.keyboard.press('Tab');
  const first = await counter();
  assert.ok(first, 'a name has the focus');
  await card(page).waitFor();
  assert.equal(await nameOf(page, first).getAttribute('aria-describedby'), 'certainty');
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await card(page).waitFor({ state: 'hidden' });
  assert.equal(await nameOf(page, first).getAttribute('aria-describedby'), null);
  await addressHas(page, /picked=/);
  assert.equal(await counter(), first, 'the focus stays');
});

test('a long press tells of a curve and does not hide it; a tap elsewhere ends it', async (t) => {
  const page = await withExample(t, { width: 400, height: 800 });
  await nameOf(page, 'PAPI_TOT_INS').scrollIntoViewIfNeeded();
  await page.evaluate(() => {
    const name = () => document.querySelector('#legend [data-certain="PAPI_TOT_INS"]');
    window.event = (type) => name().dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'touch', pointerId: 7 }));
    window.click = () => name().click();
  });
  // What tells it is loaded once a name is neared.
  await nameOf(page, 'PAPI_TOT_INS').hover();
  await card(page).waitFor();
  await page.mouse.move(1, 1);
  await card(page).waitFor({ state: 'hidden' });
  const pressed = () => page.evaluate(() => document.querySelector('#legend [data-certain="PAPI_TOT_INS"]').getAttribute('aria-pressed'));
  const before = await pressed();
  await page.evaluate(() => window.event('pointerdown'));
  await card(page).waitFor();
  await page.evaluate(() => window.event('pointerup'));
  await page.evaluate(() => window.click());
  await nextFrame(page);
  assert.equal(await pressed(), before, 'not switched by the press');
  assert.ok(await card(page).isVisible());
  await page.evaluate(() => document.querySelector('#facts').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'touch' })));
  await card(page).waitFor({ state: 'hidden' });
});

test('a link tells the same of a curve as the trace, to the digit', async (t) => {
  const page = await withExample(t);
  const all = async (page) => {
    await nameOf(page, 'PAPI_L1_DCM').hover();
    await card(page).waitFor();
    return page.evaluate(() => document.querySelector('#certainty').textContent);
  };
  const ofTrace = await all(page);
  assert.match(ofTrace, /L1D misses/);
  const link = await shared(page);
  const { page: other } = await open(t, link.split('#')[0], { fragment: new URL(link).hash });
  await rests(other, 'ready');
  assert.equal(await all(other), ofTrace);
});
