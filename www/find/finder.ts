// One field and what matches it: names of the open trace, or all that can be done. The keys stay in the
// field; the arrows go through the list.

import { byId, make } from '../dom.ts';
import { counted, fixed } from '../format.ts';
import { commandsOf } from './commands.ts';
import { matchesOf } from './matches.ts';
import type { Actions } from '../actions/actions.ts';

export interface Entry {
  /** Of which kind it is, in a word. */
  kind: string;
  name: string;
  /** What tells it from others of its name. */
  beside: string;
  /** The keys that do the same. */
  keys?: string[];
  go: () => void;
}

/** Most that are listed at once. */
const MOST = 100;

const ABOUT = {
  names: { title: 'Search the trace', placeholder: 'Routine, line, data, counter or region', none: 'Nothing in this trace is called so.', word: 'name', entries: matchesOf },
  actions: { title: 'All actions', placeholder: 'What to do', none: 'There is no such action here.', word: 'action', entries: commandsOf },
};

/** Gives what opens it. */
export function mountFinder(actions: Actions): (what: keyof typeof ABOUT) => void {
  const dialog = byId('finder') as HTMLDialogElement;
  const title = make('h2', { id: 'finder-title', class: 'unseen' });
  const field = make('input', {
    type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'finder-list', 'aria-autocomplete': 'list', 'aria-labelledby': 'finder-title',
    'data-testid': 'finder-field', autocomplete: 'off', spellcheck: 'false', maxlength: '400',
  });
  const list = make('ul', { id: 'finder-list', role: 'listbox', 'aria-labelledby': 'finder-title', 'data-testid': 'finder-list' });
  const count = make('p', { class: 'hint', role: 'status', 'data-testid': 'finder-count' });
  dialog.append(title, field, list, count);
  let about = ABOUT.names;
  let all: Entry[] = [];
  let listed: Entry[] = [];
  let at = 0;

  field.addEventListener('input', find);
  dialog.addEventListener('keydown', (event) => {
    // The page has keys of the same names.
    event.stopPropagation();
    const last = listed.length - 1;
    const places = { ArrowDown: at < last ? at + 1 : 0, ArrowUp: at > 0 ? at - 1 : last, PageDown: Math.min(at + 8, last), PageUp: Math.max(at - 8, 0) } as Record<string, number>;
    if (event.key === 'Enter') choose(listed[at]);
    else if (Object.hasOwn(places, event.key)) stand(places[event.key]);
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', ({ target }) => {
    const row = target instanceof Element ? target.closest('li') : null;
    if (row) choose(listed[[...list.children].indexOf(row)]);
  });
  // Beside it, too, as every menu of the page.
  dialog.addEventListener('pointerdown', ({ target }) => target === dialog && dialog.close());

  function find() {
    const words = field.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const matching = all.flatMap((entry) => {
      const rank = rankOf(entry, words);
      return rank === null ? [] : [{ entry, rank }];
    });
    matching.sort((a, b) => a.rank - b.rank);
    listed = matching.slice(0, MOST).map(({ entry }) => entry);
    list.replaceChildren(...listed.map(rowOf));
    const rest = matching.length - listed.length;
    count.textContent = listed.length === 0 ? about.none : `${counted(matching.length, about.word)}${rest > 0 ? `; the first ${fixed(MOST)} are listed` : ''}`;
    stand(0);
  }

  function stand(place: number) {
    at = place;
    for (const [nth, row] of [...list.children].entries()) row.setAttribute('aria-selected', String(nth === at));
    list.children[at]?.scrollIntoView({ block: 'nearest' });
    if (listed.length > 0) field.setAttribute('aria-activedescendant', `finder-${at}`);
    else field.removeAttribute('aria-activedescendant');
  }

  function choose(entry: Entry | undefined) {
    if (!entry) return;
    dialog.close();
    entry.go();
  }

  return (what) => {
    about = ABOUT[what];
    all = about.entries(actions);
    title.textContent = about.title;
    field.placeholder = about.placeholder;
    field.value = '';
    find();
    if (!dialog.open) dialog.showModal();
    field.focus();
  };
}

/** How well an entry matches, the best first: words at the begin of its name, then at the begin of a
 * word, then anywhere, then elsewhere in it; `null` where one is missing. */
function rankOf({ kind, name, beside }: Entry, words: string[]): number | null {
  const own = name.toLowerCase();
  const rest = `${kind} ${beside}`.toLowerCase();
  let rank = 0;
  for (const word of words) {
    const place = own.indexOf(word);
    if (place < 0 && !rest.includes(word)) return null;
    if (place < 0) rank += 3;
    else if (place > 0) rank += /[\p{L}\p{N}]/u.test(own[place - 1]) ? 2 : 1;
  }
  return rank;
}

function rowOf({ kind, name, beside, keys = [] }: Entry, nth: number) {
  const parts = [make('span', { class: 'kind' }, kind), make('span', { class: 'called' }, name), make('small', {}, beside)];
  const pressed = keys.length > 0 ? [make('span', { class: 'pressed' }, ...keys.map((key) => make('kbd', {}, key)))] : [];
  return make('li', { role: 'option', id: `finder-${nth}`, title: [name, beside].filter(Boolean).join(' · ') }, ...parts, ...pressed);
}
