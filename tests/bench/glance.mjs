// Measures in Chromium how soon a run is seen after it is dropped, how long a million bursts take to be
// clustered, and a step of zoom over ten million; prints tables. The traces are made in target/.

import { createWriteStream, existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { DIST, drop, open, site } from '../page/browser.mjs';
import { closing, give, inChromium, median, teach } from './chromium.mjs';

const FOLDER = 'target/bench';
const ROUNDS = 7;

/** A time line of a screen, in pixels, a step of the wheel, and the narrowest window: of a few bursts. */
const [COLUMNS, ROWS, ZOOM, FEW] = [1920, 450, 1.25, 4];

/** Instructions, and instructions per cycle, of each kind of burst, as in `run.rs`. */
const KINDS = [[1e5, 2], [1e5, 1.4], [3e4, 2], [1e4, 0.5], [2e4, 1]];

/** Ranks that compute in the first fifth of the run, so that bursts are five times as dense there as in
 * the mean, with two counters at the end of each burst or none; by an own generator of numbers, so that
 * it is the same trace everywhere. */
async function made(name, ranks, bursts, isCounted) {
  const file = path.join(FOLDER, `${name}.prv`);
  if (existsSync(file)) return file;
  mkdirSync(FOLDER, { recursive: true });
  const out = createWriteStream(`${file}.part`);
  const ones = Array.from({ length: ranks }, () => '1:1').join(',');
  out.write(`#Paraver (01/01/2026 at 10:00):${bursts * 100_000}_ns:1(${ranks}):1:${ranks}(${ones})\n`);
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let rank = 1; rank <= ranks; rank += 1) {
    let now = Math.floor(random() * 10_000);
    const lines = [];
    for (let burst = 0; burst < bursts; burst += 1) {
      const [instructions, ipc] = KINDS[burst % 5];
      const counted = Math.round(instructions * (1 + 0.04 * (random() - 0.5)));
      const cycles = Math.round(counted / ipc);
      const end = now + Math.round(cycles / 2);
      lines.push(`1:${rank}:1:${rank}:1:${now}:${end}:1`);
      if (isCounted) lines.push(`2:${rank}:1:${rank}:1:${end}:42000050:${counted}:42000059:${cycles}`);
      now = end + Math.floor((end - now) / 8) + Math.floor(random() * 100);
    }
    if (!out.write(lines.join('\n') + '\n')) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  renameSync(`${file}.part`, file);
  return file;
}

/** Milliseconds from the drop to the time line painted, each time in a page of its own. */
const seenAfter = (files) => closing(async (scope) => {
  const address = await site(scope);
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { page } = await open(scope, address);
    await page.evaluate(() => {
      addEventListener('change', () => (window.dropped = performance.now()), { capture: true, once: true });
      addEventListener('drop', () => (window.dropped = performance.now()), { capture: true, once: true });
    });
    await drop(page, files);
    times.push(await page.evaluate(() => new Promise((done) => {
      const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById('canvas-timeline'));
      const look = () => {
        const isPainted = canvas.dataset.layout && canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[3] > 0;
        if (isPainted) done(performance.now() - window.dropped);
        else requestAnimationFrame(look);
      };
      look();
    })));
    await page.close();
  }
  return times.slice(1);
});

/** Seconds of each step of a look at a trace in a worker, and milliseconds of steps of zoom. */
const looked = (file, bursts) => inChromium(async (page) => {
  await teach(page);
  await give(page, [file]);
  return page.evaluate(async ([bursts, columns, rows, zoom, few]) => {
    const worker = await engine();
    const took = async (command, args) => {
      const start = performance.now();
      await ask(worker, command, args);
      return performance.now() - start;
    };
    const window_ = (from, to) => ({ window: { from, to, columns, rows, by: 'cluster', brush: null } });
    const opened = await took('open', { files: window.files, workers: 1 });
    const glance = await took('glance', { settings: {} });
    const first = await took('raster', window_(0, 1));
    const steps = [];
    for (const place of [0, 0.31, 0.62, 1]) {
      for (let width = 1 / zoom; width * bursts > few / zoom; width /= zoom) {
        const from = place * (1 - width);
        steps.push(await took('raster', window_(from, from + width)));
      }
    }
    return { opened, glance, first, steps: steps.sort((a, b) => a - b) };
  }, [bursts, COLUMNS, ROWS, ZOOM, FEW]);
});

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
const at = (sorted, share) => `${sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1)} ms`;

console.log('## Run at a glance in Chromium\n');
console.log('From the drop to the time line painted, median of six pages; one more before them.\n');
console.log('| trace | time |\n| --- | ---: |');
const example = ['prv.gz', 'pcf', 'row'].map((ending) => path.join(DIST, `example-mpi.${ending}`));
const traces = [['the bundled MPI example, 8 ranks', example]];
if (process.env.TRACEFOLD_SHARED) {
  const epoch = path.join(process.env.TRACEFOLD_SHARED, 'corpus/paraver/epoch/epoch_4proc');
  traces.push(['EPOCH on 4 ranks', ['prv.gz', 'pcf', 'row'].map((ending) => `${epoch}.${ending}`)]);
}
for (const [name, files] of traces) console.log(`| ${name} | ${seconds(median(await seenAfter(files)))} |`);

console.log('\nMade-up bursts as in the native section, all of them in the first fifth of the run, in one worker; a');
console.log('step of zoom is a window of 1920 × 450 pixels, asked for and answered.\n');
console.log('| ranks × bursts | read | found and clustered | painted first | step p50 | p95 |\n| --- | ---: | ---: | ---: | ---: | ---: |');
for (const [name, ranks, bursts, isCounted] of [['glance-8', 8, 125_000, true], ['glance-10000', 10_000, 1_000, false]]) {
  const { opened, glance, first, steps } = await looked(await made(name, ranks, bursts, isCounted), bursts);
  console.log(`| ${ranks} × ${bursts} | ${seconds(opened)} | ${seconds(glance)} | ${seconds(first)} | ${at(steps, 0.5)} | ${at(steps, 0.95)} |`);
}
console.log('\nGoals: EPOCH in 1 s; 10⁶ bursts clustered in 2.5 s; a step of zoom in 16 ms at p95.');
