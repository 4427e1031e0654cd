// The guide: how numbers are made, a tab beside the page, and inside of the page in one file.

import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { byId, DIST, open, openExample, ROOT, showPanel, site, temporaryFolder } from './browser.mjs';
import { shot, sound, violations } from './looks.mjs';

/** What an analyst must be able to look up, by the name that links to it carry. */
const SECTIONS = [
  'instances', 'left-out', 'counters', 'groups', 'folding', 'axis', 'splines', 'segments', 'decision', 'steps',
  'computing', 'rates', 'bands', 'phases', 'course', 'shown', 'sampling', 'energy', 'stacks', 'stretches', 'code', 'data', 'streams', 'merged', 'timelines',
  'clusters', 'run', 'models', 'activity', 'callers', 'bandwidth', 'gauges', 'efficiency', 'comparison', 'profile', 'links', 'reference', 'sources',
];

/** The link in the page's help, with the help open. */
async function helpLink(page) {
  await page.getByRole('button', { name: 'Help' }).click();
  return page.locator('#help').getByText('How the numbers are made');
}

test('the guide opens from the help in a tab of its own, with every section, and the trace stays open', async (t) => {
  const { page, context } = await open(t, await site(t));
  await openExample(page);
  const [guide] = await Promise.all([context.waitForEvent('page'), (await helpLink(page)).click()]);
  await guide.waitForLoadState();
  assert.match(guide.url(), /\/guide\/methods\.html$/);
  const sections = await guide.locator('h2').evaluateAll((headings) => headings.map(({ id }) => id));
  assert.deepEqual(sections, SECTIONS);
  const links = await guide.locator('nav ul a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.deepEqual(links, SECTIONS.map((section) => `#${section}`));
  assert.equal(await guide.locator('script').count(), 0);
  await page.getByTestId('generated').waitFor();
});

for (const name of ['methods', 'record', 'glossary', 'compare']) {
  test(`the guide, ${name}, can be read by everyone`, async (t) => {
    const address = await site(t);
    const { page } = await open(t, address);
    await page.goto(`${address}guide/${name}.html`);
    await sound(page, `guide-${name}`);
  });
}

test('the guide is inside the page in one file, and its links lead to its sections', async (t) => {
  const copy = path.join(await temporaryFolder(t), 'my page.html');
  await copyFile(path.join(DIST, 'tracefold.html'), copy);
  const { page } = await open(t, pathToFileURL(copy).href);
  await (await helpLink(page)).click();
  const guide = page.frameLocator('iframe');
  await guide.getByRole('link', { name: 'Energy', exact: true }).first().click();
  const heading = guide.getByRole('heading', { name: 'Energy' });
  await page.waitForFunction(() => (document.querySelector('iframe').contentWindow?.scrollY ?? 0) > 0);
  assert.ok(await heading.evaluate((element) => Math.abs(element.getBoundingClientRect().top) < 100));
  assert.equal(await heading.evaluate((element) => getComputedStyle(element).fontSize), '20px');
  await shot(page, 'guide-in-one-file');
  await page.locator('#guide').getByRole('button', { name: 'Close' }).click();
  assert.ok(await heading.isHidden());
});

/** The ids of a page of the guide. */
const idsOf = (name) => new Set([...readFileSync(path.join(ROOT, `static/guide/${name}.html`), 'utf8').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

test('links of the guide lead to sections that are there, and no section has the name of another', () => {
  for (const name of ['methods', 'record', 'glossary', 'compare']) {
    const html = readFileSync(path.join(ROOT, `static/guide/${name}.html`), 'utf8');
    const ids = [...html.matchAll(/ id="([^"]+)"/g)];
    assert.equal(idsOf(name).size, ids.length, name);
    for (const [link, page, section] of html.matchAll(/href="(\w*)(?:\.html)?#([^"]+)"/g)) assert.ok(idsOf(page || name).has(section), `${name}: ${link}`);
  }
});

/** Headings and facts in view that no word of the glossary explains, and words that it does not have. */
async function unexplained(page) {
  const { bare, names } = await page.evaluate(() => {
    const seen = [...document.querySelectorAll('h1, h2, .facts > span, .facts > button')].filter((element) => element.checkVisibility() && !element.closest('dialog, .landing, .tour'));
    const bare = seen.filter((element) => !element.matches('[data-term]') && !element.querySelector('[data-term]')).map((element) => element.textContent);
    return { bare, names: [...document.querySelectorAll('[data-term]')].map((element) => element.getAttribute('data-term')) };
  });
  assert.ok(names.length > 0);
  return [...bare, ...names.filter((name) => !idsOf('glossary').has(name))];
}

test('every heading and fact leads to the glossary', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  for (const part of /** @type {const} */ (['phases', 'code', 'data', 'regions', 'settings'])) {
    await showPanel(page, part);
    assert.deepEqual(await unexplained(page), [], part);
  }
  await byId(page, 'tab-run').click();
  await page.locator('#run-facts h1').waitFor();
  assert.deepEqual(await unexplained(page), [], 'run');
  await byId(page, 'tab-efficiency').click();
  await page.locator('#efficiencies-facts h1').waitFor();
  assert.deepEqual(await unexplained(page), [], 'efficiency');
  await page.locator('#help-button').click();
  const links = await page.evaluate(() => [...document.querySelectorAll('#help-terms a')].map((link) => link.getAttribute('href').split('#')[1]));
  assert.ok(links.includes('efficiency') && links.every((name) => idsOf('glossary').has(name)), String(links));
});

test('so do those of a comparison', async (t) => {
  const { page } = await open(t, await site(t), { fragment: '#profileURL=example.prv.gz&compareURL=example.prv.gz' });
  await page.locator('[data-testid="compare-state"][data-state="ready"]').waitFor({ state: 'attached' });
  assert.deepEqual(await unexplained(page), []);
});

/** The counters that each model needs, of those that say the same one. */
function modelsOf() {
  const folder = path.join(ROOT, 'static/models');
  const models = new Map();
  for (const file of readdirSync(folder)) {
    for (const [model, name] of readFileSync(path.join(folder, file), 'utf8').matchAll(/<model name="([^"]+)"[^]*?<\/model>/g)) {
      const components = new Set([...model.matchAll(/<component name="([^"]+)"/g)].map(([, own]) => own));
      const values = [...model.matchAll(/<value>([^<]+)<\/value>/g)].map(([, value]) => value).filter((value) => Number.isNaN(Number(value)) && !components.has(value));
      models.set(name, values.map((value) => value.split('|').map(spelled)));
    }
  }
  return models;
}

/** As the names of events are compared: case and `.` for `:` do not matter. */
const spelled = (counter) => counter.toLowerCase().replaceAll(':', '.');

test('every recipe has the counters of the models that stand over it', () => {
  const models = modelsOf();
  const html = readFileSync(path.join(ROOT, 'static/guide/record.html'), 'utf8');
  const recipes = [...html.matchAll(/<pre data-models="([^"]+)">([^]*?)<\/pre>/g)];
  assert.ok(recipes.length >= 15, String(recipes.length));
  for (const [, names, text] of recipes) {
    const counters = new Set((text.match(/[\w:.]+/g) ?? []).map(spelled));
    for (const name of names.split(' ')) {
      assert.ok(models.has(name), `there is a model ${name}`);
      const lacking = models.get(name).filter((ways) => !ways.some((way) => counters.has(way)));
      assert.deepEqual(lacking, [], `${name}: ${text.slice(0, 80)}`);
    }
  }
  for (const [, sets] of html.matchAll(/&lt;cpu ([^]*?)&lt;\/cpu/g)) {
    for (const [, set] of sets.matchAll(/&lt;set [^]*?&gt;\s*([^]*?)\s*&lt;\/set/g)) assert.match(set, /^(PAPI_TOT_INS, PAPI_TOT_CYC|PM_RUN_INST_CMPL, PM_RUN_CYC|PM_INST_CMPL, PM_CYC)\b/);
  }
});

for (const [width, colours] of /** @type {const} */ ([[1280, 'light'], [400, 'dark']])) {
  test(`the tour leads through the example in five steps, ${width} px wide`, async (t) => {
    const { page } = await open(t, await site(t), { width, colours });
    await byId(page, 'tour-button').click();
    await byId(page, 'tour').waitFor();
    for (const at of ['lane-rail', 'lane-performance', 'lane-source', 'lanes', 'share']) {
      const [card, marked] = await page.evaluate(() => [document.querySelector('#tour').getBoundingClientRect().toJSON(), [...document.querySelectorAll('.toured')].map(({ id }) => id)]);
      assert.deepEqual(marked, [at]);
      assert.ok(card.left >= 0 && card.right <= width && card.top >= 0 && card.bottom <= 800, `${at}: ${JSON.stringify(card)}`);
      if (at === 'lane-source') assert.deepEqual(await violations(page), []);
      if (at !== 'share') await byId(page, 'tour-next').click();
    }
    await page.keyboard.press('Escape');
    assert.deepEqual(await page.evaluate(() => [document.querySelectorAll('#tour, .toured').length, document.activeElement.id, localStorage.length]), [0, 'column', 0]);
    assert.equal(await byId(page, 'status').getAttribute('data-state'), 'ready');
  });
}
