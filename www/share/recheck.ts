// A shared picture beside its trace: folded as the link says, and compared.

import { fold } from '../actions/fold.ts';
import { openFiles, type App, type Dropped } from '../actions/open.ts';
import { shownFrom } from '../fragment.ts';
import { OF_ONE_REGION, shownOf, sourceOf, traceOf, type Linked } from '../state.ts';
import { inputsOf, numbered } from './link.ts';

/** Whether a link may be of these files, by their names or their sizes. */
export function isMeant({ facts: { origin }, text: _ }: Linked, { files }: Dropped): boolean {
  return files.some(({ name, size }) => (origin.inputs ?? []).some((input) => input.name === name || Number(input.bytes) === size));
}

export async function recheck(app: App, dropped: Dropped, linked: Linked, decided: () => Promise<void>): Promise<void> {
  const { store } = app;
  const { settings, view, regionNumber } = linked.facts;
  const { region: _, ...others } = settings;
  // What is of one region would be asked of the one that is shown at first.
  const ofAll = Object.fromEntries(Object.entries(others).filter(([key]) => !OF_ONE_REGION.includes(key)));
  const within = shownFrom(String(new URLSearchParams(view))).view;
  await openFiles(app, dropped, { settings: regionNumber === null ? settings : ofAll, view: { ...within, tab: 'region' } });
  const trace = traceOf(store.get());
  if (!trace || store.get().now.is === 'failed') return;
  const region = regionNumber === null ? undefined : numbered(trace)[regionNumber - 1];
  if (regionNumber !== null && region === undefined) {
    return store.set({ ...store.get(), remark: 'This link has pseudonyms, and its region is none that events of this trace delimit: nothing was compared.' });
  }
  if (region !== undefined) await fold(app, { ...store.get(), settings: { ...others, region } }, 'replace');
  const of = sourceOf(store.get());
  await decided();
  const picture = shownOf(store.get())?.picture;
  // Of both, tables are compared.
  const [inputs] = await Promise.all([inputsOf(app, () => {}), app.prepare('export'), app.prepare('table')]);
  // What was asked of it meanwhile is not what the link tells of.
  if (!picture || shownOf(store.get())?.picture !== picture || sourceOf(store.get()) !== of) return;
  try {
    const result = picture.recheck(linked.text, inputs);
    store.set({ ...store.get(), linked: { ...linked, checked: { of, picture, result } } });
  } catch (failure: any) {
    store.set({ ...store.get(), remark: failure.message });
  }
}
