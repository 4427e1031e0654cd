// What is said of a link that was made: whether it was copied, and every name that leaves with it.

import { make } from '../dom.ts';
import { counted, fileSize } from '../format.ts';
import type { Shared } from './link.ts';

/** `again` makes the link with pseudonyms or with names. */
export function partsOf({ address, names, inputs }: Shared, isCopied: boolean, pseudonyms: boolean, again: ((pseudonyms: boolean) => void) | null): { parts: HTMLElement[], field: HTMLInputElement } {
  const words = `${fileSize(address.length)}; settings and curves are inside, the trace is not.`;
  const field = make('input', { readonly: '', value: address, 'aria-label': 'Link', 'data-testid': 'share-link' });
  const text = make('p', { role: 'status' }, make('b', {}, isCopied ? 'Link copied.' : 'Copy this link.'), ` ${words}`);
  const count = names.reduce((sum, of) => sum + of.names.length, 0);
  const lists = names.map(({ kind, names }) => [make('dt', {}, counted(names.length, kind)), make('dd', {}, names.join(', '))]);
  const sums = inputs.map(({ name, sha256 }) => make('li', {}, pseudonyms ? '' : `${name} `, make('code', {}, sha256 ?? '')));
  const list = make('details', { class: 'leaving', 'data-testid': 'share-names' },
    make('summary', {}, pseudonyms ? `${counted(count, 'pseudonym')}, no name` : `${counted(count, 'name')} leave with it`),
    make('dl', {}, ...lists.flat()),
    ...(sums.length > 0 ? [make('p', {}, 'SHA-256 of the files'), make('ul', {}, ...sums)] : []));
  const turn = make('input', { type: 'checkbox', 'data-testid': 'share-pseudonyms' });
  turn.checked = pseudonyms;
  turn.addEventListener('change', () => again?.(turn.checked));
  const label = make('label', {}, turn, ' Pseudonyms for all names; numbers stay');
  return { parts: [text, field, list, ...(again ? [label] : [])], field };
}
