// Where the parts of the single-file page lie: in the page, as blocks of data that are base64 of
// gzip. The build puts this module in place of `parts.js`; a page opened from disk can fetch nothing.

/** Address of the worker's script, once the engine is unpacked. */
let workerAddress = '';

/** The module that paints, which the page itself runs. */
export const painterModule = async () => WebAssembly.compile(await unpacked('painter_bg.wasm'));

/** The module that reads and folds, which workers run. */
export async function engineModule() {
  const text = new TextDecoder().decode(await unpacked('worker.js'));
  const script = new Blob([`self.ownText=${JSON.stringify(text)};`, text], { type: 'text/javascript' });
  workerAddress = URL.createObjectURL(script);
  return WebAssembly.compile(await unpacked('engine_bg.wasm'));
}

/** A worker that waits for `hello`. */
export const newWorker = () => new Worker(workerAddress);

/** Whether traces can be loaded by address. */
export const canFetch = false;

/**
 * Whether a file of `static/` is here.
 * @param {string} name
 */
export const hasFile = (name) => blockOf(name) !== null;

/**
 * The files of a bundled trace, where they are inside the page.
 * @param {string[]} names
 * @returns {Promise<File[] | null>}
 */
export async function filesInside(names) {
  return Promise.all(names.map(async (name) => new File([await unpacked(name)], name)));
}

/**
 * A part of the page that is not needed at first.
 * @param {string} name
 */
export const bytesOf = (name) => unpacked(/** @type {string} */ (name.split('/').at(-1)));

/** @param {string} name */
function blockOf(name) {
  return document.getElementById(`inside-${name}`);
}

/**
 * @param {string} name
 * @returns {Promise<ArrayBuffer>}
 */
async function unpacked(name) {
  const packed = Uint8Array.from(atob(blockOf(name)?.textContent ?? ''), (byte) => byte.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
