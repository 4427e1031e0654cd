// Traces named by `profileURL`, and source by `sourceURL`: which files, and from which hosts.

import { canFetch } from '../engine/parts.ts';

const CONSENT = 'tracefold-consent';

/** The address, absolute or relative to the page, that stands behind `key` in the fragment. */
export function webAddress(address: string, key: string = 'profileURL'): URL {
  if (!canFetch) {
    throw { message: 'A page that was opened from disk cannot load from an address. Save the file on this computer and drop it here.' };
  }
  let url;
  try {
    url = new URL(address, document.baseURI);
  } catch {
    throw { message: `${key} is not an address: ${address.slice(0, 80)}` };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw { message: `${key} must begin with http or https, not ${url.protocol}` };
  }
  if (location.protocol === 'https:' && url.protocol === 'http:' && !isThisComputer(url)) {
    throw { message: `Browsers do not let a page of https load from http. Ask ${url.host} by https, or save the file and drop it here.` };
  }
  return url;
}

/** The other hosts among `addresses` that nobody has agreed to yet. */
export function consentNeeded(addresses: string[], key?: string): string[] {
  const agreed = given();
  const others = addresses.filter((address) => webAddress(address, key).origin !== location.origin && !agreed.includes(address));
  return [...new Set(others.map((address) => webAddress(address).host))];
}

/** Notes that the person agrees, and goes to the page that may load from other hosts. */
export function giveConsent(addresses: string[]) {
  sessionStorage.setItem(CONSENT, [...given(), ...addresses].join('\n'));
  const remote = new URL('remote.html', document.baseURI);
  if (location.pathname === remote.pathname) location.reload();
  else location.assign(`${remote.href}${location.search}${location.hash}`);
}

/** The files of a trace: those named and, beside a single `.prv`, its `.pcf` and `.row`, which may
 * be missing. */
export function filesAt(addresses: string[]): { url: URL, needed: boolean }[] {
  const files = addresses.map((address) => ({ url: webAddress(address), needed: true }));
  const [{ url }] = files;
  const stem = /^(.*)\.prv(\.gz|\.bz2)?$/.exec(url.pathname);
  if (files.length > 1 || !stem) return files;
  for (const ending of ['.pcf', '.row']) {
    const beside = new URL(url);
    beside.pathname = stem[1] + ending;
    files.push({ url: beside, needed: false });
  }
  return files;
}

/** The last part of the path. */
export function nameAt(address: string): string {
  const { pathname, host } = new URL(address, document.baseURI);
  const last = pathname.split('/').filter(Boolean).at(-1) ?? host;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function isThisComputer({ hostname }: URL) {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** The addresses that were agreed to in this tab. */
function given() {
  try {
    return (sessionStorage.getItem(CONSENT) ?? '').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
