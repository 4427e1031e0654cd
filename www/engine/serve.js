import { VERSION, failureOf } from './protocol.js';

/**
 * Answers each `{id, command, args}` on `port` with `{id, progress}`* and then one `{id, value}`
 * or `{id, error}`.
 * @param {any} port a worker's own scope or a `MessagePort`
 * @param {import('./protocol.js').Commands} commands
 */
export function serve(port, commands) {
  port.onmessage = async (/** @type {MessageEvent} */ { data: { id, command, args } }) => {
    try {
      const report = (/** @type {any} */ progress) => port.postMessage({ id, progress }, buffersOf(progress));
      const value = await named(commands, command)(args, report);
      port.postMessage({ id, value }, buffersOf(value));
    } catch (thrown) {
      port.postMessage({ id, error: failureOf(thrown) });
    }
  };
}

/**
 * Refuses a page of another build, whose questions may mean something else.
 * @param {{version: number}} args
 */
export function checkVersion({ version }) {
  if (version !== VERSION) {
    throw new Error(`page and engine are of different builds (${version} and ${VERSION}); reload the page`);
  }
  return VERSION;
}

/**
 * @param {import('./protocol.js').Commands} commands
 * @param {string} command
 */
function named(commands, command) {
  if (!Object.hasOwn(commands, command)) throw new Error(`unknown command ${command}`);
  return commands[command];
}

/**
 * The buffers behind the columns of an answer, which are handed over instead of copied.
 * @param {any} value
 * @returns {ArrayBuffer[]}
 */
function buffersOf(value) {
  const parts = ArrayBuffer.isView(value) ? [value] : Object.values(Object(value));
  const buffers = new Set();
  for (const part of parts) {
    const column = ArrayBuffer.isView(part) ? part : part?.bytes;
    if (ArrayBuffer.isView(column)) buffers.add(column.buffer);
  }
  return [...buffers];
}
