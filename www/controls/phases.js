// The table that is read most: every phase with its length, its speed and two ratios; pointing at a
// row marks it in the lanes, a click zooms to it. Under it what is done to phases by hand.

import { pathOf, swatchOf } from '../code.js';
import { button, byId, make, watcher } from '../dom.js';
import { count, duration, fixed, percent, significant } from '../format.js';
import { shownGroup } from '../state.js';
import { breaksOf } from './breaks.js';
import { columnsOf, figures, headsOf, milliseconds, ratiosOf, unitsOf } from './ratios.js';

/** From so many phases on, rows are of one line, without the routine. */
const MANY = 9;

/**
 * @typedef {import('../state.js').State} State
 * @typedef {import('../tracefold.js').GroupSummary} GroupSummary
 * @typedef {import('./ratios.js').Column} Column
 * @typedef {import('../tracefold.js').Phase} Phase
 *
 * @typedef {Object} Actions
 * @property {(phase: Phase) => void} zoomTo
 * @property {(number: number | null) => void} mark
 * @property {(number: number, name: string) => void} rename
 * @property {(border: number) => void} merge takes a border away, by its index
 * @property {(at: number[]) => void} divide at these folded times
 * @property {() => void} reset
 * @property {(ratios: string[]) => void} chooseRatios
 *
 * @param {Actions} actions
 * @returns {(state: State) => void}
 */
export function mountPhases(actions) {
  const root = byId('phases');
  const changed = watcher();
  /** @type {Phase | null} the one that is zoomed to */
  let now = null;
  /** @type {number[]} the cursor, or both ends of the selection */
  let here = [];
  const rename = () => now && typeName(root, now, actions.rename);
  const merge = () => now && actions.merge(now.number - 1);
  const tools = {
    name: button({ class: 'link', 'data-testid': 'phase-name' }, 'Name', rename),
    merge: button({ class: 'link', 'data-testid': 'phase-merge' }, 'Merge with next', merge),
    divide: button({ class: 'link', 'data-testid': 'phase-break' }, 'Break here', () => actions.divide(here)),
    source: make('button', { type: 'button', class: 'link', 'data-testid': 'phase-source' }, 'Source'),
  };
  const reset = button({ class: 'link', 'aria-label': 'Reset phases', 'data-testid': 'phase-reset' }, 'Reset', actions.reset);

  return (state) => {
    const { view, settings, cursor } = state;
    const group = shownGroup(state);
    const editable = Boolean(state.opened) && state.early === null && state.reading?.task !== 'open';
    root.hidden = !group || group.counters.length === 0 || state.status === 'error';
    const phases = group?.phases ?? [];
    now = phases.find(({ start, end }) => [start, end].every((x, i) => Math.abs(x - view.range[i]) < 1e-5)) ?? null;
    if (group && changed(group, view.ratios, editable, state.deciding, settings)) {
      const focused = root.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.phase : undefined;
      const isOpen = root.querySelector('details')?.open ?? false;
      const handmade = editable && (Object.hasOwn(settings, 'breaks') || Object.hasOwn(settings, 'names'));
      root.replaceChildren(
        ...partsOf(group, state, actions, handmade ? [reset] : []),
        ...(editable ? [make('p', { class: 'phase-tools' }, ...Object.values(tools))] : []),
        ...breaksOf(group, isOpen),
      );
      if (focused) /** @type {HTMLElement | null} */ (root.querySelector(`[data-phase="${focused}"]`))?.focus({ preventScroll: true });
    }
    for (const body of root.querySelectorAll('tbody')) {
      const isNow = body.dataset.number === String(now?.number);
      body.classList.toggle('now', isNow);
      body.querySelector('button')?.setAttribute('aria-pressed', String(isNow));
    }
    enable(tools.name, now !== null, 'Click a phase first');
    enable(tools.merge, now !== null && now.number < phases.length, now ? 'This is the last phase' : 'Click a phase first');
    enable(tools.source, now !== null && placeOf(now) !== '', now ? 'No line of this phase is known' : 'Click a phase first');
    tools.source.dataset.line = now ? placeOf(now) : '';
    for (const [i, { number }] of phases.entries()) tellPlace(root, number, state.places?.of === group ? state.places.words[i] : '');
    here = view.selection ?? (cursor ? [cursor.x] : []);
    enable(tools.divide, here.length > 0, 'Select a range, or point at a moment and press B');
  };
}

