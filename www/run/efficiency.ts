// How well the run uses its threads: the table of efficiencies, where the time of all threads goes, and
// what of it each thread computes.

import { button, byId, make, watcher } from '../dom.ts';
import { gutters } from '../lanes/sizes.ts';
import { Surface } from '../lanes/surface.ts';
import { runOf, tabOf, type State } from '../state.ts';
import { paintedTheme } from '../theme.ts';
import { cellOf } from '../controls/ratios.ts';
import { factsOf } from './words.ts';
import { term } from '../terms.ts';
import type { Actions } from '../actions/actions.ts';
import type { EfficiencyLine, EfficiencySummary, PartLine, RunSummary } from '../wasm/painter.js';

const THREADS = 188;

/** The colour of what core seconds go into. */
export const colourOf = ({ hue }: PartLine) => (hue === null ? 'computed' : `hue-${hue}`);

/** What asks for files of other runs, and lays them beside the one that is open. */
export function addRunsButton(actions: Actions): HTMLElement[] {
  const input = make('input', { type: 'file', multiple: '', class: 'unseen', tabindex: '-1', 'aria-label': 'Files of other runs', 'data-testid': 'add-runs-files' });
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    input.value = '';
    if (files.length > 0) void actions.addRuns({ files, names: files.map(({ name }) => name) });
  });
  return [button({ 'data-testid': 'add-runs', title: 'Other runs beside this one: on more ranks, of another version' }, 'Add runs…', () => input.click()), input];
}

export function mountEfficiency(actions: Actions): (state: State) => void {
  const { look, now, tell } = actions;
  byId('efficiencies-acts').replaceChildren(...addRunsButton(actions));
  const root = byId('efficiencies');
  const canvas = byId('canvas-threads') as HTMLCanvasElement;
  const hint = byId('threads-hint');
  const surface = new Surface(canvas);
  const others = watcher();
  const changed = watcher();
  const asked = () => ({ theme: paintedTheme(now().view.theme), from: 0, to: 1, ...gutters(innerWidth), width: (canvas.parentElement as HTMLElement).clientWidth, height: THREADS });
  canvas.addEventListener('pointermove', (event) => {
    const run = runOf(now());
    if (run) hint.textContent = run.picture.threadAt(asked(), event.offsetX) || run.summary.efficiency.threads;
  });
  canvas.addEventListener('pointerleave', () => (hint.textContent = runOf(now())?.summary.efficiency.threads ?? ''));
  new ResizeObserver(() => tell({ resized: now().resized + 1 })).observe(root);

  return (state) => {
    const run = runOf(state);
    root.hidden = tabOf(state) !== 'efficiency' || !run;
    const panel = byId('efficiency');
    panel.hidden = !run || tabOf(state) === 'region';
    if (!run || panel.hidden) return;
    const { summary } = run;
    const picked = summary.efficiency.lines.find(({ key }) => key === state.view.metric) ?? summary.efficiency.lines.find(({ depth }) => depth === 1);
    if (others(summary, tabOf(state), picked)) {
      const pick = (metric: string) => look({ metric }, 'push');
      panel.replaceChildren(...brief(summary), ...(root.hidden || !picked ? remarks(summary) : explained(picked, look)));
      if (!root.hidden) showAll(summary, picked, pick);
    }
    const [width, theme] = [(canvas.parentElement as HTMLElement).clientWidth, paintedTheme(state.view.theme)];
    if (root.hidden || !changed(run, width, innerWidth, theme, devicePixelRatio)) return;
    if (summary.efficiency.threads) run.picture.paint('threads', canvas, asked(), surface.fit(width, THREADS), new Uint8Array());
    hint.textContent = summary.efficiency.threads;
  };
}

/** What one run can tell of the ideal, as bars, and what it could with a replay. */
function brief({ efficiency: { heads, lines } }: RunSummary): Node[] {
  const shares = lines.filter(({ isShare, isOfOne }) => isShare && isOfOne);
  const rows = shares.map(({ name, depth, figures }) => {
    const bar = make('span', { class: 'meter', 'aria-hidden': 'true' }, make('i', {}));
    (bar.firstChild as HTMLElement).style.width = `${figures[0].value === null ? 0 : 100 * figures[0].value}%`;
    return make('tr', { 'data-depth': String(Math.max(0, depth - 1)) }, make('th', { scope: 'row' }, make('div', {}, name.replace(' efficiency', ''), ...(figures[0].value === null ? [] : [bar]))), ...figures.map((figure) => cellOf(figure)));
  });
  const table = make('table', {}, make('thead', {}, make('tr', {}, make('td'), ...heads.map((head) => make('th', { scope: 'col' }, head)))), make('tbody', {}, ...rows));
  const title = make('h2', { id: 'efficiency-title' }, make('span', {}, term('efficiency', 'Efficiency')), make('small', {}, shares.length > 0 ? '% of the threads’ time' : ''));
  return shares.length > 0 ? [title, table] : [title];
}

