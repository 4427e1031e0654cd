// Traces named by `profileURL`: which files, from which hosts, and their bytes.

const CONSENT = 'tracefold-consent';

/**
 * @param {string} address absolute, or relative to the page
 * @returns {URL} of http or https
 */
export function webAddress(address) {
  let url;
  try {
    url = new URL(address, document.baseURI);
  } catch {
    throw { message: `profileURL is not an address: ${address.slice(0, 80)}` };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw { message: `profileURL must begin with http or https, not ${url.protocol}` };
  }
  return url;
}

/**
 * The other hosts among `addresses` that nobody has agreed to yet.
 * @param {string[]} addresses
 * @returns {string[]}
 */
export function consentNeeded(addresses) {
  const others = addresses.map(webAddress).filter((url) => url.origin !== location.origin);
  if (others.length === 0 || given() === addresses.join('\n')) return [];
  return [...new Set(others.map((url) => url.host))];
}

/**
 * Notes that the person agrees, and goes to the page that may load from other hosts.
 * @param {string[]} addresses
 */
export function giveConsent(addresses) {
  sessionStorage.setItem(CONSENT, addresses.join('\n'));
  const remote = new URL('remote.html', document.baseURI);
  if (location.pathname === remote.pathname) location.reload();
  else location.assign(`${remote.href}${location.hash}`);
}

/**
 * The files of a trace: those named and, beside a single `.prv`, its `.pcf` and `.row`, which may
 * be missing.
 * @param {string[]} addresses
 * @returns {Promise<{url: URL, needed: boolean}[]>}
 */
export async function filesAt(addresses) {
  const files = addresses.map((address) => ({ url: webAddress(address), needed: true }));
  const [{ url }] = files;
  const stem = /^(.*)\.prv(\.gz)?$/.exec(url.pathname);
  if (files.length > 1 || !stem) return files;
  for (const ending of ['.pcf', '.row']) {
    const beside = new URL(url);
    beside.pathname = stem[1] + ending;
    files.push({ url: beside, needed: false });
  }
  return files;
}

/**
 * @param {{url: URL, needed: boolean}[]} files
 * @param {(progress: import('../tracefold.js').Progress) => void} report
 * @returns {Promise<{names: string[], buffers: Uint8Array[]}>}
 */
export async function fetchAll(files, report) {
  const names = [];
  const buffers = [];
  for (const { url, needed } of files) {
    const name = nameAt(url.href);
    const response = await fetch(url, { credentials: 'same-origin' }).catch(() => null);
    if (!response?.ok) {
      if (!needed) continue;
      throw { message: response ? `${name} is not there: the server answered ${response.status}` : `${name} could not be loaded: ${url.host} did not answer, or does not allow other pages to read it`, file: name };
    }
    names.push(name);
    buffers.push(await bytesOf(response, (done, total) => report({ phase: `Loading ${name}`, done, total })));
  }
  return { names, buffers };
}

/**
 * @param {string} address
 * @returns {string} last part of the path
 */
export function nameAt(address) {
  const { pathname, host } = new URL(address, document.baseURI);
  const last = pathname.split('/').filter(Boolean).at(-1) ?? host;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/**
 * @param {Response} response
 * @param {(done: number, total: number) => void} report
 * @returns {Promise<Uint8Array>}
 */
async function bytesOf(response, report) {
  const total = Number(response.headers.get('content-length') ?? 0);
  const chunks = [];
  let done = 0;
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    done += part.value.length;
    report(done, Math.max(done, total));
  }
  const bytes = new Uint8Array(done);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** What was agreed to in this tab, if anything. */
function given() {
  try {
    return sessionStorage.getItem(CONSENT);
  } catch {
    return null;
  }
}
