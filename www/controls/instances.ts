// Every instance of the group, those left out first, with the reason.

import { button, byId, make } from '../dom.ts';
import { counted, duration, fixed, significant } from '../format.ts';
import { shownOf } from '../state.ts';
import type { App } from '../actions/open.ts';
import type { GroupSummary, Instances } from '../wasm/painter.js';

/** So many rows are shown: nobody reads more, and the file has them all. */
const MOST_ROWS = 2000;

/** Asks the engine for them, and shows them if they still belong to what is on screen. */
export async function listInstances({ store, engine }: App) {
  const asked = shownOf(store.get());
  if (!asked) return;
  const found = await engine.call('instances', { group: asked.group.number }).catch(() => null);
  if (found && shownOf(store.get())?.summary.region === asked.summary.region) showInstances(asked.group, found);
}

function showInstances(group: GroupSummary, found: Instances) {
  const dialog = byId('instances') as HTMLDialogElement;
  const order = Array.from(found.fate.keys()).sort((a, b) => Number(isUsed(found, a)) - Number(isUsed(found, b)) || a - b);
  const left = order.filter((i) => !isUsed(found, i)).length;
  const heads = ['appl.task.thread', 'start', 'duration', 'why it was left out'].map((head) => make('th', { scope: 'col' }, head));
  const rows = order.slice(0, MOST_ROWS).map((i) => {
    const fate = found.fates[found.fate[i]];
    const object = found.objects.slice(3 * i, 3 * i + 3).join('.');
    const cells = [object, duration(found.startNs[i] / 1e6), precise(found.durationNs[i] / 1e6), reason(fate, found.durationNs[i] / 1e6, group.limitsMs)];
    return make('tr', { 'data-fate': fate, 'data-ns': String(found.durationNs[i]) }, ...cells.map((text) => make('td', {}, text)));
  });
  const words = `${fixed(left)} of ${counted(order.length, 'instance')} of group ${group.number} left out`;
  const more = order.length > rows.length ? [make('p', { class: 'hint' }, `The first ${fixed(rows.length)} are shown; groups.csv has all.`)] : [];
  const scroll = make('div', { class: 'rows', tabindex: '0', role: 'group', 'aria-label': 'Instances' },
    make('table', {}, make('thead', {}, make('tr', {}, ...heads)), make('tbody', {}, ...rows)));
  dialog.replaceChildren(make('h2', { id: 'instances-title' }, words), scroll, ...more, button({}, 'Close', () => dialog.close()));
  dialog.showModal();
}

function isUsed({ fate, fates }: Instances, i: number): boolean {
  return fates[fate[i]] === 'used';
}

function reason(fate: string, ms: number, limits: [number, number] | null) {
  if (fate === 'used') return '';
  if (fate === 'prefiltered') return 'its samples lie unlike those of the others';
  if (!limits) return 'unusual duration';
  return ms < limits[0] ? `shorter than ${precise(limits[0])}` : `longer than ${precise(limits[1])}`;
}

/** In so many figures that it differs from the limit beyond which it lies. */
function precise(ms: number) {
  return `${significant(ms, 5)}\u202fms`;
}
