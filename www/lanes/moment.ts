// What stands at the cursor: the tooltip and the legend tell the same moment, which is asked for once.

import { shownOf, type State } from '../state.ts';
import type { Painted } from './lanes.ts';
import type { Moment, Picture } from '../wasm/painter.js';

let last: { cursor: State['cursor'], painted: Painted, picture: Picture | undefined, moment: Moment | undefined } | null = null;

/** The reference in it is the one nearest to the pointer over the address lane, else nearest in time; the part
 * of a model the one that the pointer is on. */
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
  const { pointer } = cursor;
  const over = (name: 'address' | 'performance') => {
    const y = pointer ? pointer.y - (tops[name] ?? 0) : -1;
    const { plot } = layouts[name] ?? {};
    return plot && y >= 0 && y <= plot.bottom ? y : undefined;
  };
  return picture?.at(views.performance, cursor.x, layouts.address && views.address, over('address'), over('performance'));
}
