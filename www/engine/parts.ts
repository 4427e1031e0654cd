// Where the parts of the page lie. The single-file page has `parts-inside.ts` in place of this
// module, with the wasm and the worker inside. Addresses are the page's, not this module's: the
// build joins modules.

/** The module that paints, which the page itself runs. */
export const painterModule = async () => WebAssembly.compile(await bytesOf('painter_bg.wasm'));

/** A part of it that only some need. */
export const laterPainter = async (part: string) => WebAssembly.compile(await bytesOf(`painter_${part}.wasm`));

/** The module that reads and folds, which workers run. */
export const engineModule = async () => WebAssembly.compile(await bytesOf('engine_bg.wasm'));

/** A part of it that only some need. */
export const laterModule = async (part: string) => WebAssembly.compile(await bytesOf(`engine_${part}.wasm`));

/** A worker that waits for `hello`. */
export function newWorker() {
  return new Worker(new URL('engine/worker.js', document.baseURI), { type: 'module' });
}

/** The module that shows profiles, parts of it that only some need, and a worker of it that waits for `hello`. */
export const profilerModule = async () => WebAssembly.compile(await bytesOf('profiler_bg.wasm'));
export const laterProfiler = async (part: string) => WebAssembly.compile(await bytesOf(`profiler_${part}.wasm`));
export const newProfiler = async () => new Worker(new URL('profile/worker.js', document.baseURI), { type: 'module' });

/** Whether traces can be loaded by address. */
export const canFetch = true;

/** How many bytes a file of `static/` has that is here. */
export const sizeOf = (name: string): number | null => STATIC_FILES[name] ?? null;

/** The files of a bundled trace, where they are inside the page: here they are fetched by address. */
export const filesInside = async (_names: string[]): Promise<File[] | null> => null;

/** A part of the page that is not needed at first. */
export async function bytesOf(name: string): Promise<ArrayBuffer> {
  const response = await fetch(new URL(name, document.baseURI)).catch(() => null);
  if (!response?.ok) {
    throw { message: `${name} could not be loaded: ${response ? `the server answered ${response.status}` : 'the server did not answer'}. It is a part of this page; try again.` };
  }
  return response.arrayBuffer();
}
