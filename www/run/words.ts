// What stands round the pictures of a run: words, the table of what can be folded.

import { button, byId, make, watcher } from '../dom.ts';
import { brushOf, runOf, type Run, type State } from '../state.ts';
import { cellOf } from '../controls/ratios.ts';
import { term } from '../terms.ts';
import type { Actions } from '../actions/actions.ts';
import type { Brushed, RunLine, RunSummary } from '../wasm/painter.js';

const HUES = 12;

/** What is known of the run: a value and what it is of, or a value that says all. */
export function factsOf(facts: RunSummary['facts'], about = 'run'): HTMLElement[] {
  return facts.map(([value, rest]) => make('span', {}, ...(rest ? [make('b', {}, value), ' ', term(about, rest)] : [term(about, make('b', {}, value))])));
}

export function mountWords(actions: Actions): (state: State) => void {
  const { look, foldRegion } = actions;
  const changed = watcher();
  const words = {
    by: choice('run-by', [['cluster', 'cluster'], ['duration', 'duration'], ['ipc', 'IPC'], ['activity', 'activity']], (by) => look({ by: by as 'cluster' }, 'push')),
    plane: choice('run-plane', [['instructions', 'instructions × IPC'], ['duration', 'duration']], (plane) => look({ plane: plane as 'duration', brush: null }, 'push')),
  };
  const fold = byId('run-fold');
  fold.addEventListener('click', () => foldRegion(fold.dataset.region as string));

  return (state) => {
    const run = runOf(state);
    if (!run) return;
    if (changed(run.summary, state.view.by, state.view.plane, state.view.clusters, state.view.brush)) showAll(state, run);
    markPointed(state);
  };

  function showAll(state: State, run: Run) {
    const { summary } = run;
    const { by, plane } = state.view;
    words.by(by, summary.hasWork ? [] : ['ipc']);
    words.plane(summary.hasWork ? plane : 'duration', summary.hasWork ? [] : ['instructions']);
    byId('run-facts').replaceChildren(make('h1', { title: summary.name }, term('run', summary.name)), ...factsOf(summary.facts));
    const [bold, rest] = summary.sentence;
    byId('run-sentence').replaceChildren(make('b', {}, bold), ` ${rest}`);
    fold.hidden = summary.best === null;
    if (summary.best) [fold.dataset.region, fold.textContent] = summary.best;
    const brush = brushOf(state, run);
    const brushed = brush ? run.picture.brushed({ brush, durations: brush.durations }) : null;
    byId('scatter-hint').textContent = brushed?.words ?? summary.shown;
    showRows(state, summary, brushed, actions);
  }
}

/** Plain words of which one is chosen; gives what brings them up to date. */
function choice(id: string, values: [string, string][], choose: (value: string) => void) {
  const buttons = values.map(([value, words]) => button({ class: 'word', 'data-value': value }, words, () => choose(value)));
  byId(id).replaceChildren(...buttons);
  return (chosen: string, disabled: string[]) => {
    for (const one of buttons) {
      const value = one.dataset.value as string;
      one.setAttribute('aria-pressed', String(value === chosen));
      one.disabled = disabled.includes(value);
    }
  };
}

/**
 * Only the class changes: a row that were made anew as the pointer comes over it would lose a click
 * that has begun.
 */
function markPointed({ pointed }: State) {
  for (const row of document.querySelectorAll<HTMLElement>('#run-table tr[data-cluster]')) row.classList.toggle('pointed', Number(row.dataset.cluster) === pointed);
}

function showRows({ view }: State, { heads, lines, best }: RunSummary, brushed: Brushed | null, actions: Actions) {
  const counts = new Map(brushed?.clusters);
  const head = make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'Regions'), ...heads.map((head) => make('th', { scope: 'col' }, head))));
  const rows = lines.map((line) => rowOf(line, line.region === best?.[0], view.clusters.includes(line.cluster), countOf(line, counts), actions));
  byId('run-table').replaceChildren(head, make('tbody', {}, ...rows));
}

/** How many of its bursts are brushed. */
function countOf({ kind, cluster }: RunLine, counts: Map<number, number>) {
  return (kind === 'cluster' || kind === 'apart' ? counts.get(cluster) : undefined) ?? 0;
}

function rowOf(line: RunLine, isBest: boolean, isMarked: boolean, brushed: number, { foldRegion, markCluster, now, tell }: Actions) {
  const { region, name, hint, cluster, kind, figures } = line;
  const words = region ? button({ class: 'name', title: `Fold ${region}` }, name, () => foldRegion(region)) : make('span', { class: 'name', title: name }, name);
  const classes = [isBest && 'best', (isMarked || brushed > 0) && 'now'].filter(Boolean).join(' ');
  const row = make('tr', { class: classes, 'data-kind': kind, 'data-region': region, ...(cluster > 0 && { 'data-cluster': String(cluster) }) }, make('th', { scope: 'row' }, make('span', { class: 'what' }, markOf(line), words, ...(hint ? [make('small', { title: hint }, hint)] : []), ...(brushed > 0 ? [make('small', { class: 'brushed' }, `${brushed} brushed`)] : []))), ...figures.map((figure) => cellOf(figure)));
  if (cluster > 0) {
    row.addEventListener('click', (event) => event.target !== words && markCluster(cluster, event.shiftKey));
    row.addEventListener('pointerenter', () => now().pointed !== cluster && tell({ pointed: cluster }));
    row.addEventListener('pointerleave', () => now().pointed !== null && tell({ pointed: null }));
  }
  return row;
}

/** The colour of a cluster, or what the row is. */
function markOf({ kind, cluster }: RunLine) {
  const hue = cluster > 0 && cluster <= HUES ? `hue-${cluster - 1}` : 'other';
  const mark = { iteration: 'bracket', cluster: `square ${hue}`, smaller: 'square other', apart: 'hollow', events: 'blank' }[kind];
  return make('i', { class: mark, 'aria-hidden': 'true' });
}
