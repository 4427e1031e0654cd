// The address lane's names as buttons over its gutter, and what a click on a lane picks.

import { byId, make, refill, watcher } from '../dom.ts';
import { LANES, isNarrow } from './sizes.ts';
import type { Actions } from '../actions/actions.ts';
import type { Painted } from './lanes.ts';
import { shownOf, type State } from '../state.ts';

/** Width of a name in the gutter, and in a narrow page inside its band. */
const WIDE = 108;
const NARROW = 150;
const LINE = 16;

/** How far from a click a reference may lie, in px. */
const REACH = 12;

export function mountNames({ look }: Actions): (state: State, painted: Painted) => void {
  const host = byId('object-names');
  const changed = watcher();
  return ({ view }, { layouts, tops }) => {
    if (!changed(layouts.address, tops.address, view.object)) return;
    const rows = layouts.address?.rows ?? [];
    refill(host, 'object', ...rows.map(({ object, kind, top, bottom }) => {
      const isAlone = view.object === object;
      const words = isAlone ? `${object}, ${kind}: show all objects` : `${object}, ${kind}: show it alone`;
      const name = make('button', { type: 'button', class: 'object-name', 'data-object': object, 'aria-pressed': String(isAlone), 'aria-label': words, title: words, 'data-testid': 'object-name' });
      name.addEventListener('click', () => look({ object: isAlone ? null : object }, 'push'));
      const high = isNarrow(innerWidth) || isAlone ? Math.min(2 * LINE, bottom - top) : bottom - top;
      name.style.setProperty('top', `${(tops.address ?? 0) + top}px`);
      name.style.setProperty('height', `${high}px`);
      name.style.setProperty('width', `${isNarrow(innerWidth) ? NARROW : WIDE}px`);
      return name;
    }));
  };
}

/** What a click on a lane picks: the object of the reference or band there, the routine of a band;
 * `null` where there is nothing. Pixels are from the top of all lanes. */
export function pickedAt(state: State, { layouts, views, tops }: Painted, { x, y: down }: { x: number, y: number }): string | null {
  const picture = shownOf(state)?.picture;
  const lane = LANES.findLast((name) => down >= (tops[name] ?? Infinity));
  const y = lane ? down - (tops[lane] ?? 0) : 0;
  let found = null;
  if (lane === 'source' && views && y < views.source.height) {
    const routine = picture?.routineAt(views.source, x);
    if (routine !== undefined) found = `routine:${routine}`;
  }
  if (lane === 'address' && views) {
    const near = picture?.referenceAt(views.address, x, y);
    const row = layouts.address?.rows.find(({ top, bottom }) => y >= top && y < bottom);
    const object = near?.object && Math.abs(near.y - y) <= REACH ? near.object : row?.object;
    if (object !== undefined) found = `object:${object}`;
  }
  return found;
}
