// Ways past the header, for keys: to the picture, and to the numbers and settings beside it.

import { byId, button } from '../dom.ts';
import type { Mount } from '../actions/actions.ts';

/** What of a picture takes keys first, in each of the views. */
const PICTURES = '#lanes .lane canvas, #numbers, #canvas-timeline, #efficiencies button';

export const mountSkips: Mount = ({ tell }) => {
  const root = byId('skips');
  root.append(
    button({ 'data-testid': 'skip-picture' }, 'Skip to the picture', () => (visible(PICTURES) ?? byId('column')).focus()),
    button({ 'data-testid': 'skip-panel' }, 'Skip to numbers and settings', () => {
      tell({ panel: true });
      byId('panel').hidden = false;
      visible('#panel [role=tab][aria-selected=true], #panel summary')?.focus();
    }),
  );
  return (_, shown, trace) => {
    root.hidden = !shown && !trace;
  };
};

function visible(selector: string) {
  return [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility()) ?? null;
}
