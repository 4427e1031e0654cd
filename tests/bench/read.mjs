// Measures how fast Chromium reads 200 MB, plain and gzipped, beside the bare tokenizer in a worker
// and `libdeflate-gunzip`; prints tables. `make bench` has made the files before.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { give, inChromium, median, opened, teach } from './chromium.mjs';

const RUNS = 3;
const BIG = 'target/bench/big-200';
if (!existsSync(`${BIG}.pcf`)) throw new Error('run `make bench`, which makes the trace');
const megabytes = statSync(`${BIG}.prv`).size / 1e6;

/** Milliseconds to open the files, and the seconds of processor time that the renderers spent on it. */
async function openedAndSpent(page, workers) {
  const before = processorSeconds();
  const took = await opened(page, workers);
  return [took, processorSeconds() - before];
}

/** Processor time of all renderers of Chromium so far, ended threads included. */
function processorSeconds() {
  const ticks = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((process) => {
    try {
      if (!readFileSync(`/proc/${process}/cmdline`, 'utf8').includes('--type=renderer')) return 0;
      const fields = readFileSync(`/proc/${process}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
      return Number(fields[11]) + Number(fields[12]);
    } catch {
      return 0; // It has ended.
    }
  });
  return ticks.reduce((sum, count) => sum + count, 0) / 100;
}

/** Milliseconds of the bare tokenizer over the first of `files`, read as the page's worker reads. */
const walked = (page, wasm) =>
  page.evaluate(async (text) => {
    const module = await WebAssembly.compile(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
    const script = `onmessage = async ({ data: { module, file } }) => {
      const { exports } = await WebAssembly.instantiate(module);
      const reader = new FileReaderSync();
      const start = performance.now();
      let numbers = 0;
      for (let at = 0; at < file.size; at += 1 << 20) {
        const bytes = new Uint8Array(reader.readAsArrayBuffer(file.slice(at, at + (1 << 20))));
        new Uint8Array(exports.memory.buffer, exports.slice(), bytes.length).set(bytes);
        numbers = exports.walk(bytes.length);
      }
      postMessage({ took: performance.now() - start, numbers });
    };`;
    const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    const worker = new Worker(address);
    const answer = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => reject(new Error(event.message));
    });
    worker.postMessage({ module, file: window.files[0] });
    const { took, numbers } = await answer;
    worker.terminate();
    if (numbers < 1e6) throw new Error('the tokenizer saw no trace');
    return took;
  }, wasm);

/** Milliseconds of `libdeflate-gunzip`, its output thrown away. */
function inflatedBare() {
  const start = performance.now();
  const { status } = spawnSync('libdeflate-gunzip', ['-c', `${BIG}.prv.gz`], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('libdeflate-gunzip is not here');
  return performance.now() - start;
}

/** Medians of calls that take turns, so that what else runs slows both. */
async function inTurn(...calls) {
  const times = calls.map(() => []);
  for (let run = 0; run < RUNS; run += 1) {
    for (const [place, call] of calls.entries()) times[place].push(await call());
  }
  return times.map(median);
}

const wasm = readFileSync('target/bench/tokenizer.wasm').toString('base64');
const [plain, bare, one, two] = await inChromium(async (page) => {
  await teach(page);
  await give(page, [`${BIG}.prv`, `${BIG}.pcf`]);
  const [plain, bare] = await inTurn(() => opened(page), () => walked(page, wasm));
  const [one, two] = [[], []];
  for (let run = 0; run < RUNS; run += 1) {
    one.push(await openedAndSpent(page, 1));
    two.push(await openedAndSpent(page, 2));
  }
  const middle = (runs) => [0, 1].map((part) => median(runs.map((run) => run[part])));
  return [plain, bare, middle(one), middle(two)];
});
const [packed, bareInflate] = await inChromium(async (page) => {
  await teach(page);
  await give(page, [`${BIG}.prv.gz`, `${BIG}.pcf`]);
  return inTurn(() => opened(page), () => inflatedBare());
});

const speed = (ms) => `${(megabytes / (ms / 1000)).toFixed(0)} MB/s`;
console.log(`## Plain .prv in Chromium

| 200 MB, one worker | speed |
| --- | ---: |
| read | ${speed(plain)} |
| bare tokenizer | ${speed(bare)} |
| share | ${((100 * bare) / plain).toFixed(0)} % |

Goal: 60 %, and 180 MB/s.

## Two workers in Chromium

| 200 MB, plain | wall time | processor time of the renderer |
| --- | ---: | ---: |
| one worker | ${one[0].toFixed(0)} ms | ${one[1].toFixed(2)} s |
| two workers | ${two[0].toFixed(0)} ms | ${two[1].toFixed(2)} s |
| ratio | ${(one[0] / two[0]).toFixed(2)} | ${(two[1] / one[1]).toFixed(2)} |

Goal: 1.5 in wall time, at most 1.10 in processor time.

## Gzipped .prv in Chromium

| 200 MB inflated, one worker | wall time |
| --- | ---: |
| read | ${packed.toFixed(0)} ms |
| \`libdeflate-gunzip -c FILE >/dev/null\` | ${bareInflate.toFixed(0)} ms |
| ratio | ${(packed / bareInflate).toFixed(2)} |

Goal: 5, as wasm inflates without the instructions that make the other fast.`);
