import { VERSION, failureOf, type Commands } from './protocol.ts';

/** Answers each `{id, command, args}` on `port` with `{id, progress}`* and then one `{id, value}` or
 * `{id, error}`. The port is a worker's own scope or a `MessagePort`. */
export function serve(port: any, commands: Commands) {
  port.onmessage = async ({ data: { id, command, args } }: MessageEvent) => {
    try {
      const report = (progress: any) => port.postMessage({ id, progress }, buffersOf(progress));
      const value = await named(commands, command)(args, report);
      port.postMessage({ id, value }, buffersOf(value));
    } catch (thrown) {
      port.postMessage({ id, error: failureOf(thrown) });
    }
  };
}

/** Refuses a page of another build, whose questions may mean something else. */
export function checkVersion({ version }: { version: number }) {
  if (version !== VERSION) {
    throw new Error(`page and engine are of different builds (${version} and ${VERSION}); reload the page`);
  }
  return VERSION;
}

function named(commands: Commands, command: string) {
  if (!Object.hasOwn(commands, command)) throw new Error(`unknown command ${command}`);
  return commands[command];
}

/** The buffers behind the columns of an answer, which are handed over instead of copied. */
function buffersOf(value: any): ArrayBuffer[] {
  const parts: any[] = ArrayBuffer.isView(value) ? [value] : Object.values(Object(value));
  const buffers = new Set<ArrayBuffer>();
  for (const part of parts) {
    const column = ArrayBuffer.isView(part) ? part : part?.bytes;
    if (ArrayBuffer.isView(column)) buffers.add(column.buffer as ArrayBuffer);
  }
  return [...buffers];
}
