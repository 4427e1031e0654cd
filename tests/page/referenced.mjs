// The page with the bundled example to which references are added on their way out of the real
// engine: as many as a test asks for, over three arrays that are walked through as those of the
// modified Stream (Servat 2015, §4.6).

import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DIST, byId, open, openExample, site, temporaryFolder } from './browser.mjs';

/** Runs in the worker, before its own script. */
const ADDED = `
const ENDS = [0, 0.22, 0.42, 0.7, 1];
const BYTES = 80000000;
const post = self.postMessage.bind(self);
const commands = new Map();
let lines = new Float64Array();

function withObjects(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(0, true);
  const folding = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const count = view.getUint32(4 + length, true);
  lines = Float64Array.from({ length: count }, (_, i) => view.getFloat64(8 + length + 8 * i, true));
  const object = (name, kind, address) => ({
    name, kind, address, bytes: BYTES, loads: 700, stores: 300, bytes_touched: 640000,
    mean_cost: 40.5, high_cost: 240, levels: [0, 500, 0, 100, 50, 0, 0, 350],
  });
  for (const group of folding.groups) {
    group.objects = OBJECTS ?? [object('a', 'static', '602000'), object('b', 'static', '524d400'), object('stream.c:181', 'dynamic', '7f1234567000')];
    group.streams = OBJECTS ? [] : [
      { object: 0, phase: 0, loads: 300, stores: 0, direction: 'descending', bytes_per_us: -5700, step_bytes: 64, mean_cost: 24 },
      { object: 2, phase: 1, loads: 300, stores: 0, direction: 'random', bytes_per_us: 0, step_bytes: 8, mean_cost: 240 },
    ];
  }
  const json = new TextEncoder().encode(JSON.stringify(folding));
  const out = new Uint8Array(4 + json.length + bytes.length - 4 - length);
  new DataView(out.buffer).setUint32(0, json.length, true);
  out.set(json, 4);
  out.set(bytes.subarray(4 + length), 4 + json.length);
  return out;
}

function references(count) {
  const columns = {
    x: new Float64Array(count), object: new Uint32Array(count), offset: new Float64Array(count), store: new Uint8Array(count),
    level: new Uint8Array(count), cost: new Uint32Array(count), line: new Uint32Array(count),
  };
  for (let i = 0; i < count; i += 1) {
    const line = Math.floor((i / count) * lines.length);
    const x = lines[line] ?? i / count;
    const phase = Math.max(0, ENDS.findIndex((end) => x < end) - 1);
    const along = (x - ENDS[phase]) / (ENDS[phase + 1] - ENDS[phase]);
    const drawn = (Math.imul(i + 1, 0x9e3779b1) >>> 7) % 1009;
    const store = drawn % 3 === 0;
    const [object, share] = [
      [store ? 2 : 0, 1 - along], [store ? 1 : 2, store ? along : drawn / 1009],
      [store ? 2 : drawn % 2, along], [store ? 0 : 1 + (drawn % 2), along],
    ][phase];
    const far = phase === 1 && !store && drawn % 10 > 1;
    const cost = far ? 180 + (drawn % 220) : drawn % 10 < 2 ? 18 + (drawn % 9) : 6 + (drawn % 4);
    columns.x[i] = x;
    columns.object[i] = object;
    columns.offset[i] = Math.floor((share * (BYTES - 8)) / 8) * 8;
    columns.store[i] = store ? 1 : 0;
    columns.level[i] = far ? 7 : drawn % 10 < 2 ? 3 : 1;
    columns.cost[i] = store ? 0 : cost;
    columns.line[i] = line;
  }
  return columns;
}

self.addEventListener('message', (event) => {
  const { id, command } = event.data;
  commands.set(id, command);
  if (command !== 'references') return;
  event.stopImmediatePropagation();
  post({ id, value: references(COUNT) });
});
self.postMessage = (message, transfer) => {
  if (commands.get(message.id) === 'fold' && message.value) message.value = withObjects(message.value);
  post(message, commands.get(message.id) === 'fold' ? [] : transfer);
};
`;

/**
 * The example with `count` references, open and painted.
 *
 * @param {import('node:test').TestContext} t
 * @param {{count?: number, objects?: object[] | null} & Parameters<typeof open>[2]} [options]
 *   `objects`: others than the three, encoded as in a folding
 */
export async function openReferenced(t, { count = 3000, objects = null, ...options } = {}) {
  const folder = await temporaryFolder(t);
  await cp(DIST, folder, { recursive: true });
  const worker = path.join(folder, 'engine/worker.js');
  const added = ADDED.replace('COUNT', String(count)).replaceAll('OBJECTS', JSON.stringify(objects));
  await writeFile(worker, `{${added}}\n${await readFile(worker, 'utf8')}`);
  const shown = await open(t, await site(t, folder), options);
  await openExample(shown.page);
  await byId(shown.page, 'lane-address').locator('[data-references]').waitFor({ state: 'attached' });
  return shown;
}

/** Where the address lane has what. */
export async function addressLayout(page) {
  return JSON.parse(await byId(page, 'lane-address').locator('canvas').getAttribute('data-layout'));
}
