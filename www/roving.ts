// A long list is one stop of Tab; keys go on inside.

import { byId } from './dom.ts';

/** Where a key leads: to a stop of another row at the same place, or to another stop. */
const IN_TABLES = { ArrowUp: 'above', ArrowDown: 'below', ArrowLeft: 'before', ArrowRight: 'after', Home: 'first', End: 'last' };

/** Where arrows mean something else. */
const BY_PAGE = { PageUp: 'before', PageDown: 'after' };

/** All long lists that stand beside a picture, and kinds of curves, of which one is chosen. */
export function roveAll(): void {
  rove(byId('settings'), '.kinds button');
  for (const id of ['phases', 'code', 'objects', 'regions']) rove(byId(id), 'tbody button');
  rove(byId('legend'), '.entry button');
  rove(byId('borders'), '.border', BY_PAGE);
}

/** Makes all of `root` that `selector` names one stop, which is the one that had the focus last; what is
 * filled in later, too. */
export function rove(root: HTMLElement, selector: string, keys: Record<string, string> = IN_TABLES): void {
  let reached = '';
  const stopsOf = () => [...root.querySelectorAll<HTMLElement>(selector)];
  const settle = () => {
    const stops = stopsOf();
    const one = stops.find((stop) => nameOf(stop) === reached) ?? stops[0];
    for (const stop of stops) {
      const index = stop === one ? 0 : -1;
      if (stop.tabIndex !== index) stop.tabIndex = index;
    }
  };
  settle();
  new MutationObserver(settle).observe(root, { childList: true, subtree: true });
  root.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.matches(selector)) return;
    reached = nameOf(target);
    settle();
  });
  root.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const stops = stopsOf();
    const at = stops.indexOf(target as HTMLElement);
    if (at < 0 || !Object.hasOwn(keys, key) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    stopFrom(stops, at, keys[key])?.focus();
  });
}

function stopFrom(stops: HTMLElement[], at: number, way: string): HTMLElement | undefined {
  const rowOf = (stop: HTMLElement) => stop.closest('tr, li');
  const rows = Map.groupBy(stops, rowOf);
  const row = rowOf(stops[at]);
  const inRow = (by: number) => {
    const all = [...rows.values()];
    const place = rows.get(row)!.indexOf(stops[at]);
    const other = all[[...rows.keys()].indexOf(row) + by];
    return other?.[Math.min(place, other.length - 1)];
  };
  const places = { above: () => inRow(-1), below: () => inRow(1), before: () => stops[at - 1], after: () => stops[at + 1], first: () => stops[0], last: () => stops.at(-1) } as Record<string, () => HTMLElement | undefined>;
  return places[way]();
}

/** The same after it was made anew. */
function nameOf({ className, dataset: { key, line, index, fold }, textContent }: HTMLElement) {
  return [className, key ?? line ?? index ?? fold ?? textContent].join(' ');
}
