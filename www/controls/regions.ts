// The table analysts browse: every region with its instances, samples, speed and share of time.

import { button, byId, make, refill, watcher } from '../dom.ts';
import { fixed, regionType } from '../format.ts';
import { headOf, inOrder, orderOf } from './order.ts';
import { cellOf, shareOf } from './ratios.ts';
import type { Actions, Mount } from '../actions/actions.ts';
import type { RegionLine } from '../wasm/engine.js';

/** Most rows at once: a table of ten thousand takes seconds to lay out. The search in the header has all. */
const MOST = 500;

export const mountRegions: Mount = (actions) => {
  const table = byId('regions');
  const changed = watcher();
  return ({ view }, shown, opened) => {
    const { summary, group: { number: group } = {}, early } = shown ?? {};
    if (!changed(opened, summary?.region, group, early, view.order)) return;
    const { heads, lines } = opened?.regions ?? { heads: [], lines: [] };
    table.hidden = lines.length === 0;
    const count = byId('regions-count');
    const isCut = lines.length > MOST;
    count.textContent = opened ? `${fixed(new Set(lines.map(({ region }) => region)).size)}${isCut ? ` · ${fixed(MOST)} listed` : ''}` : early === null ? 'one, from a link' : '';
    count.title = isCut ? 'The search in the header has all of them' : '';
    const head = make('thead', {}, make('tr', {}, ...heads.map((head) => headOf('regions', head, head, '', actions))));
    const rows = inOrder(lines, orderOf(view.order, 'regions'), ({ figures }, column) => figures[heads.indexOf(column)]?.value);
    refill(table, 'key', head, ...rows.slice(0, MOST).map((line) => bodyOf(line, line.region === summary?.region && line.group === group, actions.chooseRegion)));
  };
};

/** One region in two rows: its name and type, then its numbers; its share of the time is a bar, too. */
function bodyOf({ region, title, group, figures }: RegionLine, isShown: boolean, choose: Actions['chooseRegion']) {
  const name = button({ class: 'name', title: region, 'data-key': `${group} ${region}`, ...(isShown && { 'aria-current': 'true' }) }, title, () => choose(region, group));
  const what = make('div', { class: 'what' }, name, make('small', {}, title.startsWith(regionType(region)) ? '' : regionType(region)));
  const body = shareOf(figures.at(-1)?.value, make('tbody', isShown ? { class: 'now' } : {},
    make('tr', {}, make('th', { scope: 'rowgroup', colspan: String(figures.length) }, what)),
    make('tr', { 'data-region': region, 'data-group': String(group) }, ...figures.map((figure) => cellOf(figure)))));
  body.addEventListener('click', (event) => event.target !== name && choose(region, group));
  return body;
}
