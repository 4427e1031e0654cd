// What the region spends: power, energy and work for it, and how long it is above a limit.

import { make, watcher } from '../dom.js';
import { count, duration, fixed, percent, significant } from '../format.js';
import { shownGroup } from '../state.js';

/** Moments of the instance that are compared with the limit. */
const MOMENTS = 1001;

/**
 * @returns {{element: HTMLElement, update: (state: import('../state.js').State) => void}}
 */
export function energyLines() {
  const lines = make('div', {});
  const field = make('input', { id: 'energy-limit', inputmode: 'decimal', placeholder: 'W' });
  const above = make('ul', { 'data-testid': 'energy-above', role: 'status' });
  const element = make('div', { class: 'report', 'data-testid': 'energy' }, lines,
    make('div', { class: 'setting' }, make('label', { for: 'energy-limit' }, 'Limit (W)'), field), above);
  const changed = watcher();
  /** @type {import('../state.js').State | null} */
  let shown = null;
  const compare = () => above.replaceChildren(...(shown ? aboveLimit(shown, field.value) : []));
  field.addEventListener('input', compare);
  return {
    element,
    update(state) {
      const group = shownGroup(state);
      if (!changed(group, state.picture)) return;
      shown = state;
      const spending = spendingOf(group);
      element.hidden = spending.length === 0;
      lines.replaceChildren(...spending.map((counter) => lineOf(counter, group?.meanInstructions ?? null)));
      compare();
    },
  };
}

/** @param {import('../tracefold.js').GroupSummary | null} group */
function spendingOf(group) {
  return (group?.counters ?? []).filter(({ joules }) => joules);
}

/**
 * @param {import('../tracefold.js').CounterSummary} counter
 * @param {number | null} instructions of a mean instance
 */
function lineOf({ name, watts, joules, meanCount }, instructions) {
  const spent = meanCount * (joules ?? 0);
  const work = instructions && spent > 0 ? ` · ${count(instructions / spent)} instructions per J` : '';
  const power = watts === null || watts === undefined ? '–' : significant(watts);
  return make('p', {}, make('b', {}, name), ` ${power}\u202fW · ${significant(spent)}\u202fJ per instance${work}`);
}

/**
 * @param {import('../state.js').State} state
 * @param {string} text
 */
function aboveLimit(state, text) {
  const limit = Number(text);
  const group = shownGroup(state);
  if (text.trim() === '') return [];
  if (!(limit >= 0) || !Number.isFinite(limit)) return [make('li', {}, 'A number of watts is expected.')];
  if (!group || !state.picture) return [];
  const { columns, rows } = state.picture.table(group.number, MOMENTS);
  return spendingOf(group).map(({ counter, name }) => {
    const column = columns.findIndex((known) => known.counter === counter);
    const { share, longest } = stretches(rows.map(({ watts }) => (watts[column] ?? 0) > limit));
    const words = `${name}: above ${fixed(limit, limit % 1 ? 1 : 0)}\u202fW for ${percent(share)} of the time, ${duration(longest * group.meanMs)} at a stretch`;
    return make('li', { 'data-share': String(share), 'data-longest-ms': String(longest * group.meanMs) }, words);
  });
}

/**
 * What share of the moments is above, and that of the longest stretch of them.
 * @param {boolean[]} above
 */
export function stretches(above) {
  let [count, run, longest] = [0, 0, 0];
  for (const is of above) {
    run = is ? run + 1 : 0;
    count += is ? 1 : 0;
    longest = Math.max(longest, run);
  }
  const all = Math.max(1, above.length);
  return { share: count / all, longest: longest / all };
}
