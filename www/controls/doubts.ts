// What puts all that is shown in doubt, in exact words: too few samples, samples of a few moments
// only, or call-stacks that could not be joined.

import { byId, make, watcher } from '../dom.ts';
import { counted, fixed, percent, regionName } from '../format.ts';
import type { Mount } from '../actions/actions.ts';
import type { GroupSummary } from '../wasm/painter.js';

/** Below so many samples curves say little; the engine marks it. */
const FEW = 50;

/** Call-stacks are in doubt if fewer lie under one root, or more had more than one possible caller. */
const COVERED = 0.9;
const AMBIGUOUS = 0.2;

export const mountDoubts: Mount = () => {
  const root = byId('doubts');
  const changed = watcher();
  return ({ now }, shown) => {
    const isShown = now.is !== 'failed' && shown?.early === null;
    if (!changed(shown?.group, isShown)) return;
    const words = shown && isShown ? wordsOf(shown.group, regionName(shown.summary.region)) : [];
    root.hidden = words.length === 0;
    root.replaceChildren(...words.flatMap(([title, text]) => [make('b', {}, title), ` ${text} `]));
  };
};

function wordsOf({ few, locked, samples, alignment }: GroupSummary, region: string): [string, string][] {
  const words: [string, string][] = [];
  if (few) words.push([`${region} has ${fixed(samples)} samples.`, `Under ${FEW} the curves say little; they are drawn with their bands.`]);
  if (locked) {
    words.push(['Sampling is locked to the iteration.', 'Samples fall on the same few places of every instance, and nothing is known between them. Take another sampling period, such as a prime number of microseconds, or let the tracer vary it at random.']);
  }
  words.push(...stackWords(alignment));
  return words;
}

/** Of stacks that reach a root by themselves nothing is in doubt; of the innermost frame alone there
 * is nothing to join, and a notice says so. */
function stackWords({ method, coverage, components, depth, ambiguous }: GroupSummary['alignment']): [string, string][] {
  if (method === '' || method === 'full' || depth < 2) return [];
  const remedy = `They were captured ${counted(depth, 'frame')} deep: capture more, in Extrae with more <callers> of sampling, with perf by --call-graph and --max-stack.`;
  const words: [string, string][] = [];
  if (coverage < COVERED) {
    const parts = components > 1 ? ` in ${counted(components, 'part')} that share no routine` : '';
    words.push([`Call-stacks could be joined for ${percent(coverage, 0)} of the samples.`, `The others lie${parts}: what calls them is not known, and the time of callers is too short. ${remedy}`]);
  }
  if (ambiguous > AMBIGUOUS) {
    words.push([`${percent(ambiguous, 0)} of the call-stacks fit more than one caller.`, `They were given to the one that runs nearest in time, which may be wrong where routines take turns. ${remedy}`]);
  }
  return words;
}
