// Which source file belongs to a file of the trace, and what it says: offered by a person, or at an
// address that the link names.

import { consentNeeded, nameAt, webAddress } from '../actions/addresses.js';
import { fetchAll } from '../actions/fetch.js';
import { linesOf } from './text.js';

/**
 * @typedef {import('./offered.js').Offer} Offer
 *
 * @typedef {{kind: 'none', words: string}} None there is no such file; why, if that can be said
 * @typedef {{kind: 'choice', offers: Offer[]}} Choice several have the name
 * @typedef {{kind: 'consent', hosts: string[], addresses: string[]}} Consent
 * @typedef {{kind: 'refused', path: string, words: string}} Refused
 * @typedef {{kind: 'text', path: string, lines: string[], offers: Offer[]}} Text
 */

/** More is not loaded from an address. */
const LARGEST_BYTES = 8e6;

/**
 * @param {string} file name in the trace
 * @param {import('./offered.js').Offered} offered
 * @param {string[]} addresses
 * @param {string | undefined} chosen path of one of several
 * @returns {Promise<None | Choice | Consent | Refused | Text>}
 */
export async function sourceOf(file, offered, addresses, chosen) {
  const offers = offered.find(file);
  const offer = offers.length > 1 ? offers.find(({ path }) => path === chosen) : offers[0];
  if (offer) return textOf(offer, offers);
  if (offers.length > 1) return { kind: 'choice', offers };
  return sourceAt(file, addresses);
}

/** @type {(offer: Offer, offers: Offer[]) => Promise<Refused | Text>} */
async function textOf({ path, open }, offers) {
  try {
    return { kind: 'text', path, lines: await linesOf(await open()), offers };
  } catch (/** @type {any} */ failure) {
    return { kind: 'refused', path, words: failure.message ?? String(failure) };
  }
}

/** @type {(file: string, addresses: string[]) => Promise<None | Consent | Refused | Text>} */
async function sourceAt(file, addresses) {
  const name = file.split(/[/\\]/).at(-1) ?? file;
  const fitting = addresses.filter((address) => address.endsWith('/') || nameAt(address) === name);
  if (fitting.length === 0) return { kind: 'none', words: '' };
  /** @type {string | null} */
  let words = null;
  for (const address of fitting) {
    const isFolder = address.endsWith('/');
    try {
      const hosts = consentNeeded([address], 'sourceURL');
      if (hosts.length > 0) return { kind: 'consent', hosts, addresses };
      const url = isFolder ? new URL(encodeURIComponent(name), webAddress(address, 'sourceURL')) : webAddress(address, 'sourceURL');
      const found = await fetched(url, !isFolder);
      if (found) return await textOf({ path: url.href, open: async () => found }, []);
    } catch (/** @type {any} */ failure) {
      words ??= failure.message ?? String(failure);
    }
  }
  return { kind: 'none', words: words ?? `${fitting.join(', ')} ${fitting.length === 1 ? 'has' : 'have'} no ${name}.` };
}

/** @type {(url: URL, needed: boolean) => Promise<Blob | undefined>} */
async function fetched(url, needed) {
  const limit = new AbortController();
  const tooLarge = { message: `${url.href} is larger than any source file.` };
  const report = (/** @type {{done: number}} */ { done }) => done > LARGEST_BYTES && limit.abort(tooLarge);
  const [found] = await fetchAll([{ url, needed }], report, limit.signal);
  return found;
}
