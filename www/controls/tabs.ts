// The run, or one region of it.

import { byId } from '../dom.ts';
import { tabOf } from '../state.ts';
import type { Mount } from '../actions/actions.ts';

export const mountTabs: Mount = ({ look }) => {
  const tabs = [...byId('tabs').querySelectorAll('button')];
  for (const tab of tabs) tab.addEventListener('click', () => look({ tab: tab.dataset.tab as 'run' }, 'push'));

  return (state, _, trace) => {
    const current = tabOf(state);
    byId('tabs').hidden = !trace;
    document.body.dataset.tab = current;
    for (const tab of tabs) tab.toggleAttribute('data-current', tab.dataset.tab === current);
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.dataset.tab === current));
  };
};
