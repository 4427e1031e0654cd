// The counters by name and colour, with their values at the cursor; and the samples of one alone.

import { button, byId, make, watcher } from '../dom.ts';
import { fixed, significant } from '../format.ts';
import { drawnNumber } from '../lanes/drawn.ts';
import { isNarrow } from '../lanes/sizes.ts';
import { shownOf, traceOf, type State } from '../state.ts';
import { modelEntries, showComponents } from './models.ts';
import type { Actions } from '../actions/actions.ts';
import type { Painted } from '../lanes/lanes.ts';
import type { GroupSummary, LegendEntry } from '../wasm/painter.js';

export function mountLegend(actions: Actions): (state: State, painted: Painted) => void {
  const root = byId('legend');
  const changed = watcher();
  const moved = watcher();
  return (state, painted) => {
    const { view } = state;
    const shown = shownOf(state);
    if (changed(painted, shown?.summary, shown?.points, traceOf(state))) {
      const isModel = view.model !== null && view.counter === null && painted.views !== null;
      root.replaceChildren(...(isModel ? [...modelEntries(state, painted.views), ...sparse(state)] : entriesOf(state, painted.legend, actions)));
      byId('performance-title').textContent = view.counter === null ? 'Performance' : 'Rate';
      byId('source-hint').textContent = sourceWords(state);
      if (view.counter !== null) byId('samples-legend').replaceChildren(...samplesOf(state));
    }
    if (!moved(state.cursor?.x, painted, view.shown)) return;
    showValues(root, state, painted);
    if (view.model !== null) showComponents(root, state, painted.views);
  };
}

function entriesOf(state: State, legend: LegendEntry[], { toggleCounter, look }: Actions) {
  const { view } = state;
  if (view.counter !== null) {
    const alone = legend.find(({ counter }) => counter === view.counter);
    const all = button({ class: 'link right', 'data-testid': 'all-counters' }, 'All counters', () => look({ counter: null }, 'push'));
    return [...(alone ? [make('span', { class: 'entry' }, swatch(alone.colour), nameOf(alone), valueOf(alone))] : []), ...sparse(state), all];
  }
  const switches = (instructions: boolean) => legend.filter((entry) => entry.instructions === instructions).map((entry) => {
    const { counter, colour } = entry;
    const name = nameOf(entry) + unitOf(entry, legend);
    const isShown = !view.hidden.includes(counter);
    const switched = button({ class: 'name', 'aria-pressed': String(isShown), title: `${counter}: show or hide` }, name, () => toggleCounter(counter));
    switched.prepend(swatch(colour));
    switched.append(...power(shownOf(state)?.group, counter));
    const alone = button({ class: 'link alone', 'data-alone': counter }, 'alone', () => look({ counter }, 'push'));
    const group = { role: 'group', 'aria-label': name };
    return make('span', { class: instructions ? 'entry right' : 'entry', ...group }, switched, make('span', { class: 'slot' }, valueOf(entry), alone));
  });
  // MIPS stands at the right, over its axis.
  return [make('div', { class: 'entries' }, ...switches(false), ...sparse(state)), ...switches(true)];
}

/** What hatching means, if there is some. */
function sparse(state: State) {
  const some = (shownOf(state)?.group.sparse ?? []).length > 0;
  return some ? [make('span', { class: 'entry', 'data-testid': 'sparse' }, make('i', { class: 'swatch hatched' }), 'too few samples')] : [];
}

/** The mean power of a counter of energy. */
function power(group: GroupSummary | undefined, wanted: string) {
  const watts = group?.counters.find(({ counter }) => counter === wanted)?.watts;
  return watts === null || watts === undefined ? [] : [make('span', { class: 'watts', title: 'mean power' }, `${significant(watts)}\u202fW`)];
}

function nameOf({ name, instructions }: LegendEntry) {
  return instructions ? 'MIPS' : name;
}

/** Where the gutter has no room for the units of the axes, an entry of each strip tells it: what all
 * are divided by the last one, a unit the first one, whose curve is the largest. */
function unitOf(entry: LegendEntry, legend: LegendEntry[]) {
  const isRatio = entry.per.startsWith('per ');
  const told = legend.filter(({ strip, instructions }) => strip === entry.strip && !instructions).at(isRatio ? -1 : 0);
  if (told !== entry || !isNarrow(innerWidth)) return '';
  return isRatio ? ` / ${entry.per.replace('per ', '')}` : ` (${entry.per})`;
}

function valueOf({ counter }: LegendEntry) {
  return make('b', { class: 'value', 'data-of': counter });
}

function swatch(colour: string) {
  const line = make('i', { class: 'swatch' });
  line.style.setProperty('background', colour);
  return line;
}

function showValues(root: HTMLElement, state: State, { layouts }: Painted) {
  const shown = shownOf(state);
  const at = state.cursor && shown?.picture.at(shown.group.number, state.cursor.x);
  const strips = layouts.performance?.strips ?? [];
  root.classList.toggle('pointed', Boolean(at));
  for (const element of root.querySelectorAll<HTMLElement>('[data-of]')) {
    const counter = element.dataset.of ?? '';
    const strip = strips.find(({ curves }) => curves.includes(counter));
    const number = at && strip ? drawnNumber(at.values.find((value) => value.counter === counter), strip, state) : null;
    element.title = strip?.unit ?? '';
    element.textContent = number === null ? '' : strip?.right ? fixed(number) : significant(number, number < 0.01 ? 2 : 3);
  }
}

/** What became of the samples of the counter shown alone. */
function samplesOf(state: State): (HTMLElement | string)[] {
  const counter = shownOf(state)?.group.counters.find(({ counter }) => counter === state.view.counter);
  const fitted = make('span', { class: 'entry right' }, make('i', { class: 'swatch fitted' }), 'fitted');
  if (!counter) return [fitted];
  if (!traceOf(state)) return [make('span', { class: 'hint' }, 'Samples are not part of a link.'), fitted];
  const entry = (kind: string, n: number, words: string) =>
    make('span', { class: 'entry' }, make('i', { class: `point ${kind}` }), `${fixed(n)} ${words}`);
  return [entry('used', counter.used, 'used'), entry('unused', counter.unused, 'not used'), entry('excluded', counter.excluded, 'of instances left out'), fitted];
}

function sourceWords(state: State) {
  const shown = shownOf(state);
  if (!shown || state.view.counter !== null) return '';
  if (state.view.stacks === 'icicle') return 'Routines under those that call them, the root at the top';
  return shown.summary.quantised ? 'Routines and lines, as far as a link carries them' : 'Routine › callee [most sampled line], and every sampled line';
}
