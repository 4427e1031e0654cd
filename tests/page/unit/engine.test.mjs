// Both ends of the worker protocol, joined by a MessageChannel.

import assert from 'node:assert/strict';
import test from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import '../typescript.mjs';

const { EngineClient } = await import('../../../www/engine/client.ts');
const { Engine } = await import('../../../www/engine/engine.ts');
const { VERSION } = await import('../../../www/engine/protocol.ts');
const { checkVersion, serve } = await import('../../../www/engine/serve.ts');

/** A client of `commands`, closed when the test ends. */
function engine(t, commands) {
  const { port1, port2 } = new MessageChannel();
  t.after(() => port1.close());
  serve(port2, commands);
  return new EngineClient(port1);
}

test('a command answers with its value, after its progress', async (t) => {
  const seen = [];
  const client = engine(t, {
    open: ({ bytes }, report) => {
      report({ phase: 'reading', done: 1, total: bytes });
      report({ phase: 'reading', done: 2, total: bytes });
      return { name: 'a.prv' };
    },
  });
  const value = await client.call('open', { bytes: 2 }, { onProgress: ({ done }) => seen.push(done) });
  assert.deepEqual(value, { name: 'a.prv' });
  assert.deepEqual(seen, [1, 2]);
});

test('an error keeps its file, line and column', async (t) => {
  const failure = { message: 'found x, expected a digit', file: 'a.prv', line: 17, column: 27, full: 'a.prv:17:27\n x\n ^', code: 'field' };
  const client = engine(t, { open: () => { throw failure; } });
  await assert.rejects(client.call('open', {}), (error) => {
    assert.deepEqual(error, failure);
    return true;
  });
});

test('an error of JavaScript is told by its message', async (t) => {
  const client = engine(t, { open: () => { throw new TypeError('no such thing'); } });
  await assert.rejects(client.call('open', {}), { message: 'no such thing' });
});

test('a trap of WebAssembly is told as a crash', async (t) => {
  const client = engine(t, { fold: () => { throw new WebAssembly.RuntimeError('unreachable'); } });
  await assert.rejects(client.call('fold', {}), { message: 'unreachable', crashed: true });
});

test('an unknown command is refused by name', async (t) => {
  const client = engine(t, {});
  await assert.rejects(client.call('constructor', {}), { message: 'unknown command constructor' });
});

test('columns are handed over, not copied', async (t) => {
  const x = new Float64Array([0, 0.5, 1]);
  const client = engine(t, { points: () => ({ x, used: new Uint8Array([0, 1, 2]) }) });
  const { x: received, used } = await client.call('points', {});
  assert.deepEqual([...received], [0, 0.5, 1]);
  assert.deepEqual([...used], [0, 1, 2]);
  assert.equal(x.length, 0);
});

test('a newer question makes the older one stale, and its late answer is dropped', async (t) => {
  const answers = [];
  const client = engine(t, { fold: ({ n }) => new Promise((resolve) => answers.push(() => resolve(n))) });
  const first = client.call('fold', { n: 1 }, { latest: true });
  const refused = assert.rejects(first, { stale: true });
  const second = client.call('fold', { n: 2 }, { latest: true });
  await refused;
  while (answers.length < 2) await new Promise(setImmediate);
  answers[1]();
  answers[0]();
  assert.equal(await second, 2);
});

test('a newer question of another command disturbs nothing', async (t) => {
  const client = engine(t, { fold: () => 'folding', points: () => 'points' });
  const both = [client.call('fold', {}, { latest: true }), client.call('points', {}, { latest: true })];
  assert.deepEqual(await Promise.all(both), ['folding', 'points']);
});

test('an engine that is gone fails what was asked and what will be asked', async (t) => {
  const client = engine(t, { fold: () => new Promise(() => {}) });
  const open = client.call('fold', {});
  client.fail({ message: 'stopped', stale: true });
  await assert.rejects(open, { message: 'stopped' });
  await assert.rejects(client.call('fold', {}), { message: 'stopped' });
});

test('a page of another build is refused', async (t) => {
  const client = engine(t, { hello: checkVersion });
  assert.equal(await client.call('hello', { version: VERSION }), VERSION);
  await assert.rejects(client.call('hello', { version: 99 }), {
    message: `page and engine are of different builds (99 and ${VERSION}); reload the page`,
  });
});

/** A worker that answers every question with `true`, until it is ended. */
class TestWorker {
  ended = false;
  /** @type {string[]} */
  asked = [];
  postMessage({ id, command }) {
    this.asked.push(command);
    if (!this.ended) setImmediate(() => this.onmessage({ data: { id, value: true } }));
  }
  terminate() {
    this.ended = true;
  }
}

const parts = {
  engineModule: async () => /** @type {any} */ ({}),
  laterModule: async () => /** @type {any} */ ({}),
  newWorker: () => /** @type {any} */ (new TestWorker()),
};

test('a worker is given a part of the engine once, before the first that needs it', async () => {
  const worker = new TestWorker();
  const loaded = [];
  const laterModule = async (part) => {
    loaded.push(part);
    if (loaded.length === 1) throw new Error('offline');
    return /** @type {any} */ ({});
  };
  const engine = new Engine({ ...parts, laterModule, newWorker: () => /** @type {any} */ (worker) });
  const running = await engine.start();
  await assert.rejects(running.call('look'), { message: 'offline' });
  await Promise.all([running.call('look'), running.call('fold'), running.call('look')]);
  await running.call('exportFile');
  assert.deepEqual(loaded, ['run', 'run', 'export']);
  assert.deepEqual(worker.asked, ['hello', 'fold', 'add', 'look', 'look', 'add', 'exportFile']);
});

test('the engine is compiled once for all workers; what failed is tried again', async () => {
  let asked = 0;
  const compiled = /** @type {any} */ ({});
  const engineModule = async () => {
    asked += 1;
    if (asked === 1) throw new Error('offline');
    return compiled;
  };
  const started = new Engine({ ...parts, engineModule });
  await assert.rejects(started.prepare(), { message: 'offline' });
  await Promise.all([started.prepare(), started.prepare()]);
  await started.start();
  assert.equal(asked, 2);
});

test('what is cancelled while the engine is still loading starts no worker', async () => {
  const workers = [];
  const newWorker = () => workers[workers.push(new TestWorker()) - 1];
  const stopped = new Engine({ ...parts, newWorker });
  const start = stopped.start();
  stopped.cancel();
  await assert.rejects(start, { stale: true });
  assert.equal(workers.length, 0);
});

test('an engine that was asked for twice reads the second only, and the open trace goes on', async () => {
  const workers = [];
  const newWorker = () => workers[workers.push(new TestWorker()) - 1];
  const twice = new Engine({ ...parts, newWorker });
  await twice.start();
  twice.adopt();
  const first = twice.start();
  const second = twice.start();
  await assert.rejects(first, { stale: true });
  await second;
  assert.deepEqual(workers.map(({ ended }) => ended), [false, false]);
  twice.adopt();
  assert.deepEqual(workers.map(({ ended }) => ended), [true, false]);
});

test('an early picture is handed over with the progress', async (t) => {
  const seen = [];
  const client = engine(t, { open: (_, report) => report({ folding: new Uint8Array([1, 2]), share: 0.05 }) });
  await client.call('open', {}, { onProgress: (progress) => seen.push(progress) });
  assert.deepEqual(seen, [{ folding: new Uint8Array([1, 2]), share: 0.05 }]);
});
