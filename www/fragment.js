// The part of the address behind `#`, as a pure function of the state and back.

import { defaultView } from './state.js';

/**
 * @typedef {import('./state.js').ViewState} ViewState
 * @typedef {Pick<import('./state.js').State, 'source' | 'settings' | 'view'> & {whole?: boolean}} Shown
 *   `whole`: what the address leaves out is at its default, whatever the link has inside
 */

/** Longest fragment, in characters, that is looked at: more than browsers keep of an address. */
const LONGEST = 2_500_000;

const VIEWS = /** @type {const} */ (['lanes', 'table']);
const COLOURS = /** @type {const} */ (['latency', 'level']);
const STACKS = /** @type {const} */ (['bands', 'icicle']);
const PICKED = /^(routine:.+|object:.+|line:\d+:.+|level:\d+)$/s;
const THEMES = /** @type {const} */ (['auto', 'light', 'dark', 'contrast']);

/**
 * Each name of the view state in the fragment: how it is written (`null`: left out) and read
 * (`undefined`: not understood, the default stays).
 * @type {{[K in keyof ViewState]: {write: (value: ViewState[K]) => string | null, read: (text: string) => ViewState[K] | undefined}}}
 */
const VIEW_KEYS = {
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

/**
 * @param {Shown} shown
 * @returns {string} without `#`; empty when nothing differs from the default
 */
export function fragmentFrom({ source, settings, view }) {
  /** @type {[string, string][]} */
  const pairs = [];
  if (source.kind === 'url') pairs.push(...source.addresses.map((address) => /** @type {[string, string]} */ (['profileURL', address])));
  pairs.push(...view.sources.map((address) => /** @type {[string, string]} */ (['sourceURL', address])));
  if (source.kind === 'link') pairs.push(['s', source.text], ['v', '1']);
  pairs.push(...Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));
  for (const [key, { write }] of /** @type {[keyof ViewState, any][]} */ (Object.entries(VIEW_KEYS))) {
    const text = write(view[key]);
    if (text !== null && text !== write(defaultView[key])) pairs.push([key, text]);
  }
  return pairs.map(([key, value]) => `${encoded(key)}=${encoded(value)}`).join('&');
}

/**
 * The view state as the names and texts of the fragment, for the inside of a link.
 * @param {ViewState} view
 * @returns {Record<string, string>}
 */
export function viewPairs(view) {
  const fragment = fragmentFrom({ source: { kind: 'none' }, settings: {}, view });
  const addresses = view.sources.length > 0 && { sourceURL: view.sources.join(' ') };
  return { ...Object.fromEntries(new URLSearchParams(fragment)), ...addresses };
}

/**
 * What an address asks for. Keys that are neither a source nor view state are settings: the engine
 * knows which of them exist, and refuses the others by name.
 * @param {string} fragment with or without `#`
 * @returns {Shown}
 */
export function shownFrom(fragment) {
  /** @type {[string, string][]} */
  const settings = [];
  /** @type {string[]} */
  const addresses = [];
  /** @type {any} */
  const view = { ...defaultView };
  let text = '';
  let whole = false;
  for (const [key, value] of new URLSearchParams(fragment.replace(/^#/, '').slice(0, LONGEST))) {
    if (key === 'profileURL' || key === 'url') addresses.push(value);
    // An address has no blanks; several may stand in one value.
    else if (key === 'sourceURL') view.sources = [...view.sources, ...value.split(/\s+/).filter(Boolean)];
    else if (key === 's') text = value;
    else if (Object.hasOwn(VIEW_KEYS, key) && key !== 'sources') {
      const read = VIEW_KEYS[/** @type {keyof ViewState} */ (key)].read(value);
      if (read !== undefined) view[key] = read;
    } else if (key === 'v') whole = true;
    else if (key !== '') settings.push([key, value]);
  }
  /** @type {import('./state.js').Source} */
  let source = { kind: 'none' };
  if (text) source = { kind: 'link', text };
  else if (addresses.length > 0) source = { kind: 'url', addresses };
  return { source, settings: Object.fromEntries(settings), view, ...(whole && { whole }) };
}

/**
 * Percent-encoded but for what is harmless and common in names of regions and files.
 * @param {string} text
 */
function encoded(text) {
  return encodeURIComponent(wellFormed(text)).replace(/%(3A|2F|2C|40|20)/g, (_, hex) => (hex === '20' ? '+' : String.fromCharCode(parseInt(hex, 16))));
}

/**
 * Lone surrogates, which no address can hold, become U+FFFD.
 * @param {string} text
 */
function wellFormed(text) {
  return text.replace(/[\ud800-\udfff]/gu, '\ufffd');
}

/**
 * @template {string} T
 * @param {readonly T[]} values
 * @returns {(text: string) => T | undefined}
 */
function oneOf(values) {
  return (text) => values.find((value) => value === text);
}

/** @param {[number, number]} span */
function writeSpan([a, b]) {
  return `${shortest(a)}_${shortest(b)}`;
}

/**
 * Six decimals: a thousandth of a pixel.
 * @param {number} x
 */
function shortest(x) {
  return String(Number(x.toFixed(6)));
}

/**
 * @param {string} text
 * @returns {[number, number] | undefined}
 */
function readSpan(text) {
  const match = /^(\d(?:\.\d{1,9})?)_(\d(?:\.\d{1,9})?)$/.exec(text);
  if (!match) return undefined;
  const [a, b] = [Number(match[1]), Number(match[2])];
  return a < b && b <= 1 ? [a, b] : undefined;
}

/** @param {string[]} names */
function writeNames(names) {
  return names.map(encodeURIComponent).join(',') || null;
}

/** @param {string} text */
function readNames(text) {
  try {
    return text.split(',').filter(Boolean).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
