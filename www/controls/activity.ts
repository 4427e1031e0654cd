// What the colours of the activity lane mean.

import { byId, make, watcher } from '../dom.ts';
import { shownOf, type State } from '../state.ts';

export function mountActivity(): (state: State) => void {
  const root = byId('activity-legend');
  const changed = watcher();
  return (state) => {
    const { group, awaitsActivity } = shownOf(state) ?? {};
    const activity = group?.activity;
    if (!changed(activity, awaitsActivity)) return;
    if (awaitsActivity) root.replaceChildren(make('span', { class: 'hint' }, 'Deciding…'));
    if (!activity) return;
    const keys = activity.keys.map(({ name, style }) => make('span', { class: 'entry' }, make('i', { class: `square ${style}` }), name));
    root.replaceChildren(...keys, make('span', { class: 'hint right', title: activity.words }, activity.hint));
  };
}
