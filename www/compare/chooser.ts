// What is laid beside what is open: files, another group, a link.

import { button, make } from '../dom.ts';
import { windowOf } from './window.ts';
import type { With } from './second.ts';

/** A dialog that asks for it, and hands it on. */
export function chooserOf(chosen: (what: With) => void) {
  const input = make('input', { type: 'file', multiple: '', class: 'unseen', tabindex: '-1', 'aria-label': 'Files of the other run', 'data-testid': 'compare-files' });
  const dialog = make('dialog', { class: 'chooser', 'aria-labelledby': 'compare-title', 'data-testid': 'compare-with' });
  const group = make('select', { 'aria-label': 'Group' });
  const link = make('input', { type: 'text', 'aria-label': 'Link', placeholder: 'https://…#s=…', 'data-testid': 'compare-link' });
  const wrong = make('p', { class: 'wrong', role: 'alert' });
  const go = (what: With) => {
    dialog.close();
    chosen(what);
  };
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    input.value = '';
    if (files.length > 0) go({ kind: 'files', dropped: { files, names: files.map(({ name }) => name) } });
  });
  const groups = make('p', { class: 'row' }, make('span', {}, 'Another group'), group, button({ 'data-testid': 'compare-group' }, 'Compare', () => go({ kind: 'group', group: Number(group.value) })));
  const objects = make('input', { type: 'text', 'aria-label': 'Threads', placeholder: '1.2.1 or 1.2.*', 'data-testid': 'compare-objects' });
  const ofObjects = () => {
    const text = objects.value.trim();
    wrong.textContent = /^[\d.*,]+$/.test(text) ? '' : 'Write application, task and thread with points between them: 1.2.1; * stands for any.';
    if (!wrong.textContent) go({ kind: 'objects', objects: text });
  };
  const part = make('input', { type: 'text', 'aria-label': 'Part of the run, ms', placeholder: '500-800, or 500-', 'data-testid': 'compare-window' });
  const ofWindow = () => {
    const window = windowOf(part.value);
    wrong.textContent = window ? '' : 'Write where the part begins and ends, in ms from the begin of the run: 500-800; 500- is all from there on.';
    if (window) go({ kind: 'window', window });
  };
  const ofLink = () => {
    const text = /(?:^|[#&?])s=([\w-]+)/.exec(link.value)?.[1] ?? (/^[\w-]{20,}$/.test(link.value.trim()) ? link.value.trim() : null);
    wrong.textContent = text ? '' : 'That is no link with a picture inside: it has no s= in it.';
    if (text) go({ kind: 'link', text, runs: null });
  };
  dialog.append(
    make('h2', { id: 'compare-title' }, 'Compare with'),
    make('p', { class: 'row' }, button({ class: 'filled', 'data-testid': 'compare-choose' }, 'Choose files of another run', () => input.click()), input),
    make('p', { class: 'hint' }, 'Or drop them on the right half of the page. They are folded as what is open is. Files of several runs are a series: how each phase follows a value, such as the clock.'),
    groups,
    make('p', { class: 'row' }, make('span', {}, 'Other threads'), objects, button({ 'data-testid': 'compare-objects-go' }, 'Compare', ofObjects)),
    make('p', { class: 'row' }, make('span', {}, 'Another part, ms'), part, button({ 'data-testid': 'compare-window-go' }, 'Compare', ofWindow)),
    make('p', { class: 'row' }, make('span', {}, 'A link'), link, button({ 'data-testid': 'compare-link-go' }, 'Compare', ofLink)),
    wrong,
    make('form', { method: 'dialog' }, make('button', {}, 'Cancel')),
  );
  const offer = (others: { number: number, kept: number }[], own: number) => {
    wrong.textContent = '';
    groups.hidden = others.length === 0;
    group.replaceChildren(...others.map(({ number }) => make('option', { value: String(number) }, `${number} beside ${own}`)));
  };
  return { dialog, offer };
}
