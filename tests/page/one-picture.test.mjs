// What is on the screen, in the SVG and in the PNG is one picture, view by view.

import assert from 'node:assert/strict';
import test from 'node:test';
import { each, exported, nextFrame, open, openExample, rests, setFragment, site } from './browser.mjs';

/** Device pixels of a CSS pixel: of the page here, and of every PNG. */
const DENSITY = 2;

const VIEWS = [
  {},
  { theme: 'dark' },
  { theme: 'contrast', stacks: 'icicle' },
  { theme: undefined, range: '0.2_0.5' },
  { range: undefined, stacks: undefined, counter: 'PAPI_TOT_INS' },
  { range: '0.4_0.6', theme: 'dark' },
  { range: undefined, counter: undefined, theme: undefined, hidden: 'PAPI_L1_DCM' },
  { hidden: undefined, picked: 'routine:Triad' },
  { picked: undefined, colour: 'level' },
  { colour: undefined, model: 'served-by' },
];

/** Of the window, at which lanes are as wide as a figure. */
const WIDTH = 1280;

/** What of a lane may differ: edges of lines and text, which are smoothed otherwise. The rail is all text; more
 * references than a figure has circles for are marks of an image there, and dots on the screen. */
const DIFFERENT = { 'lane-rail': 0.03, 'lane-address': 0.015, 'lane-source': 0.01, 'lane-performance': 0.002, 'lane-samples': 0.002 };

/** Parts of a figure above its first lane: title and rail. Each lane follows its header. */
const ABOVE = 2;

test('ten views are one picture as SVG and as PNG, light in every theme, and each lane is that of a window in which it is as high', async (t) => {
  const { page } = await open(t, await site(t), { width: WIDTH, density: DENSITY });
  await openExample(page);
  const compared = new Set();
  for (const view of VIEWS) {
    await setFragment(page, view);
    await rests(page, 'ready');
    const png = await saved(page, 'png');
    const svg = (await saved(page, 'svg')).toString();
    const name = JSON.stringify(view);

    const { size, ground, parts } = outline(svg);
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], size.map((px) => px * DENSITY), name);
    const apart = await page.evaluate(different, { svg, png: png.toString('base64') });
    assert.ok(apart <= 0.001, `${name}: ${apart} of SVG and PNG differ`);
    assert.equal(ground, '#FFFFFF', name);
    // The colours of other themes are others.
    if (!(await page.evaluate(() => document.documentElement.dataset.theme === 'light'))) continue;
    const lanes = await each(page, '#lanes .lane:not([hidden])', (lane) => lane.dataset.testid);
    assert.ok(lanes.length >= 2, name);
    for (const [at, lane] of ['lane-rail', ...lanes].entries()) {
      const part = parts[at === 0 ? ABOVE - 1 : ABOVE + 2 * at - 1];
      await highAs(page, lane, part.height);
      const share = await page.evaluate(different, { svg, lane, y: part.y });
      assert.ok(share <= DIFFERENT[lane], `${name}: ${share} of ${lane} differs`);
      compared.add(lane);
    }
    await page.setViewportSize({ width: WIDTH, height: 800 });
  }
  assert.deepEqual([...compared].sort(), Object.keys(DIFFERENT).sort());
});

test('a window of 400 px, dark, saves the bytes that one of 1280 px saves', async (t) => {
  const address = await site(t);
  const files = [];
  for (const [width, colours] of /** @type {const} */ ([[1280, 'light'], [400, 'dark']])) {
    const { page } = await open(t, address, { width, colours, fragment: '#range=0.2_0.5' });
    await openExample(page);
    await setFragment(page, { range: '0.2_0.5', hidden: 'PAPI_L1_DCM' });
    await rests(page, 'ready');
    files.push((await saved(page, 'svg')).toString());
  }
  assert.ok(files[0].length > 10_000);
  assert.ok(files[0] === files[1]);
});

/** Exports the picture; on a narrow page the button is in a menu. */
async function saved(page, format) {
  const button = page.getByRole('button', { name: 'Export', exact: true });
  if (!(await button.isVisible())) await page.getByRole('button', { name: 'More' }).click();
  return exported(page, format, `.${format}`);
}

/** Size in px of a figure, the colour of its ground, and where its parts lie. */
function outline(svg) {
  const attribute = (element, name) => element.match(new RegExp(` ${name}="([^"]*)"`))[1];
  const [whole, ...parts] = svg.match(/<svg[^>]*>/g);
  return {
    size: ['width', 'height'].map((name) => Number(attribute(whole, name))),
    ground: attribute(svg.match(/<rect[^>]*>/)[0], 'fill'),
    parts: parts.map((part) => ({ y: Number(attribute(part, 'y')), height: Number(attribute(part, 'height')) })),
  };
}

/**
 * Makes the window as high as gives the canvas of a lane so many px: lanes share what a window has.
 *
 * @param {import('playwright-core').Page} page
 */
async function highAs(page, lane, height) {
  const own = () => page.evaluate((lane) => document.querySelector(`[data-testid="${lane}"] canvas`).clientHeight, lane);
  let [before, windowHeight] = [await own(), page.viewportSize().height];
  // A lane has a share of what the window has more: a third at first, and then as it has shown.
  let share = 1 / 3;
  for (let step = 0; step < 8 && before !== height; step += 1) {
    const more = Math.sign(height - before) * Math.max(1, Math.round(Math.abs(height - before) / share));
    windowHeight += more;
    await page.setViewportSize({ width: WIDTH, height: windowHeight });
    await nextFrame(page);
    await nextFrame(page);
    const after = await own();
    if (after !== before) share = Math.abs((after - before) / more);
    before = after;
  }
  assert.equal(await own(), height, `${lane} in a window of ${windowHeight} px`);
}

/**
 * In the page: the share of the pixels of a PNG, or of a lane of the screen on white, that differ from the SVG
 * drawn as large, `y` px below its top.
 *
 * @param {{svg: string, png?: string, lane?: string, y?: number}} pictures
 */
async function different({ svg, png, lane, y = 0 }) {
  const drawn = async (source, scale) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    return onWhite(image, image.naturalWidth * scale, image.naturalHeight * scale);
  };
  const onWhite = (image, width, height) => {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    context.fillStyle = 'white';
    context.fillRect(0, 0, width, height);
    context.drawImage(image, 0, 0, width, height);
    return canvas;
  };
  const screen = document.querySelector(`[data-testid="${lane}"] canvas`);
  const of = await drawn(`data:image/svg+xml;base64,${btoa(unescape(encodeURIComponent(svg)))}`, devicePixelRatio);
  const other = png ? await drawn(`data:image/png;base64,${png}`, 1) : onWhite(screen, screen.width, screen.height);
  const { width, height } = other;
  const [a, b] = [other.getContext('2d').getImageData(0, 0, width, height).data, of.getContext('2d').getImageData(0, Math.round(y * devicePixelRatio), width, height).data];
  let count = 0;
  for (let at = 0; at < a.length; at += 4) {
    if (Math.hypot(a[at] - b[at], a[at + 1] - b[at + 1], a[at + 2] - b[at + 2]) > 96) count += 1;
  }
  return count / (width * height);
}
