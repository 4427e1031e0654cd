import type { Answer, EngineFailure } from './protocol.ts';

/** The page's side of an engine: asks on a port and promises the answer. */
export class EngineClient {
  #pending: Map<number, { command: string, resolve: (value: any) => void, reject: (error: any) => void, onProgress?: (progress: any) => void }> = new Map();
  #lastId = 0;
  #dead: EngineFailure | null = null;
  #port;

  constructor(port: Worker | MessagePort) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent) => this.#answered(data);
  }

  /** With `latest`, an earlier question of this command is given up: its promise fails as
   * stale and its answer, when it comes, is dropped. */
  call(command: string, args: any, { onProgress, latest = false }: { onProgress?: (progress: any) => void, latest?: boolean } = {}): Promise<any> {
    if (this.#dead) return Promise.reject(this.#dead);
    if (latest) this.#giveUp(command);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { command, resolve, reject, onProgress });
      this.#port.postMessage({ id, command, args });
    });
  }

  /** Fails every open question and all that follow: the engine has crashed or was ended. */
  fail(failure: EngineFailure) {
    this.#dead = failure;
    for (const { reject } of this.#pending.values()) reject(failure);
    this.#pending.clear();
  }

  #answered(answer: Answer) {
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

  #giveUp(command: string) {
    for (const [id, question] of this.#pending) {
      if (question.command !== command) continue;
      this.#pending.delete(id);
      question.reject({ message: `a newer ${command} was asked for`, stale: true });
    }
  }
}
