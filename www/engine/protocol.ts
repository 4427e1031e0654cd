// What page and worker say to each other. The page asks `{id, command, args}`; the worker answers
// with any number of `{id, progress}` and then one `{id, value}` or one `{id, error}`. The progress of
// `open` is a `Progressed` or an `EarlyFolding`.

import type { Failure } from '../wasm/painter.js';

/** Both sides must be of one build: the first command of a worker is `hello`, with this number. */
export const VERSION = 1;

export type Answer = { id: number, progress?: any, value?: any, error?: EngineFailure };

export type EngineFailure = Failure & { crashed?: boolean, stale?: boolean };

export type Commands = Record<string, (args: any, report: (progress: any) => void) => any>;

/** The plain form in which a thrown value crosses the border: its words and its place. */
export function failureOf(thrown: any): EngineFailure {
  if (typeof thrown !== 'object' || thrown === null) return { message: String(thrown) };
  const failure: any = { message: String(thrown.message ?? 'unknown failure') };
  for (const key of ['file', 'line', 'column', 'full', 'code', 'crashed', 'stale']) {
    if (thrown[key] !== undefined) failure[key] = thrown[key];
  }
  if (thrown instanceof WebAssembly.RuntimeError) failure.crashed = true;
  return failure;
}
