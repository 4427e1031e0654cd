// A page of ours in Chromium, as the benches need it.

import { open, site } from '../page/browser.mjs';

/**
 * Calls `measure` with a page and closes everything afterwards.
 *
 * @template T
 * @param {(page: import('playwright-core').Page) => Promise<T>} measure
 * @returns {Promise<T>}
 */
export function inChromium(measure) {
  return closing(async (scope) => measure((await open(scope, await site(scope))).page));
}

/**
 * Calls `measure` with what the pages of tests are opened for, and closes everything afterwards.
 *
 * @template T
 * @param {(scope: import('node:test').TestContext) => Promise<T>} measure
 * @returns {Promise<T>}
 */
export async function closing(measure) {
  /** @type {(() => unknown)[]} */
  const closing = [];
  const scope = /** @type {any} */ ({ after: (close) => closing.unshift(close) });
  try {
    return await measure(scope);
  } finally {
    for (const close of closing) await close();
  }
}

/**
 * Gives the page `ask(worker, command, args)`, its own protocol, and `engine()`, a worker that is
 * ready for it, with all parts of the engine.
 *
 * @param {import('playwright-core').Page} page
 */
export function teach(page) {
  return page.evaluate(() => {
    let id = 0;
    const ask = (worker, command, args) =>
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
    const engine = async () => {
      const compiled = async (part) => WebAssembly.compileStreaming(fetch(new URL(`engine_${part}.wasm`, document.baseURI)));
      const module = await compiled('bg');
      const worker = new Worker(new URL('engine/worker.js', document.baseURI), { type: 'module' });
      await ask(worker, 'hello', { version: 1, module });
      for (const part of ['run', 'export', 'formats']) await ask(worker, 'add', { module: await compiled(part) });
      return worker;
    };
    Object.assign(window, { ask, engine });
  });
}

/**
 * Gives the page files from disk, of any size, as a person would choose them: `window.files`.
 *
 * @param {import('playwright-core').Page} page
 * @param {string[]} paths
 */
export async function give(page, paths) {
  await page.evaluate(() => {
    const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true });
    input.id = 'bench-files';
    document.body.append(input);
  });
  await page.setInputFiles('#bench-files', paths);
  await page.evaluate(() => {
    const input = /** @type {HTMLInputElement} */ (document.getElementById('bench-files'));
    window.files = [...input.files];
    input.remove();
  });
}

/**
 * Milliseconds to open `window.files` in one worker of the page, or with several of its own.
 *
 * @param {import('playwright-core').Page} page
 */
export const opened = (page, workers = 1) =>
  page.evaluate(async (workers) => {
    const worker = await engine();
    const start = performance.now();
    await ask(worker, 'open', { files: window.files, workers });
    const took = performance.now() - start;
    worker.terminate();
    return took;
  }, workers);

/** The middle of several numbers. */
export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** How often a step is measured. */
const ROUNDS = 40;

/** A page follows a step within so many frames and milliseconds: lanes, panel, pane, names of the
 * address lane. */
const [FRAMES, REST_MS] = [4, 30];

/** Seconds that the page's thread has worked so far, of all kinds. */
async function worked(devtools) {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name) => metrics.find((metric) => metric.name === name).value;
  return { all: of('TaskDuration'), script: of('ScriptDuration'), layout: of('RecalcStyleDuration') + of('LayoutDuration') };
}

/** Waits until the page has followed a step. */
export const settled = (page) => page.evaluate(async ([frames, rest]) => {
  for (let i = 0; i < frames; i += 1) await new Promise((done) => requestAnimationFrame(done));
  await new Promise((done) => setTimeout(done, rest));
}, [FRAMES, REST_MS]);

/** Milliseconds of each of many steps, the first few left out. */
export async function costs(page, devtools, act) {
  const all = [];
  for (let round = 0; round < ROUNDS + 4; round += 1) {
    await settled(page);
    const before = await worked(devtools);
    await act(round);
    await settled(page);
    const after = await worked(devtools);
    all.push(Object.fromEntries(Object.keys(after).map((kind) => [kind, 1000 * (after[kind] - before[kind])])));
  }
  return all.slice(4);
}
