// Models in XML among what was dropped: read here, understood by the engine.

import { fileSize } from '../format.ts';
import { failed, type Store } from '../state.ts';
import type { App, Dropped } from './open.ts';
import type { ModelFile } from '../wasm/engine.js';

/** A model is a text of some kilobytes. */
const LARGEST_BYTES = 1e6;

/** The models among dropped files, and the rest: profiles of TAU are XML too. */
export async function apart(dropped: Dropped): Promise<{ models: File[], rest: Dropped }> {
  const { files, names } = dropped;
  const areModels = await Promise.all(files.map(async (file) => /\.xml$/i.test(file.name) && !(await file.slice(0, 4096).text().catch(() => '')).includes('<profile_xml')));
  if (!areModels.includes(true)) return { models: [], rest: dropped };
  const rest = [...files.keys()].filter((i) => !areModels[i]);
  return { models: files.filter((_, i) => areModels[i]), rest: { files: rest.map((i) => files[i]), names: rest.map((i) => names[i]) } };
}

/** Reads models and keeps them beside those that are there; one of the same name is replaced.
 * Whether they could be read. */
export async function keepModels({ store }: App, files: File[]): Promise<boolean> {
  const large = files.find(({ size }) => size > LARGEST_BYTES);
  if (large) {
    refuse(store, `${large.name} could not be read`, `It has ${fileSize(large.size)}; a model has at most ${fileSize(LARGEST_BYTES)}.`);
    return false;
  }
  const models = await Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
  const isNew = (name: string) => models.some((model) => model.name === name);
  store.set({ ...store.get(), models: [...store.get().models.filter(({ name }) => !isNew(name)), ...models] });
  return true;
}

/** Folds with the models that are kept. One that the engine cannot read is no longer kept, and what
 * is wrong with it is told once the rest is on screen. */
export async function foldedWithModels(app: App, call: (args: { settings: Record<string, string>, models: ModelFile[] }) => Promise<Uint8Array>, settings: Record<string, string>): Promise<{ bytes: Uint8Array, tell: () => void }> {
  const { store } = app;
  const { models } = store.get();
  try {
    return { bytes: await call({ settings, models }), tell: () => {} };
  } catch (failure: any) {
    const { file } = failure;
    if (!file || !models.some(({ name }) => name === file)) throw failure;
    store.set({ ...store.get(), models: store.get().models.filter(({ name }) => name !== file) });
    const { bytes } = await foldedWithModels(app, call, settings);
    return { bytes, tell: () => store.set(failed(store.get(), { task: 'open', title: `${file} could not be read`, failure })) };
  }
}

export function refuse(store: Store, title: string, message: string): void {
  store.set(failed(store.get(), { task: 'open', title, failure: { message } }));
}
