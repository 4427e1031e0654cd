// The part of the address behind `#`, as a pure function of the state and back.

import { defaultView, type Source, type State, type ViewState } from './state.ts';

/** If `whole`, what the address leaves out is at its default, whatever the link has inside. */
export type Shown = Pick<State, 'source' | 'settings' | 'view'> & { whole?: boolean };

/** Longest fragment, in characters, that is looked at: more than browsers keep of an address. */
const LONGEST = 2_500_000;

const VIEWS = ['lanes', 'table'] as const;
const COLOURS = ['latency', 'level'] as const;
const STACKS = ['bands', 'icicle'] as const;
const PICKED = /^(routine:.+|object:.+|line:\d+:.+|level:\d+)$/s;
const THEMES = ['auto', 'light', 'dark', 'contrast'] as const;

/** Each name of the view state in the fragment: how it is written (`null`: left out) and read
 * (`undefined`: not understood, the default stays). */
const VIEW_KEYS: { [K in keyof ViewState]: { write: (value: ViewState[K]) => string | null, read: (text: string) => ViewState[K] | undefined } } = {
  shown: { write: (n) => (n === null ? null : String(n)), read: (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined) },
  view: { write: String, read: oneOf(VIEWS) },
  counter: { write: (name) => name, read: (text) => text || undefined },
  model: { write: (name) => name, read: (text) => text || undefined },
  ratios: { write: writeNames, read: readNames },
  range: { write: writeSpan, read: readSpan },
  selection: { write: (span) => span && writeSpan(span), read: readSpan },
  hidden: { write: writeNames, read: readNames },
  picked: { write: (text) => text, read: (text) => (PICKED.test(text) ? text : undefined) },
  object: { write: (name) => name, read: (text) => text || undefined },
  colour: { write: String, read: oneOf(COLOURS) },
  stacks: { write: String, read: oneOf(STACKS) },
  pane: { write: (place) => place, read: (text) => (/^\d{1,9}:./s.test(text) ? text : undefined) },
  sources: { write: () => null, read: () => undefined },
  theme: { write: String, read: oneOf(THEMES) },
};

/** What stands behind `#`; empty when nothing differs from the default. */
export function fragmentFrom({ source, settings, view }: Shown): string {
  const pairs: [string, string][] = [];
  if (source.kind === 'url') pairs.push(...source.addresses.map((address) => ['profileURL', address] as [string, string]));
  pairs.push(...view.sources.map((address) => ['sourceURL', address] as [string, string]));
  if (source.kind === 'link') pairs.push(['s', source.text], ['v', '1']);
  pairs.push(...Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));
  for (const [key, { write }] of Object.entries(VIEW_KEYS) as [keyof ViewState, any][]) {
    const text = write(view[key]);
    if (text !== null && text !== write(defaultView[key])) pairs.push([key, text]);
  }
  return pairs.map(([key, value]) => `${encoded(key)}=${encoded(value)}`).join('&');
}

/** The view state as the names and texts of the fragment, for the inside of a link. */
export function viewPairs(view: ViewState): Record<string, string> {
  const fragment = fragmentFrom({ source: { kind: 'none' }, settings: {}, view });
  const addresses = view.sources.length > 0 && { sourceURL: view.sources.join(' ') };
  return { ...Object.fromEntries(new URLSearchParams(fragment)), ...addresses };
}

/** What an address asks for. Keys that are neither a source nor view state are settings: the engine
 * knows which of them exist, and refuses the others by name. */
export function shownFrom(fragment: string): Shown {
  const settings: [string, string][] = [];
  const addresses: string[] = [];
  const view: any = { ...defaultView };
  let text = '';
  let whole = false;
  for (const [key, value] of new URLSearchParams(fragment.replace(/^#/, '').slice(0, LONGEST))) {
    if (key === 'profileURL' || key === 'url') addresses.push(value);
    // An address has no blanks; several may stand in one value.
    else if (key === 'sourceURL') view.sources = [...view.sources, ...value.split(/\s+/).filter(Boolean)];
    else if (key === 's') text = value;
    else if (Object.hasOwn(VIEW_KEYS, key) && key !== 'sources') {
      const read = VIEW_KEYS[key as keyof ViewState].read(value);
      if (read !== undefined) view[key] = read;
    } else if (key === 'v') whole = true;
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

function oneOf<T extends string>(values: readonly T[]): (text: string) => T | undefined {
  return (text) => values.find((value) => value === text);
}

function writeSpan([a, b]: [number, number]) {
  return `${shortest(a)}_${shortest(b)}`;
}

/** Six decimals: a thousandth of a pixel. */
function shortest(x: number) {
  return String(Number(x.toFixed(6)));
}

function readSpan(text: string): [number, number] | undefined {
  const match = /^(\d(?:\.\d{1,9})?)_(\d(?:\.\d{1,9})?)$/.exec(text);
  if (!match) return undefined;
  const [a, b] = [Number(match[1]), Number(match[2])];
  return a < b && b <= 1 ? [a, b] : undefined;
}

function writeNames(names: string[]) {
  return names.map(encodeURIComponent).join(',') || null;
}

function readNames(text: string) {
  try {
    return text.split(',').filter(Boolean).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
