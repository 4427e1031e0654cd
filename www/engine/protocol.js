// What page and worker say to each other. The page asks `{id, command, args}`; the worker answers
// with any number of `{id, progress}` and then one `{id, value}` or one `{id, error}`. The progress of
// `open` is a `Progress` or an `EarlyFolding`.

/** Both sides must be of one build: the first command of a worker is `hello`, with this number. */
export const VERSION = 1;

/**
 * @typedef {{id: number, command: string, args: any}} Question
 * @typedef {{id: number, progress?: any, value?: any, error?: EngineFailure}} Answer
 * @typedef {import('../tracefold.js').Failure & {crashed?: boolean, stale?: boolean}} EngineFailure
 * @typedef {Record<string, (args: any, report: (progress: any) => void) => any>} Commands
 */

/**
 * The plain form in which a thrown value crosses the border: its words and its place.
 * @param {any} thrown
 * @returns {EngineFailure}
 */
export function failureOf(thrown) {
  if (typeof thrown !== 'object' || thrown === null) return { message: String(thrown) };
  /** @type {any} */
  const failure = { message: String(thrown.message ?? 'unknown failure') };
  for (const key of ['file', 'line', 'column', 'full', 'code', 'crashed', 'stale']) {
    if (thrown[key] !== undefined) failure[key] = thrown[key];
  }
  if (thrown instanceof WebAssembly.RuntimeError) failure.crashed = true;
  return failure;
}
