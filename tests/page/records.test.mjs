// Records of instances, and what TAU sampled, dropped on the page.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { byId, drop, message, open, rests, site, temporaryFolder } from './browser.mjs';
import { violations } from './looks.mjs';

const TAU_HEAD = '# Format version: 0.2\n# Metrics: TIME PAPI_TOT_INS\n';

/** A step that runs again and again, sampled three times in each. */
function sampled(thread) {
  const lines = [TAU_HEAD];
  let count = 1000;
  for (let at = 0; at < 120; at += 1) {
    const start = 1_000_000 + at * 2500 + thread;
    for (const place of [0, 1, 2].map((of) => 1 + ((at * 37 + of * 463) % 997)).sort((a, b) => a - b)) {
      const time = start + place * 2;
      const own = count + Math.round(3000 * Math.sqrt(place / 1000) * 100);
      lines.push(`$ | ${time} | ${start} | 0 | ${time} ${own} | 7 3 | ${place < 400 ? '0x4005d0' : '0x401000'} 0x400a10\n`);
    }
    lines.push(`% | ${start} ${count} | ${start + 2000} ${count + 300_000} | 7 3\n`);
    count += 300_100;
  }
  return `${lines.join('')}# node: 0\n# thread: ${thread}\n`;
}

test('a folder of what TAU sampled is one trace, and its timer is folded', async (t) => {
  const folder = path.join(await temporaryFolder(t), 'run');
  await mkdir(folder);
  const files = { 'ebstrace.raw.7.0.0.0': sampled(0), 'ebstrace.raw.7.0.0.1': sampled(1), 'ebstrace.def.7.0.0.0': '3 | main\n7 | step\n', 'ebstrace.map.7.0.0.0': '/home/user/app 0x400000 0x500000 0\n' };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const { page } = await open(t, await site(t));
  await drop(page, [folder]);
  await rests(page, 'ready');
  assert.equal(await byId(page, 'region').inputValue(), 'Timer:step');
  assert.match(await byId(page, 'instances-button').textContent(), /240 of 240 instances/);
  assert.ok(await byId(page, 'lane-performance').isVisible());
  assert.match(await page.locator('#panel').textContent(), /app\+0x/);
  assert.deepEqual(await violations(page), []);
});

test('a record of instances is a trace, and a line of it that is none is told with its place', async (t) => {
  const folder = await temporaryFolder(t);
  const lines = ['# Times: ns', '# Counters: PAPI_TOT_INS'];
  for (let at = 0; at < 90; at += 1) {
    lines.push(`I 0 solve ${1_500_000 + at % 7} 1200000`);
    for (const of of [1, 2, 3]) {
      const place = (at * 37 + of * 271) % 1000;
      lines.push(`S 0 solve ${place * 1500 + 1} ${place * 1200} main;solve;kernel (solve.c:${place < 500 ? 88 : 131})`);
    }
  }
  const file = path.join(folder, 'record.txt');
  await writeFile(file, `${lines.join('\n')}\n`);
  const { page } = await open(t, await site(t));
  await drop(page, [file]);
  await rests(page, 'ready');
  assert.equal(await byId(page, 'region').inputValue(), 'Region:solve');
  assert.match(await byId(page, 'instances-button').textContent(), /90 of 90 instances/);
  assert.ok(await byId(page, 'lane-source').isVisible());
  await writeFile(file, `${lines.join('\n')}\nI 0 solve soon\n`);
  await drop(page, [file]);
  await rests(page, 'error');
  assert.match(await message(page), /record\.txt.*line 363|363/);
  assert.match(await message(page), /a duration/);
  await page.getByRole('button', { name: 'Back to it' }).click();
  await rests(page, 'ready');
});
