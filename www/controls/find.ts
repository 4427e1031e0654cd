// Ways to search the open trace, and to all actions: what does it is loaded when it is first asked for.

import { byId, isTyping } from '../dom.ts';
import type { Mount } from '../actions/actions.ts';

export const mountFind: Mount = (actions) => {
  const buttons = ['find', 'find-in-bar'].map(byId);
  let loading: Promise<(what: 'names' | 'actions') => void> | null = null;
  let isOpen = false;
  const open = async (what: 'names' | 'actions') => {
    try {
      loading ??= import('../find/finder.ts').then(({ mountFinder }) => mountFinder(actions));
      (await loading)(what);
    } catch (failure: any) {
      loading = null;
      actions.tell({ remark: failure.message });
    }
  };
  for (const button of buttons) button.addEventListener('click', () => void open('names'));
  addEventListener('keydown', (event) => {
    const isAction = event.code === 'KeyP' && event.shiftKey && (event.ctrlKey || event.metaKey) && !event.altKey;
    const isSearch = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target) && isOpen;
    if (!isAction && !isSearch) return;
    event.preventDefault();
    // One dialog at a time.
    if (document.querySelector('dialog[open]:not(#finder)')) return;
    void open(isAction ? 'actions' : 'names');
  });
  return (_, shown, trace) => {
    isOpen = shown !== null || trace !== null;
    for (const button of buttons) button.hidden = !isOpen;
  };
};
