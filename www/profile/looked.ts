// What is looked at of a profile, as one text of the address: what is not at its default as `key:value`,
// parted by commas.

import type { BesideBy, By, Order, Over } from '../wasm/profiler.js';

/** A value of a node over the threads; no node: the picked one. */
export interface AxisAsked { node: number | null, measure: string }

export interface Looked {
  /** A metric or a formula; empty: the first metric. */
  measure: string;
  exclusive: boolean;
  /** The node that is picked; `null`: the one that holds most. */
  node: number | null;
  /** The node that fills the icicle. */
  root: number | null;
  /** The thread that is looked at alone, by place. */
  thread: number | null;
  by: By;
  /** Nodes that a person opened or closed. */
  turned: number[];
  search: string;
  kind: string;
  order: Order;
  /** Axes of the points; `null`: as is usual for the first, and none for the others. */
  x: AxisAsked | null;
  colour: AxisAsked | null;
  size: AxisAsked | null;
  /** What one call of a probe costs, in nanoseconds; `null`: that is not known. */
  cost: number | null;
  /** Whether contexts against routines are shown, and which probes are not worth their cost. */
  heat: boolean;
  costs: boolean;
  /** Whether what the program told of values of its own is shown. */
  events: boolean;
  /** How a profile is made of a trace. */
  whole: boolean;
  unwind: 'sites' | 'routines' | 'none';
  /** Whether calls are told by the place they come from, too. */
  sites: boolean;
  /** Of two profiles: what of the threads is compared, whether with all below, what rows are put in order by, what is
   * searched for, and the node of both that is picked. */
  over: Over;
  below: boolean;
  sorted: BesideBy;
  sought: string;
  pair: number | null;
}

const USUAL: Looked = { measure: '', exclusive: false, node: null, root: null, thread: null, by: 'inclusive', turned: [], search: '', kind: '', order: 'thread', x: null, colour: null, size: null, cost: null, heat: false, costs: false, events: false, whole: false, unwind: 'sites', sites: false, over: 'mean', below: false, sorted: 'difference', sought: '', pair: null };

const KEYS = Object.keys(USUAL) as (keyof Looked)[];

/** Most nodes that are kept as opened or closed: an address has an end. */
const MOST_TURNED = 200;

const oneOf = (...values: string[]) => (text: string) => values.find((value) => value === text);
const number = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);
const flag = (text: string) => (text === '1' ? true : undefined);
const whatever = (text: string) => text.slice(0, 2000);

function axis(text: string): AxisAsked | undefined {
  const [, node, measure] = /^(\d{1,9})?~(.{0,500})$/s.exec(text) ?? [];
  return measure === undefined ? undefined : { node: node === undefined ? null : Number(node), measure };
}

const READ: Record<keyof Looked, (text: string) => unknown> = {
  measure: whatever, exclusive: flag, node: number, root: number, thread: number,
  by: oneOf('inclusive', 'exclusive', 'calls', 'samples', 'rate', 'misses', 'imbalance', 'name'),
  turned: (text) => (/^\d{1,9}(\.\d{1,9})*$/.test(text) ? text.split('.').slice(0, MOST_TURNED).map(Number) : undefined),
  search: whatever, kind: whatever, order: oneOf('thread', 'value', 'histogram'),
  x: axis, colour: axis, size: axis, cost: number, heat: flag, costs: flag, events: flag, whole: flag, unwind: oneOf('sites', 'routines', 'none'), sites: flag,
  over: oneOf('mean', 'total', 'least', 'deviation'), below: flag, sorted: oneOf('difference', 'ratio', 'a', 'b', 'largestA', 'largestB', 'name'), sought: whatever, pair: number,
};

/** How a profile is made of a trace. */
export const howOf = ({ whole, unwind, sites }: Looked) => ({ wholeWeights: whole, unwind, callSites: sites });

/** What a text says; what is not understood stays at its default. */
export function lookedIn(text: string | null): Looked {
  const looked: Record<string, unknown> = { ...USUAL };
  for (const pair of (text ?? '').split(',')) {
    const [, key, value] = /^([a-z]+):(.*)$/s.exec(pair) ?? [];
    if (key === undefined || !Object.hasOwn(READ, key)) continue;
    try {
      looked[key] = READ[key as keyof Looked](decodeURIComponent(value)) ?? looked[key];
    } catch {
      // No text of ours.
    }
  }
  return looked as unknown as Looked;
}

/** The same as a text; `null` where all is at its default. */
export function textOf(looked: Looked): string | null {
  const pairs = KEYS.filter((key) => JSON.stringify(looked[key]) !== JSON.stringify(USUAL[key])).map((key) => `${key}:${encodeURIComponent(written(looked[key]))}`);
  return pairs.length > 0 ? pairs.join(',') : null;
}

function written(value: Looked[keyof Looked]): string {
  if (value === true) return '1';
  if (Array.isArray(value)) return value.slice(-MOST_TURNED).join('.');
  if (typeof value === 'object' && value !== null) return `${value.node ?? ''}~${value.measure}`;
  return String(value);
}
