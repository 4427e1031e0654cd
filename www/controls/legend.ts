// The counters by name and colour, with their values at the cursor; and the samples of one alone.

import { button, byId, make, refill, watcher } from '../dom.ts';
import { momentAt } from '../lanes/moment.ts';
import { isNarrow } from '../lanes/sizes.ts';
import { shownOf, traceOf, type State } from '../state.ts';
import { modelEntries, showComponents } from './models.ts';
import { term } from '../terms.ts';
import type { Actions } from '../actions/actions.ts';
import type { Painted } from '../lanes/lanes.ts';
import type { GroupSummary, LegendEntry, Moment } from '../wasm/painter.js';

export function mountLegend(actions: Actions): (state: State, painted: Painted) => void {
  const root = byId('legend');
  const changed = watcher();
  const moved = watcher();
  for (const nears of ['pointerover', 'focusin', 'pointerdown']) root.addEventListener(nears, actions.prepareCounters);
  return (state, painted) => {
    const { view } = state;
    const shown = shownOf(state);
    if (changed(painted, shown?.summary, shown?.deciding, shown?.points, state.picking, traceOf(state))) {
      const isModel = view.model !== null && view.counter === null && painted.views !== null;
      refill(root, 'key', ...(isModel ? [...modelEntries(state, painted.views), ...sparse(state)] : entriesOf(state, painted.legend, actions)));
      byId('performance-title').replaceChildren(view.counter === null ? term('performance', 'Performance') : term('rate', 'Rate'));
      byId('source-hint').textContent = sourceWords(state);
      if (view.counter !== null) byId('samples-legend').replaceChildren(...samplesOf(state));
    }
    if (!moved(state.cursor?.x, painted, view.shown)) return;
    const at = momentAt(state, painted);
    showValues(root, at);
    showComponents(root, at);
  };
}

function entriesOf(state: State, legend: LegendEntry[], { toggleCounter, look, pickCounters }: Actions) {
  const { view } = state;
  if (view.counter !== null) {
    const alone = legend.find(({ counter }) => counter === view.counter);
    const all = button({ class: 'link right', 'data-testid': 'all-counters', 'data-key': 'all' }, 'All counters', () => look({ counter: null }, 'push'));
    return [...(alone ? [make('span', { class: 'entry', tabindex: '0', role: 'group', 'aria-label': alone.name, 'data-certain': alone.counter, 'data-key': `name ${alone.counter}` }, swatch(alone.colour), alone.name, valueOf(alone))] : []), ...sparse(state), all];
  }
  const switches = (instructions: boolean) => legend.filter((entry) => entry.instructions === instructions).map((entry) => {
    const { counter, colour } = entry;
    const name = entry.name + (isNarrow(innerWidth) ? entry.behind : '');
    const switched = button({ class: 'name', 'aria-pressed': String(!entry.hidden), title: `${counter}: show or hide`, 'data-certain': counter, 'data-key': `name ${counter}` }, '', () => toggleCounter(counter));
    switched.append(swatch(colour), make('span', { class: 'cut' }, name));
    if (entry.of) switched.append(make('span', { class: 'of' }, entry.of));
    switched.append(...power(shownOf(state)?.group, counter));
    const alone = button({ class: 'link alone', 'data-alone': counter, 'data-key': `alone ${counter}` }, 'alone', () => look({ counter }, 'push'));
    const group = { role: 'group', 'aria-label': [name, entry.of].filter(Boolean).join(' ') };
    return make('span', { class: instructions ? 'entry right' : 'entry', ...group }, switched, make('span', { class: 'slot' }, valueOf(entry), alone));
  });
  // MIPS stands at the right, over its axis.
  return [make('div', { class: 'entries' }, ...switches(false), ...sparse(state)), ...others(state, legend.length, pickCounters), ...switches(true)];
}

/** How many counters have a curve, where not all have, and the way to the others. */
function others(state: State, shown: number, pick: Actions['pickCounters']) {
  const { view, picking } = state;
  const { group, deciding } = shownOf(state) ?? {};
  const all = group?.counters.length ?? 0;
  if (shown >= all && view.curves === null) return [];
  const words = deciding && view.curves === null ? 'deciding…' : `${shown} of ${all}`;
  return [button({ class: 'link count', 'data-testid': 'counters-button', 'data-key': 'counters', 'aria-expanded': String(picking), 'aria-controls': 'counters', title: 'Choose counters' }, words, () => void pick(!picking))];
}

/** What hatching means, if there is some. */
function sparse(state: State) {
  const some = (shownOf(state)?.group.sparse ?? []).length > 0;
  return some ? [make('span', { class: 'entry', 'data-testid': 'sparse' }, make('i', { class: 'swatch hatched' }), 'too few samples')] : [];
}

/** The mean power of a counter of energy. */
function power(group: GroupSummary | undefined, wanted: string) {
  const mean = group?.counters.find(({ counter }) => counter === wanted)?.power;
  return mean ? [make('span', { class: 'watts', title: 'mean power' }, mean)] : [];
}

function valueOf({ counter }: LegendEntry) {
  return make('b', { class: 'value', 'data-of': counter });
}

function swatch(colour: string) {
  const line = make('i', { class: 'swatch' });
  line.style.setProperty('background', colour);
  return line;
}

function showValues(root: HTMLElement, at: Moment | null | undefined) {
  root.classList.toggle('pointed', Boolean(at));
  for (const element of root.querySelectorAll<HTMLElement>('[data-of]')) {
    const curve = at?.curves.find(({ counter }) => counter === element.dataset.of);
    element.title = curve?.unit ?? '';
    element.textContent = curve?.text ?? '';
  }
}

/** What became of the samples of the counter shown alone. */
function samplesOf(state: State): (HTMLElement | string)[] {
  const counter = shownOf(state)?.group.counters.find(({ counter }) => counter === state.view.counter);
  const fitted = make('span', { class: 'entry right' }, make('i', { class: 'swatch fitted' }), 'fitted');
  if (!counter) return [fitted];
  const { picture, group } = shownOf(state)!;
  const carried = traceOf(state) ? 1 : picture.carriedSamples(group.number, counter.counter);
  if (carried === 0) return [make('span', { class: 'hint' }, 'Samples are not part of this link.'), fitted];
  const words = [['used', 'used'], ['unused', 'not used'], ['excluded', 'of instances left out']];
  const entries = words.map(([kind, words], i) => make('span', { class: 'entry' }, make('i', { class: `point ${kind}` }), `${counter.samples[i].text} ${words}`));
  return [...entries, fitted];
}

function sourceWords(state: State) {
  const shown = shownOf(state);
  if (!shown || state.view.counter !== null) return '';
  if (state.view.stacks === 'icicle') return 'Routines under those that call them, the root at the top';
  if (!shown.group.hasCode) return 'Lines that call; between two calls only the one that ends the stretch is known';
  return shown.summary.quantised ? 'Routines and lines, as far as a link carries them' : 'Routine › callee [most sampled line], and every sampled line';
}
