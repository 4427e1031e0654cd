// What the page knows of source files before the wasm is there.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const { isSource } = await import('../../../www/source/endings.ts');

test('source is known by its ending, and nothing of a trace is', () => {
  for (const name of ['a.c', 'b.CPP', 'c.f90', 'd.F', 'e.py', 'memcpy.S', 'x.h', 'k.cu', 'a.b/c.rs']) assert.ok(isSource(name), name);
  for (const name of ['a.prv', 'a.pcf', 'a.row', 'a.prv.gz', 'a.extract', 'perf.txt', 'm.xml', 'all.zip', 'run', '.c/run', 'c', 'a.']) assert.ok(!isSource(name), name);
});
