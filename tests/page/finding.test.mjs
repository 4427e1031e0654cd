// The search of the open trace and of all actions: what is found, where Enter goes, and for whom.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { addressHas, addressWritten, byId, drop, each, open, openExample, rests, site, temporaryFolder } from './browser.mjs';
import { opened, openWithFakeEngine } from './fake.mjs';
import { cutOff, shot, smallTargets, violations } from './looks.mjs';

const finder = (page) => page.locator('#finder[open]');
const rows = (page) => page.locator('#finder-list li');

/** Opens it, types, and waits for as many matches as are told. */
async function find(page, key, words, first) {
  await page.keyboard.press(key);
  await finder(page).waitFor();
  await page.keyboard.type(words);
  await page.waitForFunction((first) => new RegExp(first, 's').test(document.querySelector('#finder-list [aria-selected=true]')?.textContent ?? ''), first.source);
}

async function go(page) {
  await page.keyboard.press('Enter');
  await finder(page).waitFor({ state: 'detached' });
}

test('names of all kinds are found, and Enter goes there', async (t) => {
  const { page } = await open(t, await site(t));
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.keyboard.press('/');
  await openExample(page);
  assert.ok(!asked.some((url) => url.includes('finder')), 'it is loaded when it is asked for, and there is nothing to search before');
  await page.keyboard.press('/');
  await finder(page).waitFor();
  const kinds = new Set(await rows(page).locator('.kind').allInnerTexts());
  assert.deepEqual([...kinds], ['Routine', 'Line', 'Data', 'Counter', 'Region']);
  await page.keyboard.press('Escape');
  await finder(page).waitFor({ state: 'detached' });
  for (const [words, first, address] of [
    ['tri', /^RoutineTriad/, /picked=routine:Triad/],
    ['226', /^Linestream\.c:226Scale/, /picked=line:226:stream\.c/],
    ['data 181', /^Datastream\.c:181/, /picked=object:stream\.c:181/],
    ['tot_cyc', /^CounterCycles/, /counter=PAPI_TOT_CYC/],
  ]) {
    await find(page, '/', words, first);
    await go(page);
    await addressHas(page, address);
    await rests(page, 'ready');
  }
  // Another region is folded; the one that is shown stays.
  await find(page, '/', 'region', /^Region/);
  const name = await rows(page).first().locator('.called').innerText();
  await go(page);
  await page.waitForFunction((name) => /** @type {HTMLElement} */ (document.querySelector('#facts h1'))?.innerText === name, name);
  await rests(page, 'ready');
  // Back goes where one was.
  await page.goBack();
  await rests(page, 'ready');
});

test('keys choose among what is found, and what is nowhere is said', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  await find(page, '/', 'stream.c', /stream\.c/);
  const names = await rows(page).locator('.called').allInnerTexts();
  assert.ok(names.length >= 3);
  const stands = (nth) => page.waitForFunction((nth) => document.activeElement?.getAttribute('aria-activedescendant') === `finder-${nth}` && document.querySelector(`#finder-${nth}`)?.getAttribute('aria-selected') === 'true', nth);
  await stands(0);
  await page.keyboard.press('ArrowDown');
  await stands(1);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await stands(names.length - 1);
  // W is typed, and zooms to nothing.
  await page.keyboard.type(' w');
  await byId(page, 'finder-count').getByText('Nothing in this trace is called so.').waitFor();
  await page.keyboard.press('Enter');
  await addressWritten(page);
  assert.doesNotMatch(page.url(), /range=|picked=/);
  assert.ok(await finder(page).isVisible());
  // What had the keys has them again.
  await page.keyboard.press('Escape');
  await page.locator('#group').focus();
  await page.keyboard.press('Control+Shift+P');
  await finder(page).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.id === 'group');
  // A slash that is typed is none that searches.
  await byId(page, 'model').selectOption('expression…');
  await byId(page, 'expression').fill('');
  await page.keyboard.type('A/B');
  assert.equal(await byId(page, 'expression').inputValue(), 'A/B');
  assert.equal(await finder(page).count(), 0);
});

