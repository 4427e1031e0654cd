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
        await ask(worker, 'open', { files: window.files, names, workers: 1 });
        const took = performance.now() - start;
        worker.terminate();
        return took;
      }, names));
    }
    return median(times);
  });
  rows.push(`| ${name} | ${(MILLIONS / (took / 1000)).toFixed(1)} |`);
}
console.log(`## Archives of OTF2 in Chromium

| 16 million events, one worker, opened | M events/s |
| --- | ---: |
${rows.join('\n')}

Goal: 6.`);
