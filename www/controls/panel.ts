// The tabs of the side panel: one is shown, and what it holds has the panel to itself. Beside the run
// and its efficiencies there are only the settings, without tabs.

import { byId } from '../dom.ts';
import { tabOf } from '../state.ts';
import type { Mount } from '../actions/actions.ts';
import type { ViewState } from '../view.ts';

export const mountPanel: Mount = ({ look }) => {
  const list = byId('panel-tabs');
  const tabs = [...list.querySelectorAll('button')];
  const bodyOf = (tab: HTMLElement) => byId(tab.getAttribute('aria-controls') ?? '');
  const choose = (tab: HTMLElement) => look({ panel: tab.dataset.panel as ViewState['panel'] });
  for (const tab of tabs) tab.addEventListener('click', () => choose(tab));
  list.addEventListener('keydown', (event) => {
    const there = tabs.filter((tab) => !tab.hidden);
    const at = there.findIndex((tab) => tab === event.target);
    const places = { ArrowRight: at + 1, ArrowLeft: at + there.length - 1, Home: 0, End: there.length - 1 } as Record<string, number>;
    if (at < 0 || !Object.hasOwn(places, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const next = there[places[event.key] % there.length];
    choose(next);
    next.focus();
  });

  return (state) => {
    const hasTabs = tabOf(state) === 'region';
    // Each part says itself whether it has something to show.
    const filled = tabs.filter((tab) => [...bodyOf(tab).children].some((part) => part instanceof HTMLElement && !part.hidden));
    const current = filled.find((tab) => tab.dataset.panel === (hasTabs ? state.view.panel : 'settings')) ?? filled[0];
    list.hidden = !hasTabs;
    for (const tab of tabs) {
      const isCurrent = tab === current;
      tab.hidden = !filled.includes(tab);
      tab.setAttribute('aria-selected', String(isCurrent));
      tab.tabIndex = isCurrent ? 0 : -1;
      bodyOf(tab).hidden = !isCurrent;
    }
  };
};
