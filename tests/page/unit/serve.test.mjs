// The server of `make run` and of the browser tests.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { serve } from '../../serve.mjs';

/** Asks for a path as it is written: `fetch` would tidy it first. */
function ask(url, rawPath, method = 'GET') {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: rawPath, method }, (response) => {
      let body = '';
      response.on('data', (chunk) => { body += chunk; });
      response.on('end', () => resolve({ status: response.statusCode, type: response.headers['content-type'], body }));
    }).on('error', reject).end();
  });
}

async function folderServed(t) {
  const outside = await mkdtemp(path.join(os.tmpdir(), 'tracefold-serve-'));
  const folder = path.join(outside, 'dist');
  await mkdir(path.join(folder, 'sub'), { recursive: true });
  await writeFile(path.join(outside, 'secret.txt'), 'secret');
  await writeFile(path.join(folder, 'index.html'), '<p>page');
  await writeFile(path.join(folder, 'sub', 'a.wasm'), 'wasm');
  await writeFile(path.join(folder, 'two words.js'), '1');
  await symlink(path.join(outside, 'secret.txt'), path.join(folder, 'leak.txt'));
  const { url, close } = await serve(folder);
  t.after(async () => {
    await close();
    await rm(outside, { recursive: true });
  });
  return url;
}

test('the server listens on this computer only and gives each file its type', async (t) => {
  const url = await folderServed(t);
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  assert.deepEqual(await ask(url, '/'), { status: 200, type: 'text/html; charset=utf-8', body: '<p>page' });
  assert.deepEqual(await ask(url, '/sub/a.wasm?v=1'), { status: 200, type: 'application/wasm', body: 'wasm' });
  assert.equal((await ask(url, '/two%20words.js')).type, 'text/javascript; charset=utf-8');
  assert.deepEqual(await ask(url, '/index.html', 'HEAD'), { status: 200, type: 'text/html; charset=utf-8', body: '' });
});

test('the server gives nothing that lies outside its folder', async (t) => {
  const url = await folderServed(t);
  const answers = {
    '/../secret.txt': 403,
    '/%2e%2e/secret.txt': 403,
    '/sub/../../secret.txt': 403,
    '/sub/..%2f..%2fsecret.txt': 403,
    '/..%5csecret.txt': 400,
    '/leak.txt': 403,
    '/%00': 400,
    '/%': 400,
    '/sub': 404,
    '/missing': 404,
  };
  for (const [wanted, status] of Object.entries(answers)) {
    const answer = await ask(url, wanted);
    assert.equal(answer.status, status, wanted);
    assert.doesNotMatch(answer.body, /secret/, wanted);
  }
  assert.equal((await ask(url, '/index.html', 'POST')).status, 405);
});