/**
 * The loop that a phase is about, once the source pane has found it.
 * @type {(root: HTMLElement, number: number, words: string) => void}
 */
function tellPlace(root, number, words) {
  const line = /** @type {HTMLElement | null} */ (root.querySelector(`[data-number="${number}"] [data-line]`));
  if (line && words) line.title = words;
}

/** @type {(tool: HTMLButtonElement, isPossible: boolean, reason: string) => void} */
function enable(tool, isPossible, reason) {
  tool.disabled = !isPossible;
  tool.title = isPossible ? '' : reason;
}

/**
 * @param {GroupSummary} group
 * @param {State} state
 * @param {Actions} actions
 * @param {HTMLElement[]} reset
 */
function partsOf(group, state, actions, reset) {
  const phases = group.phases;
  const title = make('span', { id: 'phases-title' }, 'Phases');
  if (phases.length === 0) {
    const words = state.deciding ? 'Looking for breaks…' : 'No break was found.';
    return [make('h2', {}, title, ...reset), make('p', { class: 'hint' }, words)];
  }
  const rateOf = (/** @type {Phase} */ phase, /** @type {string} */ counter) => phase.rates.find((rate) => rate.counter === counter)?.perInstruction ?? null;
  const possible = ratiosOf(group.counters, (counter) => phases.some((phase) => rateOf(phase, counter) !== null));
  const largest = (/** @type {string} */ counter) => Math.max(0, ...phases.map((phase) => rateOf(phase, counter) ?? 0));
  const columns = columnsOf(group, possible, largest, state.view.ratios);
  const head = make('tr', {}, make('th', { scope: 'col' }, make('span', { class: 'unseen' }, 'Phase')),
    ...[group.axis.unit, '%'].map((text) => make('th', { scope: 'col' }, text)),
    ...headsOf(columns, possible, '', actions.chooseRatios));
  const lengthOf = (/** @type {Phase} */ { share, ms }) => (group.axis.counter ? count(share * group.axis.total) : milliseconds(ms));
  const bodies = phases.map((phase) => bodyOf(phase, lengthOf(phase), columns, phases.length < MANY, actions));
  const table = make('table', { 'data-testid': 'phases-table' }, make('thead', {}, head), ...bodies);
  return [make('h2', {}, title, make('small', {}, unitsOf(columns)), ...reset), make('div', { class: 'phase-rows' }, table)];
}

/**
 * One phase in two rows: its numbers, then its routine.
 * @param {Phase} phase
 * @param {string} length
 * @param {Column[]} columns
 * @param {boolean} isRoomy
 * @param {Actions} actions
 */
