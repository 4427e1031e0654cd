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

/** A range as the address has it, so that a link tells the same of it. */
export const rounded = ([from, to]: Range): Range => [Number(from.toFixed(6)), Number(to.toFixed(6))];

/** The range between two ends in any order, not narrower than can be shown. */
export function between(a: number, b: number): Range {
  const [from, to] = a < b ? [a, b] : [b, a];
  return placed(from, Math.max(to - from, NARROWEST));
}

/** A step of the wheel, of `w` and of `a`. */
const ZOOM = 1.25;
const PAN = 0.15;

/** Zoomed by a turn of the wheel. */
export function wheeled(range: Range, at: number, { deltaY }: WheelEvent): Range {
  return zoomed(range, at, ZOOM ** Math.sign(deltaY));
}

/** What keys show in place of a range, by their place on the keyboard, which is the same whatever letter
 * is on it. */
export function keysOf(range: Range, at: number, show: (range: Range, step?: 'push') => void): Record<string, () => void> {
  const fit = () => show([0, 1], 'push');
  return {
    KeyW: () => show(zoomed(range, at, 1 / ZOOM)),
    KeyS: () => show(zoomed(range, at, ZOOM)),
    KeyA: () => show(panned(range, -PAN)),
    KeyD: () => show(panned(range, PAN)),
    Digit0: fit,
    Numpad0: fit,
  };
}

function placed(from: number, width: number): Range {
  const start = clamp(from, 0, 1 - width);
  return [start, Math.min(1, start + width)];
}

export function clamp(value: number, least: number, most: number) {
  return Math.min(most, Math.max(least, value));
}
