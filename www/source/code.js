// Lines, time and rates of code, and how phases map to places.

import { placesOfPhases } from './numbers.js';

/**
 * @param {import('../wasm/painter.js').Picture} picture
 * @param {import('../tracefold.js').GroupSummary} group
 * @returns {{code: import('../tracefold.js').Code, phases: Map<number, number>[]}} `phases`: share of
 *   time by place, for each phase
 */
export function codeOf(picture, group) {
  return { code: picture.code(group.number), phases: placesOfPhases(picture.lines(group.number), group.phases) };
}
