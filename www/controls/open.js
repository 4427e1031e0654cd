// Ways in: files dropped or chosen, a folder dropped, the examples.

import { button, byId, make } from '../dom.js';
import { counted } from '../format.js';
import { hasFile } from '../engine/parts.js';
import { EXAMPLES } from '../examples.js';
import { collected, sorted } from './folders.js';

/**
 * @param {Object} actions
 * @param {(dropped: import('../actions/open.js').Dropped) => void} actions.openFiles
 * @param {(names: string[]) => void} actions.openExample
 * @param {(message: string) => void} actions.refuse
 */
export function mountOpen({ openFiles, openExample, refuse }) {
  const input = /** @type {HTMLInputElement} */ (byId('open'));
  const over = byId('over');
  const openOrRefuse = (/** @type {Promise<import('../actions/open.js').Dropped>} */ dropped) =>
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

/** @param {File[]} files */
function named(files) {
  return sorted(files.map((file) => ({ path: file.name, open: async () => file })));
}
