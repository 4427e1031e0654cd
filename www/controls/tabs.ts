// The run, one region of it, or how well threads are used.

import { byId } from '../dom.ts';
import { runOf, tabOf } from '../state.ts';
import type { Mount } from '../actions/actions.ts';

export const mountTabs: Mount = ({ look }) => {
  const tabs = [...byId('tabs').querySelectorAll('button')];
  for (const tab of tabs) tab.addEventListener('click', () => look({ tab: tab.dataset.tab as 'run' }, 'push'));

  return (state, _, trace) => {
    const current = tabOf(state);
    byId('tabs').hidden = !trace;
    document.body.dataset.tab = current;
    // Known once the run was looked at.
    const told = runOf(state)?.summary.efficiency;
    const lacks = told && told.lines.length === 0 ? told.sentence.join(' ') : '';
    byId('tab-efficiency').classList.toggle('without', lacks !== '');
    byId('tab-efficiency').title = lacks;
    for (const tab of tabs) tab.toggleAttribute('data-current', tab.dataset.tab === current);
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.dataset.tab === current));
  };
};
