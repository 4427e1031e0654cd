// Prints what a first visit loads, what is loaded with a trace opened, what else waits until a source
// file is looked at, the parts of engine and painter that only some need, and the guide, gzipped; fails above
// the limits: first-load.mjs FOLDER FIRST WITH_TRACE WITH_SOURCE

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const LOADED = new Set(['.html', '.js', '.css', '.wasm']);
/** Pages that are loaded instead of `index.html`, not with it. */
const OTHER_PAGES = new Set(['remote.html', 'tracefold.html']);
/** Entries of the page; what they import is loaded with them. */
const PAGE = /^(index\.html|main\.js|style\.css)$/;
/** What opens in a tab of its own. */
const GUIDE = /^guide\//;
/** Parts of engine and painter that wait until one of their commands is asked for, and what shows
 * the run, searches, tells of counters, of instances, of a range, of data objects, of calls, of moments, of durations and of what has come since, takes formulas, compares, shares, copies or saves, or leads through the page; and all that profiles need. */
const LATER = /^((engine|painter)_(?!bg)\w+\.wasm|(glance|finder|picker|certainty|course|growing|objects|memory|moments|tree|durations|expression|link|dialog|recheck|copy|figure|save|range|tour|compare|scaling|second|profile|power)-\w+\.js|profiler_\w+\.wasm|profile.worker\.js)$/;
/** What waits for a trace to be opened, or for the page to be idle. */
const WITH_TRACE = /^(engine_bg\.wasm|painter_bg\.wasm|engine.worker\.js|(traced|roving)-.*\.js)$/;

const folder = process.argv[2];
const limits = process.argv.slice(3).map(Number);
if (!folder || limits.length !== 3 || !limits.every((limit) => limit > 0)) {
  console.error('usage: first-load.mjs FOLDER FIRST WITH_TRACE WITH_SOURCE');
  process.exit(2);
}

const files = readdirSync(folder, { recursive: true })
  .filter((file) => LOADED.has(path.extname(file)) && !OTHER_PAGES.has(file))
  .map((file) => ({ file, bytes: gzipSync(readFileSync(path.join(folder, file)), { level: 9 }).length }))
  .sort((a, b) => b.bytes - a.bytes);
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

const first = loadedWith(PAGE);
const withTrace = new Set([...first, ...loadedWith(WITH_TRACE)]);
check('First load', files.filter(({ file }) => first.has(file)), limits[0]);
check('With a trace', files.filter(({ file }) => withTrace.has(file)), limits[1]);
// Each language takes a part of this.
check('For source', files.filter(({ file }) => !withTrace.has(file) && !GUIDE.test(file) && !LATER.test(file)), limits[2]);
for (const { file, bytes } of files.filter(({ file }) => LATER.test(file))) console.log(`Later: ${file}, ${kB(bytes)} gzipped`);
console.log(`Guide: ${kB(total(files.filter(({ file }) => GUIDE.test(file))))} gzipped`);

/** The files whose names are `wanted`, with the scripts that they import at once. */
function loadedWith(wanted) {
  const names = new Set(files.map(({ file }) => file).filter((file) => wanted.test(file)));
  for (const name of names) {
    if (!name.endsWith('.js')) continue;
    const script = readFileSync(path.join(folder, name), 'utf8');
    for (const [, imported] of script.matchAll(/\b(?:from|import)\s*["']\.\/([^"']+)["']/g)) names.add(path.join(path.dirname(name), imported));
  }
  return names;
}

function total(files) {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Says how large `files` are together; fails above `limit`. */
function check(title, files, limit) {
  const all = total(files);
  if (all === 0) {
    console.error(`${folder} holds no page`);
    process.exit(1);
  }
  const parts = files.filter(({ bytes }) => bytes > all / 20).map(({ file, bytes }) => `${file} ${kB(bytes)}`);
  console.log(`${title}: ${kB(all)} gzipped of ${kB(limit)} allowed (${parts.join(', ')} …)`);
  if (all <= limit) return;
  for (const { file, bytes } of files) console.error(`${kB(bytes).padStart(10)}  ${file}`);
  console.error(`That is ${kB(all - limit)} too large.`);
  process.exitCode = 1;
}
