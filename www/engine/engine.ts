import { EngineClient } from './client.ts';
import { VERSION } from './protocol.ts';
import type { Digested, Input } from '../wasm/engine.js';

/** Parts of the engine that wait until one of these is asked for. */
const LATER: Record<string, Later | Later[]> = { see: 'run', look: 'run', glance: 'run', foldClusters: 'run', exportFile: 'export', exportRun: 'export', course: 'course', digest: 'export', profile: 'profile', wholeRun: ['run', 'profile'], runUse: 'run' };

/** What looks for repetition and reads timelines; what writes files; what reads files that are no plain trace of Paraver; what tells of instances over the run; what reads models in XML and formulas that are typed; what makes profiles. */
type Later = 'run' | 'export' | 'formats' | 'course' | 'models' | 'profile';

function laterOf(command: string, { models, settings }: { models?: unknown[], settings?: Record<string, string> } = {}): Later[] {
  return [...[LATER[command] ?? []].flat(), ...(models?.length || settings?.expressions ? ['models' as const] : [])];
}

interface Parts {
  engineModule: () => Promise<WebAssembly.Module>;
  laterModule: (part: string) => Promise<WebAssembly.Module>;
  newWorker: () => Worker;
}

/** One worker per trace: the open trace keeps its worker until another trace is ready. */
export class Engine {
  #open: Running | null = null;
  #opening: Running | null = null;
  #module: Promise<WebAssembly.Module> | null = null;
  /** The start that was asked for last. */
  #asked: object | null = null;
  readonly #later = new Map<Later, Promise<WebAssembly.Module>>();
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether a trace is open, so that there is something to fold. */
  get isOpen() {
    return this.#open !== null;
  }

  /** Fetches and compiles the engine, once for all workers. What failed is tried again. */
  prepare(): Promise<WebAssembly.Module> {
    this.#module ??= this.#parts.engineModule().catch((failure) => {
      this.#module = null;
      throw failure;
    });
    return this.#module;
  }

  /** Starts a worker for another trace, in place of one that is still reading; `adopt` it when its
   * trace is ready. */
  async start(): Promise<Running> {
    this.cancel();
    const asked = (this.#asked = {});
    const module = await this.prepare();
    if (this.#asked !== asked) throw { message: 'stopped', stale: true };
    const running = new Running(this.#parts.newWorker(), (part) => this.#laterModule(part), () => this.#ended(running));
    this.#opening = running;
    await running.call('hello', { version: VERSION, module });
    return running;
  }

  /** The trace being opened is ready: the worker of the one before ends. */
  adopt() {
    this.#open?.end('another trace was opened');
    this.#open = this.#opening;
    this.#opening = null;
  }

  /** Stops the trace being opened; the open one is not touched. */
  cancel() {
    this.#asked = null;
    this.#opening?.end('stopped');
    this.#opening = null;
  }

  /** Ends the open trace's worker: a picture from a link takes its place. */
  close() {
    this.#open?.end('closed');
    this.#open = null;
  }

  /** Asks the worker of the open trace. */
  async call(command: string, args: any, options?: { latest?: boolean }): Promise<any> {
    const running = this.#open;
    if (!running) throw { message: 'no trace is open' };
    try {
      return await running.call(command, args, options);
    } catch (failure: any) {
      if (failure.crashed) this.#ended(running);
      throw failure;
    }
  }

  /** SHA-256 of files, by a worker of its own: the one of the open trace is free meanwhile. */
  async digest(dropped: { files: File[], names: string[] }, onProgress: (digested: Digested) => void): Promise<Input[]> {
    const module = await this.prepare();
    const running = new Running(this.#parts.newWorker(), (part) => this.#laterModule(part), () => {});
    try {
      await running.call('hello', { version: VERSION, module });
      return await running.call('digest', dropped, { onProgress });
    } finally {
      running.end('done');
    }
  }

  #laterModule(part: Later): Promise<WebAssembly.Module> {
    const module = this.#later.get(part) ?? this.#parts.laterModule(part);
    this.#later.set(part, module);
    module.catch(() => this.#later.delete(part));
    return module;
  }

  #ended(running: Running) {
    running.worker.terminate();
    if (this.#open === running) this.#open = null;
    if (this.#opening === running) this.#opening = null;
  }
}

/** A worker that can be asked. */
export class Running {
  readonly worker: Worker;
  readonly #client: EngineClient;
  readonly #later;
  readonly #added = new Map<Later, Promise<unknown>>();

  constructor(worker: Worker, later: (part: Later) => Promise<WebAssembly.Module>, onCrash: () => void) {
    this.worker = worker;
    this.#later = later;
    this.#client = new EngineClient(worker);
    worker.onerror = ({ message }: ErrorEvent) => {
      onCrash();
      this.#client.fail({ message: message || 'the engine could not be started', crashed: true });
    };
  }

  /** Asks, once the worker has the part of the engine that it takes. */
  async call(command: string, args?: any, options?: { onProgress?: (progress: any) => void, latest?: boolean }): Promise<any> {
    const parts: Later[] = command === 'open' ? await this.#client.call('parts', args) : laterOf(command, args);
    if (parts.length > 0) await Promise.all(parts.map((part) => this.#add(part)));
    return this.#client.call(command, args, options);
  }

  end(reason: string) {
    this.worker.terminate();
    this.#client.fail({ message: reason, stale: true });
  }

  #add(part: Later): Promise<unknown> {
    const adding = this.#added.get(part) ?? this.#later(part).then((module) => this.#client.call('add', { module }));
    this.#added.set(part, adding);
    adding.catch(() => this.#added.delete(part));
    return adding;
  }
}
