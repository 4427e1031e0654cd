// The module of profiles: one worker for each profile that is open, and the page's own instance.

import init from '../wasm/profiler.js';
import { EngineClient } from '../engine/client.ts';
import * as parts from '../engine/parts.ts';
import { VERSION } from '../engine/protocol.ts';

/** Parts of the module that wait until one of these is asked for: what reads files, and what writes some. */
const LATER: Record<string, string> = { open: 'files', openBeside: 'files', files: 'export', besideFiles: 'export' };

let module: Promise<WebAssembly.Module> | null = null;

/** The module, for the page and for all workers; what failed is tried again. */
function compiled(): Promise<WebAssembly.Module> {
  module ??= parts.profilerModule().then(async (module) => {
    await init({ module_or_path: module });
    return module;
  }).catch((failure) => {
    module = null;
    throw failure;
  });
  return module;
}

const later = new Map<string, Promise<WebAssembly.Module>>();

/** A part of the module; what failed is tried again. */
function partOf(name: string): Promise<WebAssembly.Module> {
  const part = later.get(name) ?? parts.laterProfiler(name);
  later.set(name, part);
  part.catch(() => later.delete(name));
  return part;
}

/** Loads what reads files, before somebody knows whether it is needed. */
export function prepare() {
  void Promise.all([compiled(), partOf('files')]).catch(() => {});
}

/** A worker with a profile. */
export class Profiler {
  readonly #worker: Worker;
  readonly #client: EngineClient;
  readonly #added = new Set<string>();

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#client = new EngineClient(worker);
    worker.onerror = ({ message }: ErrorEvent) => this.#client.fail({ message: message || 'what reads profiles could not be started', crashed: true });
  }

  static async start(): Promise<Profiler> {
    const [module, worker] = await Promise.all([compiled(), parts.newProfiler()]);
    const profiler = new Profiler(worker);
    await profiler.call('hello', { version: VERSION, module });
    return profiler;
  }

  /** Asks, once the worker has the part of the module that it takes. */
  async call(command: string, args: any, options?: { onProgress?: (progress: any) => void }): Promise<any> {
    const part = LATER[command];
    if (part !== undefined && !this.#added.has(part)) {
      const module = await partOf(part);
      await this.#client.call('add', { module });
      this.#added.add(part);
    }
    return this.#client.call(command, args, options);
  }

  end() {
    this.#worker.terminate();
    this.#client.fail({ message: 'closed', stale: true });
  }
}
