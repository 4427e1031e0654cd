// Another profile beside the one that is open: where it comes from, and what both have.

import { giveConsent, nameAt } from '../actions/addresses.ts';
import { button, isTyping, make, watcher } from '../dom.ts';
import { cellOf } from '../controls/ratios.ts';
import { alone } from '../view.ts';
import { howOf, type Looked } from './looked.ts';
import { choices } from './page.ts';
import type { Profiler } from './profiler.ts';
import type { Actions } from '../actions/actions.ts';
import type { App, Dropped } from '../actions/open.ts';
import type { BesideRow, BesideTable } from '../wasm/profiler.js';

/** What is laid beside: files, with which of several is meant, or what addresses name. */
interface Other { name: string, dropped?: Dropped & { choice?: string }, addresses?: string[] }

/** That it is there, or why not, with what can be done. */
interface Laid { profiler: Profiler, other: Other, failure?: string, asks?: string[], choices?: string[], notices: string[] }

/** Asks once as long as the key holds. */
type Need = (what: string, key: unknown[], ask: () => Promise<any>, arrived: (answer: any) => void) => void;

const OVER: [Looked['over'], string][] = [['mean', 'mean'], ['total', 'total'], ['least', 'least'], ['deviation', 'deviation']];

export function besideOf(app: App, actions: Actions, look: (change: Partial<Looked>, step?: 'push' | 'replace') => void, again: () => void) {
  const input = (attributes: Record<string, string>) => {
    const input = make('input', { type: 'file', multiple: '', class: 'unseen', tabindex: '-1', ...attributes });
    input.addEventListener('change', () => {
      const files = [...(input.files ?? [])];
      input.value = '';
      if (files.length > 0) lay({ files, names: files.map((file) => file.webkitRelativePath || file.name) });
    });
    return input;
  };
  const files = input({ 'aria-label': 'Files of the other profile', 'data-testid': 'profile-beside-files' });
  const folder = input({ 'aria-label': 'Folder of the other profile', webkitdirectory: '' });
  const close = button({ class: 'close', 'aria-label': 'Close the other profile', title: 'Close (Escape)', 'data-testid': 'profile-beside-close' }, '×', leave);
  const share = make('div', { class: 'words', role: 'group', 'aria-label': 'What the comparison is of' });
  const over = make('div', { class: 'words', role: 'group', 'aria-label': 'What of the threads is compared' });
  const search = make('input', { type: 'search', placeholder: 'Search both', 'aria-label': 'Search both profiles', 'data-testid': 'profile-beside-search' });
  const csv = button({ class: 'quiet', title: 'Save both as CSV', 'data-testid': 'profile-beside-csv' }, 'CSV', () => void save());
  const heading = make('h2', {});
  const told = make('div', { class: 'told' });
  const words = make('p', { class: 'state', role: 'status', 'data-testid': 'profile-beside-state' });
  const head = make('div', { class: 'head' }, heading, share, over, search, csv, close);
  const root = make('section', { class: 'lane profile-beside', 'data-testid': 'profile-beside', 'aria-label': 'Another profile beside this', hidden: '' }, head, words, told, files, folder);

  /** `null` where nothing is laid beside. */
  let other: Other | null = null;
  let isChoosing = false;
  let reading = '';
  let laid: Laid | null = null;
  let table: BesideTable | null = null;
  let failure = '';
  /** What it lies beside: of anything else it ends. */
  let ofWhat: unknown = null;
  const shown = watcher();

  search.addEventListener('input', () => look({ sought: search.value }, 'replace'));

  /** Lays files beside what is open. */
  function lay(dropped: Dropped) {
    begin({ name: nameOf(dropped), dropped });
    if (app.store.get().view.besideAddresses.length > 0) actions.look({ ...alone });
  }

  function begin(next: Other) {
    [other, laid, table, isChoosing, reading, failure, ofWhat] = [next, null, null, false, 'Reading', '', null];
    again();
  }

  /** Offers ways to say what is laid beside. */
  function choose() {
    isChoosing = true;
    again();
    requestAnimationFrame(() => root.querySelector<HTMLElement>('[data-testid=profile-beside-choose]')?.focus());
  }

  /** Back to what is laid beside, where another one was only asked for; else it ends. */
  function leave() {
    if (!isChoosing || !other) return end();
    isChoosing = false;
    again();
  }

  function end() {
    [other, laid, table, isChoosing, failure] = [null, null, null, false, ''];
    look({ over: 'mean', sorted: 'difference', sought: '', pair: null, below: false });
    if (app.store.get().view.besideAddresses.length > 0) actions.look({ ...alone });
    again();
    document.getElementById('compare-button')?.focus();
  }

  /** Reads the other one, as the one that is open was made. */
  async function read(profiler: Profiler, of: Other, looked: Looked): Promise<Laid> {
    const report = (words: string) => {
      reading = words;
      again();
    };
    try {
      const { filesOf, profileOf } = await import('../compare/second.ts');
      const dropped = of.dropped ?? (await filesOf(of.addresses ?? [], report));
      const bytes = await profileOf(app, dropped, howOf(looked), report);
      // The worker keeps what it is given last.
      if (of !== other) throw { stale: true };
      if (bytes) {
        await profiler.call('takeBeside', { bytes });
        return { profiler, other: of, notices: [] };
      }
      const { names, files, choice } = dropped as Dropped & { choice?: string };
      const begun = await profiler.call('openBeside', { names, files, choice }, { onProgress: ({ phase }) => report(phase) });
      const choices = begun.notices === null ? begun.choices.map(({ name }: { name: string }) => name) : undefined;
      return { profiler, other: { ...of, dropped }, choices, notices: (begun.notices ?? []).map(({ text, often }: { text: string, often: string }) => `B: ${text}${often}`) };
    } catch (failure: any) {
      if (failure.stale) throw failure;
      return { profiler, other: of, failure: failure.message ?? String(failure), asks: failure.asks, choices: failure.traces, notices: [] };
    }
  }

  async function save() {
    if (!laid) return;
    try {
      const files = await laid.profiler.call('besideFiles', {});
      const { saveProfile } = await import('../actions/save.ts');
      saveProfile(files, 'profiles', 'csv');
    } catch (failure: any) {
      actions.tell({ remark: failure.message });
    }
  }

  async function pick(pair: number) {
    const node = await laid?.profiler.call('nodeOfPair', { pair });
    look(node === undefined ? { pair } : { node, pair });
  }

  /** Asks for what is missing. */
  function prepare(need: Need, of: unknown, profiler: Profiler, looked: Looked, addresses: string[]) {
    if (ofWhat !== null && ofWhat !== of) [other, laid, table, failure] = [null, null, null, ''];
    ofWhat = of;
    if (!other && addresses.length > 0) other = { name: nameAt(addresses[0]), addresses };
    if (!other) return;
    const own = other;
    if (laid && laid.profiler !== profiler) [laid, table] = [null, null];
    need('beside', [profiler, own, looked.whole, looked.unwind, looked.sites], () => read(profiler, own, looked), (answer: Laid) => ([laid, table] = [answer, null]));
    if (!laid || laid.failure || laid.choices) return;
    const { measure, below, over, sorted, sought, node, pair } = looked;
    const asked = { measure, inclusive: below, over, by: sorted, search: sought, picked: node, pair };
    const ask = () => profiler.call('beside', { asked }).catch(({ message, stale }) => (stale ? Promise.reject({ stale }) : { message }));
    need('table', [laid, ...Object.values(asked)], ask, (answer) => ([table, failure] = 'message' in answer ? [null, answer.message] : [answer, '']));
  }

  function show(looked: Looked) {
    root.hidden = !other && !isChoosing;
    if (root.hidden || !shown(looked, laid, table, other, isChoosing, reading, failure)) return;
    root.dataset.state = isChoosing ? 'choosing' : table ? 'told' : laid ? 'failed' : 'reading';
    for (const element of [share, over, search, csv]) element.hidden = !table || isChoosing;
    heading.textContent = table && !isChoosing ? 'Two profiles' : 'Compare with another profile';
    if (isChoosing) return showChoices();
    words.replaceChildren(...state());
    // A row that is picked stays where it is.
    const top = told.querySelector('.both-rows')?.scrollTop ?? 0;
    told.replaceChildren(...(table ? tableOf(table, looked) : []));
    told.querySelector('.both-rows')?.scrollTo(0, top);
    if (!table) return;
    choices(share, [['', 'exclusive'], ['1', 'inclusive']], looked.below ? '1' : '', (value) => look({ below: value === '1' }));
    choices(over, OVER, looked.over, (over) => look({ over: over as Looked['over'] }));
    if (document.activeElement !== search) search.value = looked.sought;
  }

  function showChoices() {
    words.replaceChildren();
    told.replaceChildren(make('p', { class: 'row' }, button({ class: 'filled', 'data-testid': 'profile-beside-choose' }, 'Choose files', () => files.click()), ' ', button({}, 'Choose a folder', () => folder.click())),
      make('p', { class: 'hint' }, 'Profiles of TAU, or a trace: its profile is made as this one is. Or drop them on the right half of the page.'));
  }

  /** How far it is, or why nothing can be told. */
  function state(): (Node | string)[] {
    if (failure) return [`${failure}. Choose another metric.`];
    if (!laid) return [`${other?.name ?? ''}: ${reading}…`];
    if (laid.choices) return [laid.failure ?? `There are ${laid.choices.length} profiles. Which is meant? `, ' ', ...laid.choices.map((choice) => button({ class: 'link', 'data-choice': choice }, choice, () => laid?.other.dropped && begin({ name: choice, dropped: { ...laid.other.dropped, choice } })))];
    if (!laid.failure) return [];
    const asks = laid.asks ?? [];
    return [`${laid.other.name} could not be laid beside this. ${laid.failure} `, ...(asks.length > 0 ? [button({ class: 'filled' }, 'Load it', () => giveConsent(asks))] : [button({}, 'Choose another', choose)])];
  }

  function tableOf({ names, facts, doubts, heads, rows, rest, pair }: BesideTable, { sorted }: Looked) {
    const kept = root.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.keep : undefined;
    const sortedBy = (key: string, words: string) => make('th', { scope: 'col', ...(sorted === key ? { 'aria-sort': key === 'name' ? 'ascending' : 'descending' } : {}) }, button({ 'data-by': key, 'data-keep': key }, words, () => look({ sorted: key as Looked['sorted'] })));
    const body = rows.map((row) => rowOf(row, pair?.pair ?? null));
    const table = make('table', { class: 'both', 'data-testid': 'profile-beside-table' }, make('thead', {}, make('tr', {}, sortedBy('name', 'region or routine'), ...heads.map(([key, words]) => sortedBy(key, words)))), make('tbody', {}, ...body));
    const files = [app.dropped && app.store.get().profile ? nameOf(app.dropped) : '', laid?.other.name ?? ''];
    // Profiles of one kind are mostly called alike.
    const named = names[0] === names[1] ? names.map((name, side) => files[side] || name) : names;
    const sides = make('p', { class: 'sides', 'data-testid': 'profile-beside-names' }, ...named.map((name, side) => make('span', {}, make('b', { class: 'side' }, 'AB'[side]), ` ${name}`)));
    const facing = make('p', { class: 'hint' }, facts.map(([value, of]) => `${value} ${of}`).join(' · '));
    const sentences = make('ul', { class: 'doubts', 'data-testid': 'profile-beside-doubts' }, ...[...doubts, ...(laid?.notices ?? [])].map((doubt) => make('li', {}, doubt)));
    const scroll = make('div', { class: 'both-rows', tabindex: '0', role: 'group', 'aria-label': 'Rows of both profiles' }, table);
    if (kept !== undefined) requestAnimationFrame(() => root.querySelector<HTMLElement>(`[data-keep="${CSS.escape(kept)}"]`)?.focus({ preventScroll: true }));
    return [sides, facing, sentences, rows.length > 0 ? scroll : make('p', { class: 'hint' }, 'Nothing differs.'), make('p', { class: 'hint' }, rest), ...(pair ? [pairOf(pair)] : [])];
  }

  function rowOf({ pair, name, above, kind, only, figures, bar, change }: BesideRow, picked: number | null) {
    const bars = make('i', { class: 'bar', 'aria-hidden': 'true' });
    bars.style.setProperty('--from', `${50 + 50 * Math.min(bar, 0)}%`);
    bars.style.setProperty('--wide', `${50 * Math.abs(bar)}%`);
    const title = button({ class: 'link name', title: `${name}${above ? `, in ${above}` : ''}`, 'data-keep': `row ${pair}` }, name, () => void pick(pair));
    const what = make('span', { class: 'what' }, make('i', { class: `cap ${kind === 'probe' || kind === 'part' ? 'probe' : kind === 'unresolved' ? 'unresolved' : 'sample'}`, title: kind === 'probe' || kind === 'part' ? 'measured by a probe' : 'estimated by samples', 'aria-hidden': 'true' }), title, ...(above ? [make('small', {}, above)] : []), ...(only ? [make('em', {}, only)] : []));
    const cells = figures.map((figure, i) => {
      const cell = cellOf(figure, {});
      if (figure.within) cell.append(' ', make('small', {}, figure.within));
      if (i === 2) cell.append(bars);
      return cell;
    });
    const row = make('tr', { 'data-pair': String(pair), 'data-kind': kind, class: `${pair === picked ? 'now ' : ''}${change}` }, make('th', { scope: 'row' }, what), ...cells);
    if (change === 'open') row.title = 'Samples leave open whether there is a difference.';
    return row;
  }

  /** Every metric of the picked node. */
  function pairOf({ name, met, lines }: NonNullable<BesideTable['pair']>) {
    const head = make('thead', {}, make('tr', {}, ...['metric', 'over the threads', 'A', 'B', 'B − A', 'B / A'].map((words) => make('th', { scope: 'col' }, words))));
    const rows = lines.map(([metric, of, figures], i) => {
      const cells = figures.map((figure) => {
        const cell = cellOf(figure, {});
        if (figure.within) cell.append(' ', make('small', {}, figure.within));
        return cell;
      });
      // The total of a metric may have a unit of its own.
      const isSame = lines[i - 1]?.[0] === metric;
      const same = lines.slice(i).findIndex(([other]) => other !== metric);
      return make('tr', {}, ...(isSame ? [] : [make('th', { scope: 'rowgroup', rowspan: String(same < 0 ? lines.length - i : same) }, metric)]), make('th', { scope: 'row' }, of), ...cells);
    });
    return make('section', { class: 'pair', 'data-testid': 'profile-beside-pair', 'aria-label': 'The picked node on both sides' }, make('h3', {}, name, make('small', {}, ` ${met}`)), make('div', { class: 'scroll-x', tabindex: '0', role: 'group', 'aria-label': 'The picked node, of every metric' }, make('table', { class: 'costly' }, head, make('tbody', {}, ...rows))));
  }

  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !root.hidden && !isTyping(event.target) && root.contains(event.target as Node)) leave();
  });
  return { root, lay, choose, prepare, show };
}

/** A folder, or the first file and how many more. */
function nameOf({ names }: Dropped): string {
  const [first = ''] = names;
  return first.includes('/') ? first.split('/')[0] : `${first}${names.length > 1 ? ` and ${names.length - 1} more` : ''}`;
}
