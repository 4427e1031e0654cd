// Ways in: files dropped or chosen, a folder dropped, the example.

import { byId } from '../dom.js';
import { counted } from '../format.js';
import { exampleAddress } from '../engine/parts.js';

/** More files than this in a folder are not looked at: it is not the folder of a trace. */
const MOST_FILES = 5000;

/**
 * @param {{openFiles: (files: File[]) => void, openExample: (address: string) => void}} actions
 */
export function mountOpen({ openFiles, openExample }) {
  const input = /** @type {HTMLInputElement} */ (byId('open'));
  const over = byId('over');
  input.addEventListener('change', () => {
    openFiles([...(input.files ?? [])]);
    input.value = '';
  });
  for (const id of ['choose-files', 'file']) byId(id).addEventListener('click', () => input.click());
  byId('example').hidden = exampleAddress === null;
  byId('example').addEventListener('click', () => exampleAddress && openExample(exampleAddress));

  addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    byId('over-words').textContent = `Drop to open ${counted(event.dataTransfer.items.length, 'file')}`;
    over.hidden = false;
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) over.hidden = true;
  });
  addEventListener('drop', async (event) => {
    over.hidden = true;
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    openFiles(await droppedFiles(event.dataTransfer));
  });
}

/**
 * Files that were dropped, those of folders included.
 * @param {DataTransfer} dropped read before the first `await`: it is empty afterwards
 * @returns {Promise<File[]>}
 */
async function droppedFiles({ items, files }) {
  const plain = [...files];
  const entries = [...items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some((entry) => entry?.isDirectory)) return plain;
  /** @type {File[]} */
  const found = [];
  for (const entry of entries) if (entry) await collect(entry, found);
  return found;
}

/**
 * @param {FileSystemEntry} entry
 * @param {File[]} found
 */
async function collect(entry, found) {
  if (found.length >= MOST_FILES || entry.name.startsWith('.')) return;
  if (entry.isFile) {
    const file = /** @type {FileSystemFileEntry} */ (entry);
    found.push(await new Promise((resolve, reject) => file.file(resolve, reject)));
    return;
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  // A reader gives its entries in portions; an empty one is the end.
  for (;;) {
    const entries = await new Promise((/** @type {(entries: FileSystemEntry[]) => void} */ resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const inner of entries) await collect(inner, found);
  }
}
