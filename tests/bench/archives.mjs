// Measures how fast one worker of the page reads archives of OTF2; prints a table. `make bench` has made
// them before.

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { give, inChromium, median, teach } from './chromium.mjs';

const RUNS = 3;
const FOLDER = 'target/bench/otf2';
/** Of 16 million events each. */
const ARCHIVES = { 'Enter and Leave': 'borders', 'half of it metrics of three values': 'metrics' };
const MILLIONS = 16;

const rows = [];
for (const [name, folder] of Object.entries(ARCHIVES)) {
  const whole = path.join(FOLDER, folder);
  if (!existsSync(path.join(whole, 'traces.otf2'))) throw new Error('run `make bench`, which makes the archives');
  const names = readdirSync(whole, { recursive: true }).filter((file) => path.extname(file));
  const took = await inChromium(async (page) => {
    await teach(page);
    await give(page, names.map((file) => path.join(whole, file)));
    const times = [];
    for (let run = 0; run < RUNS; run += 1) {
      times.push(await page.evaluate(async (names) => {
        const worker = await engine();
        const start = performance.now();
        // The last report of progress comes when all is read, and before regions are found in it.
        let read = 0;
        worker.addEventListener('message', ({ data }) => {
          if (data.progress) read = performance.now() - start;
        });
        // Early pictures are folds, and not what is measured.
        await ask(worker, 'open', { files: window.files, names, workers: 1, earlyAboveBytes: Number.MAX_SAFE_INTEGER });
        const opened = performance.now() - start;
        worker.terminate();
        return [read, opened];
      }, names));
    }
    return [0, 1].map((part) => median(times.map((took) => took[part])));
  });
  const speeds = took.map((ms) => (MILLIONS / (ms / 1000)).toFixed(1));
  rows.push(`| ${name} | ${speeds.join(' | ')} |`);
}
console.log(`## Archives of OTF2 in Chromium

| 16 million events, one worker | read, M events/s | read, and regions found, M events/s |
| --- | ---: | ---: |
${rows.join('\n')}

Goal: 6 when read. Early pictures, which are folds, are left out; the larger archive has them from 256 MB on.`);
