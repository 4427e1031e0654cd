// Parts of one run, by when instances start: in nanoseconds as settings have them, in ms as people do.

import type { Settings } from '../state.ts';

const NS = 1e6;

/** What is typed in ms, `500-800`, `500-` or `-500`, as addresses have it; `null` of what means no part. */
export function windowOf(typed: string): string | null {
  const ends = /^\s*(\d*\.?\d*)\s*[-\u2013]\s*(\d*\.?\d*)\s*$/.exec(typed)?.slice(1);
  if (!ends || ends.every((end) => !/\d/.test(end))) return null;
  const [from, to] = ends.map((end) => (/\d/.test(end) ? Math.round(Number(end) * NS) : null));
  if (from !== null && to !== null && from >= to) return null;
  if ([from, to].some((end) => end !== null && !Number.isSafeInteger(end))) return null;
  return `${from ?? ''}-${to ?? ''}`;
}

/** What of the run each side is. A is all that lies outside where that is one part, unless a part was chosen. */
export function windowsOf(window: string, { from, to, ...rest }: Settings): [Settings, Settings] {
  const [begin, end] = window.split('-');
  const ofB = { ...rest, ...(begin && { from: begin }), ...(end && { to: end }) };
  if (from !== undefined || to !== undefined) return [{ ...rest, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }, ofB];
  if (!begin) return [{ ...rest, from: String(BigInt(end) + 1n) }, ofB];
  if (!end && begin !== '0') return [{ ...rest, to: String(BigInt(begin) - 1n) }, ofB];
  return [rest, ofB];
}

/** In ms, as a name of what is compared. */
export function windowName(window: string): string {
  const [begin, end] = window.split('-').map((end) => end && String(Number(end) / NS));
  if (!begin) return `up to ${end}\u202fms`;
  return end ? `${begin}\u2013${end}\u202fms` : `from ${begin}\u202fms`;
}
