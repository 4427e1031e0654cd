// The run, one region of it, how well threads are used, or who spends the time.

import { byId } from '../dom.ts';
import { runOf, tabOf } from '../state.ts';
import type { Mount } from '../actions/actions.ts';

export const mountTabs: Mount = ({ look }) => {
  const tabs = [...byId('tabs').querySelectorAll('button')];
  for (const tab of tabs) tab.addEventListener('click', () => look({ tab: tab.dataset.tab as 'run' }, 'push'));

  return (state, _, trace) => {
    const current = tabOf(state);
    byId('tabs').hidden = !trace && !state.profile;
    document.body.dataset.tab = current;
    // Known once the run was looked at.
    const told = runOf(state)?.summary.efficiency;
    const lacks = told && told.lines.length === 0 ? told.sentence.join(' ') : '';
    for (const tab of tabs) {
      const why = tab.dataset.tab === 'profile' ? '' : trace ? (tab.dataset.tab === 'efficiency' ? lacks : '') : 'This needs a trace.';
      tab.classList.toggle('without', why !== '');
      tab.title = why;
      tab.disabled = !trace && why !== '';
    }
    for (const tab of tabs) tab.toggleAttribute('data-current', tab.dataset.tab === current);
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.dataset.tab === current));
  };
};
