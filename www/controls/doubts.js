// What puts all that is shown in doubt, in exact words: too few samples, or samples of a few moments
// only.

import { byId, make, watcher } from '../dom.js';
import { fixed, regionName } from '../format.js';
import { shownGroup } from '../state.js';

/** Below so many samples curves say little; the engine marks it. */
const FEW = 50;

/** @returns {(state: import('../state.js').State) => void} */
export function mountDoubts() {
  const root = byId('doubts');
  const changed = watcher();
  return (state) => {
    const group = shownGroup(state);
    const isShown = state.status !== 'error' && state.early === null;
    if (!changed(group, state.summary, isShown)) return;
    const words = group && state.summary && isShown ? wordsOf(group, regionName(state.summary.region)) : [];
    root.hidden = words.length === 0;
    root.replaceChildren(...words.flatMap(([title, text]) => [make('b', {}, title), ` ${text} `]));
  };
}

/**
 * @param {import('../tracefold.js').GroupSummary} group
 * @param {string} region
 * @returns {[string, string][]}
 */
function wordsOf({ few, locked, samples }, region) {
  /** @type {[string, string][]} */
  const words = [];
  if (few) words.push([`${region} has ${fixed(samples)} samples.`, `Under ${FEW} the curves say little; they are drawn with their bands.`]);
  if (locked) {
    words.push(['Sampling is locked to the iteration.', 'Samples fall on the same few places of every instance, and nothing is known between them. Take another sampling period, such as a prime number of microseconds, or let the tracer vary it at random.']);
  }
  return words;
}
