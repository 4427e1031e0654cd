// Whether the numbers of the curves stand in place of the lanes, as a table, which is loaded when it is shown first.

import { byId, watcher } from '../dom.ts';
import type { Actions } from '../actions/actions.ts';
import type { Update } from '../state.ts';

export function mountTable({ now, look, tell }: Actions, prepare: (part: string) => Promise<unknown>): Update {
  const changed = watcher();
  const turn = byId('table-switch');
  turn.addEventListener('click', () => look({ view: now().view.view === 'table' ? 'lanes' : 'table' }, 'push'));
  let partsOf: typeof import('./moments.ts').partsOf | null = null;
  /** What cannot be loaded is tried again when the table is asked for again. */
  let loading: Promise<void> | null = null;
  const load = () => Promise.all([import('./moments.ts'), prepare('table')]).then(([moments]) => {
    partsOf = moments.partsOf;
    tell({});
  }, ({ message }) => tell({ remark: message }));
  return (state, shown) => {
    const isTable = state.view.view === 'table';
    turn.hidden = !shown;
    turn.setAttribute('aria-pressed', String(isTable));
    byId('numbers').hidden = !isTable || !shown || state.now.is === 'failed';
    byId('numbers').setAttribute('aria-busy', String(shown?.deciding ?? false));
    if (!isTable) loading = null;
    if (!isTable) return;
    if (!partsOf) return void (loading ??= load());
    if (!changed(shown?.picture, shown?.group, shown?.deciding)) return;
    byId('table').replaceChildren(...(shown ? partsOf(shown) : []));
  };
}
