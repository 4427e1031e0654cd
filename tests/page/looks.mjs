// Pictures of the page for people to look at, and what is wrong with it for those who cannot.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import axe from 'axe-core';
import { ROOT } from './browser.mjs';

const SHOTS = path.join(ROOT, 'tests/page/shots');

/** Takes a picture of the whole page into `tests/page/shots`. */
export async function shot(page, name) {
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: path.join(SHOTS, `${name}.png`), fullPage: true });
}

/** What axe finds, each with the elements it is about. */
export async function violations(page) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Controls that are smaller than 24 px and have another within 24 px, each as it is written. */
export async function smallTargets(page) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ runOnly: { type: 'rule', values: ['target-size'] } }));
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