function bodyOf(phase, length, columns, isRoomy, { zoomTo, mark, rename }) {
  const { number, ms, share, name } = phase;
  const words = [`Phase ${number}`, name, `${duration(phase.startMs)} to ${duration(phase.endMs)}`, routineWords(phase)].filter(Boolean).join(' · ');
  const zoom = button({ class: 'name', 'data-phase': String(number), title: `${words}. Click: zoom; F2: name` }, String(number), () => zoomTo(phase));
  const cells = columns.map(({ counter, factor, unit }) => {
    const isRate = unit === null;
    const rate = phase.rates.find((rate) => rate.counter === counter);
    const value = isRate ? rate?.rate : rate?.perInstruction;
    const half = isRate ? rate?.halfWidth : rate?.perInstructionHalfWidth;
    const exact = { 'data-counter': counter, 'data-value': String(value ?? ''), 'data-half': String(half ?? '') };
    if (value === null || value === undefined) return make('td', exact, '–');
    const near = half && value ? `±${nearly(half * factor, value * factor)}` : '';
    const text = isRate ? figures(value) : significant(value * factor);
    return isRate && near ? make('td', exact, text, ' ', make('small', {}, near)) : make('td', { ...exact, title: near }, text);
  });
  const lengths = [make('td', { 'data-value': String(ms) }, length), make('td', { 'data-value': String(share) }, fixed(100 * share, 1))];
  const body = make('tbody', { 'data-number': String(number) }, make('tr', {}, make('th', { scope: 'row' }, zoom), ...lengths, ...cells));
  if (isRoomy) body.append(make('tr', {}, make('td'), make('td', { colspan: String(columns.length + 2), class: 'what' }, ...routineParts(phase))));
  body.addEventListener('pointerenter', () => mark(number));
  body.addEventListener('pointerleave', () => mark(null));
  zoom.addEventListener('focus', () => mark(number));
  zoom.addEventListener('blur', () => mark(null));
  body.addEventListener('click', ({ target }) => target instanceof Element && !target.closest('button, input') && zoomTo(phase));
  body.addEventListener('dblclick', () => typeName(byId('phases'), phase, rename));
  zoom.addEventListener('keydown', (event) => {
    if (event.key !== 'F2' && event.key !== 'Enter') return;
    event.preventDefault();
    typeName(byId('phases'), phase, rename);
  });
  return body;
}

/**
 * The routine with most of the samples, with the one that calls it; a click shows its source.
 * @param {Phase} phase
 */
function routineParts({ name, routine, routineIndex, callers, line, file, share }) {
  const called = name ? [make('b', {}, name)] : [];
  if (routine === null) return [...called, ...(name ? [] : [percent(share)])];
  const words = pathOf([...callers.slice(-1), routine], line);
  const place = placeOf({ line, file });
  const source = place ? make('button', { type: 'button', class: 'routine', 'data-line': place, title: `${pathOf([...callers, routine], line)}. Click: source` }, words) : words;
  return [swatchOf(routineIndex ?? 0), ...called, ...(name ? [' · '] : []), source];
}

/**
 * What the source pane calls the line; empty if no file is known for it.
 * @param {Pick<Phase, 'line' | 'file'>} phase
 */
function placeOf({ line, file }) {
  return file ? `${line ?? 0}:${file}` : '';
}

/** @param {Phase} phase */
function routineWords({ routine, callers, line }) {
  return routine === null ? '' : pathOf([...callers, routine], line);
}

/**
 * A field over the row, for the name: Enter keeps what is typed, Escape does not.
 * @param {HTMLElement} root
 * @param {Phase} phase
 * @param {Actions['rename']} rename
 */
function typeName(root, { number, name }, rename) {
  const zoom = /** @type {HTMLElement | null} */ (root.querySelector(`[data-phase="${number}"]`));
  if (!zoom || !root.querySelector('.phase-tools')) return;
  const field = make('input', { 'aria-label': `Name of phase ${number}`, maxlength: '80', placeholder: 'name', value: name });
  let isOver = false;
  const end = (/** @type {boolean} */ isMeant) => {
    if (isOver) return;
    isOver = true;
    const hadFocus = document.activeElement === field;
    field.remove();
    if (hadFocus) zoom.focus();
    if (isMeant && field.value.trim() !== name) rename(number, field.value);
  };
  field.addEventListener('blur', () => end(true));
  field.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Or the same key would press the button that has the focus next.
    event.preventDefault();
    end(event.key === 'Enter');
  });
  zoom.parentElement?.append(field);
  field.focus();
  field.select();
}

/**
 * Half of an interval, no finer than what it is of.
 * @type {(half: number, value: number) => string}
 */
function nearly(half, value) {
  return Math.abs(value) >= 100 && half >= 0.5 ? fixed(half) : significant(half, half < 1 ? 1 : 2);
}
