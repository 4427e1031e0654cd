// The way to the instances over the run, and what is said where they cannot be shown; what shows them is
// loaded when they are first looked at.

import { byId, make, watcher } from '../dom.ts';
import { shownOf, tabOf, traceOf, type State } from '../state.ts';
import type { Actions } from '../actions/actions.ts';

export function mountCourseFrame({ look }: Actions): (state: State) => void {
  const root = byId('course');
  const isNew = watcher();
  return (state) => {
    const { view, now } = state;
    const shown = shownOf(state);
    root.hidden = view.course === null || !shown || shown.early !== null || tabOf(state) !== 'region' || now.is === 'failed';
    if (root.hidden) return;
    const isLink = !traceOf(state);
    if (isNew(isLink) && isLink) {
      const close = make('button', { type: 'button', class: 'close', 'aria-label': 'Close instances over the run', 'data-testid': 'course-close' }, '×');
      close.addEventListener('click', () => look({ course: null }, 'push'));
      root.replaceChildren(make('div', { class: 'head' }, make('h2', {}, 'Instances'), make('p', { class: 'hint' }, 'Instances are not part of a link: open the trace to see them over the run.'), close));
    }
  };
}
