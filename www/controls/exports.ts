// The menu of what can be saved: the picture, and the numbers behind it.

import { button, byId, make } from '../dom.ts';
import { runOf, tabOf } from '../state.ts';
import type { Mount } from '../actions/actions.ts';
import type { Format } from '../actions/save.ts';

/** Those for other programs are of the trace itself, which a link does not hold. */
export const FORMATS = [
  ['png', 'Picture as PNG'],
  ['svg', 'Picture as SVG'],
  ['figure', 'Figure for a paper…'],
  ['html', 'Report as one page'],
  ['copy-png', 'Copy picture'],
  ['copy-table', 'Copy tables that are shown'],
  ['csv', 'Numbers as CSV, in one zip'],
  ['json', 'Everything as JSON'],
  ['gnuplot', 'Curves for gnuplot', 'of trace'],
  ['paraver', 'Folded trace for Paraver', 'of trace'],
  ['extract', 'Instances for BSC Folding', 'of trace'],
  ['run-svg', 'Picture as SVG', 'of run'],
  ['run-csv', 'What was found, as tables', 'of run'],
  ['run-paraver', 'Clusters and iterations for Paraver', 'of run'],
  ['run-semantic', 'The same as text, to be dropped again', 'of run'],
] as [Format, string, ('of trace' | 'of run')?][];

export const mountExports: Mount = ({ save }) => {
  const menu = byId('export');
  const list = byId('export-list');
  const turn = byId('export-button');
  const show = (open: boolean) => {
    list.hidden = !open;
    turn.setAttribute('aria-expanded', String(open));
  };
  const items = FORMATS.map(([format, words, kind]) => {
    const item = button({ 'data-testid': `export-${format}` }, words, () => {
      show(false);
      turn.focus();
      save(format);
    });
    list.append(item);
    return { item, kind };
  });
  const whole = make('p', { class: 'hint', hidden: '' }, 'Of the whole region, not of the range.');
  list.append(whole);
  turn.addEventListener('click', () => show(list.hidden === true));
  addEventListener('pointerdown', (event) => event.target instanceof Node && !menu.contains(event.target) && show(false));
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || list.hidden) return;
    event.stopPropagation();
    show(false);
    turn.focus();
  });

  return (state, shown, trace) => {
    const isRun = tabOf(state) !== 'region';
    whole.hidden = isRun || state.view.selection === null;
    menu.hidden = tabOf(state) === 'profile' || (isRun ? !runOf(state) : shown?.early !== null);
    for (const { item, kind } of items) item.hidden = isRun ? kind !== 'of run' : kind === 'of run' || (kind === 'of trace' && !trace);
  };
};
