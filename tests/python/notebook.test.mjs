// The exported notebook of the guide in Chromium, without network: the page in it shows the folding.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { CHROMIUM, FLAGS, PATIENCE_MS, ROOT, chromium } from '../page/browser.mjs';

const EXPORTED = path.join(ROOT, 'target/python/folding.html');

test('the page in an exported notebook shows the folding, and asks for nothing', async (t) => {
  assert.ok(existsSync(EXPORTED), `${EXPORTED} is missing: test_notebook.py makes it`);
  const profile = await mkdtemp(path.join(os.tmpdir(), 'tracefold-notebook-'));
  const context = await chromium.launchPersistentContext(profile, { executablePath: CHROMIUM, headless: true, args: FLAGS, viewport: { width: 1280, height: 1000 } });
  t.after(async () => {
    await context.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const [page] = context.pages();
  page.setDefaultTimeout(PATIENCE_MS);
  const own = pathToFileURL(EXPORTED).href;
  const asked = [];
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await context.route('**/*', (route) => {
    const { url, frame } = { url: route.request().url(), frame: route.request().frame() };
    if (url === own || /^(blob|data|about):/.test(url)) return route.continue();
    // The notebook's own page would ask for what draws formulas; the frame must not ask at all.
    if (frame !== page.mainFrame()) asked.push(url);
    return route.abort('internetdisconnected');
  });
  await page.goto(own, { waitUntil: 'domcontentloaded' });
  // A frame that nobody sees is not painted.
  await page.locator('iframe').scrollIntoViewIfNeeded();
  const frame = page.frameLocator('iframe');
  await frame.locator('[data-testid="status"][data-state="ready"]').waitFor({ state: 'attached' });
  assert.match(await frame.locator('#facts h1').innerText(), /main loop/);
  const lanes = await frame.locator('canvas').evaluateAll((all) => all.filter((canvas) => canvas.getBoundingClientRect().height > 20).length);
  assert.ok(lanes >= 3, `${lanes} lanes`);
  // Moving in it changes the address of the frame, not of the notebook.
  await frame.locator('body').press('w');
  await page.waitForTimeout(1000);
  assert.deepEqual([asked, errors, page.url()], [[], [], own]);
  // The frame has no address to share: what is told belongs behind that of any page.
  await frame.getByTestId('share').click();
  assert.match(await frame.getByTestId('share-link').inputValue(), /^#s=[\w-]+&v=1/);
  await page.screenshot({ path: path.join(ROOT, 'target/python/notebook.png') });
});
