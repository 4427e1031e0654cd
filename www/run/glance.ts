// The run at a glance: loaded when a run is first looked at.

import { askFor } from '../actions/ask.ts';
import { mountEfficiency } from './efficiency.ts';
import { runRequests } from './requests.ts';
import { mountTimeline } from './timeline.ts';
import { mountWords } from './words.ts';
import type { Actions } from '../actions/actions.ts';
import type { App } from '../actions/open.ts';
import type { State } from '../state.ts';

/** Connects it; gives what brings it up to date. */
export function mountGlance(app: App, actions: Actions): (state: State) => void {
  const updates = [mountWords(actions), mountTimeline(actions), mountEfficiency(actions)];
  askFor(app.store, runRequests(app));
  return (state) => updates.forEach((update) => update(state));
}
