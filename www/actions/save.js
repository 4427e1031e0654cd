// What leaves the page: files and the link.

import { viewPairs, fragmentFrom } from '../fragment.js';
import { fileName } from '../format.js';
import { atFirst } from '../state.js';
import { zipOf } from './zip.js';

/**
 * @typedef {import('../state.js').State} State
 * @typedef {'csv' | 'json' | 'gnuplot' | 'paraver' | 'extract'} Written formats that the engine writes
 * @typedef {{name: string, bytes: Uint8Array<ArrayBuffer>}[]} Files
 */

/**
 * Hands bytes or text to the browser as a file.
 * @param {string} name
 * @param {BlobPart} content
 * @param {string} type
 */
export function download(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Name for a file made from what is shown.
 * @param {State} state
 * @param {string} ending
 */
export function nameFor({ summary }, ending) {
  return fileName(summary?.trace.name ?? 'tracefold', summary?.region ?? '', ending);
}

/**
 * Saves the tables of what is shown: of the trace as the engine writes them, of a link what is in it.
 * @param {import('./open.js').App} app
 * @param {Written} format
 */
export async function exportFiles({ store, engine }, format) {
  const { opened, picture } = store.get();
  /** @type {Files} */
  const files = opened || !picture ? await engine.call('exportFile', { format }) : picture.exportFile(format);
  for (const { name, bytes } of files) {
    // One after the other: browsers may drop downloads of the same moment.
    await new Promise((resolve) => setTimeout(resolve, 100));
    download(nameFor(store.get(), `.${name}`), bytes, format === 'csv' ? 'text/csv' : 'application/json');
  }
}

/**
 * Saves files that find each other by their names, as they must be for other programs: in one
 * archive, where nothing renames them.
 * @param {import('./open.js').App} app
 * @param {Written} format
 */
export async function exportTogether({ store, engine }, format) {
  /** @type {Files} */
  const files = await engine.call('exportFile', { format });
  download(nameFor(store.get(), `.${format}.zip`), zipOf(files), 'application/zip');
}

/**
 * The address that shows this picture anywhere, without the trace.
 * @param {State} state
 */
export function linkTo({ picture, settings: chosen, view, deciding }) {
  if (!picture) return '';
  const settings = (deciding && atFirst(chosen)) || chosen;
  const text = picture.link(settings, viewPairs(view));
  const page = new URL('./', document.baseURI);
  const here = location.protocol === 'file:' ? new URL(location.pathname, location.href) : page;
  here.hash = fragmentFrom({ source: { kind: 'link', text }, settings, view });
  return here.href;
}
