// Whether the source lane shows the innermost routines or all under those that call them.

import { byId } from '../dom.ts';
import { shownOf, type State } from '../state.ts';
import type { Actions } from '../actions/actions.ts';

export function mountStacks({ look }: Actions): (state: State) => void {
  const turn = byId('stacks');
  let isIcicle = false;
  turn.addEventListener('click', () => look({ stacks: isIcicle ? 'bands' : 'icicle' }, 'push'));
  return (state) => {
    isIcicle = state.view.stacks === 'icicle';
    turn.hidden = !isIcicle && (shownOf(state)?.group.levels ?? 0) < 2;
    turn.setAttribute('aria-pressed', String(isIcicle));
  };
}
