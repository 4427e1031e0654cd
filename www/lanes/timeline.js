// One x axis for every lane: folded time, 0 to 1, of which a range is visible between two gutters.

/** The narrowest range: one part in 10,000 of the instance. */
const NARROWEST = 1e-4;

/** @typedef {[number, number]} Range */

/**
 * @param {Range} range visible folded time
 * @param {number} left of the plot in CSS pixels
 * @param {number} right
 */
export function timeScale([from, to], left, right) {
  const perPx = (to - from) / Math.max(1, right - left);
  return {
    /** @param {number} x */
    toPx: (x) => left + (x - from) / perPx,
    /** @param {number} px */
    toTime: (px) => from + (clamp(px, left, right) - left) * perPx,
  };
}

/**
 * Zoomed by `factor` (under 1: nearer) so that `at` stays where it is.
 * @param {Range} range
 * @param {number} at folded time
 * @param {number} factor
 * @returns {Range}
 */
export function zoomed([from, to], at, factor) {
  const width = clamp((to - from) * factor, NARROWEST, 1);
  const share = (at - from) / (to - from);
  return placed(at - share * width, width);
}

/**
 * Moved by a share of its width.
 * @param {Range} range
 * @param {number} share
 * @returns {Range}
 */
export function panned([from, to], share) {
  return placed(from + share * (to - from), to - from);
}

/**
 * The range between two ends in any order, not narrower than can be shown.
 * @param {number} a
 * @param {number} b
 * @returns {Range}
 */
export function between(a, b) {
  const [from, to] = a < b ? [a, b] : [b, a];
  return placed(from, Math.max(to - from, NARROWEST));
}

/**
 * @param {number} from
 * @param {number} width
 * @returns {Range}
 */
function placed(from, width) {
  const start = clamp(from, 0, 1 - width);
  return [start, Math.min(1, start + width)];
}

/**
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
export function clamp(value, least, most) {
  return Math.min(most, Math.max(least, value));
}
