/**
 * The page's side of an engine: asks on a port and promises the answer.
 */
export class EngineClient {
  /** @type {Map<number, {command: string, resolve: (value: any) => void, reject: (error: any) => void, onProgress?: (progress: any) => void}>} */
  #pending = new Map();
  #lastId = 0;
  /** @type {import('./protocol.js').EngineFailure | null} */
  #dead = null;
  #port;

  /** @param {any} port a `Worker` or a `MessagePort` */
  constructor(port) {
    this.#port = port;
    port.onmessage = (/** @type {MessageEvent} */ { data }) => this.#answered(data);
  }

  /**
   * @param {string} command
   * @param {any} args
   * @param {{onProgress?: (progress: any) => void, latest?: boolean}} [options] with `latest`, an
   *   earlier question of this command is given up: its promise fails as stale and its answer,
   *   when it comes, is dropped
   * @returns {Promise<any>}
   */
  call(command, args, { onProgress, latest = false } = {}) {
    if (this.#dead) return Promise.reject(this.#dead);
    if (latest) this.#giveUp(command);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { command, resolve, reject, onProgress });
      this.#port.postMessage({ id, command, args });
    });
  }

  /**
   * Fails every open question and all that follow: the engine has crashed or was ended.
   * @param {import('./protocol.js').EngineFailure} failure
   */
  fail(failure) {
    this.#dead = failure;
    for (const { reject } of this.#pending.values()) reject(failure);
    this.#pending.clear();
  }

  /** @param {import('./protocol.js').Answer} answer */
  #answered(answer) {
    const question = this.#pending.get(answer.id);
    if (!question) return;
    if (answer.progress !== undefined) {
      question.onProgress?.(answer.progress);
      return;
    }
    this.#pending.delete(answer.id);
    if (answer.error) question.reject(answer.error);
    else question.resolve(answer.value);
  }

  /** @param {string} command */
  #giveUp(command) {
    for (const [id, question] of this.#pending) {
      if (question.command !== command) continue;
      this.#pending.delete(id);
      question.reject({ message: `a newer ${command} was asked for`, stale: true });
    }
  }
}
