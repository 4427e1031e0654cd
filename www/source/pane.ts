// The pane of source code: a file of the trace at a line, with what was sampled of each line.

import { giveConsent } from '../actions/addresses.ts';
import { button, make, watcher } from '../dom.ts';
import { fixed } from '../format.ts';
import { rove } from '../roving.ts';
import { shownGroup } from '../state.ts';
import type { Looked } from '../controls/source.ts';
import type { Column, CounterSummary, FileLine, GroupSummary, SourceReport } from '../wasm/painter.js';
import { ShownFile } from './file.ts';
import { makeListing } from './listing.ts';
import type { Offer, Offered } from './offered.ts';
import { outlineParts, phaseParts } from './overview.ts';
import { sourceOf, type Source } from './read.ts';
import { shownOf } from './rows.ts';

interface Actions {
  open: (place: string) => void;
  close: () => void;
  offer: (offers: Offer[]) => void;
  /** Whether a picture is still what the page shows: one that was replaced has been freed. */
  isShown: (picture: Looked['picture']) => boolean;
  /** What each phase is about. */
  placed: (of: GroupSummary, words: string[]) => void;
}

/** What was looked for under a name, and what is there. */
type Read = { of: string, source: Source | null, file: ShownFile | null };

/** The function that comes back is told whether a person has just opened the pane, whose keys go on in it. */
export function mountPane(root: HTMLElement, offered: Offered, actions: Actions): (state: Looked, isAsked: boolean) => void {
  const parts = partsOf(actions);
  const listing = makeListing((line) => {
    const lines = foldedOf();
    if (!lines.delete(line)) lines.add(line);
    folds += 1;
    show();
  });
  root.replaceChildren(...parts.all, listing.element);
  rove(parts.overview, 'button');
  for (const select of [parts.counter, parts.heat]) select.addEventListener('change', () => show());
  parts.file.addEventListener('change', () => actions.open(parts.file.value));

  let now: Looked | null = null;
  let view: SourceReport = { unit: '', columns: [], lines: [], blocks: [], phases: [], doubt: null };
  let shown: Read = { of: '', source: null, file: null };
  /** Paths that were chosen of several, by file name. */
  const chosen: Map<string, string> = new Map();
  /** First lines of folded blocks, by path. */
  const folded: Map<string, Set<number>> = new Map();
  /** How often one was folded or unfolded. */
  let folds = 0;
  let turn = 0;
  /** What is being read. */
  let asked = '';
  const isOther = watcher();
  const changed = watcher();

  const foldedOf = () => {
    const path = shown.source?.kind === 'text' ? shown.source.path : '';
    const lines = folded.get(path) ?? new Set();
    folded.set(path, lines);
    return lines;
  };

  /** Reads what belongs to the file that is asked for, and shows it when it is there. */
  const read = async (name: string) => {
    const state = now as Looked;
    const mine = (turn += 1);
    asked = name;
    const source = await sourceOf(name, offered, state.view.sources, chosen.get(name));
    if (mine !== turn) return;
    const file = source.kind === 'text' ? new ShownFile(source.file) : null;
    shown = { of: name, source, file };
    show();
    goTo();
    await file?.look();
    if (mine !== turn) return;
    show();
    goTo();
  };

  const show = () => {
    const group = now && shownGroup(now);
    if (!now || !group || !actions.isShown(now.picture)) return;
    const { name } = placeOf(now);
    const { source, file } = shown.of === name ? shown : { source: null, file: null };
    const of = [now.picture, group, name, file, file?.isOutlined];
    if (!changed(...of, source, parts.counter.value, parts.heat.value, folds)) return;
    if (isOther(...of)) {
      view = file ? now.picture.sourceFile(group.number, file.source) : now.picture.sampledFile(group.number, name);
      file?.partAt(view.blocks);
      fillFiles(parts.file, now.picture.sampledFiles(group.number), name);
      fillOverview(parts.overview, [...phaseParts(group, view), ...outlineParts(view.blocks, name)]);
      actions.placed(group, view.phases.map((code) => code?.words ?? ''));
    }
    parts.title.textContent = name;
    parts.path.textContent = source?.kind === 'text' && source.path !== name ? source.path : '';
    fillCounters(parts, group.counters, view.columns);
    const choose = (path: string) => {
      chosen.set(name, path);
      void read(name);
    };
    parts.words.replaceChildren(...wordsAbout(name, source, file, view, choose));
    listing.show(shownOf({ name, file, view, counters: group.counters, counter: parts.counter.value, heat: parts.heat.value, folded: foldedOf() }));
  };

  const goTo = () => {
    const { name, line } = placeOf(now as Looked);
    const round = shown.of === name ? view.blocks.filter(({ first, last }) => first < line && line <= last) : [];
    const isHidden = round.filter(({ first }) => foldedOf().delete(first)).length > 0;
    if (isHidden) {
      folds += 1;
      show();
    }
    listing.goTo(line);
  };

  return (state, isAsked) => {
    const isNewPlace = state.view.pane !== now?.view.pane;
    const isOtherOffer = state.offered !== now?.offered || state.view.sources !== now?.view.sources;
    now = state;
    if (!shownGroup(state)) return;
    const { name } = placeOf(state);
    show();
    if (isNewPlace) listing.goTo(placeOf(state).line);
    if (isAsked) parts.title.focus({ preventScroll: true });
    if (asked !== name || isOtherOffer) void read(name);
    else if (isNewPlace) goTo();
  };
}

function placeOf({ view }: Looked) {
  const [, line = '0', name = ''] = /^(\d+):(.*)$/s.exec(view.pane ?? '') ?? [];
  return { line: Number(line), name };
}

