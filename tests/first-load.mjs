// Prints what a first visit loads, gzipped, and fails above a limit: first-load.mjs FOLDER BYTES

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const LOADED = new Set(['.html', '.js', '.css', '.wasm']);
/** Pages that are loaded instead of `index.html`, not with it. */
const OTHER_PAGES = new Set(['remote.html', 'tracefold.html']);

const [folder, limit] = [process.argv[2], Number(process.argv[3])];
if (!folder || !(limit > 0)) {
  console.error('usage: first-load.mjs FOLDER BYTES');
  process.exit(2);
}

const sizes = readdirSync(folder, { recursive: true })
  .filter((file) => LOADED.has(path.extname(file)) && !OTHER_PAGES.has(file))
  .map((file) => ({ file, bytes: gzipSync(readFileSync(path.join(folder, file)), { level: 9 }).length }))
  .sort((a, b) => b.bytes - a.bytes);
const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

const [largest, ...others] = sizes;
if (!largest) {
  console.error(`${folder} holds no page`);
  process.exit(1);
}
const rest = others.reduce((sum, { bytes }) => sum + bytes, 0);
console.log(
  `First load: ${kB(total)} gzipped of ${kB(limit)} allowed ` +
    `(${largest.file} ${kB(largest.bytes)}, ${others.length} other files ${kB(rest)})`,
);
if (total > limit) {
  for (const { file, bytes } of sizes) console.error(`${kB(bytes).padStart(10)}  ${file}`);
  console.error(`The first load is ${kB(total - limit)} too large.`);
  process.exit(1);
}
