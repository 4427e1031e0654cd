// Measures how fast Chromium reads the text that perf script prints, by one worker and by two; prints
// a table. Makes the text itself.

import { createWriteStream, mkdirSync, existsSync } from 'node:fs';
import { once } from 'node:events';
import { give, inChromium, median, opened, teach } from './chromium.mjs';

const RUNS = 3;

/** A recording of so many megabytes: samples of cycles with call-stacks of 9 to 24 frames of 200
 * routines, half of them templates, between markers each twentieth sample. The same each time. */
async function textOf(megabytes) {
  const path = `target/bench/perf-${megabytes}.txt`;
  if (existsSync(path)) return path;
  mkdirSync('target/bench', { recursive: true });
  const file = createWriteStream(path);
  let state = 1;
  const below = (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const routine = (k) => (k % 2 > 0 ? `kernel_${k}` : `solver::kernel_${k}<double, ${k % 7}>(Matrix const&, int)`);
  const frame = (k) => {
    const offset = below(64) * 16;
    return `\t    ${(0x556c70000000 + k * 4096 + offset).toString(16)} ${routine(k)}+0x${offset.toString(16)} (/home/user/app/phases)`;
  };
  for (let written = 0, sample = 0; written < megabytes * 1e6; sample += 1) {
    const time = (2144.8 + sample * 1e-3).toFixed(9);
    const lines = [];
    if (sample % 20 === 0) lines.push(`phases  4615 [000]  ${time}:             probe_phases:iteration: (556c70ba13d0)`, '');
    lines.push(`phases  4615 [000]  ${time.slice(0, -1)}9:    ${2_000_000 + below(10_000)} cpu/cycles/u: `);
    const depth = 8 + below(16);
    // The outer frames are the same again and again, the innermost seldom.
    for (let level = 0; level < depth; level += 1) lines.push(frame(level < 3 ? below(200) : (level * 13) % 200));
    lines.push('\t    7f2a1b2c3d4e __libc_start_main+0x80 (/usr/lib/x86_64-linux-gnu/libc.so.6)', '', '');
    const text = lines.join('\n');
    written += text.length;
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return path;
}

const rows = [];
for (const megabytes of [10, 60, 240]) {
  const path = await textOf(megabytes);
  rows.push(await inChromium(async (page) => {
    await teach(page);
    await give(page, [path]);
    const times = [[], []];
    for (let run = 0; run < RUNS; run += 1) {
      for (const workers of [1, 2]) times[workers - 1].push(await opened(page, workers));
    }
    const [one, two] = times.map(median);
    const speed = (ms) => `${(megabytes / (ms / 1000)).toFixed(0)} MB/s`;
    return `| ${megabytes} MB | ${one.toFixed(0)} ms | ${speed(one)} | ${two.toFixed(0)} ms | ${speed(two)} |`;
  }));
}

console.log(`## Text of perf script in Chromium

| text | one worker | | two workers | |
| --- | ---: | ---: | ---: | ---: |
${rows.join('\n')}

Goal: 250 MB/s.`);