function partsOf({ close, offer }: Actions) {
  const title = make('h2', { id: 'pane-title', tabindex: '-1' });
  const path = make('small', { class: 'path' });
  const chooser = (label: string, id: string, kind: Record<string, string>) => {
    const input = make('input', { type: 'file', class: 'unseen', tabindex: '-1', multiple: '', 'aria-label': label, 'data-testid': id, ...kind });
    input.addEventListener('change', () => {
      const files = [...(input.files ?? [])];
      if (files.length > 0) offer(files.map((file) => ({ path: file.webkitRelativePath || file.name, open: async () => file })));
      input.value = '';
    });
    return [input, button({ class: 'quiet' }, `${label}…`, () => input.click())];
  };
  const file = make('select', { 'aria-label': 'File', 'data-testid': 'pane-file' });
  const counter = make('select', { 'data-testid': 'pane-counter' });
  const heat = make('select', { 'data-testid': 'pane-heat' });
  const words = make('div', { class: 'pane-words', 'data-testid': 'pane-words', role: 'status' });
  const overview = make('div', { class: 'overview' });
  const tools = make('div', { class: 'pane-tools' }, file,
    make('label', {}, 'Counter ', counter), make('label', {}, 'Heat ', heat));
  const head = make('header', { class: 'pane-head' }, title, path, tools, make('span', { class: 'gap' }),
    ...chooser('Source files', 'source-files', {}), ...chooser('Folder', 'source-folder', { webkitdirectory: '' }),
    button({ class: 'quiet', 'data-testid': 'pane-close' }, 'Close', close));
  return { all: [head, words, overview], title, path, file, counter, heat, words, overview };
}

/** Puts new lists in place of the old ones; what was open and had the focus stays so. */
function fillOverview(overview: HTMLElement, lists: HTMLElement[]) {
  const focused = overview.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.line : undefined;
  for (const list of lists) {
    const before = overview.querySelector<HTMLDetailsElement>(`[data-testid="${list.dataset.testid}"]`);
    if (before) list.toggleAttribute('open', before.open);
  }
  overview.replaceChildren(...lists);
  const same = [...overview.querySelectorAll('button')].find(({ dataset }) => dataset.line === focused);
  if (focused !== undefined) same?.focus({ preventScroll: true });
}

function fillFiles(select: HTMLSelectElement, files: FileLine[], name: string) {
  const options = files.filter(({ file }) => file !== '').map(({ file, line, share }) => make('option', { value: `${line}:${file}`, ...(file === name && { selected: '' }) }, `${file} ${share}`));
  if (!files.some(({ file }) => file === name)) options.unshift(make('option', { value: '', selected: '' }, name));
  select.replaceChildren(...options);
}

function fillCounters({ counter, heat }: { counter: HTMLSelectElement, heat: HTMLSelectElement }, counters: CounterSummary[], columns: Column[]) {
  const instructions = counters.find(({ instructions }) => instructions);
  const ratios = columns.filter(({ ratio }) => ratio);
  const option = ({ counter, name }: Column) => make('option', { value: counter }, name);
  const fill = (select: HTMLSelectElement, options: HTMLElement[], first: string) => {
    const before = select.value;
    select.replaceChildren(...options);
    select.value = before;
    if (select.selectedIndex < 0) select.value = first;
  };
  fill(counter, ratios.map(option), ratios[0]?.counter ?? '');
  (counter.parentElement as HTMLElement).hidden = ratios.length === 0;
  fill(heat, [make('option', { value: 'time' }, 'time'), ...(instructions ? [make('option', { value: instructions.counter }, 'few MIPS')] : []), ...ratios.map(option)], 'time');
}

/** What is to be said above the lines: doubts, a choice, or how to see the text. */
function wordsAbout(name: string, source: Source | null, file: ShownFile | null, view: SourceReport, choose: (path: string) => void): HTMLElement[] {
  const said: HTMLElement[] = [];
  const say = (words: string, kind = '') => said.push(make('p', kind ? { class: kind } : {}, words));
  if (view.lines.length === 0) say('No line of this file was sampled in this region.');
  if (!source) return said;
  const how = `Drop ${name} here, or the folder of the program, to see its text. It stays on this computer.`;
  if (source.kind === 'none') say(`${source.words ? `${source.words} ` : ''}${how}`);
  if (source.kind === 'refused') say(`${source.path} cannot be shown: ${source.words}`, 'doubt');
  if (source.kind === 'consent') {
    const hosts = source.hosts.join(', ');
    said.push(make('p', {}, `This link loads source from ${hosts}, which will see that you asked for it. `,
      button({ class: 'link', 'data-testid': 'source-consent' }, `Load from ${hosts}`, () => giveConsent(source.addresses))));
  }
  const offers = source.kind === 'choice' || source.kind === 'text' ? source.offers : [];
  if (offers.length > 1) {
    const path = source.kind === 'text' ? source.path : '';
    const select = make('select', { 'data-testid': 'pane-choice' },
      ...(path === '' ? [make('option', { value: '' }, 'choose…')] : []),
      ...offers.map((offer) => make('option', { value: offer.path, ...(offer.path === path && { selected: '' }) }, offer.path)));
    select.addEventListener('change', () => select.value && choose(select.value));
    said.push(make('p', {}, make('label', {}, `${fixed(offers.length)} files are named ${name}: `, select)));
  }
  if (view.doubt) say(view.doubt, 'doubt');
  if (file?.wordsOnBlocks) say(file.wordsOnBlocks);
  return said;
}
