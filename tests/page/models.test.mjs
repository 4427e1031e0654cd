// Models and expressions in the performance lane: what is offered, what is wrong, what a link keeps.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import {
  DIST, addressHas, byId, drop, each, message, open, openExample, rests, setFragment, shared, site,
  temporaryFolder,
} from './browser.mjs';
import { opened, openWithFakeEngine } from './fake.mjs';
import { shot, violations } from './looks.mjs';

const EXPRESSION = 'PAPI_L3_TCM*64/PAPI_TOT_INS';

/** A file of one model whose two parts make up all misses of the first level. */
const SPLIT = `<model name="split" title-name="Split misses" y1="Misses per instruction" y1-stacked="yes">
  <component name="near" title-name="Served near" where="y1" explanation="Not &lt;b&gt;far&lt;/b&gt;.">
    <operation type="/"><operation type="-"><value>PAPI_L1_DCM</value><value>PAPI_L2_DCM</value></operation><value>PAPI_TOT_INS</value></operation>
  </component>
  <component name="far" title-name="Served far" where="y1" explanation="Beyond the second level.">
    <operation type="/"><value>PAPI_L2_DCM</value><value>PAPI_TOT_INS</value></operation>
  </component>
</model>`;

const written = async (t, name, text) => {
  const file = path.join(await temporaryFolder(t), name);
  await writeFile(file, text);
  return file;
};

test('a wrong expression is told under its field, and nothing is lost', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  await byId(page, 'model').selectOption('expression…');
  await byId(page, 'expression').fill('PAPI_L9_TCM/PAPI_TOT_INS');
  await page.keyboard.press('Enter');
  await byId(page, 'expression-error').getByText(/PAPI_L9_TCM.*the nearest are PAPI_L/).waitFor();
  await rests(page, 'ready');
  assert.doesNotMatch(page.url(), /expressions=/);
  for (const hostile of ['<img src=x onerror=alert(1)>', '1/0/', '((((', 'PAPI_TOT_INS;x']) {
    await byId(page, 'expression').fill(hostile);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('#expression-error').textContent !== '');
    await rests(page, 'ready');
    assert.equal(await page.locator('.expression img').count(), 0);
  }
  assert.deepEqual(await violations(page), []);
});

test('an expression is shown, and a link of it shows it to somebody else', async (t) => {
  const address = await site(t);
  const { page } = await open(t, address);
  await openExample(page);
  await byId(page, 'model').selectOption('expression…');
  await page.getByLabel('Name of the expression').fill('traffic');
  await byId(page, 'expression').fill(EXPRESSION);
  await page.keyboard.press('Enter');
  await addressHas(page, /model=traffic/);
  await rests(page, 'ready');
  assert.equal(await byId(page, 'model').inputValue(), 'traffic');
  assert.match(decodeURIComponent(page.url()), /expressions=traffic=PAPI_L3_TCM\*64\/PAPI_TOT_INS/);
  const value = await componentAt(page, 'traffic', 0.3);
  assert.ok(value > 0);

  const link = await shared(page);
  const { page: other } = await open(t, link);
  await rests(other, 'ready');
  assert.equal(await byId(other, 'model').inputValue(), 'traffic');
  const again = await componentAt(other, 'traffic', 0.3);
  assert.ok(Math.abs(again / value - 1) < 0.02, `${again} for ${value}`);
});

test('a model is dropped onto the open trace: its parts are stacked, and sum to the total', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  await drop(page, [await written(t, 'split.xml', SPLIT)]);
  await page.locator('#model option[value="split"]').waitFor({ state: 'attached' });
  await byId(page, 'model').selectOption('split');
  await rests(page, 'ready');
  const legend = await page.locator('#legend').innerText();
  assert.match(legend, /Served near[\s\S]*Served far/);
  await shot(page, 'model');
  assert.deepEqual(await violations(page), []);
  const explained = page.locator('#legend .component').first();
  await explained.focus();
  assert.equal(await explained.locator('.explains').innerText(), 'Not <b>far</b>.');
  const near = await componentAt(page, 'near', 0.3);
  const far = await componentAt(page, 'far', 0.3);
  await byId(page, 'model').selectOption('');
  await rests(page, 'ready');
  const { values } = (await tableRow(page, 0.3));
  const total = values['per-instruction PAPI_L1_DCM'];
  assert.ok(near > 0 && far > 0 && Math.abs((near + far) / total - 1) < 0.02, `${near} + ${far} is not ${total}`);
});

