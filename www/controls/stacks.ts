// Whether the source lane shows the innermost routines or all under those that call them.

import { byId } from '../dom.ts';
import type { Mount } from '../actions/actions.ts';

export const mountStacks: Mount = ({ look }) => {
  const turn = byId('stacks');
  let isIcicle = false;
  turn.addEventListener('click', () => look({ stacks: isIcicle ? 'bands' : 'icicle' }, 'push'));
  return ({ view }, shown) => {
    isIcicle = view.stacks === 'icicle';
    turn.hidden = !isIcicle && !shown?.group.hasCallers;
    turn.setAttribute('aria-pressed', String(isIcicle));
  };
};
