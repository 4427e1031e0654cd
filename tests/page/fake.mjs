// The page with a made-up engine: a worker that keeps the protocol and does what a test says, for
// what a real engine does only with gigabytes, or too fast to be looked at.

import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DIST, exported, open, openExample, site, temporaryFolder } from './browser.mjs';

/**
 * Waits for orders on a channel: what `open` reports, answers or fails with, and what folds are
 * answered with. On `hold`, a fold that has to decide waits for `decide`, which gives the folding,
 * or `refuse`, which gives the failure. `rows` are the `Instances` that are listed.
 */
const WORKER = `
const orders = new BroadcastChannel('orders');
const text = new TextEncoder();
// As crate/src/folding/carried.rs writes it: the lines of each group stand behind the rest, as columns.
const carried = (json) => {
  const folding = JSON.parse(json);
  const columns = folding.groups.flatMap(({ lines = {} }) => [[lines.x, Float64Array], [lines.place, Uint32Array], [lines.context, Uint32Array]]);
  for (const group of folding.groups) group.lines = {};
  const rest = text.encode(JSON.stringify(folding));
  const parts = [Uint32Array.of(rest.length), rest];
  for (const [values = [], Column] of columns) parts.push(Uint32Array.of(values.length), Column.from(values));
  return new Blob(parts).arrayBuffer().then((bytes) => new Uint8Array(bytes));
};
let asked = null;
let folding = fetch('../folding.json').then((answer) => answer.text());
let instances;
let waiting = null;
const NO_REGIONS = { heads: [], lines: [] };
orders.onmessage = ({ data: { number, early, share, value, trap, fold, hold, decide, refuse, rows } }) => {
  if (fold) folding = Promise.resolve(fold);
  if (rows) instances = rows;
  if (hold) waiting = [];
  if (decide) for (const id of (waiting ?? []).splice(0)) carried(decide).then((value) => self.postMessage({ id, value }));
  if (refuse) for (const id of (waiting ?? []).splice(0)) self.postMessage({ id, error: refuse });
  if (early) carried(early).then((folding) => self.postMessage({ id: asked.id, progress: { folding, share } }));
  if (value) self.postMessage({ id: asked.id, value });
  if (number) orders.postMessage({ taken: number });
  if (trap) throw new WebAssembly.RuntimeError('unreachable');
};
self.onmessage = ({ data: { id, command, args } }) => {
  if (command === 'open') {
    asked = { id };
    self.postMessage({ id, progress: { phase: 'Reading ' + args.files[0].name, done: 5e8, total: 1e10 } });
    orders.postMessage({ names: args.names, choice: args.choice });
  } else if (command === 'fold') {
    orders.postMessage({ folded: args });
    const wrong = args.models.find((model) => model.text.includes('wrong')) ?? null;
    if (wrong) self.postMessage({ id, error: { message: 'line 1, column 2: found “wrong”, expected <model>', file: wrong.name, line: 1, column: 2, code: 'input' } });
    else if (args.settings.expressions?.includes('NOPE')) self.postMessage({ id, error: { message: 'expression: found NOPE, expected a counter', code: 'usage' } });
    else if (waiting && !args.settings.fit) waiting.push(id);
    else folding.then(carried).then((value) => self.postMessage({ id, value }));
  } else if (command === 'instances') self.postMessage({ id, value: instances });
  else if (command === 'regions') self.postMessage({ id, value: NO_REGIONS });
  else self.postMessage({ id, value: command === 'hello' ? args.version : [] });
};`;

/** What `open` answers. */
export const opened = (name) => ({ name, sizeBytes: 1e10, first: 'x', answers: true, hasRun: false, hasCalls: false, regionFirst: true, regionAlone: null, grows: false, regions: { heads: [], lines: [] } });

/**
 * A page whose engine obeys. `folding` is that of the example, `early` the same, encoded, under
 * another region.
 *
 * @param {import('node:test').TestContext} t
 * @param {Parameters<typeof open>[2]} [options]
 */
export async function openWithFakeEngine(t, options) {
  const { page: real } = await open(t, await site(t));
  await openExample(real);
  const [folding] = JSON.parse(String(await exported(real, 'json', '.json')));
  const folder = await temporaryFolder(t);
  await cp(DIST, folder, { recursive: true });
  await writeFile(path.join(folder, 'engine/worker.js'), WORKER);
  await writeFile(path.join(folder, 'folding.json'), JSON.stringify(folding));
  const { page } = await open(t, await site(t, folder), options);
  await page.evaluate(() => {
    const channel = new BroadcastChannel('orders');
    const heard = (window.heard = []);
    const folds = (window.folds = []);
    const given = [];
    channel.onmessage = ({ data }) => {
      if (data.taken) given[data.taken - 1]();
      else if (data.folded) folds.push(data.folded);
      else heard.push(data);
    };
    // What the page asks of its worker comes another way, and may come first: an order is given when it
    // was taken.
    window.order = (order) => new Promise((taken) => {
      channel.postMessage({ ...order, number: given.push(taken) });
    });
  });
  return {
    page,
    folding,
    early: JSON.stringify({ ...folding, region: 'Loop:early' }),
    order: (order) => page.evaluate((order) => window.order(order), order),
    /** What folds were asked for so far: `{settings, models}`. */
    folds: () => page.evaluate(() => window.folds),
    /** What the n-th `open` asked for, once it has. */
    heard: (n) => page.waitForFunction((n) => window.heard[n], n).then((handle) => handle.jsonValue()),
  };
}