function remarks({ remarks, unsampled, efficiency: { lines } }: RunSummary) {
  const replayed = lines.find(({ key }) => key === 'transfer')?.words ?? [];
  const words = [...remarks, ...replayed, ...(unsampled ? ['Nothing is sampled: curves come from the readings at calls.'] : [])];
  return words.map((sentence) => make('p', { class: 'hint' }, sentence));
}

/** What is picked in the table, and where the run shows it. */
function explained({ name, words, by }: EfficiencyLine, look: Actions['look']): Node[] {
  const show = by && button({ class: 'link' }, 'Show it in the time line', () => look({ tab: 'run', by }, 'push'));
  return [
    make('h2', { id: 'metric-title', class: 'metric' }, term('efficiency', name)),
    ...words.map((sentence) => make('p', { class: 'metric' }, sentence)),
    ...(show ? [make('p', { class: 'metric' }, show)] : []),
  ];
}

function showAll({ name, facts, efficiency }: RunSummary, picked: EfficiencyLine | undefined, pick: (key: string) => void) {
  const [bold, rest] = efficiency.sentence;
  byId('efficiencies-facts').replaceChildren(make('h1', { title: name }, term('run', name)), ...factsOf(facts));
  byId('efficiencies-sentence').replaceChildren(make('b', {}, bold), ` ${rest}`);
  byId('efficiencies-told').hidden = efficiency.lines.length === 0;
  const head = make('tr', {}, make('th', { scope: 'col' }, make('b', {}, 'Efficiencies'), make('small', {}, '% of the ideal')), ...efficiency.heads.map((head) => make('th', { scope: 'col' }, head)));
  const focused = (document.activeElement as HTMLElement | null)?.dataset.metric;
  byId('efficiencies-table').replaceChildren(make('thead', {}, head), make('tbody', {}, ...efficiency.lines.map((line) => rowOf(line, line === picked, pick))));
  if (focused) byId('efficiencies-table').querySelector<HTMLElement>(`[data-metric="${focused}"]`)?.focus();
  showParts(efficiency);
  byId('threads').hidden = efficiency.threads === '';
  byId('efficiencies-remarks').replaceChildren(...efficiency.remarks.map((remark) => make('p', { class: 'hint' }, remark)));
}

export function rowOf({ key, name, depth, isShare, figures, full, tints }: EfficiencyLine, isPicked: boolean, pick: (key: string) => void) {
  const cells = figures.map((figure, i) => {
    const cell = cellOf(figure, { title: full[i] });
    if (tints[i] > 0) cell.style.setProperty('--tint', `${(100 * tints[i]).toFixed(0)}%`);
    return cell;
  });
  const isKnown = figures.some(({ value }) => value !== null);
  const classes = [isPicked && 'now', !isKnown && 'unknown', !isShare && 'plain'].filter(Boolean).join(' ');
  return make('tr', { class: classes, 'data-depth': String(depth), 'data-key': key }, make('th', { scope: 'row' }, button({ class: 'name', 'data-metric': key, 'aria-pressed': String(isPicked) }, name, () => pick(key))), ...cells);
}

/** A bar for each column, and the numbers that it is made of. */
function showParts({ heads, parts, unit }: EfficiencySummary) {
  const bars = heads.flatMap((head, column) => {
    const all = parts.at(-1)?.figures[column];
    if (!all || all.value === null) return [];
    const slices = parts.slice(0, -1).map((part) => {
      const slice = make('i', { class: colourOf(part) });
      slice.style.width = `${Math.max(0, part.shares[column].value ?? 0)}%`;
      return slice;
    });
    return [make('div', { class: 'core-bar', 'aria-hidden': 'true' }, make('span', {}, head), make('span', { class: 'slices' }, ...slices))];
  });
  byId('core-bars').replaceChildren(...bars);
  const head = make('tr', {}, make('td'), ...heads.flatMap((head) => [make('th', { scope: 'col' }, `${head}, ${unit}`), make('th', { scope: 'col' }, '%')]));
  byId('core-table').replaceChildren(make('thead', {}, head), make('tbody', {}, ...parts.map((part, at) => partOf(part, at === parts.length - 1))));
}

function partOf(part: PartLine, isSum: boolean) {
  const { name, figures, shares } = part;
  const mark = isSum ? [] : [make('i', { class: `square ${colourOf(part)}`, 'aria-hidden': 'true' })];
  return make('tr', {}, make('th', { scope: 'row' }, ...mark, name), ...figures.flatMap((figure, column) => [cellOf(figure), cellOf(shares[column])]));
}
