// A shared picture beside its trace: folded as the link says, and compared.

import { fold } from '../actions/fold.ts';
import { openFiles, type App, type Dropped } from '../actions/open.ts';
import { shownFrom } from '../fragment.ts';
import { shownOf, sourceOf, traceOf, type Linked } from '../state.ts';
import { inputsOf } from './link.ts';

/** Whether a link may be of these files, by their names or their sizes. */
export function isMeant({ facts: { origin }, text: _ }: Linked, { files }: Dropped): boolean {
  return files.some(({ name, size }) => (origin.inputs ?? []).some((input) => input.name === name || Number(input.bytes) === size));
}

export async function recheck(app: App, dropped: Dropped, linked: Linked, decided: () => Promise<void>): Promise<void> {
  const { store } = app;
  const { settings, view, regionNumber } = linked.facts;
  const { region: _, ...others } = settings;
  const within = shownFrom(String(new URLSearchParams(view))).view;
  await openFiles(app, dropped, { settings: regionNumber === null ? settings : others, view: { ...within, tab: 'region' } });
  const trace = traceOf(store.get());
  if (!trace || store.get().now.is === 'failed') return;
  const region = regionNumber === null ? undefined : trace.regions.lines[regionNumber - 1]?.region;
  if (region !== undefined) await fold(app, { ...store.get(), settings: { ...others, region } }, 'replace');
  const of = sourceOf(store.get());
  await decided();
  const [inputs] = await Promise.all([inputsOf(app, () => {}), app.prepare('export')]);
  const picture = shownOf(store.get())?.picture;
  if (!picture || sourceOf(store.get()) !== of) return;
  try {
    const result = picture.recheck(linked.text, inputs);
    store.set({ ...store.get(), linked: { ...linked, checked: { of, result } } });
  } catch (failure: any) {
    store.set({ ...store.get(), remark: failure.message });
  }
}
