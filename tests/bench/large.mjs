// Opens and folds a trace of gigabytes, by the command line and in Chromium, and measures time and
// the most memory; prints a table. LARGE_MB makes it smaller.

import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { drop, message } from '../page/browser.mjs';
import { inChromium } from './chromium.mjs';
import { FOLDER, generated, measured, peakBytes, run, watch } from './processes.mjs';

const LARGE_MB = Number(process.env.LARGE_MB ?? 4000);
/** Longest wait for the page. */
const PATIENCE_MS = 600_000;

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
const TRACE = generated(LARGE_MB);
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
