// Which kind of curve is shown, by how much it is the better one, and the other ones in one click.

import { button, make, watcher } from '../dom.ts';
import type { MountInside } from '../actions/actions.ts';

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
      words.textContent = deciding ? 'Spline, deciding…' : group.fit.words;
      const chosen = (settings.fit ?? 'auto') === 'auto' ? null : settings.fit;
      for (const { fit, item } of kinds) {
        item.setAttribute('aria-pressed', String(fit === chosen));
        item.disabled = !opened;
      }
      const { displacement, betterOverInstructions } = group;
      more.replaceChildren(displacement && `${displacement} `);
      const instructions = group.counters.find(({ instructions }) => instructions);
      if (!betterOverInstructions || !instructions || !opened || settings.x) return;
      more.append('Over instructions they are sharper. ', button({ class: 'link', 'data-testid': 'over-instructions' }, 'Show instructions, in time', () => chooseSetting('x', `${instructions.counter}:time`)));
    },
  };
};
