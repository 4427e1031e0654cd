// Instances over the run: points, words, a range that is folded alone, and where there are none.

import assert from 'node:assert/strict';
import test from 'node:test';
import { addressHas, addressLacks, byId, open, openExample, rests, setFragment, shared, site } from './browser.mjs';
import { smallTargets, sound } from './looks.mjs';

const course = (page) => byId(page, 'course');
const drift = (page) => byId(page, 'course-drift');
/** Waits until they are painted, of what is on screen. */
const painted = (page) => page.locator('#course[aria-busy=false] canvas[data-layout]').waitFor();
const plain = (text) => text.replace(/[\u202f\s]+/g, ' ');
const facts = async (page) => plain(await byId(page, 'instances-button').innerText());

async function withCourse(t, options = {}) {
  const address = await site(t);
  const { page } = await open(t, address, options);
  await openExample(page);
  await byId(page, 'course-button').click();
  await painted(page);
  return { page, address };
}

/** Drags from one share of the plot to another. */
async function drag(page, from, to) {
  const canvas = page.locator('#canvas-course');
  await canvas.scrollIntoViewIfNeeded();
  const { plot } = JSON.parse(await canvas.getAttribute('data-layout'));
  const box = await canvas.boundingBox();
  const x = (share) => box.x + plot.left + share * (plot.right - plot.left);
  await page.mouse.move(x(from), box.y + 40);
  await page.mouse.down();
  await page.mouse.move(x((from + to) / 2), box.y + 44);
  await page.mouse.move(x(to), box.y + 48);
  await page.mouse.up();
}

test('instances over the run say what they are, whether they drift, and the same as a table', async (t) => {
  const { page } = await withCourse(t);
  await addressHas(page, /course=duration/);
  const words = plain(await drift(page).innerText());
  assert.match(words, /^Duration of 421 instances, 1 left out /);
  assert.match(words, /(longer|shorter) in the second half, ±[\d.]+ %\./);
  assert.match(words, /(No trend|Trend): [+−]?[\d. ]+ (ms|µs) over [\d. ]+ (ms|s) of the run, \[.*\]\./);
  assert.match(await page.locator('#canvas-course').getAttribute('aria-label'), /^Duration of 421/);
  const rows = await page.evaluate(() => [...document.querySelectorAll('#course tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.equal(rows.length, 12);
  const sum = (column) => rows.reduce((sum, row) => sum + Number(row[column]), 0);
  assert.deepEqual([sum(2), sum(3)], [421, 1], 'all of them, and what was left out');
  const inked = await page.evaluate(() => {
    const canvas = document.querySelector('#canvas-course');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) dark += data[at + 3] > 100 && data[at] < 90 ? 1 : 0;
    return dark;
  });
  assert.ok(inked > 421, `${inked} px of points`);
});

test('the second half of the run, and the first, are a drag each; all of it is one click', async (t) => {
  const { page } = await withCourse(t);
  assert.equal(await facts(page), '421 of 422 instances');
  await drag(page, 0.5, 1);
  await addressHas(page, /from=\d+/);
  await rests(page, 'ready');
  await painted(page);
  await page.waitForFunction(() => !document.querySelector('[data-testid=instances-button]').textContent.includes('422'));
  const second = Number(/ of (\d+) /.exec(await facts(page))[1]);
  assert.ok(second > 190 && second < 232, `${second} instances`);
  assert.match(plain(await course(page).innerText()), /\d+ other times/);
  await drag(page, 0, 0.5);
  await page.waitForFunction((second) => !document.querySelector('[data-testid=instances-button]').textContent.includes(` of ${second}`), second);
  await rests(page, 'ready');
  const first = Number(/ of (\d+) /.exec(await facts(page))[1]);
  assert.ok(Math.abs(first + second - 422) <= 2, `${first} and ${second}`);
  await painted(page);
  await byId(page, 'course-all').click();
  await addressLacks(page, /from=|to=/);
  await page.waitForFunction(() => document.querySelector('[data-testid=instances-button]').textContent.includes('422'));
});

test('keys choose a range and fold it, and a range of one pixel without an instance folds nothing', async (t) => {
  const { page } = await withCourse(t);
  const latest = course(page).getByLabel('Latest start');
  await latest.focus();
  await page.keyboard.press('PageDown');
  await addressHas(page, /to=\d+/);
  await rests(page, 'ready');
  await painted(page);
  assert.match(plain(await latest.getAttribute('aria-valuetext')), /^\d+ instances from /);
  await byId(page, 'course-all').click();
  await addressLacks(page, /to=/);
  await rests(page, 'ready');
  await painted(page);
  const before = await facts(page);
  // There and back to the pixel next to where it began.
  const canvas = page.locator('#canvas-course');
  const { plot } = JSON.parse(await canvas.getAttribute('data-layout'));
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + plot.left + 0.41 * (plot.right - plot.left), box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + plot.left + 0.41 * (plot.right - plot.left) + 4, box.y + 40);
  await page.mouse.up();
  await rests(page, 'ready');
  assert.equal(await page.locator('#message').isVisible(), false);
  assert.match(await facts(page), /^\d+ of \d+ instances$/);
  assert.ok(before);
});

test('any counter is asked for by its name, in all or per time, and one that is not there is told', async (t) => {
  const { page } = await withCourse(t);
  await byId(page, 'course-what').selectOption('PAPI_L1_DCM');
  await addressHas(page, /course=total%3APAPI_L1_DCM|course=total:PAPI_L1_DCM/);
  await page.waitForFunction(() => document.querySelector('[data-testid=course-drift]').textContent.startsWith('L1D misses of'));
  assert.match(plain(await drift(page).innerText()), /(more|less) in the second half/);
  await course(page).locator('[data-per=rate]').click();
  await page.waitForFunction(() => /higher|lower/.test(document.querySelector('[data-testid=course-drift]').textContent));
  await setFragment(page, { course: 'rate:NOTHING' });
  await rests(page, 'ready');
  await course(page).waitFor({ state: 'hidden' });
  assert.match(await page.locator('#remark').innerText(), /There is no counter NOTHING here/);
});

test('a link has no instances and says so', async (t) => {
  const { page, address } = await withCourse(t);
  const { page: other } = await open(t, address, { fragment: new URL(await shared(page)).hash });
  await rests(other, 'ready');
  await course(other).getByText('Instances are not part of a link').waitFor();
  assert.equal(await byId(other, 'course-button').count(), 0);
  await byId(other, 'course-close').click();
  await course(other).waitFor({ state: 'hidden' });
});

test('nothing is wrong with them for who cannot see, in any window', async (t) => {
  const { page } = await withCourse(t);
  await sound(page, 'course', {
    looks: [{ width: 1280, colours: 'light' }, { width: 400, colours: 'dark' }, { width: 900, colours: 'light' }],
    // The legend's are held to it elsewhere.
    shown: async ({ width }) => assert.deepEqual((await smallTargets(page)).filter((html) => !html.includes('data-certain')), [], `${width}`),
  });
});
