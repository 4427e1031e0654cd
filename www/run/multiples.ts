// All clusters of a run, folded: small multiples with equal axes.

import { byId, onUnfold, watcher } from '../dom.ts';
import { paintedTheme } from '../theme.ts';
import type { Actions } from '../actions/actions.ts';
import type { Run, State } from '../state.ts';

export const hasClusters = ({ summary }: Run) => summary.lines.some(({ kind }) => kind === 'cluster');

const HINT = 'What takes most time first; a counter has the same axis in all.';

export function mountMultiples({ look }: Actions): (state: State, run: Run) => void {
  const details = byId('multiples') as HTMLDetailsElement;
  const picture = byId('multiples-picture') as HTMLImageElement;
  const hint = byId('multiples-hint');
  const changed = watcher();
  onUnfold(details, (isOpen) => look({ multiples: isOpen ? 'shown' : 'hidden' }, 'push'));

  return ({ view, settings }, run) => {
    details.hidden = !hasClusters(run);
    details.open = view.multiples === 'shown';
    const folded = run.multiples;
    picture.hidden = !folded?.picture;
    const isLate = folded?.settings !== JSON.stringify(settings);
    hint.textContent = isLate ? 'Clusters are being folded …' : folded.words || HINT;
    const [width, theme] = [hint.clientWidth, paintedTheme(view.theme)];
    if (!details.open || !folded?.picture || !changed(folded, width, theme)) return;
    URL.revokeObjectURL(picture.src);
    picture.src = URL.createObjectURL(new Blob([folded.picture.svg({ width, theme, to: 1 })], { type: 'image/svg+xml' }));
    picture.alt = `Folded: ${folded.picture.regions().join(', ')}`;
  };
}
