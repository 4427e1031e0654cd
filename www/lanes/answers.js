// What stands at the cursor, in rows: when, which line, which data, at what cost, how fast, and how
// many samples tell so.

import { pathOf } from '../code.js';
import { duration, fixed, percent, significant } from '../format.js';
import { byId } from '../dom.js';
import { shownGroup } from '../state.js';

/** Rows after the first. */
const MOST = 5;

/**
 * @typedef {import('../state.js').State} State
 * @typedef {[string, string, string]} Row what it is, its value, and what that belongs to
 */

/**
 * The reference nearest to the cursor: over the address lane in both directions, else in time.
 * @param {State} state
 * @param {import('./lanes.js').Painted} painted
 */
export function referenceAt({ picture, cursor }, { layouts, views }) {
  if (!picture || !cursor || !views || !layouts.address) return null;
  const down = byId('canvas-address').offsetTop;
  const y = cursor.pointer ? cursor.pointer.y - down : -1;
  const isOver = y >= 0 && y <= layouts.address.plot.bottom;
  return picture.referenceAt(views.address, cursor.x, isOver ? y : undefined);
}

/**
 * First row time, share and phase, then value first and what it belongs to.
 * @param {State} state
 * @param {import('../tracefold.js').AtCursor} at
 * @param {import('../tracefold.js').ReferenceAt | null} near
 * @param {number} x folded time
 * @returns {Row[]}
 */
export function answers(state, at, near, x) {
  /** @type {Row} */
  const first = ['', duration(at.ms), percent(x) + (at.phase ? ` · phase ${at.phase}` : '')];
  const [rate, soFar] = rateRows(state, at);
  const rows = [lineRow(at), ...dataRows(near), rate, soFar, fromRow(at)].filter((row) => row !== null);
  if (rows.length > MOST) rows.splice(rows.indexOf(/** @type {Row} */ (soFar)), 1);
  return [first, ...rows.slice(0, MOST)];
}

/** @type {(at: import('../tracefold.js').AtCursor) => Row | null} */
function lineRow({ routine, line, file }) {
  return routine ? ['Line', pathOf([routine], line), file ?? ''] : null;
}

/** @type {(near: import('../tracefold.js').ReferenceAt | null) => (Row | null)[]} */
function dataRows(near) {
  if (!near?.object) return [];
  const { object, kind, offset, cost, level } = near;
  /** @type {Row} */
  const data = ['Data', object, `${kind ?? ''} at ${offset}`];
  const from = level === null ? '' : `from ${level}`;
  /** @type {Row | null} */
  const load = cost === null && level === null ? null : ['Load', cost === null ? /** @type {string} */ (level) : `${fixed(cost)} cycles`, cost === null ? '' : from];
  return [data, load];
}

/**
 * The rate of the counter shown alone or of instructions, and the share of its events by then.
 * @param {State} state
 * @param {import('../tracefold.js').AtCursor} at
 * @returns {(Row | null)[]}
 */
function rateRows(state, at) {
  const { counter } = state.view;
  const alone = shownGroup(state)?.counters.find((known) => (counter ?? '') === known.counter || (counter === null && known.instructions));
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

/** @type {(at: import('../tracefold.js').AtCursor) => Row | null} */
function fromRow({ near, nearMs }) {
  return near > 0 ? ['From', `${fixed(near)} sample${near === 1 ? '' : 's'}`, `in ${duration(nearMs)}`] : null;
}
