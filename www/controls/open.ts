// Ways in: files dropped or chosen, a folder dropped, the examples.

import { button, byId, make } from '../dom.ts';
import { counted } from '../format.ts';
import { hasFile } from '../engine/parts.ts';
import { EXAMPLES } from '../examples.ts';
import { collected, sorted } from './folders.ts';
import type { Dropped } from '../actions/open.ts';

interface Actions {
  openFiles: (dropped: Dropped) => void;
  openExample: (names: string[]) => void;
  refuse: (message: string) => void;
}

export function mountOpen({ openFiles, openExample, refuse }: Actions) {
  const input = byId('open') as HTMLInputElement;
  const over = byId('over');
  const openOrRefuse = (dropped: Promise<Dropped>) =>
    dropped.then(openFiles, (failure) => refuse(failure.message));
  input.addEventListener('change', () => {
    void openOrRefuse(named([...(input.files ?? [])]));
    input.value = '';
  });
  for (const id of ['choose-files', 'file']) byId(id).addEventListener('click', () => input.click());
  for (const { id, label, note, files } of EXAMPLES.filter(({ files }) => files.every(hasFile))) {
    const choose = button({ class: 'big', 'data-testid': id, 'aria-describedby': `${id}-note` }, label, () => openExample(files));
    byId('examples').append(choose);
    byId('example-notes').append(make('span', { id: `${id}-note` }, note));
  }

  addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    byId('over-words').textContent = `Drop to open ${counted(event.dataTransfer.items.length, 'file')}`;
    over.hidden = false;
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) over.hidden = true;
  });
  addEventListener('drop', (event) => {
    over.hidden = true;
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    const { items, files } = event.dataTransfer;
    const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => !!entry);
    const isFlat = !entries.some((entry) => entry.isDirectory);
    void openOrRefuse(isFlat ? named([...files]) : collected(entries));
  });
}

function named(files: File[]) {
  return sorted(files.map((file) => ({ path: file.name, open: async () => file })));
}
