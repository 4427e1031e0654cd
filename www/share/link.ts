// Links with a picture inside: made with the sums of the files that it is of, with names or pseudonyms.

import { fragmentFrom, viewPairs } from '../fragment.ts';
import { addressWith } from './address.ts';
import { shownOf, sourceOf, traceOf } from '../state.ts';
import type { App, Dropped } from '../actions/open.ts';
import type { Opened } from '../wasm/engine.js';
import type { Input, MadeLink } from '../wasm/painter.js';

export interface Shared {
  address: string;
  names: MadeLink['names'];
  inputs: Input[];
  /** Of two pictures: pseudonyms of one would not be those of the other. */
  isOfBoth?: boolean;
}

/** Of the files that were read last: they are not read again for the next link. */
let summed: { of: Dropped, inputs: Promise<Input[]> } | null = null;

/** SHA-256 of the files of the open trace; none where they can no longer be read. */
export function inputsOf({ engine, inputs }: App, onProgress: (share: number) => void): Promise<Input[]> {
  if (!inputs) return Promise.resolve([]);
  if (summed?.of !== inputs) {
    const sums = engine.digest(inputs, ({ done, total }) => onProgress(Number(done) / Math.max(Number(total), 1)));
    summed = {
      of: inputs,
      inputs: sums.catch(() => {
        // Another time they may be there again.
        summed = null;
        return [];
      }),
    };
  }
  return summed.inputs;
}

/** The regions that events delimit, in an order that nothing but the trace decides: a link with pseudonyms
 * tells the number of its own. */
export function numbered({ regions }: Opened): string[] {
  return [...new Set(regions.lines.filter(({ ofEvents }) => ofEvents).map(({ region }) => region))].sort();
}

/** The address that shows this picture anywhere, without the trace. A picture that came from a link is
 * shared by the same link. */
export async function linkTo(app: App, pseudonyms: boolean, onProgress: (share: number) => void): Promise<Shared | null> {
  const { store } = app;
  const trace = traceOf(store.get());
  const inputs = trace ? await inputsOf(app, onProgress) : (store.get().linked?.facts.origin.inputs ?? []);
  const state = store.get();
  const shown = shownOf(state);
  if (!shown || traceOf(state) !== trace) return null;
  const { view, settings } = state;
  const region = trace ? numbered(trace).indexOf(shown.summary.region) + 1 : 0;
  const asked = { settings, view: viewPairs(view), inputs, ...(pseudonyms && { pseudonyms: region }) };
  const { text, names } = shown.picture.link(asked, view.counter ?? undefined, shown.points ?? undefined);
  const source = sourceOf(state);
  // Settings and view stand in a link with pseudonyms as they are inside it, and not beside it.
  const fragment = pseudonyms ? `s=${text}` : fragmentFrom({ source: { kind: 'link', text: source.kind === 'link' ? source.text : text }, settings, view });
  return { address: addressWith(fragment), names, inputs };
}
