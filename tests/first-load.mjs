// Prints what a first visit loads, and what is loaded with a trace opened, gzipped; fails above the
// limits: first-load.mjs FOLDER FIRST WITH_TRACE

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const LOADED = new Set(['.html', '.js', '.css', '.wasm']);
/** Pages that are loaded instead of `index.html`, not with it. */
const OTHER_PAGES = new Set(['remote.html', 'tracefold.html']);
/** What waits for a trace to be opened, or for the page to be idle. */
const WITH_TRACE = /^(engine_bg\.wasm|painter_bg\.wasm|engine.worker\.js|traced-.*\.js)$/;

/** What waits until a source file is looked at, and for its language. */
const WITH_SOURCE = /^(source.*\.wasm|(pane|parser|colours|web-tree-sitter|chunk-source)-.*\.js)$/;

const folder = process.argv[2];
const limits = process.argv.slice(3).map(Number);
if (!folder || limits.length !== 2 || !limits.every((limit) => limit > 0)) {
  console.error('usage: first-load.mjs FOLDER FIRST WITH_TRACE');
  process.exit(2);
}

const files = readdirSync(folder, { recursive: true })
  .filter((file) => LOADED.has(path.extname(file)) && !OTHER_PAGES.has(file))
  .map((file) => ({ file, bytes: gzipSync(readFileSync(path.join(folder, file)), { level: 9 }).length }))
  .sort((a, b) => b.bytes - a.bytes);
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

check('First load', files.filter(({ file }) => !WITH_TRACE.test(file)), limits[0]);
check('With a trace', files, limits[1]);

/** Says how large `files` are together; fails above `limit`. */
function check(title, files, limit) {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total === 0) {
    console.error(`${folder} holds no page`);
    process.exit(1);
  }
  const parts = files.filter(({ bytes }) => bytes > total / 20).map(({ file, bytes }) => `${file} ${kB(bytes)}`);
  console.log(`${title}: ${kB(total)} gzipped of ${kB(limit)} allowed (${parts.join(', ')} …)`);
  if (total <= limit) return;
  for (const { file, bytes } of files) console.error(`${kB(bytes).padStart(10)}  ${file}`);
  console.error(`That is ${kB(total - limit)} too large.`);
  process.exitCode = 1;
}
