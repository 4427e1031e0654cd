// Files of a trace from a web server, streamed into a `File` that the browser keeps, not the page.

import { fileSize } from '../format.ts';
import { nameAt } from './addresses.ts';
import type { Progressed } from '../wasm/engine.js';

/** So much is handed to the browser at a time; it may keep it on disk. */
const PART_BYTES = 8 << 20;

type Wanted = { url: URL, needed: boolean };

/** The files at the addresses, without those that are not needed and not there. */
export async function fetchAll(files: Wanted[], report: (progress: Progressed) => void, signal: AbortSignal): Promise<File[]> {
  const found = [];
  for (const wanted of files) {
    const file = await fetchOne(wanted, report, signal);
    if (file) found.push(file);
  }
  return found;
}

/** As it is now: a trace of the same name may be a newer one. */
async function fetchOne({ url, needed }: Wanted, report: (progress: Progressed) => void, signal: AbortSignal): Promise<File | null> {
  const name = nameAt(url.href);
  const response = await fetch(url, { credentials: 'same-origin', cache: 'no-cache', signal }).catch(() => null);
  signal.throwIfAborted();
  if (!response?.ok) {
    if (!needed) return null;
    throw { message: response ? refusal(url, response.status) : await silence(url, signal), file: name };
  }
  const total = Number(response.headers.get('content-length') ?? 0);
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  let done = 0;
  for (;;) {
    const { value, done: isEnd } = await reader.read().catch(() => {
      signal.throwIfAborted();
      throw { message: brokenOff(url, done, total), file: name };
    });
    if (isEnd) break;
    if (done === 0 && isWebPage(value)) {
      reader.cancel();
      if (!needed) return null;
      throw { message: webPage(url), file: name };
    }
    chunks.push(value);
    waiting += value.length;
    done += value.length;
    if (waiting > PART_BYTES) {
      parts.push(new Blob(chunks));
      chunks = [];
      waiting = 0;
    }
    report({ phase: `Loading ${name}`, done, total: Math.max(done, total) });
  }
  return new File([...parts, ...chunks], name);
}

/** Whether it begins as HTML: servers answer with a page where they have no file, or want a login. */
function isWebPage(bytes: Uint8Array) {
  return /^\s*<(!doctype html|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 200)));
}

function webPage({ host }: URL) {
  return `${host} answered with a web page, not with a trace. Perhaps it asks for a login: open the address in a tab of its own, save the file and drop it here`;
}

function refusal({ host }: URL, status: number): string {
  const answer = `the server ${host} answered ${status}`;
  if (status === 404 || status === 410) return `it is not there: ${answer}. Compare the address with the name of the file`;
  if (status === 401 || status === 403) return `it may not be read: ${answer}. Let the server hand the file out, or save it and drop it here`;
  if (status >= 500) return `${answer}, which is a fault over there. Try again later`;
  return `${answer}. Save the file and drop it here`;
}

function brokenOff({ host }: URL, done: number, total: number): string {
  return `the connection to ${host} broke off after ${fileSize(done)}${total > done ? ` of ${fileSize(total)}` : ''}. Try again, or save the file and drop it here`;
}

/** Why there was no answer. A browser does not tell a page; but a server that answers a request
 * whose answer nobody may read is there, and has only not allowed other pages to read it. */
async function silence(url: URL, signal: AbortSignal): Promise<string> {
  const { host, origin } = url;
  const isOther = origin !== location.origin;
  const look = new AbortController();
  const isThere = isOther && (await fetch(url, { mode: 'no-cors', credentials: 'omit', signal: look.signal }).then(() => true, () => false));
  look.abort();
  signal.throwIfAborted();
  if (isThere) {
    return `${host} does not allow this page to read it. Its server must send the header Access-Control-Allow-Origin: ${location.origin} (or *). Or save the file and drop it here`;
  }
  return `${host} did not answer. Compare the address, and see whether the server runs and can be reached from here`;
}
