import { EngineClient } from './client.ts';
import { VERSION } from './protocol.ts';
import type { Session } from '../wasm/engine.js';

/** Blocks that each worker may be ahead of the one that joins them: more would fill the memory. */
const AHEAD = 2;

/** Reads a trace with so many workers, this one and others of its own: each reads blocks, this one
 * joins them in the order of the file, so that any number of workers gives the same trace. */
export async function readTogether(session: Session, modules: WebAssembly.Module[], { workers, blocks, asked }: { workers: number, blocks: number, asked: any }) {
  const count = Math.min(workers, blocks) - 1;
  const running = started(count);
  // Without one that does not start, the others read more.
  const starting = running.map((worker) => readerOf(worker, modules, asked).catch(() => null));
  if (session.readFirst()) {
    const readers = (await Promise.all(starting)).filter((reader) => reader !== null);
    await joinBlocks(session, readers, blocks);
  }
  // Where reading fails, the page ends this worker at once, and with it those that it has started. Ended by both
  // at one moment, Chromium at times keeps this one and its memory.
  for (const worker of running) worker.terminate();
}

function started(count: number): Worker[] {
  try {
    return Array.from({ length: count }, anotherWorker());
  } catch {
    return []; // A browser in which workers start none.
  }
}

/** Starts workers of this worker's own script. In a page from disk nothing but a Blob of its own is
 * near enough for a worker to start another: there the script has its own text. */
function anotherWorker(): () => Worker {
  const { ownText } = self as any;
  if (!ownText) return () => new Worker(self.location.href, { type: 'module' });
  const address = URL.createObjectURL(new Blob([ownText], { type: 'text/javascript' }));
  return () => new Worker(address);
}

async function readerOf(worker: Worker, [module, ...parts]: WebAssembly.Module[], asked: any): Promise<EngineClient> {
  const client = new EngineClient(worker);
  worker.onerror = ({ message }) => client.fail({ message: message || 'a worker that reads has ended', crashed: true });
  await client.call('hello', { version: VERSION, module });
  for (const module of parts) await client.call('add', { module });
  await client.call('follow', asked);
  return client;
}

/** Of so many blocks as there are workers, this one reads the first, the others one each. */
async function joinBlocks(session: Session, readers: EngineClient[], blocks: number): Promise<void> {
  const asked: Map<number, Promise<Uint32Array | null>> = new Map();
  const whose = (index: number) => (index - 1) % (readers.length + 1);
  for (let index = 1, next = 1; index < blocks; index += 1) {
    for (; next < Math.min(blocks, index + AHEAD * (readers.length + 1)); next += 1) {
      if (whose(next) === 0) continue;
      // What another worker cannot read, this one reads, or says what is wrong with it.
      const part = readers[whose(next) - 1].call('part', { index: next }).catch(() => null);
      asked.set(next, part);
    }
    const words = await asked.get(index);
    asked.delete(index);
    const goesOn = words ? session.join(index, words) : session.readNext(index);
    if (!goesOn) return;
  }
}
