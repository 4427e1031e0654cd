// What stands at the cursor, in rows: when, which line, which data, at what cost, how fast, and how
// many samples tell so.

import { pathOf } from '../code.ts';
import { duration, fixed, percent, significant } from '../format.ts';
import { shownOf, type State } from '../state.ts';
import type { Painted } from './lanes.ts';
import type { Moment, Near } from '../wasm/painter.js';

/** Rows after the first. */
const MOST = 5;

/** What it is, its value, and what that belongs to. */
export type Row = [string, string, string];

/** The reference nearest to the cursor: over the address lane in both directions, else in time. */
export function referenceAt(state: State, { layouts, views, tops }: Painted) {
  const { cursor } = state;
  const picture = shownOf(state)?.picture;
  if (!picture || !cursor || !views || !layouts.address) return null;
  const y = cursor.pointer ? cursor.pointer.y - (tops.address ?? 0) : -1;
  const isOver = y >= 0 && y <= layouts.address.plot.bottom;
  return picture.referenceAt(views.address, cursor.x, isOver ? y : undefined);
}

/** First row time, share and phase, then value first and what it belongs to. */
export function answers(state: State, at: Moment, near: Near | null, x: number): Row[] {
  const first: Row = ['', duration(at.ms), percent(x) + (at.phase ? ` · phase ${at.phase}` : '')];
  const [rate, soFar] = rateRows(state, at);
  const rows = [lineRow(at), ...dataRows(near), rate, soFar, fromRow(at)].filter((row) => row !== null);
  if (rows.length > MOST) rows.splice(rows.indexOf(soFar as Row), 1);
  return [first, ...rows.slice(0, MOST)];
}

function lineRow({ routine, line, file }: Moment): Row | null {
  return routine ? ['Line', pathOf([routine], line), file ?? ''] : null;
}

function dataRows(near: Near | null): (Row | null)[] {
  if (!near?.object) return [];
  const { object, kind, offset, cost, level } = near;
  const data: Row = ['Data', object, `${kind ?? ''} at ${offset}`];
  const from = level === null ? '' : `from ${level}`;
  const load: Row | null = cost === null && level === null ? null : ['Load', cost === null ? (level as string) : `${fixed(cost)} cycles`, cost === null ? '' : from];
  return [data, load];
}

/** The rate of the counter shown alone or of instructions, and the share of its events by then. */
function rateRows(state: State, at: Moment): (Row | null)[] {
  const { counter } = state.view;
  const alone = shownOf(state)?.group.counters.find((known) => (counter ?? '') === known.counter || (counter === null && known.instructions));
  const value = at.values.find((known) => known.counter === alone?.counter);
  if (!alone || !value) return [null, null];
  // A counter of energy is read as power.
  const watts = (alone.joules ?? 0) * 1e6;
  const half = value.halfWidth * (watts || 1);
  const near = half > 0 ? `± ${alone.instructions ? fixed(half) : significant(half, 2)}` : '';
  const rate = watts > 0 ? `${significant(value.rate * watts)}\u202fW` : `${significant(value.rate)}\u202fM/s`;
  return [
    [watts > 0 ? 'Power' : 'Rate', alone.instructions ? `${fixed(value.rate)}\u202fMIPS` : rate, [near, alone.instructions ? '' : alone.name].filter(Boolean).join(' ')],
    ['So far', percent(value.fitted), `of ${alone.instructions ? 'instructions' : alone.name}`],
  ];
}

function fromRow({ near, nearMs }: Moment): Row | null {
  return near > 0 ? ['From', `${fixed(near)} sample${near === 1 ? '' : 's'}`, `in ${duration(nearMs)}`] : null;
}
