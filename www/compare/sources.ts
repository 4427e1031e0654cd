// The text of a file of both sides, line beside line, with the time of each. Loaded when the first is looked at.

import { cellOf } from '../controls/ratios.ts';
import { button, make } from '../dom.ts';
import { counted } from '../format.ts';
import { ShownFile } from '../source/file.ts';
import { Offered, type Offer } from '../source/offered.ts';
import { sourceOf, type Source } from '../source/read.ts';
import { SOURCES_STYLE } from './sources-style.ts';
import type { BothLine, BothPiece, BothSources, BothTimes, ComparedPicture, SourceFile } from '../wasm/painter.js';

/** The text of a file: of what was opened first, and of what lies beside it. */
export interface Texts {
  files: [SourceFile, SourceFile];
  /** Whether it is the same text, as nobody gave another of the second. */
  isOne: boolean;
}

interface Acts {
  /** What is offered of what was opened first, and at which addresses. */
  offered: () => Offered;
  addresses: () => string[];
  /** Keeps files of what was opened first. */
  offer: (offers: Offer[]) => void;
  /** Shows another file, none for `null`. */
  open: (place: string | null) => void;
  /** Takes the texts of a file; says whether they can be those of both sides. */
  take: (file: string, texts: Texts) => boolean;
}

interface Shown {
  picture: ComparedPicture;
  /** `LINE:FILE`. */
  place: string;
  /** Files that were sampled, each with its line of most change. */
  files: [string, number][];
  texts: Texts | undefined;
  isSwapped: boolean;
}

/** More lines are not shown at once. */
const MOST_LINES = 400;

