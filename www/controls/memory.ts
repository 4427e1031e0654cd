// What the colours of the address lane mean, and by what loads are coloured.

import { button, byId, make, watcher } from '../dom.ts';
import { shownOf, traceOf, type State } from '../state.ts';
import type { Actions } from '../actions/actions.ts';
import type { Painted } from '../lanes/lanes.ts';
import type { AddressKey } from '../wasm/painter.js';
import type { ViewState } from '../view.ts';

export function mountMemory({ look, pick }: Actions): (state: State, painted: Painted) => void {
  const root = byId('address-legend');
  const turn = byId('colour');
  const changed = watcher();
  let byLevel = false;
  turn.addEventListener('click', () => look({ colour: byLevel ? 'latency' : 'level' }, 'push'));

  return (state, painted) => {
    const { view } = state;
    const shown = shownOf(state);
    const opened = traceOf(state);
    if (!shown?.group.hasAddress || !changed(painted, view.picked, opened)) return;
    byLevel = view.colour === 'level';
    turn.textContent = byLevel ? 'By latency' : 'By level';
    const key = painted.views && shown.picture.addressKey(painted.views.address);
    root.replaceChildren(...(key ? entriesOf(key, view, opened !== null, pick) : []));
  };
}

function entriesOf(key: AddressKey, view: ViewState, isTrace: boolean, pick: Actions['pick']) {
  const store = key.stores > 0 ? [entry(key.storeColour, 'Store')] : [];
  if (!key.references) {
    const words = isTrace ? 'Loads and stores are on their way…' : 'Loads and stores are not part of this link.';
    return [make('span', { class: 'hint', 'data-testid': 'no-references' }, words)];
  }
  if (view.colour === 'level') {
    const level = ({ level, name, colour }: AddressKey['levels'][number]) => {
      const picked = `level:${level}`;
      const isPicked = view.picked === picked;
      const turn = button({ class: 'name', 'aria-pressed': String(isPicked), title: `Show loads from ${name} alone` }, name, () => pick(picked));
      turn.prepend(square(colour));
      return make('span', { class: 'entry' }, turn);
    };
    return [...key.levels.map(level), ...store];
  }
  const unknown = key.unknown > 0 ? [entry(key.unknownColour, key.ends ? 'not sampled' : 'Load, latency not sampled')] : [];
  return [...scale(key), ...unknown, ...store];
}

function scale({ ends, steps }: AddressKey) {
  if (!ends) return [];
  const ramp = make('i', { class: 'ramp' }, ...steps.map(filled));
  return [make('span', { class: 'entry', 'data-testid': 'latency-key' }, 'Load latency', make('small', {}, ends[0]), ramp, make('small', {}, `${ends[1]} cycles, log`))];
}

function filled(colour: string) {
  const part = make('i');
  part.style.setProperty('background', colour);
  return part;
}

function square(colour: string) {
  const mark = filled(colour);
  mark.className = 'square';
  return mark;
}

function entry(colour: string, words: string): HTMLElement {
  return make('span', { class: 'entry' }, square(colour), words);
}
