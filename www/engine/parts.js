// Where the parts of the page lie. The single-file page has a module of the same shape in place of
// this one, with the wasm and the worker inside. Addresses are the page's, not this module's: the
// build joins modules.

/** The module that paints, which the page itself runs. */
export const painterModule = () => compiled('painter_bg.wasm');

/** The module that reads and folds, which workers run. */
export const engineModule = () => compiled('engine_bg.wasm');

/** A worker that waits for `hello`. */
export function newWorker() {
  return new Worker(new URL('engine/worker.js', document.baseURI), { type: 'module' });
}

/** Address of the bundled trace, or `null` where it cannot be fetched. */
export const exampleAddress = location.protocol === 'file:' ? null : 'example.prv.gz';

/** @param {string} name */
async function compiled(name) {
  const response = await fetch(new URL(name, document.baseURI)).catch(() => null);
  if (!response?.ok) {
    throw { message: `${name} could not be loaded: ${response ? `the server answered ${response.status}` : 'the server did not answer'}. It is a part of this page; try again.` };
  }
  return WebAssembly.compile(await response.arrayBuffer());
}