export function sourcesOf({ offered, addresses, offer, open, take }: Acts) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(SOURCES_STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  /** Of what lies beside. */
  let beside = new Offered();
  let now: Shown | null = null;
  /** What was read for which file, and what is said of that. */
  let asked = '';
  let turn = 0;
  let said: HTMLElement[] = [];
  /** By file and side, of several of its name. */
  const chosen: Map<string, string> = new Map();
  /** Coloured lines, by what they are of. */
  const shownFiles: Map<SourceFile, ShownFile> = new Map();
  let drawn: { of: ComparedPicture, place: string, texts: Texts | undefined, counter: string, isColoured: boolean } | null = null;

  const title = make('h2', { tabindex: '-1' }, 'Source');
  const file = make('select', { 'aria-label': 'File', 'data-testid': 'both-file' });
  const counter = make('select', { 'data-testid': 'both-counter' });
  const counterField = make('label', {}, 'Counter ', counter);
  const words = make('div', { class: 'both-words', role: 'status', 'data-testid': 'both-words' });
  const table = make('table', { 'data-testid': 'both-lines' });
  const scroll = make('div', { class: 'both-scroll', tabindex: '0', role: 'group', 'aria-label': 'Source of both sides' }, table);
  const choosers = [0, 1].map((side) => chooserOf(side, (offers) => give(side, offers)));
  const close = button({ class: 'quiet', 'data-testid': 'both-close' }, 'Close', () => open(null));
  const root = make('section', { class: 'both', hidden: '', 'data-testid': 'compare-sources', 'aria-label': 'Source of both sides' },
    make('div', { class: 'both-head' }, title, file, counterField, make('span', { class: 'gap' }), ...choosers.flatMap(({ elements }) => elements), close), words, scroll);
  file.addEventListener('change', () => open(file.value));
  counter.addEventListener('change', () => draw());
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    open(null);
  });

  /** Side 0 is A as it is shown. */
  function give(side: number, offers: Offer[]) {
    if (offers.length === 0) return;
    if (now && side === (now.isSwapped ? 1 : 0)) offer(offers);
    else beside.add(offers);
    asked = '';
    if (now) void read(now);
  }

  async function read(of: Shown) {
    const name = nameOf(of.place);
    const mine = (turn += 1);
    asked = name;
    const [first, second] = await Promise.all([
      sourceOf(name, offered(), addresses(), chosen.get(`0${name}`)),
      sourceOf(name, beside, [], chosen.get(`1${name}`)),
    ]);
    if (mine !== turn || now === null) return;
    said = wordsAbout(name, [first, second], now.isSwapped, (side, path) => {
      chosen.set(`${side}${name}`, path);
      if (now) void read(now);
    });
    if (first.kind === 'text') {
      const isOne = second.kind !== 'text';
      const files: [SourceFile, SourceFile] = [first.file, second.kind === 'text' ? second.file : first.file];
      // Of several that have its name none is taken for that of the other side.
      if (second.kind !== 'choice' && !take(name, { files, isOne })) {
        const letter = now.isSwapped ? 'A' : 'B';
        said = [make('p', {}, `Lines of ${name} moved, so ${letter} ran another text than this one: add the source of ${letter} to see both.`)];
      }
    }
    words.replaceChildren(...said);
    draw();
  }

  function draw() {
    if (!now) return;
    const { picture, place, texts, isSwapped } = now;
    const isColoured = texts !== undefined && texts.files.every((of) => shownFiles.get(of)?.isColoured);
    if (drawn && drawn.of === picture && drawn.place === place && drawn.texts === texts && drawn.counter === counter.value && drawn.isColoured === isColoured) return;
    const isElsewhere = drawn?.place !== place || drawn.texts !== texts;
    const sides = texts ? (isSwapped ? [texts.files[1], texts.files[0]] : texts.files) : [];
    const told = sides.length === 2 ? picture.source(sides[0], sides[1]) : undefined;
    table.hidden = told === undefined;
    counterField.hidden = true;
    if (texts && !told) words.replaceChildren(make('p', {}, 'Of a link samples stayed behind, so that nothing is known of its lines: compare the traces.'));
    if (told && texts) {
      const files = sides.map((of) => {
        const known = shownFiles.get(of) ?? new ShownFile(of);
        shownFiles.set(of, known);
        if (!known.isColoured) void known.colour().then(() => draw());
        return known;
      });
      fillCounters(told);
      fillTable(told, files);
      words.replaceChildren(...doubtsOf(told), ...said);
    }
    drawn = { of: picture, place, texts, counter: counter.value, isColoured };
    if (isElsewhere) table.querySelector('.now')?.scrollIntoView({ block: 'nearest' });
  }

  function fillCounters({ columns }: BothSources) {
    const ratios = columns.filter(({ ratio }) => ratio);
    const before = counter.value;
    counter.replaceChildren(...ratios.map(({ counter, name }) => make('option', { value: counter }, name)));
    counter.value = before;
    if (counter.selectedIndex < 0) counter.value = ratios[0]?.counter ?? '';
    counterField.hidden = ratios.length === 0;
  }

  function fillTable({ unit, columns, pieces, time }: BothSources, files: ShownFile[]) {
    const at = columns.findIndex((column) => column.ratio && column.counter === counter.value);
    const ratio = columns[at];
    const side = (letter: string) => [make('th', { scope: 'col', class: 'number' }, letter), make('th', { scope: 'col' }, unit), ...(ratio ? [make('th', { scope: 'col' }, ratio.unit)] : []), make('th', { scope: 'col', class: 'code' }, `source of ${letter}`)];
    const head = make('thead', {}, make('tr', {}, ...side('A'), ...side('B'), make('th', { scope: 'col' }, 'B − A'), make('th', { scope: 'col' }, '95 %')));
    const wide = ratio ? 10 : 8;
    const marked = Number(now?.place.split(':')[0]);
    // A number is that of A; of a line that A has not, that of B.
    const isOfA = pieces.some(({ lines }) => lines.some(({ a }) => a === marked));
    const numbersOf = (time: BothTimes | null, of: 'a' | 'b') => [time ? cellOf(time[of]) : make('td', {}), ...(ratio ? [time ? cellOf((of === 'a' ? time.figuresA : time.figuresB)[at]) : make('td', {})] : [])];
    const changeOf = (time: BothTimes | null) => (time ? [cellOf(time.change), make('td', { class: 'interval' }, time.within)] : [make('td', {}), make('td', {})]);
    const lineOf = ({ a, b, kind, time }: BothLine) => {
      const [name, ...where] = kind.split(' ');
      const code = (at: number, number: number | null) => {
        const pieces = number === null ? [] : files[at].pieces(number);
        return make('td', { class: 'code' }, make('code', {}, ...pieces.map(({ text, kind }) => (kind === '' ? text : make('span', { class: `tint-${kind}` }, text)))), ...(number !== null && where.length > 0 ? [make('small', {}, kind)] : []));
      };
      const of = (letter: 'a' | 'b', at: number, number: number | null) => [make(number === null ? 'td' : 'th', { class: 'number', ...(number !== null && { scope: 'row' }) }, number === null ? '' : String(number)), ...numbersOf(number === null ? null : time, letter), code(at, number)];
      const isMarked = isOfA ? a === marked : a === null && b === marked;
      // The change of a line that moved stands where it lies in B.
      const change = where.length > 0 && b === null ? null : time;
      return make('tr', { class: [name, isMarked && 'now', time?.tone].filter(Boolean).join(' '), ...(isMarked && { 'aria-current': 'true' }) }, ...of('a', 0, a), ...of('b', 1, b), ...changeOf(change));
    };
    const bodiesOf = (piece: BothPiece): HTMLElement[] => {
      const { kind, place, time, isOpen, lines } = piece;
      if (!isOpen) return [foldedOf(piece, wide, lineOf)];
      const name = kind && make('tr', { class: 'hunk' }, make('td', { class: 'number' }), ...numbersOf(time, 'a'), make('th', { scope: 'rowgroup', class: 'code' }, `${kind} ${place}`), make('td', { class: 'number' }), ...numbersOf(time, 'b'), make('td', { class: 'code' }), ...changeOf(time));
      const body = make('tbody', {}, ...(name ? [name] : []), ...lines.slice(0, MOST_LINES).map(lineOf));
      const rest = lines.slice(MOST_LINES);
      return rest.length === 0 ? [body] : [body, foldedOf({ ...piece, kind: '', lines: rest }, wide, lineOf)];
    };
    const all = make('tfoot', {}, make('tr', { class: 'sum' }, make('th', { scope: 'row', class: 'number' }, 'all'), ...numbersOf(time, 'a'), make('td', {}), make('td', {}), ...numbersOf(time, 'b'), make('td', {}), ...changeOf(time)));
    table.replaceChildren(make('caption', { class: 'unseen' }, `Lines of ${nameOf(now?.place ?? '')} in A and B`), head, ...pieces.flatMap(bodiesOf), all);
  }

  return {
    root,
    /** Files of what lies beside. */
    offerBeside(offers: Offer[]) {
      beside.add(offers);
      asked = '';
      if (now) void read(now);
    },
    show(next: Shown, isAsked: boolean) {
      const isOther = now === null || nameOf(next.place) !== nameOf(now.place) || next.isSwapped !== now.isSwapped;
      now = next;
      root.hidden = false;
      const name = nameOf(next.place);
      title.textContent = name;
      const options = next.files.some(([file]) => file === name) ? next.files : [...next.files, [name, 0] as [string, number]];
      file.replaceChildren(...options.map(([of, line]) => make('option', { value: `${line}:${of}`, ...(of === name && { selected: '' }) }, of)));
      for (const [side, { name: element }] of choosers.entries()) element.textContent = `Source of ${'AB'[side]}:`;
      if (isOther || asked !== name) void read(next);
      draw();
      if (isAsked) {
        title.focus({ preventScroll: true });
        root.scrollIntoView({ block: 'nearest' });
      }
    },
    hide() {
      now = null;
      drawn = null;
      root.hidden = true;
    },
    /** What lay beside is gone. */
    end() {
      this.hide();
      beside = new Offered();
      asked = '';
      shownFiles.clear();
      chosen.clear();
    },
  };
}

