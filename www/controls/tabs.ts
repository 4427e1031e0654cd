// The run, one region of it, how well threads are used, or who spends the time.

import { byId } from '../dom.ts';
import { runOf, tabOf, type State } from '../state.ts';
import type { Mount } from '../actions/actions.ts';
import type { Opened } from '../wasm/engine.js';

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
      const why = whyNot(tab.dataset.tab, state, trace, lacks);
      tab.classList.toggle('without', why !== '');
      tab.title = why;
      tab.disabled = why !== '' && why !== lacks;
    }
    for (const tab of tabs) tab.toggleAttribute('data-current', tab.dataset.tab === current);
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.dataset.tab === current));
  };
};

/** Why a tab shows nothing; empty if it does. */
function whyNot(tab: string | undefined, { profile }: State, trace: Opened | null, lacks: string): string {
  if (tab === 'profile' && profile) return '';
  if (trace && tab !== 'region' && trace.regionAlone !== null) return trace.regionAlone;
  if (tab === 'profile') return '';
  if (!trace) return 'This needs a trace.';
  return tab === 'efficiency' ? lacks : '';
}
