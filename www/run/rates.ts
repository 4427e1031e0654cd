// What a counter counts between its readings, below the time line.

import { byId, make, onUnfold, watcher } from '../dom.ts';
import { paintedTheme } from '../theme.ts';
import { gutters } from '../lanes/sizes.ts';
import { Surface } from '../lanes/surface.ts';
import type { Actions } from '../actions/actions.ts';
import type { Run, State } from '../state.ts';

const HEIGHT = 120;

export function mountRates({ look }: Actions): (state: State, run: Run) => void {
  const details = byId('rates') as HTMLDetailsElement;
  const choice = byId('rates-counter') as HTMLSelectElement;
  const canvas = byId('canvas-rates') as HTMLCanvasElement;
  const surface = new Surface(canvas);
  const changed = watcher();
  const others = watcher();
  onUnfold(details, (isOpen) => look({ rates: isOpen ? choice.value : null }, 'push'));
  choice.addEventListener('change', () => look({ rates: choice.value }, 'push'));

  return ({ view }, run) => {
    const { counters } = run.summary;
    details.hidden = counters.length === 0;
    details.open = view.rates !== null;
    if (others(counters)) choice.replaceChildren(...counters.map(([name, short]) => make('option', { value: name, title: name }, short)));
    if (view.rates === null) return;
    choice.value = view.rates;
    const [width, theme] = [byId('run-lanes').clientWidth, paintedTheme(view.theme)];
    if (!run.rates || !changed(run.rates, view.window, width, innerWidth, theme, devicePixelRatio)) return;
    const { rates } = run.rates;
    canvas.hidden = !rates;
    const asked = { theme, from: view.window[0], to: view.window[1], ...gutters(innerWidth), width, height: HEIGHT };
    byId('rates-hint').textContent = rates ? run.picture.rates(canvas, asked, surface.fit(width, HEIGHT), rates) : `There is no counter ${view.rates} here; choose another one.`;
  };
}
