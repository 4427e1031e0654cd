// What was picked, in words, with a way back to all.

import { byId, button, make, refill, shows, watcher } from '../dom.ts';
import type { Mount } from '../actions/actions.ts';
import type { GroupSummary } from '../wasm/painter.js';

export const mountPicked: Mount = ({ look, pick }) => {
  const root = byId('picked');
  const changed = watcher();
  return ({ view, now }, shown) => {
    const group = shown?.group;
    if (!changed(view.picked, view.object, now.is, group)) return;
    const chips = [];
    if (view.picked !== null) chips.push(chip(pickedWords(view.picked, group), 'Show all in full again', () => pick(null)));
    if (view.object !== null) chips.push(chip(`${view.object} alone`, 'Show all objects', () => look({ object: null }, 'push')));
    shows(root, chips.length > 0 && now.is !== 'failed' && group !== undefined);
    // The picture may come anew between a key that reaches a button and the one that presses it.
    refill(root, 'key', ...chips);
  };
};

function chip(words: string, undo: string, onClick: () => void): HTMLElement {
  return make('span', { class: 'chip' }, make('span', {}, words), button({ class: 'close', 'data-key': undo, 'aria-label': undo, title: `${undo} (Esc)` }, '×', onClick));
}

function pickedWords(picked: string, group: GroupSummary | undefined) {
  const [kind, name] = [picked.slice(0, picked.indexOf(':')), picked.slice(picked.indexOf(':') + 1)];
  if (kind === 'line') return `Line ${name.replace(/^(\d+):(.*)$/s, '$2:$1')}`;
  if (kind !== 'level') return `${kind[0].toUpperCase()}${kind.slice(1)} ${name}`;
  const levels = group?.objects.flatMap((object) => object.levels) ?? [];
  return `Loads from ${levels.find(({ level }) => String(level) === name)?.name ?? `level ${name}`}`;
}
