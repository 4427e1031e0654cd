// Opens and folds a trace of gigabytes, by the command line and in Chromium, and measures time and
// the most memory; prints a table. LARGE_MB makes it smaller.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { drop, message } from '../page/browser.mjs';
import { inChromium } from './chromium.mjs';

const LARGE_MB = Number(process.env.LARGE_MB ?? 4000);
// Chromium reads nothing by a relative path.
const FOLDER = resolve('target/bench');
const TRACE = `${FOLDER}/large-${LARGE_MB}`;
/** Longest wait for the page. */
const PATIENCE_MS = 600_000;

function run(command, ...words) {
  const { status } = spawnSync(command, words, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${status}`);
}

function generate() {
  if (existsSync(`${TRACE}.prv`)) return;
  mkdirSync(FOLDER, { recursive: true });
  const words = ['big', '--size-mb', String(LARGE_MB), '--out', FOLDER, '--name', 'unfinished'];
  run('cargo', 'run', '--locked', '--release', '-p', 'tracefold-generate', '--', ...words);
  for (const kind of ['pcf', 'row', 'truth.json', 'prv']) {
    renameSync(`${FOLDER}/unfinished.${kind}`, `${TRACE}.${kind}`);
  }
}

/** Peak of the resident memory of a process in bytes; 0 once it is gone. */
function peakBytes(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return 1024 * Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Processor time of a process in seconds; 0 once it is gone. */
function processorSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/** Asks every 20 ms until it is told to stop. */
function watch(look) {
  const timer = setInterval(look, 20);
  return () => {
    look();
    clearInterval(timer);
  };
}

/** What a command takes: `{ wall, processor, peak }`. */
function measured(command, words) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    const took = { wall: 0, processor: 0, peak: 0 };
    const stop = watch(() => {
      took.peak = Math.max(took.peak, peakBytes(child.pid));
      took.processor = Math.max(took.processor, processorSeconds(child.pid));
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      took.wall = (performance.now() - start) / 1000;
      stop();
      if (code === 0) resolve(took);
      else reject(new Error(`${command} ${words.join(' ')}: ${code}`));
    });
  });
}

/** Processes below `pid`, by the parents that they name. */
function below(pid) {
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ');
      parents.set(Number(name), Number(fields[1]));
    } catch {
      // It ended between the two looks.
    }
  }
  const under = (one) => one === pid || (parents.has(one) && under(parents.get(one)));
  return [...parents.keys()].filter((one) => one !== pid && under(one));
}

const isRenderer = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer');
  } catch {
    return false;
  }
};

/** What the page takes from the drop on: seconds to the first picture and to the end, and bytes. */
function inPage() {
  return inChromium(async (page) => {
    const renderers = below(process.pid).filter(isRenderer);
    const took = { first: 0, ready: 0, peak: 0, before: 0, longest: 0 };
    const peaks = new Map();
    const stop = watch(() => {
      for (const pid of renderers) peaks.set(pid, Math.max(peaks.get(pid) ?? 0, peakBytes(pid)));
    });
    took.before = Math.max(...renderers.map(peakBytes));
    // Noted inside the page: a look from outside would wait for what the page is busy with.
    await page.evaluate(() => {
      const start = performance.now();
      window.noted = { longest: 0 };
      const longer = (list) => list.getEntries().forEach(({ duration }) => (window.noted.longest = Math.max(window.noted.longest, duration)));
      new PerformanceObserver(longer).observe({ type: 'longtask' });
      const look = () => {
        const drawn = document.querySelector('[data-testid="lane-performance"] canvas[data-layout]');
        const state = document.querySelector('[data-testid="status"]').getAttribute('data-state');
        if (drawn && window.noted.first === undefined) window.noted.first = performance.now() - start;
        if (state === 'ready' || state === 'error') {
          Object.assign(window.noted, { ready: performance.now() - start, state });
        } else {
          requestAnimationFrame(look);
        }
      };
      requestAnimationFrame(look);
    });
    await drop(page, ['prv', 'pcf', 'row'].map((kind) => `${TRACE}.${kind}`));
    await page.waitForFunction(() => window.noted.state, undefined, { timeout: PATIENCE_MS, polling: 200 });
    const noted = await page.evaluate(() => window.noted);
    if (noted.state === 'error') throw new Error(await message(page));
    stop();
    took.ready = noted.ready / 1000;
    took.first = (noted.first ?? noted.ready) / 1000;
    took.peak = Math.max(...peaks.values());
    took.longest = noted.longest;
    return took;
  });
}

run('cargo', 'build', '--locked', '--release', '-p', 'tracefold', '--bin', 'tracefold');
generate();
const megabytes = statSync(`${TRACE}.prv`).size / 1e6;
const { records, skipped_records: skipped } = JSON.parse(readFileSync(`${TRACE}.truth.json`, 'utf8'));
const out = `${FOLDER}/large-out`;
const files = ['prv', 'pcf', 'row'].map((kind) => `${TRACE}.${kind}`);
const opened = await measured('target/release/tracefold', ['regions', ...files]);
const native = await measured('target/release/tracefold', ['fold', ...files, '--out', out, '--format', 'json']);
rmSync(out, { recursive: true, force: true });
const page = await inPage();

const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(2)} GB`;
const seconds = (time) => `${time.toFixed(1)} s`;
const speed = (time) => `${(megabytes / time).toFixed(0)} MB/s`;
console.log(`## A large trace

${(megabytes / 1000).toFixed(1)} GB of \`.prv\`, ${((100 * skipped) / records).toFixed(0)} % of its records irrelevant, opened and folded.

| | native, opened | native, folded and written | Chromium, opened and folded |
| --- | ---: | ---: | ---: |
| wall time | ${seconds(opened.wall)} | ${seconds(native.wall)} | ${seconds(page.ready)} |
| processor time | ${seconds(opened.processor)} | ${seconds(native.processor)} | – |
| speed | ${speed(opened.wall)} | ${speed(native.wall)} | ${speed(page.ready)} |
| most memory | ${gigabytes(opened.peak)} | ${gigabytes(native.peak)} | ${gigabytes(page.peak)} |
| memory before | – | – | ${gigabytes(page.before)} |
| first picture | – | – | ${seconds(page.first)} (${((100 * page.first) / page.ready).toFixed(0)} % of the time) |
| longest task of the page's own thread | – | – | ${page.longest > 0 ? `${page.longest.toFixed(0)} ms` : 'under 50 ms'} |

Goal: opened in 1.2 GB native, in 1.5 GB in Chromium (the process of the page and its workers); the first picture within 5 % of the time.`);
