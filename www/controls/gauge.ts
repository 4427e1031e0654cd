// What is read beside the program: which of it the lane shows, what its colours mean, who reads it.

import { byId, make, refill, watcher } from '../dom.ts';
import { term } from '../terms.ts';
import { shownOf, type State } from '../state.ts';
import type { Actions } from '../actions/actions.ts';
import type { GaugeSummary } from '../wasm/painter.js';

export function mountGauge({ look }: Actions): (state: State) => void {
  const root = byId('gauge-legend');
  const changed = watcher();
  return (state) => {
    const { group, awaitsGauge } = shownOf(state) ?? {};
    const gauges = group?.gauges ?? [];
    const asked = state.view.gauge;
    if (!changed(gauges, asked, awaitsGauge)) return;
    if (awaitsGauge) root.replaceChildren(make('span', { class: 'hint' }, 'Deciding…'));
    const shown = gauges.find(({ code }) => code === asked) ?? gauges[0];
    if (!shown) return;
    byId('gauge-title').replaceChildren(term(shown.code === null ? 'memory' : 'gauge', shown.title));
    const keys = shown.keys.map(({ name, style, mean }, at) => {
      const named = at === 0 && gauges.length > 1 ? choice(gauges, shown) : name;
      return make('span', { class: 'entry' }, make('i', { class: `square ${style}` }), named, ', mean ', make('b', {}, mean));
    });
    refill(root, 'key', ...keys, make('span', { class: 'hint right' }, shown.hint));
  };

  /** Of several, by the name of the first line of each. */
  function choice(gauges: GaugeSummary[], shown: GaugeSummary) {
    const options = gauges.map((gauge) => make('option', { value: String(gauge.code ?? ''), ...(gauge === shown && { selected: '' }) }, gauge.keys[0].name));
    const select = make('select', { 'aria-label': 'Gauge', 'data-key': 'gauge', 'data-testid': 'gauge' }, ...options);
    select.addEventListener('change', () => look({ gauge: select.value === '' ? null : Number(select.value) }));
    return select;
  }
}
