// Every instance of the group, those left out first, with the reason.

import { button, byId, make } from '../dom.ts';
import { shownOf } from '../state.ts';
import type { App } from '../actions/open.ts';
import type { Instances } from '../wasm/engine.js';

/** Asks the engine for them, and shows them if they still belong to what is on screen. */
export async function listInstances({ store, engine }: App) {
  const asked = shownOf(store.get());
  if (!asked) return;
  const answer: Instances | null = await engine.call('instances', { group: asked.group.number }).catch(() => null);
  if (answer && shownOf(store.get())?.summary.region === asked.summary.region) showInstances(answer);
}

function showInstances({ title, lines, more }: Instances) {
  const dialog = byId('instances') as HTMLDialogElement;
  const heads = ['appl.task.thread', 'start', 'duration', 'why it was left out'].map((head) => make('th', { scope: 'col' }, head));
  const rows = lines.map(({ fate, durationNs, cells }) =>
    make('tr', { 'data-fate': fate, 'data-ns': String(durationNs) }, ...cells.map((text) => make('td', {}, text))));
  const scroll = make('div', { class: 'rows', tabindex: '0', role: 'group', 'aria-label': 'Instances' },
    make('table', {}, make('thead', {}, make('tr', {}, ...heads)), make('tbody', {}, ...rows)));
  const rest = more ? [make('p', { class: 'hint' }, more)] : [];
  dialog.replaceChildren(make('h2', { id: 'instances-title' }, title), scroll, ...rest, button({}, 'Close', () => dialog.close()));
  dialog.showModal();
}
