// Folders dropped whole: their files, with the names that they have inside the folder.

import { fixed } from '../format.js';

/** With more than this it is not the folder of a trace. */
const MOST_FILES = 10_000;

/**
 * The files of dropped entries, those of folders and of folders inside them included; hidden ones
 * are left out. Fails in words if there is none, or too many.
 * @param {FileSystemEntry[]} entries
 * @returns {Promise<import('../actions/open.js').Dropped>}
 */
export async function collected(entries) {
  /** @type {import('../actions/open.js').Dropped} */
  const found = { files: [], names: [] };
  // Folders wait in a list, so that no depth of them is too much.
  const waiting = [...entries].reverse();
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    if (found.files.length + waiting.length >= MOST_FILES) {
      throw { message: `There are more than ${fixed(MOST_FILES)} files in what was dropped. Drop the folder of one trace, or its files.` };
    }
    if (entry.isDirectory) waiting.push(...(await entriesOf(/** @type {FileSystemDirectoryEntry} */ (entry))).reverse());
    else {
      found.files.push(await fileOf(/** @type {FileSystemFileEntry} */ (entry)));
      found.names.push(entry.fullPath.replace(/^\//, ''));
    }
  }
  if (found.files.length === 0) throw { message: 'There is no file in what was dropped.' };
  return found;
}

/**
 * What lies in a folder, by name. A reader gives it in portions; an empty one is the end.
 * @param {FileSystemDirectoryEntry} folder
 */
async function entriesOf(folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const all = [];
  while (all.length <= MOST_FILES) {
    const some = await new Promise((/** @type {(entries: FileSystemEntry[]) => void} */ resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    all.push(...some.filter(({ name }) => !name.startsWith('.')));
  }
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * @param {FileSystemFileEntry} entry
 * @returns {Promise<File>}
 */
function fileOf(entry) {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
