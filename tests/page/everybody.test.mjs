// Every state of the page at every width, with axe: light, dark and with more contrast in turn.

import assert from 'node:assert/strict';
import test from 'node:test';
import { byId, nextFrame, open, openExample, rests, runSeen, setFragment, site } from './browser.mjs';
import { cutOff, violations } from './looks.mjs';

/** Of windows; 640 px are a window of 1280 px at 200 %. */
const WIDTHS = [400, 640, 900, 1280, 1600];

const THEMES = ['light', 'dark', 'contrast'];

/** What the address says of each state. */
const STATES = {
  code: { panel: 'code' },
  'tree of calls': { panel: 'code', code: 'tree' },
  data: { panel: 'data' },
  regions: { panel: 'regions' },
  settings: { panel: 'settings' },
  'a range': { panel: undefined, code: undefined, selection: '0.2_0.4' },
  'a zoom': { selection: undefined, range: '0.2_0.4' },
  'a counter alone': { range: undefined, counter: 'PAPI_TOT_CYC' },
  'a model': { counter: undefined, model: 'served-by' },
  'what is picked': { model: undefined, picked: 'routine:Triad' },
  'an object alone': { picked: undefined, object: 'b' },
  'an icicle': { object: undefined, stacks: 'icicle' },
  instances: { stacks: undefined, course: 'duration' },
  source: { course: undefined, pane: '237:stream.c' },
  table: { pane: undefined, view: 'table' },
  run: { view: undefined, tab: 'run' },
  distances: { distances: 'shown' },
  efficiency: { distances: undefined, tab: 'efficiency' },
  'how an efficiency is made': { metric: 'load_balance' },
};

/** Widths and states in which axe finds something, or something is cut off. */
async function check(page, state) {
  for (const [at, width] of WIDTHS.entries()) {
    await page.setViewportSize({ width, height: 800 });
    const theme = THEMES[at % THEMES.length];
    await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light', contrast: theme === 'contrast' ? 'more' : 'no-preference' });
    await nextFrame(page);
    await nextFrame(page);
    assert.deepEqual(await violations(page), [], `${state}, ${width} px, ${theme}`);
    assert.deepEqual(await cutOff(page), [], `${state}, ${width} px, ${theme}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('axe finds nothing in any state that the address tells, at any width', async (t) => {
  const { page } = await open(t, await site(t));
  await check(page, 'empty');
  await openExample(page);
  await check(page, 'ready');
  for (const [state, changes] of Object.entries(STATES)) {
    await setFragment(page, changes);
    await rests(page, 'ready');
    if (state === 'run') await runSeen(page);
    await check(page, state);
  }
});

test('axe finds nothing in what opens over the page, at any width', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  for (const [state, openIt, shown] of /** @type {const} */ ([
    ['search', () => page.keyboard.press('/'), () => page.locator('dialog[open]')],
    ['actions', () => page.keyboard.press('Control+Shift+P'), () => page.locator('dialog[open]')],
    ['figure', async () => { await page.getByRole('button', { name: 'Export', exact: true }).click(); await byId(page, 'export-figure').click(); }, () => byId(page, 'figure')],
    ['keys', () => page.keyboard.press('?'), () => page.locator('dialog[open]')],
    ['share', () => byId(page, 'share').click(), () => byId(page, 'share-names')],
  ])) {
    await openIt();
    await shown().waitFor();
    await check(page, state);
    await page.keyboard.press('Escape');
  }
});
