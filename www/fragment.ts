// The part of the address behind `#`, as a pure function of the state and back.

import { defaultView, pairsOf, readInto, type ViewState } from './view.ts';
import type { Choices, Source } from './state.ts';

/** What an address asks for. If `whole`, what it leaves out is at its default, whatever the link has
 * inside. */
export type Asked = Choices & { source: Source, whole?: boolean };

/** Longest fragment, in characters, that is looked at: more than browsers keep of an address. */
const LONGEST = 2_500_000;

/** What stands behind `#`; empty when nothing differs from the default. */
export function fragmentFrom({ source, settings, view }: Asked): string {
  const pairs: [string, string][] = [];
  if (source.kind === 'url') pairs.push(...source.addresses.map((address) => ['profileURL', address] as [string, string]));
  if (source.kind === 'link') pairs.push(['s', source.text], ['v', '1']);
  pairs.push(...Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)), ...pairsOf(view));
  return pairs.map(([key, value]) => `${encoded(key)}=${encoded(value)}`).join('&');
}

/** The view state as the names and texts of the fragment, for the inside of a link. */
export function viewPairs(view: ViewState): Record<string, string> {
  const pairs = pairsOf(view);
  const textsOf = (name: string) => pairs.filter(([other]) => other === name).map(([, text]) => wellFormed(text));
  return Object.fromEntries(pairs.map(([name]) => [name, textsOf(name).join(' ')]));
}

/** What an address asks for. Keys that are neither a source nor view state are settings: the engine
 * knows which of them exist, and refuses the others by name. */
export function shownFrom(fragment: string): Asked {
  const settings: [string, string][] = [];
  const addresses: string[] = [];
  let view = defaultView;
  let text = '';
  let whole = false;
  for (const [key, value] of new URLSearchParams(fragment.replace(/^#/, '').slice(0, LONGEST))) {
    const next = readInto(view, key, value);
    if (next) view = next;
    else if (key === 'profileURL' || key === 'url') addresses.push(value);
    else if (key === 's') text = value;
    else if (key === 'v') whole = true;
    else if (key !== '') settings.push([key, value]);
  }
  let source: Source = { kind: 'none' };
  if (text) source = { kind: 'link', text };
  else if (addresses.length > 0) source = { kind: 'url', addresses };
  return { source, settings: Object.fromEntries(settings), view, ...(whole && { whole }) };
}

/** Percent-encoded but for what is harmless and common in names of regions and files. */
function encoded(text: string) {
  return encodeURIComponent(wellFormed(text)).replace(/%(3A|2F|2C|40|20)/g, (_, hex) => (hex === '20' ? '+' : String.fromCharCode(parseInt(hex, 16))));
}

/** Lone surrogates, which no address can hold, become U+FFFD. */
function wellFormed(text: string) {
  return text.replace(/[\ud800-\udfff]/gu, '\ufffd');
}
