// What stands at the cursor: the tooltip and the legend tell the same moment, which is asked for once.

import { shownOf, type State } from '../state.ts';
import type { Painted } from './lanes.ts';
import type { Moment, Picture } from '../wasm/painter.js';

let last: { cursor: State['cursor'], painted: Painted, picture: Picture | undefined, moment: Moment | undefined } | null = null;

/** The reference in it is the one nearest to the pointer over the address lane, else nearest in time. */
export function momentAt(state: State, painted: Painted): Moment | undefined {
  const { cursor } = state;
  const picture = shownOf(state)?.picture;
  if (last?.cursor !== cursor || last.painted !== painted || last.picture !== picture) {
    last = { cursor, painted, picture, moment: asked(cursor, painted, picture) };
  }
  return last.moment;
}

function asked(cursor: State['cursor'], { layouts, views, tops }: Painted, picture: Picture | undefined) {
  if (!cursor || !views) return undefined;
  const y = cursor.pointer ? cursor.pointer.y - (tops.address ?? 0) : -1;
  const isOver = layouts.address && y >= 0 && y <= layouts.address.plot.bottom;
  return picture?.at(views.performance, cursor.x, layouts.address && views.address, isOver ? y : undefined);
}