test('a model is named in the lane, drawn in hues of ours, and explained where the pointer is', async (t) => {
  for (const colours of ['light', 'dark']) {
    const { page } = await open(t, await site(t), { colours });
    await openExample(page);
    const hues = await page.evaluate(() => Array.from({ length: 12 }, (_, i) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.className = `hue-${i}`;
      const { backgroundColor } = getComputedStyle(probe);
      probe.remove();
      return backgroundColor;
    }));
    assert.equal(new Set(hues).size, 12);
    await byId(page, 'model').selectOption('served-by');
    await addressHas(page, /model=served-by/);
    await byId(page, 'model-name').getByText('What serves the misses of L1').waitFor();
    const areas = await each(page, '#legend .square', (square) => getComputedStyle(square).backgroundColor);
    assert.equal(areas.length, 3);
    assert.equal(new Set(areas).size, 3);
    assert.ok(areas.every((area) => hues.includes(area)), `${areas} of ${hues}`);

    const lane = page.locator('#canvas-performance');
    const { plot, strips } = JSON.parse(await lane.getAttribute('data-layout'));
    const box = await lane.boundingBox();
    const tip = byId(page, 'tip');
    const at = (y) => page.mouse.move(box.x + (plot.left + plot.right) / 2, box.y + y);
    await at(strips[0].bottom - 2);
    await tip.locator('.under', { hasText: 'L2' }).waitFor();
    assert.match(await tip.innerText(), /second level/i);
    await at(strips[0].top + 2);
    await tip.locator('.under').waitFor({ state: 'detached' });
    assert.deepEqual(await violations(page), []);
  }
});

test('what is no model is refused with its place, alone and with a trace, and nothing is lost', async (t) => {
  const { page } = await open(t, await site(t));
  await drop(page, [await written(t, 'lonely.xml', SPLIT)]);
  await rests(page, 'error');
  assert.match(await message(page), /^lonely\.xml is a model\. \| A model says nothing without a trace; this one is kept/);
  await drop(page, ['.prv.gz', '.pcf', '.row'].map((ending) => path.join(DIST, `example${ending}`)));
  await rests(page, 'ready');
  const region = await byId(page, 'region').inputValue();
  assert.ok((await page.locator('#model option[value="split"]').count()) === 1, 'it was kept');
  const bomb = '<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\n<model name="&b;"/>';
  await drop(page, [await written(t, 'bomb.xml', bomb)]);
  await rests(page, 'error');
  assert.match(await message(page), /bomb\.xml could not be read\. \| Line 1/i);
  await byId(page, 'back').click();
  await rests(page, 'ready');
  assert.equal(await byId(page, 'region').inputValue(), region);
  await setFragment(page, { points: '500' });
  await rests(page, 'ready');
});

test('a model together with a trace, and one of them wrong: the trace opens, and the page says what is wrong', async (t) => {
  const { page, order, heard, folds } = await openWithFakeEngine(t);
  const files = [await written(t, 'some.prv', 'x'), await written(t, 'good.xml', '<model/>'), await written(t, 'bad.xml', 'wrong')];
  await drop(page, files);
  assert.deepEqual((await heard(0)).names, ['some.prv']);
  await order({ value: opened('some.prv') });
  await rests(page, 'error');
  assert.match(await message(page), /bad\.xml could not be read\. \| Line 1, column 2/);
  await byId(page, 'back').click();
  await rests(page, 'ready');
  assert.deepEqual((await folds()).at(-1).models.map(({ name }) => name), ['good.xml']);
});

test('models that the counters do not allow are listed with what is missing', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  const options = page.locator('#model option[disabled]');
  assert.ok((await options.count()) > 0);
  assert.match(await options.first().getAttribute('title'), /^Not counted: /);
});

/** What the legend says of a component with the cursor at folded time `x`. */
async function componentAt(page, component, x) {
  const canvas = page.locator('#canvas-performance');
  const { plot } = JSON.parse(await canvas.getAttribute('data-layout'));
  await canvas.hover({ position: { x: plot.left + x * (plot.right - plot.left), y: plot.top + 40 } });
  const shown = page.locator(`[data-component="${component}"]`);
  await page.waitForFunction((name) => document.querySelector(`[data-component="${name}"]`).textContent !== '', component);
  return Number(await shown.getAttribute('data-value'));
}

async function tableRow(page, x) {
  await setFragment(page, { view: 'table' });
  const rows = await byId(page, 'table').locator('tbody tr').evaluateAll((rows) => rows.map((row) => ({
    x: Number(row.dataset.x),
    values: Object.fromEntries(Array.from(row.cells, ({ dataset }) => [`${dataset.kind} ${dataset.counter}`, Number(dataset.value)])),
  })));
  return rows.find((row) => Math.abs(row.x - x) < 1e-9);
}
