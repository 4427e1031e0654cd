// Another run beside what is open: what compares is loaded when it is first asked for, by a person or by an
// address.

import { byId } from '../dom.ts';
import { tabOf } from '../state.ts';
import type { Mount } from '../actions/actions.ts';

export const mountCompare: Mount = (actions) => {
  const button = byId('compare-button');
  button.addEventListener('click', () => void (tabOf(actions.now()) === 'profile' ? actions.compareProfile(null) : actions.compare(null)));
  let isBegun = false;
  return (state, shown) => {
    const { view, now } = state;
    const isOfProfile = tabOf(state) === 'profile';
    button.hidden = isOfProfile ? !state.profile && now.is !== 'ready' : !shown || shown.early !== null;
    button.title = isOfProfile ? 'Another profile beside this' : 'Another run, group or link beside this';
    const isAsked = view.besideLink !== null || view.besideGroup !== null || view.besideObjects !== null || view.besideWindow !== null || view.besideAddresses.length > 0;
    if (isOfProfile || isBegun || !isAsked || !shown || now.is !== 'ready') return;
    isBegun = true;
    void actions.compare('address');
  };
};
