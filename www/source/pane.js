// The pane of source code: a file of the trace at a line, with what was sampled of each line.

import { giveConsent } from '../actions/addresses.js';
import { button, make, watcher } from '../dom.js';
import { fixed, percent } from '../format.js';
import { shownGroup } from '../state.js';
import { knownOf } from './code.js';
import { doubtsOf } from './doubts.js';
import { SourceFile } from './file.js';
import { makeListing } from './listing.js';
import { filesOf, linesOfFile } from './numbers.js';
import { blocksAt } from './outline.js';
import { outlineParts, phaseParts, placesOfPhases } from './overview.js';
import { sourceOf } from './read.js';
import { shownOf } from './rows.js';

/**
 * @typedef {import('../controls/source.js').Looked} State
 *
 * @typedef {Object} Actions
 * @property {(place: string) => void} open
 * @property {() => void} close
 * @property {(offers: import('./offered.js').Offer[]) => void} offer
 * @property {(of: import('../tracefold.js').GroupSummary, words: string[]) => void} placed what each phase is about
 */

/**
 * @param {HTMLElement} root
 * @param {import('./offered.js').Offered} offered
 * @param {Actions} actions
 * @returns {(state: State, isAsked: boolean) => void} `isAsked`: a person has just opened it, whose keys
 *   go on in it
 */
export function mountPane(root, offered, actions) {
  const parts = partsOf(actions);
  const listing = makeListing((line) => {
    const lines = foldedOf();
    if (!lines.delete(line)) lines.add(line);
    show();
  });
  root.replaceChildren(...parts.all, listing.element);
  for (const select of [parts.counter, parts.heat]) select.addEventListener('change', () => show());
  parts.file.addEventListener('change', () => actions.open(parts.file.value));

  /** @type {State | null} */
  let now = null;
  /** @type {import('./code.js').Known | null} */
  let known = null;
  /** What `known` is of. */
  let of = /** @type {unknown[]} */ ([]);
  /** @type {{of: string, source: Awaited<ReturnType<typeof sourceOf>> | null, file: SourceFile | null}} */
  let shown = { of: '', source: null, file: null };
  /** Paths that were chosen of several, by file name. */
  const chosen = /** @type {Map<string, string>} */ (new Map());
  /** First lines of folded blocks, by path. */
  const folded = /** @type {Map<string, Set<number>>} */ (new Map());
  let turn = 0;
  const isOther = watcher();

  const foldedOf = () => {
    const path = shown.source?.kind === 'text' ? shown.source.path : '';
    const lines = folded.get(path) ?? new Set();
    folded.set(path, lines);
    return lines;
  };

  /** Reads what belongs to the file that is asked for, and shows it when it is there. */
  const read = async (/** @type {string} */ name) => {
    const state = /** @type {State} */ (now);
    const mine = (turn += 1);
    const source = await sourceOf(name, offered, state.view.sources, chosen.get(name));
    if (mine !== turn) return;
    const file = source.kind === 'text' ? new SourceFile(name, source.lines) : null;
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
    if (!now || !group || !known) return;
    const { name } = placeOf(now);
    const lines = linesOfFile(known, name);
    const { source, file } = shown.of === name ? shown : { source: null, file: null };
    parts.title.textContent = name;
    parts.path.textContent = source?.kind === 'text' && source.path !== name ? source.path : '';
    fillFiles(parts.file, known, name);
    fillCounters(parts, known.counters);
    parts.words.replaceChildren(...wordsAbout(name, source, file, lines, {
      choose: (path) => {
        chosen.set(name, path);
        void read(name);
      },
    }));
    if (isOther(group, known, name, file, file?.blocks)) {
      const places = placesOfPhases(group, known, name, file?.blocks ?? []);
      fillOverview(parts.overview, [...phaseParts(group, places), ...outlineParts(file, lines, name)]);
      actions.placed(group, places.map((place) => place?.words ?? ''));
    }
    listing.show(shownOf({ name, file, lines, counters: known.counters, counter: parts.counter.value || null, heat: parts.heat.value, folded: foldedOf() }));
  };

  const goTo = () => {
    const { name, line } = placeOf(/** @type {State} */ (now));
    const round = shown.of === name && shown.file ? blocksAt(shown.file.blocks, line) : [];
    const isHidden = round.filter(({ from }) => from !== line && foldedOf().delete(from)).length > 0;
    if (isHidden) show();
    listing.goTo(line);
  };

  return (state, isAsked) => {
    const isNewPlace = state.view.pane !== now?.view.pane;
    const wanted = [state.picture, state.view.shown];
    const offers = [state.offered, state.view.sources];
    const isOtherOffer = offers.some((part, i) => part !== [now?.offered, now?.view.sources][i]);
    now = state;
    const group = shownGroup(state);
    if (!group || !state.picture) return;
    const { name } = placeOf(state);
    if (!known || wanted.some((part, i) => part !== of[i])) {
      known = knownOf(state.picture, group);
      of = wanted;
    }
    show();
    if (isNewPlace) listing.goTo(placeOf(state).line);
    if (isAsked) parts.title.focus({ preventScroll: true });
    if (shown.of !== name || isOtherOffer) void read(name);
    else if (isNewPlace) goTo();
  };
}

