// Which kind of curve is shown, by how much it is the better one, and the other ones in one click.

import { button, make, watcher } from '../dom.ts';
import { duration, percent, significant } from '../format.ts';
import type { MountInside } from '../actions/actions.ts';
import type { FitReport } from '../wasm/painter.js';

const KINDS = [
  [null, 'Automatic'],
  ['kriging', 'Spline'],
  ['segments', 'Segments'],
] as [string | null, string][];

export const fitReport: MountInside = ({ chooseSetting }) => {
  const words = make('p', { 'data-testid': 'fit-report', role: 'status' });
  const more = make('p', {});
  const kinds = KINDS.map(([fit, text]) => ({ fit, item: button({ class: 'link', 'data-testid': `fit-${fit ?? 'auto'}` }, text, () => chooseSetting('fit', fit)) }));
  const element = make('div', { class: 'report' }, words, more, make('p', { class: 'kinds', role: 'group', 'aria-label': 'Kind of curve' }, ...kinds.map(({ item }) => item)));
  const changed = watcher();
  return {
    element,
    update({ settings }, shown, opened) {
      const { group, deciding = false } = shown ?? {};
      if (!changed(group, settings, deciding, opened)) return;
      element.hidden = !group || group.counters.length === 0;
      if (!group) return;
      words.textContent = fitWords(group.fit, deciding);
      const chosen = (settings.fit ?? 'auto') === 'auto' ? null : settings.fit;
      for (const { fit, item } of kinds) {
        item.setAttribute('aria-pressed', String(fit === chosen));
        item.disabled = !opened;
      }
      const { displacement, betterOverInstructions } = group;
      more.replaceChildren();
      if (displacement) more.append(`The phases of one instance lie ±${percent(displacement)} (${duration(displacement * group.meanMs)}) beside those of the curve. `);
      const instructions = group.counters.find(({ instructions }) => instructions);
      if (!betterOverInstructions || !instructions || !opened || settings.x) return;
      more.append('Over instructions they are sharper. ', button({ class: 'link', 'data-testid': 'over-instructions' }, 'Show instructions, in time', () => chooseSetting('x', `${instructions.counter}:time`)));
    },
  };
};

export function fitWords({ kind, ratio, uncertain }: FitReport, deciding: boolean) {
  if (deciding) return 'Spline, deciding…';
  const doubt = uncertain ? ' Uncertain: fewer than 100 samples per counter.' : '';
  const name = kind === 'segments' ? 'Segments' : 'Spline';
  if (!ratio) return `${name}.${doubt}`;
  const other = kind === 'segments' ? 'the spline' : 'segments';
  const nearer = kind === 'segments' ? 1 / ratio : ratio;
  if (nearer < 1.005) return `${name}: ${other} ${kind === 'segments' ? 'is' : 'are'} not nearer at instances held out.${doubt}`;
  return `${name}: ${significant(nearer)}× nearer than ${other} at instances held out.${doubt}`;
}
