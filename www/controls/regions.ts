// The table analysts browse: every region with its instances, samples, speed and share of time.

import { button, byId, make, watcher } from '../dom.ts';
import { fixed, percent, regionName } from '../format.ts';
import type { Actions, Mount } from '../actions/actions.ts';
import type { Regions } from '../wasm/painter.js';

const HEADS = ['group', 'instances', 'samples', 'ms', 'MIPS', 'share'];

export const mountRegions: Mount = ({ chooseRegion }) => {
  const table = byId('regions');
  const changed = watcher();
  return (_, shown, opened) => {
    const { summary, group: { number: group } = {}, early } = shown ?? {};
    if (!changed(opened, summary?.region, group, early)) return;
    const rows = opened?.regions ?? [];
    byId('regions-scroll').hidden = rows.length === 0;
    byId('regions-count').textContent = opened ? fixed(new Set(rows.map(({ region }) => region)).size) : early === null ? 'one, from a link' : '';
    const head = make('thead', {}, make('tr', {}, ...HEADS.map((head) => make('th', { scope: 'col' }, head))));
    table.replaceChildren(head, ...rows.map((row) => bodyOf(row, row.region === summary?.region && row.group === group, chooseRegion)));
  };
};

/** One region in two rows: its name, then its numbers. */
function bodyOf({ region, group, instances, samples, meanMs, mips, share }: Regions, isShown: boolean, choose: Actions['chooseRegion']) {
  const name = button({ class: 'name', title: region, ...(isShown && { 'aria-current': 'true' }) }, regionName(region), () => choose(region, group));
  const numbers = [fixed(group), fixed(instances), fixed(samples), milliseconds(meanMs), mips === null ? '–' : fixed(mips), percent(share)];
  const exact = [group, instances, samples, meanMs, mips ?? '', share];
  const cells = numbers.map((text, i) => make('td', { 'data-value': String(exact[i]) }, text));
  const body = make('tbody', isShown ? { class: 'now' } : {},
    make('tr', {}, make('th', { scope: 'rowgroup', colspan: String(HEADS.length) }, name)),
    make('tr', { 'data-region': region, 'data-group': String(group) }, ...cells));
  body.addEventListener('click', (event) => event.target !== name && choose(region, group));
  return body;
}

/** Four figures, and no more than four of them after the point: the column is narrow. */
function milliseconds(ms: number) {
  return fixed(ms, Math.max(0, Math.min(4, 3 - Math.floor(Math.log10(ms || 1)))));
}
