// Traces from a web server by `profileURL`: another site, with and without its leave, and what goes
// wrong, in words.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ROOT, byId, message, open, rests, site } from './browser.mjs';
import { smallTrace } from './traces.mjs';
import './typescript.mjs';

const { zipOf } = await import('../../www/actions/zip.ts');

const { prv, pcf } = smallTrace();
const perf = readFileSync(path.join(ROOT, 'tests/traces/calls-perf.txt.gz'));
const zip = Buffer.from(await zipOf([['run/a.prv', prv], ['run/a.pcf', pcf]].map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) }))).arrayBuffer());

/** What the browser itself says of requests that fail. */
const expected = /Failed to load resource|CORS policy/;

/** What the other site answers, by path. */
const ANSWERS = {
  '/open/run.prv': { body: prv, cors: true },
  '/open/run.pcf': { body: pcf, cors: true },
  '/packed/run.prv.gz': { body: gzipSync(prv), cors: true },
  '/packed/run.pcf': { body: pcf, cors: true },
  '/packed/run.zip': { body: zip, cors: true },
  '/packed/recorded.txt.gz': { body: perf, cors: true },
  '/packed/recorded.txt': { body: gunzipSync(perf), cors: true },
  '/closed/run.prv': { body: prv },
  '/private/run.prv': { status: 403, cors: true },
  '/broken/run.prv': { status: 503, cors: true },
  '/login/run.prv': { body: '<!DOCTYPE html><title>Log in</title>', cors: true },
  '/page/run.prv': { body: prv, cors: true },
  '/page/run.pcf': { body: '<html>no such file</html>', cors: true },
  '/cut/run.prv': { body: prv, cors: true, cut: true },
};

/** Another site. Gives its origin and the paths that were asked for. */
async function otherSite(t) {
  const asked = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url);
    const { body = '', status = 200, cors = false, cut = false } = ANSWERS[request.url] ?? { status: 404, cors: true };
    if (cors) response.setHeader('access-control-allow-origin', '*');
    response.writeHead(status, { 'content-length': Buffer.byteLength(body) + (cut ? 100_000 : 0) });
    response.write(body, () => cut && setTimeout(() => response.destroy(), 200));
    if (!cut) response.end();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => server.close(() => {}) && server.closeAllConnections());
  return { origin: `http://127.0.0.1:${server.address().port}`, asked };
}

/** Opens the page with a `profileURL` of another site, and agrees to load from there. */
async function openFrom(t, path) {
  const { origin, asked } = await otherSite(t);
  const { page, allow } = await open(t, await site(t), { fragment: `#profileURL=${origin}${path}`, expected });
  allow(origin);
  await rests(page, 'error');
  assert.match(await message(page), /Load a trace from 127\.0\.0\.1:\d+\? \| .* will see that you asked for it/);
  assert.deepEqual(asked, [], 'nothing is asked for before the person agrees');
  await byId(page, 'load-anyway').click();
  await page.waitForURL(/remote\.html#/);
  await page.locator('#settings > *').first().waitFor({ state: 'attached' });
  return { page, origin, asked };
}

test('a trace of another site that allows it is loaded, with the .pcf beside it, after a question', async (t) => {
  const { page, asked } = await openFrom(t, '/open/run.prv');
  await rests(page, 'ready');
  assert.match(await byId(page, 'region').inputValue(), /work/, 'the name is from the .pcf');
  assert.deepEqual(asked, ['/open/run.prv', '/open/run.pcf', '/open/run.row']);
  assert.match(page.url(), /profileURL=/);
});

test('a packed trace finds its .pcf beside it', async (t) => {
  const { page } = await openFrom(t, '/packed/run.prv.gz');
  await rests(page, 'ready');
  assert.match(await byId(page, 'region').inputValue(), /work/);
});

for (const [file, region] of /** @type {[string, RegExp][]} */ ([
  ['run.zip', /work/],
  ['recorded.txt.gz', /iteration/],
  ['recorded.txt', /iteration/],
])) {
  test(`${file} from a server is opened as a dropped one, and nothing is looked for beside it`, async (t) => {
    const { page, asked } = await openFrom(t, `/packed/${file}`);
    await rests(page, 'ready');
    assert.match(await byId(page, 'region').inputValue(), region);
    assert.deepEqual(asked, [`/packed/${file}`]);
  });
}

test('where a server answers with a page instead of a .pcf, there is none', async (t) => {
  const { page } = await openFrom(t, '/page/run.prv');
  await rests(page, 'ready');
  assert.doesNotMatch(await byId(page, 'region').inputValue(), /work/);
});

for (const [path, words] of /** @type {[string, RegExp][]} */ ([
  ['/closed/run.prv', /does not allow this page to read it\. Its server must send the header Access-Control-Allow-Origin: http:\/\/127\.0\.0\.1:\d+ \(or \*\)\. Or save the file and drop it here/],
  ['/nowhere/run.prv', /It is not there: the server 127\.0\.0\.1:\d+ answered 404\. Compare the address/],
  ['/private/run.prv', /It may not be read: the server 127\.0\.0\.1:\d+ answered 403\. Let the server hand the file out/],
  ['/broken/run.prv', /the server 127\.0\.0\.1:\d+ answered 503, which is a fault over there\. Try again later/i],
  ['/login/run.prv', /answered with a web page, not with a trace\. Perhaps it asks for a login/],
  ['/cut/run.prv', /broke off after .* of .*Try again/],
])) {
  test(`what is wrong with ${path} is said in words`, async (t) => {
    const { page } = await openFrom(t, path);
    await rests(page, 'error');
    assert.match(await message(page), /^run\.prv could not be read\. \| /);
    assert.match(await message(page), words);
  });
}

test('a server that is not there is told from one that does not allow it', async (t) => {
  const { origin } = await otherSite(t);
  const gone = origin.replace(/\d+$/, '9');
  const { page, allow } = await open(t, await site(t), { fragment: `#profileURL=${gone}/run.prv`, expected });
  allow(gone);
  await page.route(`${gone}/**`, (route) => route.abort('connectionrefused'));
  await rests(page, 'error');
  await byId(page, 'load-anyway').click();
  await page.waitForURL(/remote\.html#/);
  await page.locator('#settings > *').first().waitFor({ state: 'attached' });
  await rests(page, 'error');
  assert.match(await message(page), /127\.0\.0\.1:9 did not answer/);
});

for (const [address, words] of /** @type {[string, RegExp][]} */ ([
  ['ftp://example.org/run.prv', /must begin with http or https, not ftp:/],
  ['javascript:alert(1)', /must begin with http or https, not javascript:/],
  ['http://[', /is not an address/],
])) {
  test(`${address} is refused before anything is asked for`, async (t) => {
    const { page } = await open(t, await site(t), { fragment: `#profileURL=${encodeURIComponent(address)}` });
    await rests(page, 'error');
    assert.match(await message(page), words);
  });
}
