// What puts all that is shown in doubt, as the engine says it.

import { byId, make, watcher } from '../dom.ts';
import type { Mount } from '../actions/actions.ts';

export const mountDoubts: Mount = () => {
  const root = byId('doubts');
  const changed = watcher();
  return ({ now }, shown) => {
    const isShown = now.is !== 'failed' && shown?.early === null;
    if (!changed(shown?.group, isShown)) return;
    const doubts = (isShown && shown?.group.doubts) || [];
    root.hidden = doubts.length === 0;
    root.replaceChildren(...doubts.flatMap(({ title, text }) => [make('b', {}, title), ` ${text} `]));
  };
};
