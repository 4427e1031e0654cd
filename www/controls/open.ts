// Ways in: files dropped or chosen, a folder dropped, the examples.

import { button, byId, make, shows } from '../dom.ts';
import { counted, fileSize } from '../format.ts';
import { sizeOf } from '../engine/parts.ts';
import { EXAMPLES } from '../examples.ts';
import { mountTour } from './tour.ts';
import { collected, sorted } from './folders.ts';
import type { Dropped } from '../actions/open.ts';

/** Some browsers let a page ask for a file as it is later. */
type Renewable = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemFileHandle | null> };

interface Actions {
  openFiles: (dropped: Dropped) => void;
  openExample: (names: string[]) => void;
  refuse: (message: string) => void;
}

export function mountOpen({ openFiles, openExample, refuse }: Actions) {
  const input = byId('open') as HTMLInputElement;
  const over = byId('over');
  const openOrRefuse = (dropped: Promise<Dropped>, isBeside = false) =>
    dropped.then((dropped) => openFiles({ ...dropped, isBeside }), (failure) => refuse(failure.message));
  /** On the right half, beside what is open. */
  const isBeside = ({ clientX }: DragEvent) => !byId('compare-button').hidden && clientX > innerWidth / 2;
  const folder = byId('open-folder') as HTMLInputElement;
  for (const chosen of [input, folder]) {
    chosen.addEventListener('change', () => {
      void openOrRefuse(named([...(chosen.files ?? [])]));
      chosen.value = '';
    });
  }
  byId('choose-folder').addEventListener('click', () => folder.click());
  for (const id of ['choose-files', 'file']) byId(id).addEventListener('click', () => input.click());
  for (const { id, label, shows, files } of EXAMPLES) {
    const sizes = files.map(sizeOf);
    if (!sizes.every((size) => size !== null)) continue;
    const all = sizes.reduce((sum, size) => sum + size, 0);
    const choose = button({ 'data-testid': id }, '', () => openExample(files));
    choose.append(byId(`${id}-drawing`), make('b', {}, label), make('span', {}, `${shows} Generated, ${fileSize(all)}.`));
    byId('examples').append(choose);
  }
  mountTour(() => openExample(EXAMPLES[0].files));

  addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    byId('over-words').textContent = `Drop to open ${counted(event.dataTransfer.items.length, 'file')}`;
    byId('over-beside').hidden = byId('compare-button').hidden;
    byId('over-beside').textContent = document.body.dataset.tab === 'efficiency' ? 'Drop here to add runs to what is open' : 'Drop here to compare with what is open';
    over.toggleAttribute('data-beside', isBeside(event));
    shows(over, true);
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) shows(over, false);
  });
  addEventListener('drop', (event) => {
    shows(over, false);
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    const { items, files } = event.dataTransfer;
    const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => !!entry);
    const isFlat = !entries.some((entry) => entry.isDirectory);
    // A browser answers only as long as the drop goes on.
    const handles = [...items].map((item) => (item as Renewable).getAsFileSystemHandle?.());
    void openOrRefuse(isFlat ? named([...files]).then((dropped) => renewable(dropped, handles)) : collected(entries), isBeside(event));
  });
}

function named(files: File[]) {
  return sorted(files.map((file) => ({ path: file.webkitRelativePath || file.name, open: async () => file })));
}

/** Files that can be had again as they are by then, if each of them can. */
async function renewable(dropped: Dropped, asked: (Promise<FileSystemFileHandle | null> | undefined)[]): Promise<Dropped> {
  const handles = await Promise.all(asked.map((handle) => handle?.catch(() => null)));
  const ofFiles = dropped.names.flatMap((name) => handles.find((handle) => handle?.name === name) ?? []);
  return ofFiles.length < dropped.names.length ? dropped : { ...dropped, again: () => Promise.all(ofFiles.map((handle) => handle.getFile())) };
}
