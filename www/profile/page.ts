// The elements of a profile's view. Text of a profile reaches them through `textContent` only.

import { button, byId, make } from '../dom.ts';
import { STYLE } from './style.ts';

export type Page = ReturnType<typeof buildPage>;

export function buildPage() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  const facts = make('div', { class: 'facts' });
  const sentence = make('p', { class: 'sentence', 'data-testid': 'profile-sentence' });
  const quality = make('dl', { class: 'quality', 'data-testid': 'profile-quality', 'aria-label': 'Quality' });
  const words = make('p', { class: 'profile-words', role: 'status' });

  const canvas = (name: string, label: string, more: Record<string, string> = {}) => make('canvas', { id: `canvas-profile-${name}`, 'data-testid': `profile-${name}`, role: 'img', tabindex: '0', 'aria-label': label, ...more });
  const icicle = canvas('icicle', 'Contexts');
  const threads = canvas('threads', 'Threads');
  const points = canvas('points', 'Threads as points');
  const intervals = canvas('intervals', 'What each interval of the run is made of', { tabindex: '-1' });
  const heat = canvas('heat', 'Contexts against routines', { tabindex: '-1' });
  const tip = make('div', { class: 'card profile-tip', 'data-testid': 'profile-tip', 'aria-hidden': 'true', hidden: '' });

  const key = make('p', { class: 'hint key profile-key' },
    make('span', {}, make('i', { class: 'cap probe', 'aria-hidden': 'true' }), 'probe: measured'),
    make('span', {}, make('i', { class: 'cap sample', 'aria-hidden': 'true' }), 'sample: estimated, ±'),
    make('span', {}, make('i', { class: 'cap unresolved', 'aria-hidden': 'true' }), 'unresolved'));
  const share = make('div', { class: 'words', role: 'group', 'aria-label': 'What numbers are of' });
  const zoomed = make('p', { class: 'hint zoomed', hidden: '' });
  const contexts = make('section', { class: 'lane', 'aria-label': 'Contexts' }, make('div', { class: 'head' }, make('h2', {}, 'Contexts'), key, zoomed, share), icicle);

  const search = make('input', { type: 'search', placeholder: 'Search contexts', 'aria-label': 'Search contexts', 'data-testid': 'profile-search' });
  const kind = make('select', { 'aria-label': 'Show', 'data-testid': 'profile-kind' });
  const found = make('span', { class: 'hint', role: 'status' });
  const head = make('thead');
  const body = make('tbody');
  const table = make('table', { role: 'treegrid', 'aria-label': 'Contexts', 'data-testid': 'profile-tree' }, head, body);
  const scroll = make('div', { class: 'profile-rows', tabindex: '0', role: 'group', 'aria-label': 'Rows of contexts' }, table);
  const tree = make('section', { class: 'profile-tree', 'aria-label': 'Tree of contexts' }, make('div', { class: 'finds' }, search, make('label', {}, make('span', { class: 'of' }, 'Show'), ' ', kind), found), scroll);

  const threadsHint = make('p', { class: 'hint' });
  const order = make('div', { class: 'words', role: 'group', 'aria-label': 'Order of threads' });
  const over = make('section', { class: 'lane', 'aria-label': 'Threads' }, make('div', { class: 'head' }, make('h2', {}, 'Threads'), threadsHint, order), threads);

  const intervalsHint = make('p', { class: 'hint' }, 'What ran from one moment to the next, on all threads that tell it; the line is the picked context, with all below.');
  const intervalsTable = make('div', { class: 'scroll-x', tabindex: '0', role: 'group', 'aria-label': 'What each interval of the run is made of, as a table' });
  const overTime = make('section', { class: 'lane', 'aria-label': 'Over time', hidden: '' }, make('div', { class: 'head' }, make('h2', {}, 'Over time'), intervalsHint), intervals, make('details', { class: 'profile-heat', 'data-testid': 'profile-intervals-table' }, make('summary', {}, 'As a table'), intervalsTable));

  const heatMap = make('details', { class: 'profile-heat', 'data-testid': 'profile-heat-map' }, make('summary', {}, 'Contexts against routines'), make('p', { class: 'hint' }, 'Of the samples of each context, the share that hit each routine.'), heat);

  const cost = make('input', { type: 'number', min: '1', step: '1', placeholder: 'unknown', 'aria-label': 'What one call of a probe costs, in nanoseconds', 'data-testid': 'profile-cost' });
  const costly = make('div', { class: 'scroll-x' });
  const costs = make('details', { class: 'profile-heat', 'data-testid': 'profile-costly' }, make('summary', {}, 'Probes that cost more than they tell'), make('p', { class: 'hint' }, make('label', {}, 'A call costs ', cost, ' ns')), costly);
  const eventRows = make('div', { class: 'scroll-x', tabindex: '0', role: 'group', 'aria-label': 'Values that the program told, as a table' });
  const events = make('details', { class: 'profile-heat', 'data-testid': 'profile-events' }, make('summary', {}, 'Values that the program told'), make('p', { class: 'hint' }, 'User events: sizes of messages, of the heap, or what else the program counts itself; in its own units.'), eventRows);
  const told = make('div', { class: 'profile-told', hidden: '' }, quality, contexts, tree, overTime, over, events, heatMap, costs);
  const root = make('section', { class: 'profile', id: 'profile', 'data-testid': 'profile', 'aria-label': 'Profile', hidden: '' }, facts, sentence, words, told, tip);
  byId('efficiencies').after(root);

  const picked = make('section', { class: 'profile-picked', 'data-testid': 'profile-picked', 'aria-label': 'The context that is picked' });
  const against = make('h2', {});
  const axes = make('div', { class: 'axes' });
  const scatter = make('section', { class: 'profile-points', 'aria-label': 'Threads as points' }, against, points, axes);
  const room = make('p', { class: 'room', 'data-testid': 'profile-room' });
  const rooms = make('details', { class: 'room', hidden: '' });
  const settings = make('section', { class: 'profile-settings', 'aria-label': 'Settings of the profile' });
  const files = make('section', { class: 'profile-files', 'aria-label': 'Save' });
  const notices = make('section', { class: 'notices', 'data-testid': 'profile-notices', 'aria-label': 'Notices of the profile', hidden: '' });
  const panel = make('aside', { class: 'profile-panel', id: 'profile-panel', 'aria-label': 'Numbers and settings of the profile', hidden: '' }, make('div', { class: 'panel-body' }, picked, scatter, make('section', {}, room, rooms), settings, files), notices);
  byId('panel').after(panel);

  return { root, panel, facts, sentence, quality, words, told, icicle, threads, points, heat, intervals, overTime, intervalsTable, tip, share, zoomed, search, kind, found, head, body, table, scroll, tree, threadsHint, order, over, heatMap, events, eventRows, costs, cost, costly, picked, against, axes, scatter, room, rooms, settings, files, notices };
}

/** A choice of few words, of which one is chosen. */
export function choices(root: HTMLElement, values: [string, string][], chosen: string, choose: (value: string) => void) {
  const focused = root.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.value : undefined;
  root.replaceChildren(...values.map(([value, words]) => button({ class: 'word', 'data-value': value, 'aria-pressed': String(value === chosen) }, words, () => choose(value))));
  if (focused !== undefined) root.querySelector<HTMLElement>(`[data-value="${focused}"]`)?.focus();
}
