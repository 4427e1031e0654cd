// What the region spends: power, energy and work for it, and how long it is above a limit.

import { make, watcher } from '../dom.ts';
import type { MountInside } from '../actions/actions.ts';
import type { Shown } from '../state.ts';
import type { Power } from './power.ts';

export const energyLines: MountInside = ({ tell }) => {
  const lines = make('div', {});
  const element = make('div', { class: 'report', 'data-testid': 'energy' }, lines);
  const changed = watcher();
  let shown: Shown | null = null;
  let power: Power | null = null;
  const showPower = async () => {
    const { powerLimits } = await import('./power.ts');
    if (!power) element.append((power = powerLimits()).element);
    if (shown) power.show(shown);
  };
  return {
    element,
    update(_, current) {
      shown = current;
      if (!changed(shown?.group, shown?.picture)) return;
      const spending = shown?.group.energy ?? [];
      element.hidden = spending.length === 0;
      lines.replaceChildren(...spending.map(({ name, words }) => make('p', {}, make('b', {}, name), ` ${words}`)));
      if (spending.length > 0) showPower().catch(({ message }) => tell({ remark: message }));
    },
  };
};
