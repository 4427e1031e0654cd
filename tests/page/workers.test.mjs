// However many workers read a trace, the same bytes come out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { teach } from '../bench/chromium.mjs';
import { open, site } from './browser.mjs';

/** What the engine says of a file of this name with these parts, and all it exports of its folding, for
 * each number of workers. */
const read = (page, name, parts, counts) =>
  page.evaluate(async ({ name, parts, counts }) => {
    const file = new File(parts, name);
    const told = [];
    for (const workers of counts) {
      const worker = await engine();
      const opened = await ask(worker, 'open', { files: [file], workers });
      await ask(worker, 'fold', { settings: {} });
      const [json] = await ask(worker, 'exportFile', { format: 'json' });
      const [{ notices }] = [JSON.parse(new TextDecoder().decode(json.bytes))].flat();
      const digest = await crypto.subtle.digest('SHA-256', json.bytes);
      const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16)).join('');
      told.push({ opened: JSON.stringify(opened), notices: notices.map(({ text }) => text).join(' '), length: json.bytes.length, hash });
      worker.terminate();
    }
    return told;
  }, { name, parts, counts });

test('one, two, three and seven workers give equal bytes of a .prv', async (t) => {
  const { page } = await open(t, await site(t));
  await teach(page);
  // Ten blocks of four threads, with something odd in each.
  const parts = ['#Paraver (01/02/2025 at 10:00):9000000000_ns:1(4):1:4(1:1,1:1,1:1,1:1)\n'];
  let bytes = 0;
  for (let n = 0; bytes < 40e6; n += 1) {
    const at = 20_000 * n + 1000;
    const task = 1 + (n % 4);
    const lines = [`2:${task}:1:${task}:1:${at}:60000019:3:42000050:800:42000059:700`];
    for (let sample = 1; sample < 30; sample += 1) {
      const count = 100 + 20 * ((n + sample) % 5);
      lines.push(`2:${task}:1:${task}:1:${at + sample * 500 + (n % 311)}:30000000:3:30000100:${4 + (sample % 3)}:42000050:${count}:42000059:100`);
    }
    if (n % 2500 === 7) lines.push('9:what', '2:x', '2:1:1:1:1:5:60000019:0:5');
    lines.push(`2:${task}:1:${task}:1:${at + 16_000}:60000019:0:42000050:100:42000059:150`, '');
    const text = lines.join('\n');
    bytes += text.length;
    parts.push(text);
  }
  const [alone, ...together] = await read(page, 'made-up.prv', parts, [1, 2, 3, 7]);
  assert.ok(alone.length > 100_000 && alone.notices.includes('A record of a kind that is not known'), alone.notices);
  for (const other of together) assert.deepEqual(other, alone);
});

test('one, two and three workers give equal bytes of a text of perf script', async (t) => {
  const { page } = await open(t, await site(t));
  await teach(page);
  // Nine blocks, with borders within call-stacks, of which many end in a routine not met before.
  const parts = [];
  let bytes = 0;
  for (let n = 0; bytes < 34e6; n += 1) {
    const at = (us) => `${1 + Math.floor(n / 1000)}.${String((n % 1000) * 1000 + us).padStart(6, '0')}`;
    const frame = (name) => `\t401${n.toString(16).padStart(6, '0')} ${name}+0x10 (/a/application)`;
    const frames = Array.from({ length: 30 }, (_, level) => frame(`work_${level}`));
    const lines = [`app 7 ${at(0)}: probe_app:step: (401000)`, `app 7 ${at(300 + (n % 200))}: ${9 + n} cycles:`, ...frames, frame(`step_${n % 8000}`)];
    if (n % 5000 === 4007) lines.push('no record');
    lines.push(`app 7 ${at(900)}: probe_app:step__return: (401000 <- 402000)`, '');
    const text = lines.join('\n');
    bytes += text.length;
    parts.push(text);
  }
  const [alone, ...together] = await read(page, 'made-up.txt', parts, [1, 2, 3]);
  assert.ok(alone.length > 100_000 && alone.notices.includes('A line that is no record'), alone.notices);
  for (const other of together) assert.deepEqual(other, alone);
});
