// What is shown of a folding, one row for each key; it changes no number.

import type { GroupSummary } from './wasm/painter.js';

interface Row<T> {
  default: T;
  /** How it stands in the address, once for each text; without one it is left out. */
  write: (value: T) => string[];
  /** `undefined` if the text is not understood; `before` is what stood before it in the address. */
  read: (text: string, before: T) => T | undefined;
  /** In the address, if it is not the key itself. */
  name?: string;
  /** It is of one region or of one trace, and at its default in another. */
  of?: 'region' | 'trace';
  /** What is said if the group has no such thing, and the default is shown; it may be nothing. */
  missing?: (value: NonNullable<T>, group: GroupSummary) => string | undefined;
}

const row = <T>(of: Row<T>): Row<T> => of;

const ROWS = {
  /** Addresses of source files, or of folders of them, which end in a slash. */
  sources: row({ name: 'sourceURL', ...addresses() }),
  /** Group on screen; `null` is the most populated. */
  shown: row({
    of: 'region', ...whole(/^[1-9]\d{0,8}$/),
    missing: (shown, { number }) => (shown === number ? undefined : `There is no group ${shown} here; group ${number} is shown.`),
  }),
  view: row(oneOf('lanes', 'table')),
  /** The run, one region of it, how well threads are used, or who spends the time; by itself the one that
   * answers most. */
  tab: row({ of: 'trace', ...oneOf('auto', 'run', 'region', 'efficiency', 'profile') }),
  /** What is looked at of a profile, as `profile/looked.ts` reads it. */
  profile: row({ of: 'trace', ...text(/./s) }),
  /** The efficiency that is explained. */
  metric: row({ of: 'trace', ...text(/^[a-z_]{1,40}$/) }),
  /** What is visible of the run. */
  window: row<Span>({ name: 'run', of: 'trace', default: [0, 1], write: (range) => [writeSpan(range)], read: readSpan }),
  /** What the colours of the time line tell. */
  by: row({ of: 'trace', ...oneOf('cluster', 'duration', 'ipc', 'activity') }),
  /** What bursts lie by as points. */
  plane: row({ of: 'trace', ...oneOf('instructions', 'duration') }),
  /** What is brushed of the points: least and largest value across, then up, then the corners of a
   * lasso. */
  brush: row<Brush | null>({ of: 'trace', default: null, write: (brush) => (brush === null ? [] : [brush.map((value) => Number(value.toPrecision(6))).join('_')]), read: readBrush }),
  /** Whether the distances between bursts are shown. */
  distances: row({ of: 'trace', ...oneOf('hidden', 'shown') }),
  /** The counter whose rates between readings are shown. */
  rates: row({ of: 'trace', ...text(/./s) }),
  /** Whether all clusters are shown folded. */
  multiples: row({ of: 'trace', ...oneOf('hidden', 'shown') }),
  /** Clusters that are marked. */
  clusters: row<number[]>({
    of: 'trace', default: [], write: (numbers) => (numbers.length > 0 ? [numbers.join(',')] : []),
    read: (text) => (/^\d{1,6}(,\d{1,6}){0,99}$/.test(text) ? text.split(',').map(Number) : undefined),
  }),
  /** Shown alone. */
  counter: row({
    of: 'trace', ...text(/./s),
    missing: (wanted, { counters }) => (counters.some(({ counter }) => counter === wanted) ? undefined : `There is no counter ${wanted} here; all counters are shown.`),
  }),
  /** Shown in place of the counters. */
  model: row({
    of: 'trace', ...text(/./s),
    missing: (model, { models }) => (models.some(({ name }) => name === model) ? undefined : `There is no model ${model} here; the counters are shown.`),
  }),
  /** What is shown of each instance over the run: `duration`, `total:COUNTER` or `rate:COUNTER`; `null`: nothing. */
  course: row({
    of: 'trace', ...text(/^(duration|(total|rate):.+)$/s),
    missing(asked, { counters }) {
      const [, wanted] = /^(?:total|rate):(.*)$/s.exec(asked) ?? [];
      return wanted === undefined || counters.some(({ counter }) => counter === wanted) ? undefined : `There is no counter ${wanted} here; instances over the run are closed.`;
    },
  }),
  /** Counters beside MIPS in the table of phases; empty: the first two. */
  ratios: row({ of: 'trace', ...names() }),
  /** Visible folded time, within 0 to 1. */
  range: row<Span>({ of: 'region', default: [0, 1], write: (range) => [writeSpan(range)], read: readSpan }),
  selection: row<Span | null>({ of: 'region', default: null, write: (span) => (span === null ? [] : [writeSpan(span)]), read: readSpan }),
  /** Counters whose curves are shown beside MIPS, the newest last, an empty name where one was; `null`: those that tell
   * most. */
  curves: row<string[] | null>({ of: 'trace', default: null, write: (names) => (names === null ? [] : [names.map(encodeURIComponent).join(',') || ',']), read: (text) => readList(text.replace(/,+$/, '')) }),
  /** Counters switched off. */
  hidden: row({ of: 'trace', ...names() }),
  /** What all lanes show alone: `routine:NAME`, `line:NUMBER:FILE`, `object:NAME` or `level:NUMBER`. */
  picked: row({
    of: 'trace', ...text(/^(routine:.+|object:.+|line:\d+:.+|level:\d+)$/s),
    missing(picked, { routines, objects }) {
      const [, kind, name] = /^(routine|object):(.*)$/s.exec(picked) ?? [];
      const there = kind === 'routine' ? routines : objects.map(({ name }) => name);
      return kind === undefined || there.includes(name) ? undefined : `There is no ${kind} ${name} here; nothing is picked.`;
    },
  }),
  /** Data object that has the address lane alone. */
  object: row({ of: 'trace', ...text(/./s), missing: (object, { objects }) => (objects.some(({ name }) => name === object) ? undefined : '') }),
  /** Of loads. */
  colour: row({ of: 'trace', ...oneOf('latency', 'level') }),
  /** Innermost routines, or all under those that call them. */
  stacks: row({ of: 'trace', ...oneOf('bands', 'icicle') }),
  /** The level or counter of a socket that is shown, by its event type; `null`: memory controllers, or the
   * first that there is. A first picture has none yet. */
  gauge: row({
    of: 'trace', ...whole(/^\d{1,10}$/),
    missing: (gauge, { gauges }) => (gauges.length === 0 || gauges.some(({ code }) => code === gauge) ? undefined : `There is no gauge ${gauge} here; the first is shown.`),
  }),
  /** What the side panel shows; what there is not gives way to the first that there is. */
  panel: row({ of: 'trace', ...oneOf('phases', 'code', 'data', 'regions', 'settings') }),
  /** By which column tables are in order, as `order.ts` reads it. */
  order: row({ of: 'trace', ...names() }),
  /** Routines as a list, or as the tree of calls. */
  code: row({ of: 'trace', ...oneOf('list', 'tree') }),
  /** What the source pane shows, as `LINE:FILE`; `null`: it is closed. */
  pane: row({ of: 'trace', ...text(/^\d{1,9}:./s) }),
  theme: row(oneOf('auto', 'light', 'dark', 'contrast')),
  /** What lies beside what is open: addresses of another trace, the text of a link, or another group. */
  besideAddresses: row({ name: 'compareURL', of: 'trace', ...addresses() }),
  besideLink: row({ name: 'with', of: 'trace', ...text(/^[\w-]{20,}$/) }),
  /** Further runs of both sides beside a link: texts of links with points between them, each behind the letter of its
   * side. */
  besideRuns: row({ name: 'withRuns', of: 'trace', ...text(/^[ab][\w-]{20,}(\.[ab][\w-]{20,})*$/) }),
  besideGroup: row({ name: 'withGroup', of: 'region', ...whole(/^[1-9]\d{0,8}$/) }),
  /** The same trace of other applications, tasks and threads, as the setting `objects` has them. */
  besideObjects: row({ name: 'withObjects', of: 'trace', ...text(/^[\d.*,]{1,200}$/) }),
  /** Another part of the same run, in nanoseconds: `5-8`; all up to a moment, `-5`, or from it on, `5-`. */
  besideWindow: row({ name: 'withWindow', of: 'trace', ...text(/^(\d{1,19}-\d{0,19}|-\d{1,19})$/) }),
  /** The axis of both; `auto`: as suits them. */
  compareBy: row({ of: 'trace', ...oneOf('auto', 'phase', 'share', 'time') }),
  /** The least change of a time that matters, and by how much runs of one program differ, in per cent. */
  least: row({ of: 'trace', ...oneOf('1', '2', '5') }),
  between: row({ of: 'trace', ...oneOf('1', '2', '5', '0') }),
  clock: row({ of: 'trace', ...oneOf('own', 'equal') }),
  /** The phase that is looked at, from 1. */
  phase: row({ of: 'region', ...whole(/^[1-9]\d{0,3}$/) }),
  /** The counter of the third lane. */
  third: row({ of: 'trace', ...text(/./s) }),
  swap: row({ of: 'trace', ...oneOf('no', 'yes') }),
  /** Phases that a person says are the same, of A and of B as they are shown: `2-2.3,4-5`. */
  pairs: row({ of: 'region', ...text(/^[\d., -]{3,200}$/) }),
};

