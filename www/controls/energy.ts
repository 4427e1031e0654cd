// What the region spends: power, energy and work for it, and how long it is above a limit.

import { make, watcher } from '../dom.ts';
import type { MountInside } from '../actions/actions.ts';
import type { Shown } from '../state.ts';

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
      const spending = shown?.group.energy ?? [];
      element.hidden = spending.length === 0;
      lines.replaceChildren(...spending.map(({ name, words }) => make('p', {}, make('b', {}, name), ` ${words}`)));
      compare();
    },
  };
};

function aboveLimit({ picture, group }: Shown, text: string) {
  const limit = Number(text);
  if (text.trim() === '') return [];
  if (!(limit >= 0) || !Number.isFinite(limit)) return [make('li', {}, 'A number of watts is expected.')];
  return picture.above(group.number, limit).map(({ share, longestMs, words }) =>
    make('li', { 'data-share': String(share), 'data-longest-ms': String(longestMs) }, words));
}
