// Both ends of the worker protocol, joined by a MessageChannel.

import assert from 'node:assert/strict';
import test from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { EngineClient } from '../../../www/engine/client.js';
import { VERSION } from '../../../www/engine/protocol.js';
import { checkVersion, serve } from '../../../www/engine/serve.js';

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