type Rows = typeof ROWS;
type Span = [number, number];
type Brush = number[];

export type ViewState = { [K in keyof Rows]: Rows[K]['default'] };

const KEYS = Object.keys(ROWS) as (keyof ViewState)[];

/** The row of a key, for values of which no more is known than that they are its own. */
const rowOf = (key: keyof ViewState): Row<any> => ROWS[key];

export const defaultView = Object.fromEntries(KEYS.map((key) => [key, ROWS[key].default])) as unknown as ViewState;

/** What is not at its default, as names and texts of the address. */
export function pairsOf(view: ViewState): [string, string][] {
  return KEYS.flatMap((key) => {
    const { name = key, write, default: usual } = rowOf(key);
    const texts = write(view[key]);
    return String(texts) === String(write(usual)) ? [] : texts.map((text): [string, string] => [name, text]);
  });
}

/** The view after one more name and text of an address; `null` if the name is not of the view. */
export function readInto(view: ViewState, name: string, text: string): ViewState | null {
  const key = KEYS.find((key) => (rowOf(key).name ?? key) === name);
  if (key === undefined) return null;
  return { ...view, [key]: rowOf(key).read(text, view[key]) ?? view[key] };
}

/** What of a view is of neither this region nor, if the trace is another one too, this trace. */
export function carried(view: ViewState, other: 'region' | 'trace'): ViewState {
  const ends = ({ of }: Row<any>) => of === 'region' || (of !== undefined && of === other);
  return { ...view, ...Object.fromEntries(KEYS.filter((key) => ends(rowOf(key))).map((key) => [key, rowOf(key).default])) };
}