export type Sources = ReturnType<typeof sourcesOf>;

const nameOf = (place: string) => place.slice(place.indexOf(':') + 1);

/** Lines that are not shown until a person asks. */
function foldedOf({ kind, place, lines, more }: BothPiece, wide: number, lineOf: (line: BothLine) => HTMLElement): HTMLElement {
  const count = lines.length + more;
  const words = kind ? `${kind} ${place}, not sampled` : counted(count, 'line');
  const body = make('tbody', { class: 'folded' });
  /** The line so many behind the first: of those that are the same only that one is there. */
  const after = (by: number): BothLine => (more > 0 ? { ...lines[0], a: (lines[0].a ?? 0) + by, b: (lines[0].b ?? 0) + by } : lines[by]);
  const show = () => {
    const shown = Math.min(count, MOST_LINES);
    const rest = more > 0 ? { lines: [after(shown)], more: count - shown - 1 } : { lines: lines.slice(shown), more: 0 };
    body.replaceWith(make('tbody', {}, ...Array.from({ length: shown }, (_, by) => lineOf(after(by)))), ...(count > shown ? [foldedOf({ kind, place, time: null, isOpen: false, ...rest }, wide, lineOf)] : []));
  };
  body.append(make('tr', {}, make('td', { colspan: String(wide) }, button({ class: 'link', 'aria-label': `Show ${words}` }, `⋯ ${words}`, show))));
  return body;
}

