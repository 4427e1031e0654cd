// What a `profileURL` means, on a page of https.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

Object.assign(globalThis, {
  document: { baseURI: 'https://here.example/folder/' },
  location: { protocol: 'https:', origin: 'https://here.example' },
});
const { filesAt, webAddress } = await import('../../../www/actions/addresses.ts');

test('a trace is looked for with its .pcf and .row beside it, packed or not', () => {
  const found = (address) => filesAt([address]).map(({ url, needed }) => [url.href, needed]);
  const beside = [['https://there.example/a/run.pcf?key=1', false], ['https://there.example/a/run.row?key=1', false]];
  assert.deepEqual(found('https://there.example/a/run.prv?key=1'), [['https://there.example/a/run.prv?key=1', true], ...beside]);
  assert.deepEqual(found('https://there.example/a/run.prv.gz?key=1'), [['https://there.example/a/run.prv.gz?key=1', true], ...beside]);
  assert.deepEqual(found('https://there.example/a/run.prv.bz2?key=1'), [['https://there.example/a/run.prv.bz2?key=1', true], ...beside]);
  assert.deepEqual(found('runs/all.zip'), [['https://here.example/folder/runs/all.zip', true]]);
});

test('a page of https is told that it cannot load from http, but from this computer', () => {
  assert.throws(() => webAddress('http://there.example/run.prv'), { message: /do not let a page of https load from http\. Ask there\.example by https/ });
  assert.equal(webAddress('http://127.0.0.1:8000/run.prv').port, '8000');
});
