// The exported notebook of the guide in Chromium, without network: the page in it shows the folding.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { CHROMIUM, FLAGS, PATIENCE_MS, ROOT, chromium, site } from '../page/browser.mjs';

const EXPORTED = path.join(ROOT, 'target/python/folding.html');

/** A browser of one page, and a folder that goes with it. */
async function browser(t) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tracefold-notebook-'));
  const context = await chromium.launchPersistentContext(folder, { executablePath: CHROMIUM, headless: true, args: FLAGS, viewport: { width: 1280, height: 1000 } });
  t.after(async () => {
    await context.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const [page] = context.pages();
  page.setDefaultTimeout(PATIENCE_MS);
  return { page, context, folder };
}

test('the page in an exported notebook shows the folding, and asks for nothing', async (t) => {
  assert.ok(existsSync(EXPORTED), `${EXPORTED} is missing: test_notebook.py makes it`);
  const { page, context } = await browser(t);
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

test('with the address of a server the frame is its page, with the folding in the address', async (t) => {
  const url = await site(t);
  const { page, folder } = await browser(t);
  const script = `import tracefold; print(tracefold.open("static/example.prv.gz").fold().show()._repr_html_())`;
  const env = { ...process.env, TRACEFOLD_URL: url };
  const html = execFileSync(path.join(ROOT, 'target/python/tools/bin/python'), ['-c', script], { cwd: ROOT, env });
  assert.ok(html.length < 40_000, `${html.length} bytes`);
  const file = path.join(folder, 'notebook.html');
  await writeFile(file, html);
  await page.goto(pathToFileURL(file).href);
  const frame = page.frameLocator('iframe');
  await frame.locator('[data-testid="status"][data-state="ready"]').waitFor({ state: 'attached' });
  assert.match(await frame.locator('#facts h1').innerText(), /main loop/);
});
