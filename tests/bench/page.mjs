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
  const buffers = texts.map((text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
  const wasm = await fetch(new URL('engine_bg.wasm', document.baseURI));
  const module = await WebAssembly.compile(await wasm.arrayBuffer());
  const worker = new Worker(new URL('engine/worker.js', document.baseURI), { type: 'module' });
  let id = 0;
  /** The page's own protocol: one answer to each question. */
  const ask = (command, args) =>
    new Promise((resolve, reject) => {
      const question = (id += 1);
      worker.addEventListener('message', function answer({ data }) {
        if (data.id !== question || data.progress) return;
        worker.removeEventListener('message', answer);
        if (data.error) reject(new Error(data.error.message));
        else resolve(data.value);
      });
      worker.postMessage({ id: question, command, args });
    });
  await ask('hello', { version: 1, module });
  const times = { open: Infinity, fold: Infinity };
  for (let run = 0; run < 5; run += 1) {
    const start = performance.now();
    await ask('openBytes', { names: ['n.prv', 'n.pcf'], buffers });
    const opened = performance.now();
    await ask('fold', { settings: {} });
    times.open = Math.min(times.open, opened - start);
    times.fold = Math.min(times.fold, performance.now() - opened);
  }
  return times;
}, buffers);
console.log('| step | time |\n| --- | ---: |');
console.log(`| open | ${best.open.toFixed(0)} ms |`);
console.log(`| fold, all counters, all samples, nugget by REML | ${best.fold.toFixed(0)} ms |`);
console.log('\nGoal: 800 ms.');
for (const close of closing) await close();
