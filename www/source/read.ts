// Which source file belongs to a file of the trace, and what it says: offered by a person, or at an
// address that the link names.

import { consentNeeded, nameAt, webAddress } from '../actions/addresses.ts';
import { fetchAll } from '../actions/fetch.ts';
import { checkSourceSize, SourceFile } from '../wasm/painter.js';
import type { Offer, Offered } from './offered.ts';

/** There is no such file; why, if that can be said. */
type None = { kind: 'none', words: string };
/** Several have the name. */
type Choice = { kind: 'choice', offers: Offer[] };
type Consent = { kind: 'consent', hosts: string[], addresses: string[] };
type Refused = { kind: 'refused', path: string, words: string };
type Text = { kind: 'text', path: string, file: SourceFile, offers: Offer[] };

export type Source = None | Choice | Consent | Refused | Text;

/**
 * @param file name in the trace
 * @param chosen path of one of several
 */
export async function sourceOf(file: string, offered: Offered, addresses: string[], chosen: string | undefined): Promise<Source> {
  const offers = offered.find(file);
  const offer = offers.length > 1 ? offers.find(({ path }) => path === chosen) : offers[0];
  if (offer) return textOf(file, offer, offers);
  if (offers.length > 1) return { kind: 'choice', offers };
  return sourceAt(file, addresses);
}

async function textOf(name: string, { path, open }: Offer, offers: Offer[]): Promise<Refused | Text> {
  try {
    const blob = await open();
    checkSourceSize(blob.size);
    return { kind: 'text', path, file: new SourceFile(name, new Uint8Array(await blob.arrayBuffer())), offers };
  } catch (failure: any) {
    return { kind: 'refused', path, words: failure.message ?? String(failure) };
  }
}

async function sourceAt(file: string, addresses: string[]): Promise<None | Consent | Refused | Text> {
  const name = file.split(/[/\\]/).at(-1) ?? file;
  const fitting = addresses.filter((address) => address.endsWith('/') || nameAt(address) === name);
  if (fitting.length === 0) return { kind: 'none', words: '' };
  let words: string | null = null;
  for (const address of fitting) {
    const isFolder = address.endsWith('/');
    try {
      const hosts = consentNeeded([address], 'sourceURL');
      if (hosts.length > 0) return { kind: 'consent', hosts, addresses };
      const url = isFolder ? new URL(encodeURIComponent(name), webAddress(address, 'sourceURL')) : webAddress(address, 'sourceURL');
      const found = await fetched(url, !isFolder);
      if (found) return await textOf(file, { path: url.href, open: async () => found }, []);
    } catch (failure: any) {
      words ??= failure.message ?? String(failure);
    }
  }
  return { kind: 'none', words: words ?? `${fitting.join(', ')} ${fitting.length === 1 ? 'has' : 'have'} no ${name}.` };
}

async function fetched(url: URL, needed: boolean): Promise<Blob | undefined> {
  const limit = new AbortController();
  const report = ({ done }: { done: number }) => {
    try {
      checkSourceSize(done);
    } catch {
      limit.abort({ message: `${url.href} is larger than any source file.` });
    }
  };
  const [found] = await fetchAll([{ url, needed }], report, limit.signal);
  return found;
}