/** Buttons for the source of a side: 0 for A as it is shown. */
function chooserOf(side: number, give: (offers: Offer[]) => void) {
  const name = make('span', {});
  const letter = 'AB'[side];
  const input = (kind: Record<string, string>, words: string, id: string) => {
    const chooser = make('input', { type: 'file', class: 'unseen', tabindex: '-1', multiple: '', 'aria-label': `${words} of ${letter}`, 'data-testid': id, ...kind });
    chooser.addEventListener('change', () => {
      const offers = [...(chooser.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, open: async () => file }));
      chooser.value = '';
      give(offers);
    });
    return [chooser, button({ class: 'quiet', title: `${words} of ${letter}` }, `${words}…`, () => chooser.click())];
  };
  const elements = [name, ...input({}, 'Files', `both-files-${letter.toLowerCase()}`), ...input({ webkitdirectory: '' }, 'Folder', `both-folder-${letter.toLowerCase()}`)];
  return { name, elements };
}

function doubtsOf({ doubts }: BothSources): HTMLElement[] {
  return doubts.flatMap((doubt, side) => (doubt ? [make('p', { class: 'doubt' }, `${'AB'[side]}: ${doubt}`)] : []));
}

/** What is to be said above the lines: what is missing, what cannot be shown, which of several is meant. */
function wordsAbout(name: string, sources: Source[], isSwapped: boolean, choose: (side: number, path: string) => void): HTMLElement[] {
  return sources.flatMap((source, side) => {
    const letter = 'AB'[isSwapped ? 1 - side : side];
    if (source.kind === 'none' && side === 0) return [make('p', {}, `${source.words ? `${source.words} ` : ''}Add ${name} or the folder of the program as the source of ${letter}. It stays on this computer.`)];
    if (source.kind === 'none') return [make('p', {}, `${letter} is taken to have run the same text, as no other is given.`)];
    if (source.kind === 'refused') return [make('p', { class: 'doubt' }, `${letter}: ${source.path} cannot be shown: ${source.words}`)];
    if (source.kind === 'consent') return [make('p', {}, `${letter}: its source lies at ${source.hosts.join(', ')}; open the source pane without a comparison to load it.`)];
    const { offers } = source;
    if (offers.length < 2) return [];
    const path = source.kind === 'text' ? source.path : '';
    const select = make('select', {}, ...(path === '' ? [make('option', { value: '' }, 'choose…')] : []), ...offers.map((offer) => make('option', { value: offer.path, ...(offer.path === path && { selected: '' }) }, offer.path)));
    select.addEventListener('change', () => select.value && choose(side, select.value));
    return [make('p', {}, make('label', {}, `${letter}: ${counted(offers.length, 'file')} are named ${name}: `, select))];
  });
}
