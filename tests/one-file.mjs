// Puts the whole page into one file that opens from disk: one-file.mjs JOINED DIST
//
// JOINED holds the page's modules beside the glue of the wasm. Scripts of a page that is opened from
// disk cannot be fetched and its workers neither: so script and style stand in the page, and all
// else (wasm, worker, examples) as base64 of gzip in blocks of data. The guide is no tab of its own
// there: it lies over the page.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** A bundled trace beyond this is not worth its place in every copy of the page. */
const LARGEST_EXAMPLE_BYTES = 400_000;

const [joined, dist] = process.argv.slice(2);
if (!joined || !dist) {
  console.error('usage: one-file.mjs JOINED DIST');
  process.exit(2);
}
/** How the guide lies over the page. */
const GUIDE_STYLE = '#guide[open]{position:fixed;inset:0;width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:0;border:0;display:grid;grid-template-rows:auto 1fr}#guide>form{justify-self:end;margin:8px}#guide iframe{width:100%;height:100%;border:0}';
const STATIC = fileURLToPath(new URL('../static', import.meta.url));
/** Where the packages lie that the source pane is built with. */
const PACKAGES = fileURLToPath(new URL('page/node_modules', import.meta.url));
const sizes = JSON.stringify(Object.fromEntries(readdirSync(STATIC).map((name) => [name, statSync(path.join(STATIC, name)).size])));
const esbuild = path.join(PACKAGES, '.bin/esbuild');
const bundled = (file, format) =>
  execFileSync(esbuild, [path.join(joined, file), `--define:STATIC_FILES=${sizes}`, '--bundle', '--minify', `--format=${format}`, '--log-level=warning', '--log-override:direct-eval=silent'], {
    maxBuffer: 1 << 26,
    env: { ...process.env, NODE_PATH: PACKAGES },
  });

copyFileSync(path.join(joined, 'engine/parts-inside.ts'), path.join(joined, 'engine/parts.ts'));
const script = String(bundled('main.ts', 'esm'));
const style = readFileSync(path.join(dist, 'style.css'), 'utf8') + GUIDE_STYLE;
const guideStyle = readFileSync(path.join(dist, 'guide/guide.css'), 'utf8');
const icon = `data:image/svg+xml;base64,${readFileSync(path.join(dist, 'icon.svg')).toString('base64')}`;

const parts = { 'worker.js': bundled('engine/worker.ts', 'iife'), 'profiler.js': bundled('profile/worker.ts', 'iife') };
for (const file of readdirSync(dist).filter((name) => name.endsWith('.wasm'))) parts[file] = readFileSync(path.join(dist, file));
for (const file of readdirSync(path.join(dist, 'source'))) parts[file] = readFileSync(path.join(dist, 'source', file));
for (const file of readdirSync(dist).filter((name) => name.startsWith('example'))) {
  const bytes = readFileSync(path.join(dist, file));
  if (bytes.length <= LARGEST_EXAMPLE_BYTES) parts[file] = bytes;
}
const blocks = Object.entries(parts).map(([name, bytes]) => {
  const packed = gzipSync(bytes, { level: 9 }).toString('base64');
  return `<script type="application/octet-stream" id="inside-${name}">${packed}</script>`;
});

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)} 'wasm-unsafe-eval'`,
  // A page inside of a page obeys the policies of both.
  `style-src ${hash(style)} ${hash(guideStyle)}`,
  'img-src data: blob:',
  'worker-src blob:',
].join('; ');

let page = readFileSync(path.join(dist, 'index.html'), 'utf8');
replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, `$1${policy}`);
replace('<link rel="icon" href="icon.svg">', `<link rel="icon" href="${icon}">`);
replace('<link rel="stylesheet" href="style.css">', () => `<style>${style}</style>`);
replace('<script type="module" src="main.js"></script>\n', '');
// The page itself, under whatever name it was saved.
replace('href="./"', 'href=""');
// Inside the page a module script may stand even where it could not be fetched.
replace('</body>', () => `${blocks.join('\n')}\n<script type="module">${script}</script>\n</body>`);
// Links to sections of the guide are meant inside of it, not of the page around it.
const inside = guide().replaceAll('&', '&amp;').replaceAll('"', '&quot;');
replace('<noscript>', () => `<dialog id="guide" aria-label="Guide"><form method="dialog"><button>Close</button></form><iframe title="Guide" loading="lazy" srcdoc="${inside}"></iframe></dialog>\n<noscript>`);
if (/<\/script/i.test(script) || /<\/style/i.test(style)) throw new Error('the page would end inside its script or style');

writeFileSync(path.join(dist, 'tracefold.html'), page);
console.log(`One file: dist/tracefold.html, ${(page.length / 1000).toFixed(0)} kB, of which examples ${(exampleLength() / 1000).toFixed(0)} kB`);

function replace(what, by) {
  const next = page.replace(what, by);
  if (next === page) throw new Error(`index.html does not say ${what}`);
  page = next;
}

/** The pages of the guide as one, in which the sections of each have its name before theirs. */
function guide() {
  const pages = ['methods', 'record', 'glossary'].map((name) => ({ name, html: readFileSync(path.join(dist, `guide/${name}.html`), 'utf8') }));
  const bodies = pages.map(({ name, html }) => {
    const [, body] = /<body>([^]*)<\/body>/.exec(html);
    const own = body.replaceAll(/ id="/g, ` id="${name}-`).replaceAll('href="#', `href="#${name}-`);
    return `<div id="${name}">${own.replaceAll(/href="(\w+)\.html#/g, 'href="#$1-').replaceAll(/href="(\w+)\.html"/g, 'href="#$1"').replaceAll(/<(\/?)main>/g, '<$1div class="main">')}</div>`;
  });
  const [head] = /^[^]*<\/head>/.exec(pages[0].html);
  // The policy of the page around it, too, lets in this style alone, by its hash.
  const own = head.replace('<link rel="stylesheet" href="guide.css">', () => `<style>${guideStyle}</style>`).replace("style-src 'self'", "style-src 'unsafe-inline'");
  return `${own.replace('<head>', '<head><base href="about:srcdoc">')}<body><main>${bodies.join('\n')}</main></body></html>`;
}

function exampleLength() {
  return blocks.filter((block) => block.includes('"inside-example')).join('').length;
}
