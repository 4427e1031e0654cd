// Measures the fold of 444.namd in Chromium, by the same wasm that the page loads; prints a table.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, site } from '../page/browser.mjs';

const folder = join(process.env.TRACEFOLD_SHARED ?? '../shared', 'corpus/paraver/namd');
const files = ['prv', 'pcf'].map((extension) => join(folder, `444.namd.${extension}`));
if (!files.every(existsSync)) {
  console.log('Not measured: the trace is not here.');
  process.exit(0);
}

/** @type {(() => unknown)[]} */
const closing = [];
const scope = { after: (close) => closing.unshift(close) };
const { page } = await open(scope, await site(scope));
const buffers = files.map((file) => readFileSync(file).toString('base64'));
const best = await page.evaluate(async (texts) => {
  const engine = await import(new URL('tracefold.js', location.href).href);
  await engine.default();
  const bytes = texts.map((text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
  const times = { open: Infinity, fold: Infinity };
  for (let run = 0; run < 5; run += 1) {
    const session = new engine.Session();
    const start = performance.now();
    session.openBytes(['n.prv', 'n.pcf'], bytes, () => {});
    const opened = performance.now();
    session.fold({});
    times.open = Math.min(times.open, opened - start);
    times.fold = Math.min(times.fold, performance.now() - opened);
    session.free();
  }
  return times;
}, buffers);
console.log('| step | time |\n| --- | ---: |');
console.log(`| open | ${best.open.toFixed(0)} ms |`);
console.log(`| fold, all counters, all samples, nugget by REML | ${best.fold.toFixed(0)} ms |`);
console.log('\nGoal: 800 ms.');
for (const close of closing) await close();
