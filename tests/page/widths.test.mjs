// The page at every width and at 200 %: its header, its targets, and colours that the system forces.

import assert from 'node:assert/strict';
import test from 'node:test';
import { byId, open, openExample, rests, showPanel, site } from './browser.mjs';
import { cutOff, shot, smallTargets, violations } from './looks.mjs';

/** Controls of the header that stand over one another or out of the page, and how high it is. */
function header(page) {
  return page.evaluate(() => {
    const header = document.querySelector('header');
    const controls = [...header.querySelectorAll('a, button, select, input:not(.unseen)')].map((control) => ({ name: control.id || control.className, box: control.getBoundingClientRect() })).filter(({ box }) => box.width > 0);
    const over = controls.flatMap(({ name, box: a }, i) => controls.slice(i + 1).filter(({ box: b }) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5).map((other) => `${name} over ${other.name}`));
    const out = controls.filter(({ box }) => box.right > innerWidth + 0.5 || box.left < -0.5).map(({ name }) => `${name} is out of the page`);
    return { wrong: [...over, ...out], height: header.getBoundingClientRect().height, rows: new Set(controls.map(({ box }) => Math.round((box.top + box.bottom) / 8))).size };
  });
}

for (const [width, height, density] of [[640, 400, 2], [600, 800, 1], [768, 1024, 1], [900, 700, 1], [1000, 700, 1], [1024, 768, 1], [1280, 800, 1], [1600, 900, 1]]) {
  test(`the header holds at ${width} px${density > 1 ? ', a window of 1280 px at 200 %' : ''}`, async (t) => {
    const { page } = await open(t, await site(t), { width, height, density });
    await openExample(page);
    const { wrong, height: high, rows } = await header(page);
    assert.deepEqual(wrong, []);
    assert.equal(rows, width <= 1000 ? 2 : 1, `${high} px high`);
    assert.deepEqual(await cutOff(page), []);
    assert.deepEqual(await violations(page), []);
    await shot(page, `width-${width}`);
  });
}

test('what a finger or a shaking hand has to hit is 24 px large, or has that much room', async (t) => {
  const { page } = await open(t, await site(t));
  assert.deepEqual(await smallTargets(page), [], 'landing');
  await openExample(page);
  for (const part of /** @type {const} */ (['phases', 'code', 'data', 'regions', 'settings'])) {
    await showPanel(page, part);
    assert.deepEqual(await smallTargets(page), [], part);
  }
  await byId(page, 'tab-efficiency').click();
  await byId(page, 'efficiencies').waitFor();
  assert.deepEqual(await smallTargets(page), [], 'efficiency');
});

for (const colours of /** @type {const} */ (['light', 'dark'])) {
  test(`colours that the system forces leave pictures legible, ${colours}`, async (t) => {
    const { page } = await open(t, await site(t), { colours });
    await page.emulateMedia({ forcedColors: 'active', colorScheme: colours });
    await openExample(page);
    await rests(page, 'ready');
    await shot(page, `forced-${colours}`);
    // Ink and ground of the lane, as they are seen: at least as far apart as text must be.
    const contrast = await page.evaluate(() => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById('canvas-performance'));
      const ground = getComputedStyle(canvas).backgroundColor.match(/[\d.]+/g).map(Number);
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const light = (rgb) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => sum + weight * ((rgb[i] / 255) <= 0.04045 ? rgb[i] / 255 / 12.92 : ((rgb[i] / 255 + 0.055) / 1.055) ** 2.4), 0.05);
      let most = 1;
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] < 255) continue;
        const [a, b] = [light(data.slice(at, at + 3)), light(ground)];
        most = Math.max(most, a > b ? a / b : b / a);
      }
      return ground.length === 4 && ground[3] === 0 ? 0 : most;
    });
    assert.ok(contrast >= 7, `${contrast.toFixed(1)} : 1`);
    const isSeen = await page.locator('.legend .swatch').first().evaluate((swatch) => getComputedStyle(swatch).forcedColorAdjust);
    assert.equal(isSeen, 'none', 'keys of colours keep them');
  });
}
