// Where the parts of the page lie. The single-file page has a module of the same shape in place of
// this one, with the wasm and the worker inside. Addresses are the page's, not this module's: the
// build joins modules.

/** The WebAssembly module, fetched and compiled once; every worker is given it. */
export async function compiledModule() {
  const response = await fetch(new URL('tracefold_bg.wasm', document.baseURI));
  return WebAssembly.compile(await response.arrayBuffer());
}

/** A worker that waits for `hello`. */
export function newWorker() {
  return new Worker(new URL('engine/worker.js', document.baseURI), { type: 'module' });
}

/** Address of the bundled trace, or `null` where it cannot be fetched. */
export const exampleAddress = location.protocol === 'file:' ? null : 'example.prv.gz';
