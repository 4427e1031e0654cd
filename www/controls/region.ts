// The list of regions in the header, with a search field from so many on, and the groups.

import { byId, make, watcher } from '../dom.ts';
import { regionType } from '../format.ts';
import { sourceOf } from '../state.ts';
import type { Mount } from '../actions/actions.ts';
import type { GroupSummary } from '../wasm/painter.js';

/** From so many regions on there is a search field. */
const MANY = 12;

/** Most that are listed at once: a list of ten thousand takes a second to open, and nobody reads it. */
const MOST = 500;

export const mountRegion: Mount = ({ chooseRegion, look }) => {
  const select = byId('region') as HTMLSelectElement;
  const group = byId('group') as HTMLSelectElement;
  const search = byId('region-search') as HTMLInputElement;
  const changed = watcher();
  const isOther = watcher();
  /** What each is called, by its name. */
  let regions = new Map<string, string>();
  let region = '';

  const list = () => {
    const wanted = search.hidden ? '' : search.value.trim().toLowerCase();
    const matching = [...regions].filter(([name]) => name === region || name.toLowerCase().includes(wanted));
    select.replaceChildren(...optionsByType(matching.filter(([name], at) => at < MOST || name === region)));
    select.value = region;
  };
  select.addEventListener('change', () => chooseRegion(select.value));
  group.addEventListener('change', () => look({ shown: Number(group.value) }, 'push'));
  search.addEventListener('input', list);
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && select.options.length > 0) chooseRegion(firstFound(select, region));
  });

  return (state, shown, opened) => {
    const { summary, group: now } = shown ?? {};
    byId('choose').hidden = !opened && !summary;
    for (const control of [select, group, search]) control.disabled = state.now.is === 'reading';
    // What was searched in one trace is nothing to another.
    if (isOther(sourceOf(state))) search.value = '';
    if (!changed(opened, summary, now)) return;
    region = summary?.region ?? '';
    regions = new Map([...(opened?.regions.lines ?? []), ...(summary ? [summary] : [])].map(({ region, title }) => [region, title]));
    search.hidden = regions.size < MANY;
    list();
    const groups = summary?.groups ?? [];
    const words = ({ number, facts }: GroupSummary) => `${number} of ${groups.length} · ${facts.kept} × ${facts.mean}`;
    group.replaceChildren(...groups.map((each) => make('option', { value: String(each.number) }, words(each))));
    group.value = String(now?.number ?? '');
  };
};

function optionsByType(regions: [string, string][]): HTMLElement[] {
  const types = [...new Set(regions.map(([region]) => regionType(region)))];
  return types.map((type) => {
    const ofType = regions.filter(([region]) => regionType(region) === type);
    return make('optgroup', { label: type || 'Regions' }, ...ofType.map(([region, title]) => make('option', { value: region }, title)));
  });
}

function firstFound({ options }: HTMLSelectElement, shown: string) {
  return [...options].find(({ value }) => value !== shown)?.value ?? shown;
}
