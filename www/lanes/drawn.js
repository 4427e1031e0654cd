/**
 * The number that a strip draws for a counter: its power, its rate, or its events per instruction
 * in the strip's power of ten. `null` in a gap.
 * @param {import('../tracefold.js').AtCursor['values'][number] | undefined} value
 * @param {import('../tracefold.js').Strip} strip
 * @param {import('../state.js').State} state
 * @returns {number | null}
 */
export function drawnNumber(value, strip, { view, summary }) {
  if (!value) return null;
  if (value.watts !== null) return value.watts * strip.factor;
  const ratios = summary?.groups.some(({ counters }) => counters.some(({ instructions }) => instructions));
  if (strip.right || view.counter !== null || !ratios) return value.rate * strip.factor;
  return value.perInstruction === null ? null : value.perInstruction * strip.factor;
}
