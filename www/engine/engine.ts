import { EngineClient } from './client.ts';
import { VERSION } from './protocol.ts';

/** One worker per trace: the open trace keeps its worker until another trace is ready. */
export class Engine {
  #open: Running | null = null;
  #opening: Running | null = null;
  #module: Promise<WebAssembly.Module> | null = null;
  /** The start that was asked for last. */
  #asked: object | null = null;
  #parts;

  constructor(parts: { engineModule: () => Promise<WebAssembly.Module>, newWorker: () => Worker }) {
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

  /** Starts a worker for another trace, in place of one that is still reading. Returns its client;
   * `adopt` it when its trace is ready. */
  async start(): Promise<EngineClient> {
    this.cancel();
    const asked = (this.#asked = {});
    const module = await this.prepare();
    if (this.#asked !== asked) throw { message: 'stopped', stale: true };
    const running = new Running(this.#parts.newWorker(), () => this.#ended(running));
    this.#opening = running;
    await running.client.call('hello', { version: VERSION, module });
    return running.client;
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
      return await running.client.call(command, args, options);
    } catch (failure: any) {
      if (failure.crashed) this.#ended(running);
      throw failure;
    }
  }

  #ended(running: Running) {
    running.worker.terminate();
    if (this.#open === running) this.#open = null;
    if (this.#opening === running) this.#opening = null;
  }
}

/** A worker with its client. */
class Running {
  readonly worker: Worker;
  readonly client: EngineClient;

  constructor(worker: Worker, onCrash: () => void) {
    this.worker = worker;
    this.client = new EngineClient(worker);
    worker.onerror = ({ message }: ErrorEvent) => {
      onCrash();
      this.client.fail({ message: message || 'the engine could not be started', crashed: true });
    };
  }

  end(reason: string) {
    this.worker.terminate();
    this.client.fail({ message: reason, stale: true });
  }
}
