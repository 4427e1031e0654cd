// The table analysts browse: every region with its instances, samples, speed and share of time.

import { button, byId, make, watcher } from '../dom.ts';
import { fixed, regionName } from '../format.ts';
import { cellOf } from './ratios.ts';
import type { Actions, Mount } from '../actions/actions.ts';
import type { RegionLine } from '../wasm/engine.js';

export const mountRegions: Mount = ({ chooseRegion }) => {
  const table = byId('regions');
  const changed = watcher();
  return (_, shown, opened) => {
    const { summary, group: { number: group } = {}, early } = shown ?? {};
    if (!changed(opened, summary?.region, group, early)) return;
    const { heads, lines } = opened?.regions ?? { heads: [], lines: [] };
    byId('regions-scroll').hidden = lines.length === 0;
    byId('regions-count').textContent = opened ? fixed(new Set(lines.map(({ region }) => region)).size) : early === null ? 'one, from a link' : '';
    const head = make('thead', {}, make('tr', {}, ...heads.map((head) => make('th', { scope: 'col' }, head))));
    table.replaceChildren(head, ...lines.map((line) => bodyOf(line, line.region === summary?.region && line.group === group, chooseRegion)));
  };
};

/** One region in two rows: its name, then its numbers. */
function bodyOf({ region, group, figures }: RegionLine, isShown: boolean, choose: Actions['chooseRegion']) {
  const name = button({ class: 'name', title: region, ...(isShown && { 'aria-current': 'true' }) }, regionName(region), () => choose(region, group));
  const body = make('tbody', isShown ? { class: 'now' } : {},
    make('tr', {}, make('th', { scope: 'rowgroup', colspan: String(figures.length) }, name)),
    make('tr', { 'data-region': region, 'data-group': String(group) }, ...figures.map((figure) => cellOf(figure))));
  body.addEventListener('click', (event) => event.target !== name && choose(region, group));
  return body;
}
