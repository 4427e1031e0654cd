// The table that is read most: every phase with its length, its speed and two ratios; pointing at a
// row marks it in the lanes, a click zooms to it. Under it what is done to phases by hand.

import { placeLink, swatchOf } from '../code.ts';
import { button, byId, make, refill, watcher } from '../dom.ts';
import { breaksOf } from './breaks.ts';
import { headOf, inOrder, orderOf } from './order.ts';
import { cellOf, figuresOf, headsOf, placesOf, shareOf, unitsOf, valueIn } from './ratios.ts';
import { term } from '../terms.ts';
import type { Actions, Mount } from '../actions/actions.ts';
import type { Figure, GroupSummary, PhaseSummary } from '../wasm/painter.js';

export const mountPhases: Mount = (actions) => {
  const root = byId('phases');
  const changed = watcher();
  /** The one that is zoomed to. */
  let now: PhaseSummary | null = null;
  /** The cursor, or both ends of the selection. */
  let here: number[] = [];
  const rename = () => now && typeName(root, now, actions.namePhase);
  const merge = () => now && actions.removeBorder(now.number - 1);
  const tools = {
    name: button({ class: 'link', 'data-testid': 'phase-name' }, 'Name', rename),
    merge: button({ class: 'link', 'data-testid': 'phase-merge' }, 'Merge with next', merge),
    divide: button({ class: 'link', 'data-testid': 'phase-break' }, 'Break here', () => actions.dividePhases(here)),
    source: make('button', { type: 'button', class: 'link', 'data-testid': 'phase-source' }, 'Source'),
  };
  const reset = button({ class: 'link', 'aria-label': 'Reset phases', 'data-testid': 'phase-reset' }, 'Reset', () => actions.resetSettings(['breaks', 'names']));

  return (state, shown, trace) => {
    const { view, settings, cursor } = state;
    const { group, deciding = false } = shown ?? {};
    const editable = trace !== null && state.now.is !== 'reading';
    root.hidden = !group || group.counters.length === 0 || state.now.is === 'failed';
    const phases = group?.phases ?? [];
    now = phases.find(({ start, end }) => [start, end].every((x, i) => Math.abs(x - view.range[i]) < 1e-5)) ?? null;
    root.setAttribute('aria-busy', String(deciding));
    if (group && changed(group, view.ratios, view.order, editable, deciding, settings)) {
      const isOpen = root.querySelector('details')?.open ?? false;
      const handmade = editable && (Object.hasOwn(settings, 'breaks') || Object.hasOwn(settings, 'names'));
      refill(root, 'key',
        ...partsOf(group, deciding, actions, handmade ? [reset] : []),
        ...(editable && !deciding ? [make('p', { class: 'phase-tools' }, ...(group.phases.length > 0 ? Object.values(tools) : [tools.divide]))] : []),
        ...breaksOf(group, isOpen),
      );
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
    for (const [i, { number }] of phases.entries()) tellPlace(root, number, state.places && state.places.of === group ? state.places.words[i] : '');
    here = view.selection ?? (cursor ? [cursor.x] : []);
    enable(tools.divide, here.length > 0, 'Select a range, or point at a moment and press B');
  };
};

/** The loop that a phase is about, once the source pane has found it. */
function tellPlace(root: HTMLElement, number: number, words: string): void {
  const line = root.querySelector<HTMLElement>(`[data-number="${number}"] [data-line]`);
  if (line && words) line.title = words;
}

function enable(tool: HTMLButtonElement, isPossible: boolean, reason: string): void {
  tool.disabled = !isPossible;
  tool.title = isPossible ? '' : reason;
}

function partsOf({ phases, columns, axis, fit }: GroupSummary, deciding: boolean, actions: Actions, reset: HTMLElement[]) {
  const { ratios, order } = actions.now().view;
  const title = make('span', { id: 'phases-title' }, term('phase', 'Phases'));
  if (phases.length === 0) {
    const none = fit.kind === 'steps' ? 'The course between readings is not known.' : 'No break was found.';
    const words = deciding ? 'Deciding where rates change…' : none;
    return [make('h2', {}, title, ...reset), make('p', { class: 'hint' }, words)];
  }
  // Beside efficiencies there is room for one ratio.
  const hasEfficiency = phases.some(({ efficiency }) => efficiency !== null);
  const hasBalance = phases.some(({ balance }) => balance !== null);
  const places = placesOf(columns, ratios, hasEfficiency ? 1 : 2);
  const fixedHeads = [
    ['length', axis.unit, `How long it is, ${axis.unit}`], ['share', '%', 'Share of the region'],
    ...(hasEfficiency ? [['efficiency', 'eff.', 'Parallel efficiency, %']] : []),
    ...(hasBalance ? [['balance', 'bal.', 'Load balance, %']] : []),
  ];
  const head = make('tr', {}, make('th', { scope: 'col' }, make('span', { class: 'unseen' }, 'Phase')),
    ...fixedHeads.map(([column, text, title]) => headOf('phases', column, text, title, actions)),
    ...headsOf('phases', columns, places, 'Ratio', actions));
  const valueOf = ({ length, share, efficiency, balance, figures }: PhaseSummary, column: string) => {
    const own = { length, share, efficiency, balance } as Record<string, Figure | null>;
    return Object.hasOwn(own, column) ? own[column]?.value : valueIn(columns, figures, column);
  };
  const rows = inOrder(phases, orderOf(order, 'phases'), valueOf);
  const bodies = rows.map((phase) => bodyOf(phase, hasBalance, figuresOf(columns, places, phase.figures), actions));
  const table = make('table', { 'data-testid': 'phases-table' }, make('thead', {}, head), ...bodies);
  return [make('h2', {}, title, make('small', {}, unitsOf(columns, places)), ...reset), make('div', { class: 'phase-rows' }, table)];
}

/** One phase in two rows: its numbers, then its routine. */
function bodyOf(phase: PhaseSummary, hasBalance: boolean, figures: HTMLElement[], { look, tell, namePhase }: Actions) {
  const { number, name, length, share, efficiency, balance, between, path } = phase;
  const zoom = () => look({ range: [phase.start, phase.end] }, 'push');
  const mark = (marked: number | null) => tell({ marked });
  const rename = () => typeName(byId('phases'), phase, namePhase);
  const words = [`Phase ${number}`, name, between, path].filter(Boolean).join(' · ');
  const turn = button({ class: 'name', 'data-phase': String(number), 'data-key': `phase ${number}`, title: `${words}. Click: zoom; F2: name` }, String(number), zoom);
  const uses = [
    ...(efficiency !== null ? [cellOf(efficiency, { 'data-kind': 'efficiency' })] : []),
    ...(hasBalance ? [balance ? cellOf(balance, { 'data-kind': 'balance' }) : make('td', {}, '–')] : []),
  ];
  const cells = [cellOf(length), cellOf(share), ...uses, ...figures];
  const what = make('td', { colspan: String(cells.length), class: 'what' }, ...routineParts(phase));
  const rows = [make('tr', {}, make('th', { scope: 'row' }, turn), ...cells), make('tr', {}, make('td'), what)];
  const body = shareOf(share.value, make('tbody', { 'data-number': String(number) }, ...rows));
  body.addEventListener('pointerenter', () => mark(number));
  body.addEventListener('pointerleave', () => mark(null));
  turn.addEventListener('focus', () => mark(number));
  turn.addEventListener('blur', () => mark(null));
  body.addEventListener('click', ({ target }) => target instanceof Element && !target.closest('button, input') && zoom());
  body.addEventListener('dblclick', rename);
  turn.addEventListener('keydown', (event) => {
    if (event.key !== 'F2' && event.key !== 'Enter') return;
    event.preventDefault();
    rename();
  });
  return body;
}

/** The routine with most of the samples, with the one that calls it; a click shows its source. */
function routineParts(phase: PhaseSummary) {
  const { name, routine, hue, called, path, percent } = phase;
  const named = name ? [make('b', {}, name)] : [];
  if (routine === null) return name ? named : [percent];
  const place = placeOf(phase);
  const source = place ? placeLink(called, path, place) : called;
  return [swatchOf(hue ?? 0), ...named, ...(name ? [' · '] : []), source];
}

/** What the source pane calls the line; empty if no file is known for it. */
function placeOf({ line, file }: PhaseSummary) {
  return file ? `${line ?? 0}:${file}` : '';
}

/** A field over the row, for the name: Enter keeps what is typed, Escape does not. */
function typeName(root: HTMLElement, { number, name }: PhaseSummary, rename: Actions['namePhase']) {
  const zoom = root.querySelector<HTMLElement>(`[data-phase="${number}"]`);
  if (!zoom || !root.querySelector('.phase-tools')) return;
  const field = make('input', { 'aria-label': `Name of phase ${number}`, maxlength: '80', placeholder: 'name', value: name });
  let isOver = false;
  const end = (isMeant: boolean) => {
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