/** A view in which what stands in the address counts, and else what is inside a link. */
export function laidOver(inside: ViewState, view: ViewState): ViewState {
  const differs = (key: keyof ViewState) => String(rowOf(key).write(view[key])) !== String(rowOf(key).write(rowOf(key).default));
  return { ...inside, ...Object.fromEntries(KEYS.filter(differs).map((key) => [key, view[key]])) };
}

/** The keys of what the group does not have, each with what is said of it. */
export function lacking(view: ViewState, group: GroupSummary): [keyof ViewState, string][] {
  return KEYS.flatMap((key): [keyof ViewState, string][] => {
    const words = view[key] === null ? undefined : rowOf(key).missing?.(view[key], group);
    return words === undefined ? [] : [[key, words]];
  });
}

/** What the group does not have cannot be shown: what there is instead, and a sentence on it. */
export function within(view: ViewState, group: GroupSummary): { view: ViewState, remark: string } {
  const gone = lacking(view, group);
  const usual = Object.fromEntries(gone.map(([key]) => [key, rowOf(key).default]));
  return { view: gone.length > 0 ? { ...view, ...usual } : view, remark: gone.findLast(([, words]) => words !== '')?.[1] ?? '' };
}

/** A text of this form, or none. */
function text(form: RegExp) {
  const write = (value: string | null) => (value === null ? [] : [value]);
  return { default: null as string | null, write, read: (text: string) => (form.test(text) ? text : undefined) };
}

/** A whole number of this form, or none. */
function whole(form: RegExp) {
  const write = (number: number | null) => (number === null ? [] : [String(number)]);
  return { default: null as number | null, write, read: (text: string) => (form.test(text) ? Number(text) : undefined) };
}

/** The first is the default. */
function oneOf<T extends string>(...values: T[]) {
  return { default: values[0], write: (value: T) => [value as string], read: (text: string) => values.find((value) => value === text) };
}

/** An address has no blanks; several may stand in one text. */
function addresses() {
  const read = (text: string, before: string[]) => [...before, ...text.split(/\s+/).filter(Boolean)];
  return { default: [] as string[], write: (addresses: string[]) => addresses, read };
}

function names() {
  const write = (names: string[]) => [names.map(encodeURIComponent).join(',')].filter(Boolean);
  return { default: [] as string[], write, read: readNames };
}

function readNames(text: string) {
  return readList(text)?.filter(Boolean);
}

function readList(text: string) {
  try {
    return text === '' ? [] : text.split(',').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Six decimals: a thousandth of a pixel. */
function writeSpan(span: Span) {
  return span.map((x) => Number(x.toFixed(6))).join('_');
}

/** Four values, and none or 3 to 64 corners. */
function readBrush(text: string): Brush | undefined {
  if (!/^\d[\d.e_+-]{0,4000}$/.test(text)) return undefined;
  const values = text.split('_').map((value) => (value === '' ? NaN : Number(value)));
  const [left, right, low, high, ...corners] = values;
  const isLasso = corners.length >= 6 && corners.length <= 128 && corners.length % 2 === 0;
  const isSound = values.every((value) => Number.isFinite(value) && value >= 0) && (corners.length === 0 || isLasso);
  return isSound && left <= right && low <= high ? values : undefined;
}

function readSpan(text: string): Span | undefined {
  const match = /^(\d(?:\.\d{1,9})?)_(\d(?:\.\d{1,9})?)$/.exec(text);
  if (!match) return undefined;
  const [a, b] = [Number(match[1]), Number(match[2])];
  return a < b && b <= 1 ? [a, b] : undefined;
}

/** What a view says of a comparison, at its default: that of what is open alone. */
export const alone: Partial<ViewState> = { besideAddresses: [], besideLink: null, besideRuns: null, besideGroup: null, besideObjects: null, besideWindow: null, phase: null, pairs: null };
