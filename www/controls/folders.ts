// What was dropped: traces, source files, and folders of either.

import { fixed } from '../format.ts';
import { isSource } from '../source/endings.ts';
import type { Dropped } from '../actions/open.ts';

/** With more than this it is not the folder of a trace, but for files of which an archive of OTF2 has two
 * for each thread. */
const MOST_FILES = 10_000;
const OF_ARCHIVE = /\.(evt|def)$/;

/** With more than this it is no folder of source either, but a whole disk. */
const MOST_ENTRIES = 300_000;

/** In a folder of source only these are a trace; the other texts and archives belong to it. */
const TRACE = /\.(prv|pcf|row|extract|otf2|evt|def)(\.gz|\.bz2)?$|(^|\/)ebstrace\./i;

type Found = { path: string, open: () => Promise<File> };

/** The files of dropped entries, those of folders and of folders inside them included; hidden ones
 * are left out. Source files are not opened. Fails in words if there is none, or too many. */
export async function collected(entries: FileSystemEntry[]): Promise<Dropped> {
  const found: Found[] = [];
  // Folders wait in a list, so that no depth of them is too much.
  const waiting = [...entries].reverse();
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    if (found.length + waiting.length >= MOST_ENTRIES) {
      throw { message: `There are more than ${fixed(MOST_ENTRIES)} files in what was dropped. Drop the folder of one trace, or of one program.` };
    }
    if (entry.isDirectory) waiting.push(...(await entriesOf(entry as FileSystemDirectoryEntry)).reverse());
    else {
      const file = entry as FileSystemFileEntry;
      found.push({ path: entry.fullPath.replace(/^\//, ''), open: () => fileOf(file) });
    }
  }
  if (found.length === 0) throw { message: 'There is no file in what was dropped.' };
  return sorted(found);
}

/** Source apart from what may be a trace. Beside source files, what lies in a folder is a trace only
 * if its name says so. */
export async function sorted(found: Found[]): Promise<Dropped> {
  const sources = found.filter(({ path }) => isSource(path));
  const others = found.filter(({ path }) => !isSource(path) && (sources.length === 0 || TRACE.test(path) || !path.includes('/')));
  if (others.filter(({ path }) => !OF_ARCHIVE.test(path)).length > MOST_FILES) {
    throw { message: `There are more than ${fixed(MOST_FILES)} files in what was dropped. Drop the folder of one trace, or its files.` };
  }
  const files = await Promise.all(others.map(({ open }) => open()));
  return { files, names: others.map(({ path }) => path), sources };
}

/** What lies in a folder, by name. A reader gives it in portions; an empty one is the end. */
async function entriesOf(folder: FileSystemDirectoryEntry) {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  while (all.length <= MOST_ENTRIES) {
    const some = await new Promise((resolve: (entries: FileSystemEntry[]) => void, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    all.push(...some.filter(({ name }) => !name.startsWith('.')));
  }
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
