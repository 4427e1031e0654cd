// The guide: how numbers are made, a tab beside the page, and inside of the page in one file.

import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { DIST, open, openExample, site, temporaryFolder } from './browser.mjs';
import { cutOff, shot, violations } from './looks.mjs';

/** What an analyst must be able to look up, by the name that links to it carry. */
const SECTIONS = [
  'instances', 'left-out', 'counters', 'groups', 'folding', 'axis', 'splines', 'segments', 'decision', 'steps',
  'computing', 'rates', 'bands', 'phases', 'shown', 'sampling', 'energy', 'stacks', 'stretches', 'code', 'data', 'streams', 'merged', 'timelines',
  'clusters', 'run', 'models', 'activity', 'callers', 'bandwidth', 'gauges', 'efficiency', 'links', 'reference', 'sources',
];

/** The link in the page's help, with the help open. */
async function helpLink(page) {
  await page.getByRole('button', { name: 'Help' }).click();
  return page.getByText('How the numbers are made');
}

test('the guide opens from the help in a tab of its own, with every section, and the trace stays open', async (t) => {
  const { page, context } = await open(t, await site(t));
  await openExample(page);
  const [guide] = await Promise.all([context.waitForEvent('page'), (await helpLink(page)).click()]);
  await guide.waitForLoadState();
  assert.match(guide.url(), /\/guide\/methods\.html$/);
  const sections = await guide.locator('h2').evaluateAll((headings) => headings.map(({ id }) => id));
  assert.deepEqual(sections, SECTIONS);
  const links = await guide.locator('nav a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.deepEqual(links, SECTIONS.map((section) => `#${section}`));
  assert.equal(await guide.locator('script').count(), 0);
  await page.getByTestId('generated').waitFor();
});

for (const colours of /** @type {const} */ (['light', 'dark'])) {
  for (const width of [1280, 400]) {
    test(`the guide can be read by everyone, ${colours} and ${width} px wide`, async (t) => {
      const address = await site(t);
      const { page } = await open(t, address, { colours, width });
      await page.goto(`${address}guide/methods.html`);
      await shot(page, `guide-${colours}-${width}`);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(await cutOff(page), []);
    });
  }
}

test('the guide is inside the page in one file, and its links lead to its sections', async (t) => {
  const copy = path.join(await temporaryFolder(t), 'my page.html');
  await copyFile(path.join(DIST, 'tracefold.html'), copy);
  const { page } = await open(t, pathToFileURL(copy).href);
  await (await helpLink(page)).click();
  const guide = page.frameLocator('iframe');
  await guide.getByRole('link', { name: 'Energy' }).click();
  const heading = guide.getByRole('heading', { name: 'Energy' });
  await page.waitForFunction(() => (document.querySelector('iframe').contentWindow?.scrollY ?? 0) > 0);
  assert.ok(await heading.evaluate((element) => Math.abs(element.getBoundingClientRect().top) < 100));
  assert.equal(await heading.evaluate((element) => getComputedStyle(element).fontSize), '20px');
  await shot(page, 'guide-in-one-file');
  await page.getByRole('button', { name: 'Close' }).first().click();
  assert.ok(await heading.isHidden());
});
