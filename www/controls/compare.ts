// Another run beside what is open: what compares is loaded when it is first asked for, by a person or by an
// address.

import { byId } from '../dom.ts';
import type { Mount } from '../actions/actions.ts';

export const mountCompare: Mount = (actions) => {
  const button = byId('compare-button');
  button.addEventListener('click', () => void actions.compare(null));
  let isBegun = false;
  return ({ view, now }, shown) => {
    button.hidden = !shown || shown.early !== null;
    const isAsked = view.besideLink !== null || view.besideGroup !== null || view.besideObjects !== null || view.besideWindow !== null || view.besideAddresses.length > 0;
    if (isBegun || !isAsked || !shown || now.is !== 'ready') return;
    isBegun = true;
    void actions.compare('address');
  };
};
