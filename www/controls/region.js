// The list of regions in the header, with a search field from so many on, and the groups.

import { byId, make, watcher } from '../dom.js';
import { regionName, regionType } from '../format.js';
import { shownGroup } from '../state.js';

/** From so many regions on there is a search field. */
const MANY = 12;

/**
 * @param {{chooseRegion: (region: string) => void, chooseGroup: (group: number) => void}} actions
 * @returns {(state: import('../state.js').State) => void}
 */
export function mountRegion({ chooseRegion, chooseGroup }) {
  const select = /** @type {HTMLSelectElement} */ (byId('region'));
  const group = /** @type {HTMLSelectElement} */ (byId('group'));
  const search = /** @type {HTMLInputElement} */ (byId('region-search'));
  const changed = watcher();
  /** @type {string[]} */
  let regions = [];
  let shown = '';

  const list = () => {
    const wanted = search.hidden ? '' : search.value.trim().toLowerCase();
    const found = regions.filter((region) => region === shown || region.toLowerCase().includes(wanted));
    select.replaceChildren(...optionsByType(found));
    select.value = shown;
  };
  select.addEventListener('change', () => chooseRegion(select.value));
  group.addEventListener('change', () => chooseGroup(Number(group.value)));
  search.addEventListener('input', list);
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && select.options.length > 0) chooseRegion(firstFound(select, shown));
  });

  return (state) => {
    const { opened, summary, status, reading } = state;
    const now = shownGroup(state);
    byId('choose').hidden = !opened && !summary;
    const waits = status === 'busy' && reading?.task === 'open';
    for (const control of [select, group, search]) control.disabled = waits;
    if (!changed(opened, summary, now)) return;
    shown = summary?.region ?? '';
    regions = [...new Set([...(opened?.regions ?? []).map(({ region }) => region), ...(shown ? [shown] : [])])];
    search.hidden = regions.length < MANY;
    list();
    const groups = summary?.groups ?? [];
    group.replaceChildren(...groups.map(({ number }) => make('option', { value: String(number) }, `${number} of ${groups.length}`)));
    group.value = String(now?.number ?? '');
  };
}

/**
 * @param {string[]} regions
 * @returns {HTMLElement[]}
 */
function optionsByType(regions) {
  const types = [...new Set(regions.map(regionType))];
  return types.map((type) => {
    const ofType = regions.filter((region) => regionType(region) === type);
    return make('optgroup', { label: type || 'Regions' }, ...ofType.map((region) => make('option', { value: region }, regionName(region))));
  });
}

/**
 * @param {HTMLSelectElement} select
 * @param {string} shown
 */
function firstFound({ options }, shown) {
  return [...options].find(({ value }) => value !== shown)?.value ?? shown;
}
