// What is on the screen, in the SVG and in the PNG is one picture, view by view.

import assert from 'node:assert/strict';
import test from 'node:test';
import { exported, open, openExample, rests, setFragment, site } from './browser.mjs';

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
  { colour: undefined, model: 'cycles-per-instruction' },
];

/** What of a lane may differ: edges of text, which are smoothed otherwise; the rail is all text. */
const DIFFERENT = 0.03;

/** Lanes that are as wide and as high in a figure as on a page of 1280 px. */
const ALIKE = ['lane-rail'];

test('ten views are one picture as SVG and as PNG, light in every theme, and what is as large as on screen is as there', async (t) => {
  const { page } = await open(t, await site(t), { width: 1280, density: DENSITY });
  await openExample(page);
  let compared = 0;
  for (const view of VIEWS) {
    await setFragment(page, view);
    await rests(page, 'ready');
    const png = await saved(page, 'png');
    const svg = (await saved(page, 'svg')).toString();
    const name = JSON.stringify(view);

    const { size, shown, parts, lanes, apart, ground } = await page.evaluate(compare, { svg, png: png.toString('base64'), alike: ALIKE });
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], size.map((px) => px * DENSITY), name);
    assert.ok(apart <= 0.001, `${name}: ${apart} of SVG and PNG differ`);
    assert.equal(ground, '#FFFFFF', name);
    assert.ok(parts >= shown && shown >= 4, `${name}: ${parts} parts of ${shown} lanes`);
    // The colours of other themes are others.
    const isLight = await page.evaluate(() => document.documentElement.dataset.theme === 'light');
    for (const { lane, place, different } of isLight ? lanes : []) {
      assert.ok(place !== null, `${name}: ${lane} is not in the SVG`);
      assert.ok(different <= DIFFERENT, `${name}: ${different} of ${lane} differs`);
      compared += 1;
    }
  }
  // All views but the three of other themes.
  assert.equal(compared, VIEWS.length - 3);
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

/**
 * In the page: lays the SVG over the PNG, and each lane of the screen that is alike over its place in the SVG.
 *
 * @param {{svg: string, png: string, alike: string[]}} files
 */
async function compare({ svg, png, alike }) {
  const pixels = async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    const scale = source.startsWith('data:image/png') ? 1 : devicePixelRatio;
    [canvas.width, canvas.height] = [image.naturalWidth * scale, image.naturalHeight * scale];
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas;
  };
  const data = (canvas, x, y, width, height) => canvas.getContext('2d').getImageData(x, y, width, height).data;
  const share = (a, b) => {
    let different = 0;
    for (let at = 0; at < a.length; at += 4) {
      if (Math.hypot(a[at] - b[at], a[at + 1] - b[at + 1], a[at + 2] - b[at + 2]) > 96) different += 1;
    }
    return different / (a.length / 4);
  };
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const drawn = await pixels(`data:image/svg+xml;base64,${btoa(unescape(encodeURIComponent(svg)))}`);
  const shot = await pixels(`data:image/png;base64,${png}`);
  const [wide, high] = [Math.min(drawn.width, shot.width), Math.min(drawn.height, shot.height)];
  const apart = share(data(drawn, 0, 0, wide, high), data(shot, 0, 0, wide, high));
  const ground = parsed.querySelector('rect').getAttribute('fill');

  const parts = Array.from(parsed.querySelectorAll(':scope > svg'), (part) => ({ y: Number(part.getAttribute('y')), height: Number(part.getAttribute('height')) }));
  const canvases = Array.from(document.querySelectorAll('#lanes canvas')).filter((canvas) => canvas.getClientRects().length > 0 && canvas.closest('[data-testid]'));
  let from = 0;
  const lanes = canvases.filter((canvas) => alike.includes(canvas.closest('[data-testid]').getAttribute('data-testid'))).map((canvas) => {
    const lane = canvas.closest('[data-testid]').getAttribute('data-testid');
    const height = canvas.height / devicePixelRatio;
    const index = parts.findIndex((part, nth) => nth >= from && part.height === height);
    if (index < 0) return { lane, place: null, different: 1 };
    from = index + 1;
    const over = document.createElement('canvas');
    [over.width, over.height] = [canvas.width, canvas.height];
    const context = over.getContext('2d');
    context.fillStyle = ground;
    context.fillRect(0, 0, over.width, over.height);
    context.drawImage(canvas, 0, 0);
    const place = parts[index].y;
    const y = Math.round(place * devicePixelRatio);
    return { lane, place, different: share(data(over, 0, 0, canvas.width, canvas.height), data(drawn, 0, y, canvas.width, canvas.height)) };
  });
  return { size: [Number(parsed.getAttribute('width')), Number(parsed.getAttribute('height'))], shown: canvases.length, parts: parts.length, lanes, apart, ground };
}
