// Pictures of the page for people to look at, and what is wrong with it for those who cannot.

import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import axe from 'axe-core';
import { nextFrame, ROOT } from './browser.mjs';

const SHOTS = path.join(ROOT, 'tests/page/shots');

/** Takes a picture of the whole page into `tests/page/shots`. */
export async function shot(page, name) {
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: path.join(SHOTS, `${name}.png`), fullPage: true });
}

/**
 * Windows and themes in which a state of the page is looked at.
 *
 * @type {{ colours: 'light' | 'dark', width: number, height?: number }[]}
 */
export const LOOKS = [{ colours: 'light', width: 1280 }, { colours: 'light', width: 400 }, { colours: 'dark', width: 400 }, { colours: 'dark', width: 1280 }];

/**
 * The page in another window and theme, with what stands in it drawn anew.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ colours: 'light' | 'dark', width: number, height?: number }} look
 */
export async function lookedAt(page, { colours, width, height = 800 }) {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: colours });
  // What is laid out anew is measured on one frame and drawn on the next.
  await nextFrame(page);
  await nextFrame(page);
}

async function withAxe(page) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
}

/** What axe finds, each with the elements it is about. */
export async function violations(page) {
  await withAxe(page);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/**
 * In every window and theme what the page shows is whole, and axe finds nothing in it. A picture is taken of each.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name of what is shown
 * @param {{ looks?: typeof LOOKS, shown?: (look: typeof LOOKS[number]) => Promise<unknown> }} [options] `shown`: what is done first in each
 */
export async function sound(page, name, { looks = LOOKS, shown = async () => {} } = {}) {
  for (const look of looks) {
    await lookedAt(page, look);
    await shown(look);
    const named = `${name}-${look.colours}-${look.width}`;
    await shot(page, named);
    assert.deepEqual(await violations(page), [], named);
    assert.deepEqual(await cutOff(page), [], named);
  }
}

/** Controls that are smaller than 24 px and have another within 24 px, each as it is written. */
export async function smallTargets(page) {
  await withAxe(page);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ runOnly: { type: 'rule', values: ['target-size'] }, resultTypes: ['violations'] }));
  return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 120)));
}

/** What must never be cut off: the region's name, that a trace is generated, and the page's width. */
export function cutOff(page) {
  return page.evaluate(() => {
    const cut = Array.from(document.querySelectorAll('#facts h1, #facts .mark')).filter((fact) => {
      const box = fact.getBoundingClientRect();
      const right = fact.parentElement.getBoundingClientRect().right;
      return box.right > right + 0.5 || fact.scrollWidth > fact.clientWidth + 1;
    });
    const wider = document.documentElement.scrollWidth - window.innerWidth;
    return [...cut.map((fact) => fact.textContent), ...(wider > 0 ? [`the page is ${wider} px too wide`] : [])];
  });
}

/** Where all that stands still lies: the header, lanes with what is in them, and the panel with its tabs;
 * where that lies below the lanes, what is under the table of phases is not seen at the same time. */
export const places = (page) => page.evaluate(() => Object.fromEntries(Array.from(document.querySelectorAll('header *, #facts, #lanes > *, .lane > *, #panel, #panel-tabs *, #phases > h2, #notices'), (part, index) => {
  const { left, top, width, height } = part.getBoundingClientRect();
  const isBelow = innerWidth < 600 && ['panel', 'notices'].includes(part.id);
  return [`${index} ${part.id || part.className}`, isBelow ? '' : [left, top, width, height].map(Math.round).join(' ')];
}).filter(([id]) => !/ (borders|tip|cursor-words)$/.test(id))));
