// A trace is the same trace in any wrapping that is dropped on the page.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { byId, drop, open, rests, site, table, temporaryFolder } from './browser.mjs';
import { smallTrace } from './traces.mjs';

const trace = smallTrace();
/** Labels behind the trace and in another folder: the worst order. */
const files = [['run/a.prv', Buffer.from(trace.prv)], ['run/labels/a.pcf', Buffer.from(trace.pcf)]];

function tar() {
  const blocks = files.flatMap(([name, bytes]) => {
    const header = Buffer.alloc(512);
    header.write(name);
    header.write(`${bytes.length.toString(8).padStart(11, '0')} `, 124);
    header.write('        0', 148);
    const sum = header.reduce((sum, byte) => sum + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** @param {0 | 8} method stored or deflated */
function zip(method) {
  const members = [];
  const list = [];
  let at = 0;
  for (const [name, bytes] of files) {
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const member = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    list.push(Buffer.from('PK\x01\x02\x14\0'), shared, place, Buffer.from(name));
    members.push(member);
    at += member.length;
  }
  const listed = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...members, listed, Buffer.from('PK\x05\x06'), end]);
}

const bzip2 = spawnSync('bzip2', ['-c'], { input: tar() });
const WRAPPINGS = {
  'a.tar': tar(),
  'a.tar.gz': gzipSync(tar()),
  'a.tar.bz2': bzip2.error ? null : bzip2.stdout,
  'stored.zip': zip(0),
  'deflated.zip': zip(8),
};

/** What a fresh page shows of files that are dropped on it. */
async function numbers(t, dropped) {
  const folder = await temporaryFolder(t);
  const { page } = await open(t, await site(t));
  const paths = Object.keys(dropped).map((name) => path.join(folder, name));
  for (const [name, bytes] of Object.entries(dropped)) await writeFile(path.join(folder, name), bytes);
  await drop(page, paths);
  await rests(page, 'ready');
  return { region: await byId(page, 'region').inputValue(), rows: await table(page) };
}

test('every wrapping of a trace gives the numbers of its bare files', async (t) => {
  const bare = await numbers(t, { 'a.prv': files[0][1], 'a.pcf': files[1][1] });
  assert.equal(bare.region, 'User function:work');
  for (const [name, bytes] of Object.entries(WRAPPINGS)) {
    await t.test(name, { skip: !bytes && 'no bzip2 here' }, async (t) => {
      assert.deepEqual(await numbers(t, { [name]: bytes }), bare);
    });
  }
});
