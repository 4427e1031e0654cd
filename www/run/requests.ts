// What the pictures of a run need of the engine.

import { Multiples } from '../wasm/painter.js';
import { brushOf, multiplesArrived, rasterArrived, ratesArrived, runOf, tabOf } from '../state.ts';
import { hasClusters } from './multiples.ts';
import { runColumns, runRows } from './size.ts';
import type { Request } from '../actions/ask.ts';
import type { App } from '../actions/open.ts';

/** One of each kind. */
export const runRequests = (app: App): Request[] => [raster(app), rates(app), multiples(app)];

/** The time line of what is visible of the run. */
function raster({ engine, store }: App): Request {
  return (state) => {
    const run = runOf(state);
    if (!run || tabOf(state) !== 'run') return null;
    const { view: { window: [from, to], by } } = state;
    const window = { from, to, by, columns: runColumns(), rows: runRows(run.picture).rows, brush: brushOf(state, run) };
    const asked = JSON.stringify(window);
    if (run.raster?.asked === asked) return null;
    return {
      key: [run.picture, asked],
      unfolded: true,
      ask: () => engine.call('raster', { window }, { latest: true }),
      arrived: (now, bytes) => rasterArrived(now, { asked, by, bytes }),
      refused: () => store.set(rasterArrived(store.get(), { asked, by, bytes: new Uint8Array() })),
    };
  };
}

/** What a counter counts between its readings of what is visible, once somebody looks at it. */
function rates({ engine }: App): Request {
  return (now) => {
    const run = runOf(now);
    const counter = now.view.rates;
    if (!run || tabOf(now) !== 'run' || counter === null) return null;
    const { settings, view: { window: [from, to] } } = now;
    const window = { from, to, columns: runColumns(), rows: 1, by: 'cluster' };
    const asked = JSON.stringify([counter, window, settings.energy]);
    if (run.rates?.asked === asked) return null;
    return {
      key: [run.picture, asked],
      unfolded: true,
      ask: () => engine.call('rates', { settings, counter, window }, { latest: true }),
      arrived: (now, rates) => ratesArrived(now, { asked, rates: rates ?? null }),
    };
  };
}

/** All clusters folded, once somebody looks at them. */
function multiples({ engine, prepare, store }: App): Request {
  return (now) => {
    const run = runOf(now);
    if (!run || tabOf(now) !== 'run' || now.view.multiples !== 'shown' || !hasClusters(run)) return null;
    const settings = JSON.stringify(now.settings);
    if (run.multiples?.settings === settings) return null;
    return {
      key: [run.picture, settings],
      unfolded: true,
      ask: () => Promise.all([engine.call('foldClusters', { settings: now.settings }), prepare('export')]),
      arrived: (now, [foldings]) => multiplesArrived(now, { settings, picture: new Multiples(foldings), words: '' }),
      refused: ({ message }) => store.set(multiplesArrived(store.get(), { settings, picture: null, words: message })),
    };
  };
}
