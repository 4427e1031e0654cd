// Where the parts of the single-file page lie: in the page, as blocks of data that are base64 of
// gzip. The build puts this module in place of `parts.ts`; a page opened from disk can fetch nothing.

/** Address of the worker's script, once the engine is unpacked. */
let workerAddress = '';

/** The module that paints, which the page itself runs. */
export const painterModule = async () => WebAssembly.compile(await unpacked('painter_bg.wasm'));

/** A part of it that only some need. */
export const laterPainter = async (part: string) => WebAssembly.compile(await unpacked(`painter_${part}.wasm`));

/** The module that reads and folds, which workers run. */
export async function engineModule() {
  const text = new TextDecoder().decode(await unpacked('worker.js'));
  const script = new Blob([`self.ownText=${JSON.stringify(text)};`, text], { type: 'text/javascript' });
  workerAddress = URL.createObjectURL(script);
  return WebAssembly.compile(await unpacked('engine_bg.wasm'));
}

/** A part of it that only some need. */
export const laterModule = async (part: string) => WebAssembly.compile(await unpacked(`engine_${part}.wasm`));

/** A worker that waits for `hello`. */
export const newWorker = () => new Worker(workerAddress);

/** The module that shows profiles, parts of it that only some need, and a worker of it that waits for `hello`. */
export const profilerModule = async () => WebAssembly.compile(await unpacked('profiler_bg.wasm'));
export const laterProfiler = async (part: string) => WebAssembly.compile(await unpacked(`profiler_${part}.wasm`));
export const newProfiler = async () => new Worker(URL.createObjectURL(new Blob([await unpacked('profiler.js')], { type: 'text/javascript' })));

/** Whether traces can be loaded by address. */
export const canFetch = false;

/** How many bytes a file of `static/` has that is here. */
export const sizeOf = (name: string): number | null => (blockOf(name) ? (STATIC_FILES[name] ?? null) : null);

/** The files of a bundled trace, where they are inside the page. */
export async function filesInside(names: string[]): Promise<File[] | null> {
  return Promise.all(names.map(async (name) => new File([await unpacked(name)], name)));
}

/** A part of the page that is not needed at first. */
export const bytesOf = (name: string) => unpacked(name.split('/').at(-1) as string);

function blockOf(name: string) {
  return document.getElementById(`inside-${name}`);
}

async function unpacked(name: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(blockOf(name)?.textContent ?? ''), (byte) => byte.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
