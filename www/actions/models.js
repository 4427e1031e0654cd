// Models in XML among what was dropped: read here, understood by the engine.

import { fileSize } from '../format.js';
import { failed } from '../state.js';

/** A model is a text of some kilobytes. */
const LARGEST_BYTES = 1e6;

/**
 * @typedef {import('./open.js').App} App
 * @typedef {import('./open.js').Dropped} Dropped
 */

/**
 * The models among dropped files, and the rest.
 * @param {Dropped} dropped
 * @returns {{models: File[], rest: Dropped}}
 */
export function apart({ files, names }) {
  const isModel = (/** @type {File} */ { name }) => /\.xml$/i.test(name);
  const rest = files.flatMap((file, i) => (isModel(file) ? [] : [i]));
  return { models: files.filter(isModel), rest: { files: rest.map((i) => files[i]), names: rest.map((i) => names[i]) } };
}

/**
 * Reads models and keeps them beside those that are there; one of the same name is replaced.
 * @type {(app: App, files: File[]) => Promise<boolean>} whether they could be read
 */
export async function keepModels({ store }, files) {
  const large = files.find(({ size }) => size > LARGEST_BYTES);
  if (large) {
    refuse(store, `${large.name} could not be read`, `It has ${fileSize(large.size)}; a model has at most ${fileSize(LARGEST_BYTES)}.`);
    return false;
  }
  const models = await Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
  const isNew = (/** @type {string} */ name) => models.some((model) => model.name === name);
  store.set({ ...store.get(), models: [...store.get().models.filter(({ name }) => !isNew(name)), ...models] });
  return true;
}

/**
 * Folds with the models that are kept. One that the engine cannot read is no longer kept, and what
 * is wrong with it is told once the rest is on screen.
 * @param {App} app
 * @param {(args: {settings: Record<string, string>, models: import('../tracefold.js').ModelFile[]}) => Promise<Uint8Array>} call
 * @param {Record<string, string>} settings
 * @returns {Promise<{bytes: Uint8Array, tell: () => void}>}
 */
export async function foldedWithModels(app, call, settings) {
  const { store } = app;
  const { models } = store.get();
  try {
    return { bytes: await call({ settings, models }), tell: () => {} };
  } catch (/** @type {any} */ failure) {
    const { file } = failure;
    if (!file || !models.some(({ name }) => name === file)) throw failure;
    store.set({ ...store.get(), models: store.get().models.filter(({ name }) => name !== file) });
    const { bytes } = await foldedWithModels(app, call, settings);
    return { bytes, tell: () => store.set(failed(store.get(), { task: 'open', title: `${file} could not be read`, failure })) };
  }
}

/** @type {(store: import('../state.js').Store, title: string, message: string) => void} */
export function refuse(store, title, message) {
  store.set(failed(store.get(), { task: 'open', title, failure: { message } }));
}
