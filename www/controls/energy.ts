// What the region spends: power, energy and work for it, and how long it is above a limit.

import { make, watcher } from '../dom.ts';
import { count, duration, fixed, percent, significant } from '../format.ts';
import type { MountInside } from '../actions/actions.ts';
import type { Shown } from '../state.ts';
import type { CounterSummary, GroupSummary } from '../wasm/painter.js';

export const energyLines: MountInside = () => {
  const lines = make('div', {});
  const field = make('input', { id: 'energy-limit', inputmode: 'decimal', placeholder: 'W' });
  const above = make('ul', { 'data-testid': 'energy-above', role: 'status' });
  const element = make('div', { class: 'report', 'data-testid': 'energy' }, lines,
    make('div', { class: 'setting' }, make('label', { for: 'energy-limit' }, 'Limit (W)'), field), above);
  const changed = watcher();
  let shown: Shown | null = null;
  const compare = () => above.replaceChildren(...(shown ? aboveLimit(shown, field.value) : []));
  field.addEventListener('input', compare);
  return {
    element,
    update(_, current) {
      shown = current;
      if (!changed(shown?.group, shown?.picture)) return;
      const spending = shown ? spendingOf(shown.group) : [];
      element.hidden = spending.length === 0;
      lines.replaceChildren(...spending.map((counter) => lineOf(counter, shown?.group.meanInstructions ?? null)));
      compare();
    },
  };
};

function spendingOf({ counters }: GroupSummary) {
  return counters.filter(({ joules }) => joules);
}

function lineOf({ name, watts, joules, meanCount }: CounterSummary, instructions: number | null) {
  const spent = meanCount * (joules ?? 0);
  const work = instructions && spent > 0 ? ` · ${count(instructions / spent)} instructions per J` : '';
  const power = watts === null || watts === undefined ? '–' : significant(watts);
  return make('p', {}, make('b', {}, name), ` ${power}\u202fW · ${significant(spent)}\u202fJ per instance${work}`);
}

function aboveLimit({ picture, group }: Shown, text: string) {
  const limit = Number(text);
  if (text.trim() === '') return [];
  if (!(limit >= 0) || !Number.isFinite(limit)) return [make('li', {}, 'A number of watts is expected.')];
  return spendingOf(group).flatMap(({ counter, name }) => {
    const energy = picture.energy(group.number, counter, limit);
    if (!energy) return [];
    const { shareAbove, longestMs } = energy;
    const words = `${name}: above ${fixed(limit, limit % 1 ? 1 : 0)}\u202fW for ${percent(shareAbove)} of the time, ${duration(longestMs)} at a stretch`;
    return make('li', { 'data-share': String(shareAbove), 'data-longest-ms': String(longestMs) }, words);
  });
}