test('every key of the help has its action, and actions do what they say', async (t) => {
  const { page } = await open(t, await site(t));
  await page.keyboard.press('Control+Shift+P');
  await finder(page).waitFor();
  await rows(page).filter({ hasText: 'Open files' }).waitFor();
  assert.equal(await rows(page).filter({ hasText: 'Zoom' }).count(), 0, 'there is nothing to zoom yet');
  await page.keyboard.press('Escape');
  await openExample(page);
  await page.locator('#canvas-performance').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('r');
  await addressHas(page, /selection=/);
  await page.keyboard.press('Control+Shift+P');
  await finder(page).waitFor();
  const listed = new Set(await rows(page).locator('.pressed kbd').allInnerTexts());
  const told = await page.locator('#help-keys dt').evaluateAll((all) => all.flatMap((dt) => Array.from(dt.querySelectorAll('kbd'), (kbd) => [dt.querySelectorAll('kbd').length, kbd.textContent])));
  const alone = told.map(([, key]) => key).filter((key) => !['Ctrl', 'Shift', 'P', 'wheel', 'drag', 'click', 'double click', '←', '→'].includes(key));
  assert.ok(alone.length >= 12, `${alone}`);
  assert.deepEqual(alone.filter((key) => !listed.has(key)), [], 'keys without an action');
  await page.keyboard.press('Escape');
  await find(page, 'Control+Shift+P', 'let the range go', /Let the range go/);
  await go(page);
  await page.waitForFunction(() => !location.hash.includes('selection='));
  for (const [words, first, seen] of [
    ['zoom in', /Zoom in/, () => addressHas(page, /range=/)],
    ['show all', /fit/, () => page.waitForFunction(() => !location.hash.includes('range='))],
    ['theme dark', /Theme: dark/, () => page.locator('html[data-theme=dark]').waitFor()],
    ['panel data', /Panel: Data/, () => page.locator('#panel-data').waitFor()],
    ['table', /Curves as a table/, () => byId(page, 'table').waitFor()],
    ['lanes', /Curves as lanes/, () => byId(page, 'lane-performance').waitFor()],
    ['what serves', /Model: What serves/, () => addressHas(page, /model=served-by/)],
    ['smoothing', /Smoothing/, () => page.waitForFunction(() => document.activeElement?.closest('.setting') !== null)],
    ['all keys', /All keys/, () => page.locator('#help[open]').waitFor()],
  ]) {
    await find(page, 'Control+Shift+P', words, first);
    await go(page);
    await seen();
  }
  // One dialog at a time.
  await page.keyboard.press('Control+Shift+P');
  await page.waitForTimeout(100);
  assert.equal(await finder(page).count(), 0);
});

test('names of any length and kind are text, at 400 px and in the dark too', async (t) => {
  const { page, folding, order, heard } = await openWithFakeEngine(t, { width: 400, height: 720, colours: 'dark' });
  const odd = [`<img src=x onerror=alert(1)>${'x'.repeat(400)}`, 'операция::λ'];
  const groups = folding.groups.map((group) => ({ ...group, routines: group.routines.map((name, i) => odd[i] ?? name) }));
  const file = path.join(await temporaryFolder(t), 'some.prv');
  await writeFile(file, 'x');
  await drop(page, [file]);
  await heard(0);
  await order({ fold: JSON.stringify({ ...folding, groups }) });
  await order({ value: opened('some.prv') });
  await rests(page, 'ready');
  await page.locator('#more').click();
  await byId(page, 'find').click();
  await finder(page).waitFor();
  for (const words of ['onerror', 'ОПЕРАЦИЯ']) {
    await byId(page, 'finder-field').fill(words);
    await rows(page).first().locator('.kind', { hasText: 'Routine' }).waitFor();
  }
  await byId(page, 'finder-field').fill('');
  await rows(page).nth(1).waitFor();
  assert.equal(await page.locator('#finder img').count(), 0);
  assert.deepEqual(await page.locator('#finder').evaluate((dialog) => [...dialog.querySelectorAll('li')].filter((row) => row.scrollWidth > row.clientWidth + 1).map((row) => row.textContent.slice(0, 40))), []);
  const sizes = await each(page, '#finder-list li', (row) => row.getBoundingClientRect().height);
  assert.ok(Math.min(...sizes) >= 24);
  assert.deepEqual(await smallTargets(page), []);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await cutOff(page), []);
  await shot(page, 'finder-400');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+P');
  await finder(page).waitFor();
  assert.deepEqual(await violations(page), []);
});
