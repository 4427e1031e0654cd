// One x axis for every lane: folded time, 0 to 1, of which a range is visible between two gutters.

/** The narrowest range: one part in 10,000 of the instance. */
const NARROWEST = 1e-4;

type Range = [number, number];

/** Between visible folded time and CSS pixels of the plot. */
export function timeScale([from, to]: Range, left: number, right: number) {
  const perPx = (to - from) / Math.max(1, right - left);
  return {
    toPx: (x: number) => left + (x - from) / perPx,
    toTime: (px: number) => from + (clamp(px, left, right) - left) * perPx,
  };
}

/** Zoomed by `factor` (under 1: nearer) so that `at` stays where it is. */
export function zoomed([from, to]: Range, at: number, factor: number): Range {
  const width = clamp((to - from) * factor, NARROWEST, 1);
  const share = (at - from) / (to - from);
  return placed(at - share * width, width);
}

/** Moved by a share of its width. */
export function panned([from, to]: Range, share: number): Range {
  return placed(from + share * (to - from), to - from);
}

/** The range between two ends in any order, not narrower than can be shown. */
export function between(a: number, b: number): Range {
  const [from, to] = a < b ? [a, b] : [b, a];
  return placed(from, Math.max(to - from, NARROWEST));
}

function placed(from: number, width: number): Range {
  const start = clamp(from, 0, 1 - width);
  return [start, Math.min(1, start + width)];
}

export function clamp(value: number, least: number, most: number) {
  return Math.min(most, Math.max(least, value));
}
