// Measures what steps of a person cost the page's own thread, by its own clock: handlers, styles,
// layout and raster of what they change, with the pane of source code open; and the longest tasks
// after a drop. Prints a table. With TRACEFOLD_CPU=FILE it writes a profile of the steps instead.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { DIST, byId, drop, each, open, rests, showPanel, site } from '../page/browser.mjs';
import { opened, openWithFakeEngine } from '../page/fake.mjs';
import { withCounters } from '../page/many.mjs';
import { openReferenced } from '../page/referenced.mjs';
import { namd, withoutShared } from '../page/traces.mjs';
import { closing, costs, median, settled } from './chromium.mjs';

const DROPS = 5;
const REFERENCES = 1_000_000;

const many = ['prv.gz', 'pcf', 'row'].map((ending) => path.join(DIST, `example-many.${ending}`));
const TRACES = [
  ...(withoutShared ? [] : [['444.namd', (scope) => dropped(scope, namd)]]),
  ['28 counters', withMany],
  ['10⁶ references', async (scope) => (await openReferenced(scope, { count: REFERENCES })).page],
];

async function dropped(scope, files) {
  const { page } = await open(scope, await site(scope));
  await drop(page, files);
  await rests(page, 'ready');
  return page;
}

/** The example with 28 counters, as the generated trace of so many has no call-stacks to pick. */
async function withMany(scope) {
  const { folding, order, heard, page } = await openWithFakeEngine(scope);
  await drop(page, many.slice(0, 1));
  await heard(0);
  await order({ fold: JSON.stringify(withCounters(folding)) });
  await order({ value: opened('many.prv') });
  await rests(page, 'ready');
  return page;
}

/** What each step costs, beside waiting for it. */
async function steps(openTrace) {
  return closing(async (scope) => {
    const page = await openTrace(scope);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    if (await byId(page, 'panel-code').getAttribute('aria-selected') !== 'true') await showPanel(page, 'code');
    await page.locator('#panel-code [data-line]').first().click();
    await page.locator('#pane .listing tr[data-number]').first().waitFor();
    const lanes = await page.locator('#lanes').boundingBox();
    const column = await page.locator('#column').boundingBox();
    // The pane may cover the last of them.
    const middle = (lanes.y + Math.min(lanes.y + lanes.height, column.y + column.height)) / 2;
    const at = (share) => [lanes.x + 120 + share * (lanes.width - 200), middle];
    const names = page.locator('#panel-code [data-pick^="routine:"]');
    const places = (await each(page, '#panel-code [data-pick^="routine:"]', (name) => {
      const { left, top, width, height } = name.getBoundingClientRect();
      return [left + Math.min(width, 20) / 2, top + height / 2];
    })).filter(([, y]) => y < 700).slice(0, 4);
    if (await names.count() < 2) throw new Error('nothing to pick');
    const result = {};
    if (process.env.TRACEFOLD_CPU) {
      await devtools.send('Profiler.enable');
      await devtools.send('Profiler.setSamplingInterval', { interval: 200 });
      await devtools.send('Profiler.start');
    }
    result.nothing = await costs(page, devtools, async () => {});
    await page.mouse.move(...at(0.2));
    result.cursor = await costs(page, devtools, (round) => page.mouse.move(...at(0.2 + 0.012 * round)));
    result.pick = await costs(page, devtools, (round) => page.mouse.click(...places[round % places.length]));
    await page.keyboard.press('Escape');
    if (await page.locator('#pane').isHidden()) await page.locator('#panel-code [data-line]').first().click();
    await page.mouse.move(...at(0.4));
    await page.keyboard.down('Control');
    result.zoom = await costs(page, devtools, (round) => page.mouse.wheel(0, round % 12 < 6 ? -100 : 100));
    await page.keyboard.up('Control');
    if (process.env.TRACEFOLD_CPU) writeFileSync(process.env.TRACEFOLD_CPU, JSON.stringify((await devtools.send('Profiler.stop')).profile));
    return result;
  });
}

/** Milliseconds of the longest task of the page's thread by its own clock, and of the longest after the
 * first picture, in a page of its own for each drop. */
async function longest(files) {
  const all = [];
  for (let round = 0; round < DROPS; round += 1) {
    all.push(await closing(async (scope) => {
      const { page } = await open(scope, await site(scope));
      const devtools = await page.context().newCDPSession(page);
      const events = [];
      devtools.on('Tracing.dataCollected', ({ value }) => events.push(...value));
      await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', 'blink.user_timing', '__metadata'] } });
      await page.evaluate(() => {
        const look = () => (document.querySelector('[data-testid="lane-performance"] canvas[data-layout]') ? performance.mark('pictured') : requestAnimationFrame(look));
        look();
      });
      await drop(page, files);
      await rests(page, 'ready');
      await settled(page);
      const ended = new Promise((done) => devtools.once('Tracing.tracingComplete', done));
      await devtools.send('Tracing.end');
      await ended;
      const pictured = events.find(({ name }) => name === 'pictured');
      const tasks = events.filter(({ name, pid, tid, tdur }) => name.endsWith('RunTask') && pid === pictured.pid && tid === pictured.tid && tdur);
      const most = (tasks) => Math.max(0, ...tasks.map(({ tdur }) => tdur / 1000));
      // The frame that marks it is the one that paints it.
      return { drop: most(tasks), second: most(tasks.filter(({ ts }) => ts > pictured.ts)) };
    }));
  }
  return all;
}

const ms = (number) => `${number.toFixed(1)} ms`;
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
const only = process.argv[2];

console.log('## Steps by the clock of the page\'s thread\n');
console.log('1280 × 800, the pane of source code open: input, handlers, styles, layout and raster without a');
console.log('GPU, less what waiting for a step costs.\n');
console.log('| trace | step | p50 | p95 | script | styles and layout | the rest, as raster |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |');
for (const [name, openTrace] of TRACES.filter(([name]) => !only || name.includes(only))) {
  const { nothing, ...others } = await steps(openTrace);
  const idle = (kind) => median(nothing.map((step) => step[kind]));
  for (const [step, all] of Object.entries(others)) {
    const of = (kind) => all.map((step) => step[kind] - idle(kind)).sort((a, b) => a - b);
    const [total, script, layout] = [of('all'), median(of('script')), median(of('layout'))];
    console.log(`| ${name} | ${step} | ${ms(at(total, 0.5))} | ${ms(at(total, 0.95))} | ${ms(script)} | ${ms(layout)} | ${ms(at(total, 0.5) - script - layout)} |`);
  }
}
console.log('\n| trace | longest task after a drop | after the first picture |\n| --- | ---: | ---: |');
for (const [name, files] of [...(withoutShared ? [] : [['444.namd', namd]]), ['28 counters', many]].filter(([name]) => !only || name.includes(only))) {
  const all = await longest(files);
  console.log(`| ${name} | ${ms(median(all.map(({ drop }) => drop)))} | ${ms(median(all.map(({ second }) => second)))} |`);
}
console.log('\nGoals: cursor 4 ms, zoom 16 ms, pick 30 ms; longest task 100 ms.');
