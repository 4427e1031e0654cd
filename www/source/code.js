// Lines of code with their time and rates, and how much of each is in which phase.

import { codeOf } from '../code.js';
import { placesOfPhases } from './numbers.js';

/**
 * @typedef {Object} Known
 * @property {import('../tracefold.js').Code['counters']} counters
 * @property {(import('./numbers.js').LineNumbers & {place: number, file: string})[]} lines
 * @property {Map<number, number>[]} phases for each, share of the region by place
 *
 * @param {import('../wasm/painter.js').Picture} picture
 * @param {import('../tracefold.js').GroupSummary} group
 * @returns {Known}
 */
export function knownOf(picture, group) {
  const { counters, routines, lines } = codeOf(picture, group.number);
  const names = new Map(routines.map(({ routine, name }) => [routine, name]));
  return {
    counters,
    lines: lines.map((line) => ({ ...line, routine: names.get(line.routine) ?? '' })),
    phases: placesOfPhases(picture.lines(group.number), group.phases),
  };
}
