// Whether the source lane shows the innermost routines or all under those that call them.

import { byId } from '../dom.js';
import { shownGroup } from '../state.js';

/**
 * @param {(stacks: 'bands' | 'icicle') => void} choose
 * @returns {(state: import('../state.js').State) => void}
 */
export function mountStacks(choose) {
  const turn = byId('stacks');
  let isIcicle = false;
  turn.addEventListener('click', () => choose(isIcicle ? 'bands' : 'icicle'));
  return (state) => {
    isIcicle = state.view.stacks === 'icicle';
    turn.hidden = !isIcicle && (shownGroup(state)?.levels ?? 0) < 2;
    turn.setAttribute('aria-pressed', String(isIcicle));
  };
}
