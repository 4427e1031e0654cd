import { shownOf, type State } from '../state.ts';
import type { Moment, Strip } from '../wasm/painter.js';

/** The number that a strip draws for a counter: its power, its rate, or its events per instruction
 * in the strip's power of ten. `null` in a gap. */
export function drawnNumber(value: Moment['values'][number] | undefined, strip: Strip, state: State): number | null {
  if (!value) return null;
  if (value.watts !== null) return value.watts * strip.factor;
  const ratios = shownOf(state)?.summary.groups.some(({ counters }) => counters.some(({ instructions }) => instructions));
  if (strip.right || state.view.counter !== null || !ratios) return value.rate * strip.factor;
  return value.perInstruction === null ? null : value.perInstruction * strip.factor;
}
