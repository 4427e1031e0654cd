import { EngineClient } from './client.js';
import { VERSION } from './protocol.js';

/**
 * One worker per trace: the open trace keeps its worker until another trace is ready.
 */
export class Engine {
  /** @type {Running | null} */
  #open = null;
  /** @type {Running | null} */
  #opening = null;
  /** @type {Promise<WebAssembly.Module> | null} */
  #module = null;
  /** @type {object | null} the start that was asked for last */
  #asked = null;
  #parts;

  /** @param {{engineModule: () => Promise<WebAssembly.Module>, newWorker: () => any}} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** Whether a trace is open, so that there is something to fold. */
  get isOpen() {
    return this.#open !== null;
  }

  /**
   * Fetches and compiles the engine, once for all workers. What failed is tried again.
   * @returns {Promise<WebAssembly.Module>}
   */
  prepare() {
    this.#module ??= this.#parts.engineModule().catch((failure) => {
      this.#module = null;
      throw failure;
    });
    return this.#module;
  }

  /**
   * Starts a worker for another trace, in place of one that is still reading.
   * @returns {Promise<EngineClient>} its client; `adopt` it when its trace is ready
   */
  async start() {
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

  /**
   * Asks the worker of the open trace.
   * @param {string} command
   * @param {any} args
   * @param {{latest?: boolean}} [options]
   * @returns {Promise<any>}
   */
  async call(command, args, options) {
    const running = this.#open;
    if (!running) throw { message: 'no trace is open' };
    try {
      return await running.client.call(command, args, options);
    } catch (/** @type {any} */ failure) {
      if (failure.crashed) this.#ended(running);
      throw failure;
    }
  }

  /** @param {Running} running */
  #ended(running) {
    running.worker.terminate();
    if (this.#open === running) this.#open = null;
    if (this.#opening === running) this.#opening = null;
  }
}

/** A worker with its client. */
class Running {
  /**
   * @param {any} worker a `Worker`
   * @param {() => void} onCrash
   */
  constructor(worker, onCrash) {
    this.worker = worker;
    this.client = new EngineClient(worker);
    worker.onerror = (/** @type {ErrorEvent} */ { message }) => {
      onCrash();
      this.client.fail({ message: message || 'the engine could not be started', crashed: true });
    };
  }

  /** @param {string} reason */
  end(reason) {
    this.worker.terminate();
    this.client.fail({ message: reason, stale: true });
  }
}