/** @param {State} state */
function placeOf({ view }) {
  const [, line = '0', name = ''] = /^(\d+):(.*)$/s.exec(view.pane ?? '') ?? [];
  return { line: Number(line), name };
}

/** @param {Actions} actions */
function partsOf({ close, offer }) {
  const title = make('h2', { id: 'pane-title', tabindex: '-1' });
  const path = make('small', { class: 'path' });
  const chooser = (/** @type {string} */ label, /** @type {string} */ id, /** @type {Record<string, string>} */ kind) => {
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

/**
 * Puts new lists in place of the old ones; what was open and had the focus stays so.
 * @param {HTMLElement} overview
 * @param {HTMLElement[]} lists
 */
function fillOverview(overview, lists) {
  const focused = overview.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.line : undefined;
  for (const list of lists) {
    const before = /** @type {HTMLDetailsElement | null} */ (overview.querySelector(`[data-testid="${list.dataset.testid}"]`));
    if (before) list.toggleAttribute('open', before.open);
  }
  overview.replaceChildren(...lists);
  const same = [...overview.querySelectorAll('button')].find(({ dataset }) => dataset.line === focused);
  if (focused !== undefined) same?.focus({ preventScroll: true });
}

/** @type {(select: HTMLSelectElement, code: import('./code.js').Known, name: string) => void} */
function fillFiles(select, code, name) {
  const files = filesOf(code);
  const total = files.reduce((sum, { ms }) => sum + ms, 0);
  const share = (/** @type {number} */ ms) => (total > 0 ? ` ${percent(ms / total)}` : '');
  const options = files.filter(({ file }) => file !== '').map(({ file, line, ms }) => make('option', { value: `${line}:${file}`, ...(file === name && { selected: '' }) }, `${file}${share(ms)}`));
  if (!files.some(({ file }) => file === name)) options.unshift(make('option', { value: '', selected: '' }, name));
  select.replaceChildren(...options);
}

/** @type {(selects: {counter: HTMLSelectElement, heat: HTMLSelectElement}, counters: import('./code.js').Known['counters']) => void} */
function fillCounters({ counter, heat }, counters) {
  const instructions = counters.find(({ instructions }) => instructions);
  const ratios = instructions ? counters.filter(({ instructions }) => !instructions) : [];
  const usual = ratios.find(({ name, counter }) => !/cyc/i.test(name + counter)) ?? ratios[0];
  const option = (/** @type {{counter: string, name: string}} */ { counter, name }) => make('option', { value: counter }, name);
  const fill = (/** @type {HTMLSelectElement} */ select, /** @type {HTMLElement[]} */ options, /** @type {string} */ first) => {
    const before = select.value;
    select.replaceChildren(...options);
    select.value = before;
    if (select.selectedIndex < 0) select.value = first;
  };
  fill(counter, ratios.map(option), usual?.counter ?? '');
  /** @type {HTMLElement} */ (counter.parentElement).hidden = ratios.length === 0;
  fill(heat, [make('option', { value: 'time' }, 'time'), ...(instructions ? [make('option', { value: instructions.counter }, 'few MIPS')] : []), ...ratios.map(option)], 'time');
}

/**
 * What is to be said above the lines: doubts, a choice, or how to see the text.
 * @param {string} name
 * @param {Awaited<ReturnType<typeof sourceOf>> | null} source
 * @param {SourceFile | null} file
 * @param {Map<number, import('./numbers.js').LineNumbers>} lines
 * @param {{choose: (path: string) => void}} actions
 * @returns {HTMLElement[]}
 */
function wordsAbout(name, source, file, lines, { choose }) {
  /** @type {HTMLElement[]} */
  const said = [];
  const say = (/** @type {string} */ words, kind = '') => said.push(make('p', kind ? { class: kind } : {}, words));
  if (lines.size === 0) say('No line of this file was sampled in this region.');
  if (!source) return [...said];
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
  if (file) {
    for (const doubt of doubtsOf(file.lines, lines, file.language.comment)) say(doubt, 'doubt');
    if (file.wordsOnBlocks) say(file.wordsOnBlocks);
  }
  return said;
}
