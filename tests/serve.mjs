// A static server for this computer only: serve.mjs FOLDER, port from PORT (0: any free one).
//
// It sets no header that another static server would not set, so that the page cannot come to
// depend on one.

import { createReadStream, promises as fs, realpathSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.gz': 'application/gzip',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.xml': 'application/xml',
};

/**
 * Serves the files of `folder` on a loopback address.
 *
 * @param {string} folder
 * @param {{ port?: number }} [options]
 * @returns {Promise<{ url: string, close: () => Promise<void> }>} `url` ends in a slash.
 */
export async function serve(folder, { port = 0 } = {}) {
  const root = realpathSync(folder);
  const server = http.createServer((request, response) => {
    answer(root, request, response).catch(() => refuse(response, 500));
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  const { port: taken } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${taken}/`,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

async function answer(root, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
  const wanted = pathOf(request.url);
  if (wanted === undefined) return refuse(response, 400);
  const found = await locate(root, wanted);
  if (typeof found === 'number') return refuse(response, found);
  response.writeHead(200, {
    'content-type': TYPES[path.extname(found.file)] ?? 'application/octet-stream',
    'content-length': found.size,
    'cache-control': 'no-cache',
  });
  if (request.method === 'HEAD') return response.end();
  pipeline(createReadStream(found.file), response, () => {});
}

/** The path that a request names, decoded; `undefined` if it cannot be one. */
function pathOf(url) {
  try {
    const decoded = decodeURIComponent(url.split(/[?#]/, 1)[0]);
    return decoded.startsWith('/') && !/[\0\\]/.test(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** The file at `wanted` under `root`, or the status that says why there is none. */
async function locate(root, wanted) {
  if (wanted.split('/').includes('..')) return 403;
  try {
    const inside = wanted.endsWith('/') ? `${wanted}index.html` : wanted;
    const file = await fs.realpath(path.join(root, inside));
    // A symbolic link may lead out of the folder, too.
    if (!file.startsWith(root + path.sep)) return 403;
    const stat = await fs.stat(file);
    return stat.isFile() ? { file, size: stat.size } : 404;
  } catch {
    return 404;
  }
}

function refuse(response, status) {
  if (response.headersSent) return response.destroy();
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${http.STATUS_CODES[status]}\n`);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [folder = 'dist'] = process.argv.slice(2);
  const { url } = await serve(folder, { port: Number(process.env.PORT ?? 0) }).catch((error) => {
    console.error(`${folder} cannot be served: ${error.message}`);
    process.exit(1);
  });
  console.log(`Tracefold is at ${url}   (Ctrl+C stops it)`);
}
