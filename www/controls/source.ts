// Ways into the pane of source code, and the files that are offered to it. The pane itself is loaded
// when it is first opened.

import { button, byId, shows, watcher } from '../dom.ts';
import { bytesOf, sizeOf } from '../engine/parts.ts';
import { EXAMPLE_SOURCE } from '../examples.ts';
import { counted } from '../format.ts';
import { timeScale } from '../lanes/timeline.ts';
import type { Offer, Offered } from '../source/offered.ts';
import { shownOf, type Shown, type State } from '../state.ts';
import type { Actions } from '../actions/actions.ts';
import type { PlotOf } from '../lanes/lanes.ts';
import type { GroupSummary } from '../wasm/painter.js';

/** A pointer that went further was dragged. */
const CLICK_PX = 4;

/** What the pane is of. */
export type Looked = Pick<State, 'view' | 'offered'> & Pick<Shown, 'picture' | 'summary'>;

function lookedOf(state: State): Looked | null {
  const shown = shownOf(state);
  return shown && { view: state.view, offered: state.offered, picture: shown.picture, summary: shown.summary };
}

/** `plotOf`: where the source lane lies, once it is painted. */
export function mountSource({ now, look, tell }: Actions, offered: Offered, plotOf: PlotOf, prepare: (part: string) => Promise<unknown>) {
  const root = byId('pane');
  const changed = watcher();
  let pane: Promise<(looked: Looked, isAsked: boolean) => void> | null = null;
  /** What had the focus when the pane was opened. */
  let opener: Element | null = null;
  let isAsked = false;

  const open = (place: string, takesKeys = true) => {
    if (root.hidden) opener = document.activeElement;
    if (root.hidden && takesKeys) isAsked = true;
    look({ pane: place }, 'push');
  };
  const close = () => {
    const hadKeys = root.contains(document.activeElement);
    look({ pane: null }, 'push');
    if (hadKeys && opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
  const offer = (offers: Offer[]) => {
    offered.add(offers);
    const kept = counted(offers.length, 'source file');
    const remark = shownOf(now()) ? `${kept} added. A click on the source lane shows the line.` : `${kept} kept: open a trace now.`;
    tell({ offered: offered.changes, remark });
  };

  // Whatever names a line of code leads to it.
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('.twisty')) return;
    const place = (target.closest('[data-line]') as HTMLElement | null)?.dataset.line ?? '';
    if (/^\d+:./s.test(place)) open(place);
  });
  onPlaceOfLane(now, plotOf, open);
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  });
  // Elsewhere it goes together with what was picked. Other things end first, and are asked for before
  // they have ended.
  addEventListener('keydown', ({ key, target }) => {
    const { now: { is }, view } = now();
    const isUsed = is === 'reading' || is === 'folding' || view.selection || (target instanceof Element && target.closest('dialog, input, select, #pane'));
    if (key === 'Escape' && !root.hidden && !isUsed && !isCompared()) close();
  }, { capture: true });

  const offerExample = ({ summary }: Shown) => {
    const { trace, path, file } = EXAMPLE_SOURCE;
    if (!summary.trace.generated || summary.trace.name !== trace || sizeOf(file) === null || offered.find(path).length > 0) return;
    offered.add([{ path, open: async () => new Blob([await bytesOf(file)]) }]);
  };

  return {
    offer,
    update(state: State) {
      const { view } = state;
      const shown = shownOf(state);
      shows(root, view.pane !== null && shown !== null && state.now.is !== 'failed');
      if (root.hidden || !shown || isCompared()) return;
      offerExample(shown);
      if (!changed(shown.picture, view.pane, view.shown, view.sources, state.offered, shown.summary)) return;
      const isShown = (picture: Looked['picture']) => shownOf(now())?.picture === picture;
      const placed = (of: GroupSummary, words: string[]) => tell({ places: { of, words } });
      pane ??= Promise.all([import('../source/pane.ts'), prepare('source')]).then(([{ mountPane }]) => mountPane(root, offered, { open, close, offer, isShown, placed }));
      const isWanted = isAsked;
      isAsked = false;
      const from = document.activeElement;
      // Loading takes a moment, in which another picture may have come, and this one be gone.
      pane.then((update) => {
        const looked = lookedOf(now());
        if (!root.hidden && looked) update(looked, isWanted && !isElsewhere(from));
      }, () => {
        pane = null;
        root.replaceChildren('This part of the page could not be loaded. Close it and open it again.', button({}, 'Close', close));
      });
    },
  };
}

/** Whether two runs are on screen: what compares shows the source of both. */
const isCompared = () => document.body.hasAttribute('data-compares');

/** Whether the keys have gone on meanwhile to something else, which keeps them; what is made again is the same. */
function isElsewhere(before: Element | null): boolean {
  const after = document.activeElement;
  const keyOf = (element: Element | null) => (element instanceof HTMLElement ? element.dataset.key : undefined);
  const isMadeAgain = keyOf(after) !== undefined && keyOf(after) === keyOf(before);
  return after !== null && after !== document.body && after !== before && !isMadeAgain;
}

/** A click on the source lane, or Enter on it, opens what is there; after Enter the keys
 * go on in the pane. */
function onPlaceOfLane(now: Actions['now'], plotOf: PlotOf, open: (place: string, takesKeys: boolean) => void) {
  const canvas = byId('canvas-source') as HTMLCanvasElement;
  let down: { x: number, y: number } | null = null;
  const openAt = (x: number | undefined, takesKeys = true) => {
    const { view } = now();
    const shown = shownOf(now());
    if (x === undefined || !shown || x < view.range[0] || x > view.range[1]) return;
    const place = shown.picture.at({ group: shown.group.number }, x)?.place;
    if (place) open(place, takesKeys);
  };
  canvas.addEventListener('pointerdown', ({ button, shiftKey, clientX: x, clientY: y }) => {
    // A click that clears a selection does nothing else, and Shift measures.
    down = button === 0 && !shiftKey && !now().view.selection ? { x, y } : null;
  });
  // The lanes hold the pointer while it is down, so that the rest of the click is theirs.
  byId('lanes').addEventListener('pointerup', ({ clientX, clientY }) => {
    const began = down;
    down = null;
    const lane = plotOf('source');
    if (!began || Math.hypot(clientX - began.x, clientY - began.y) >= CLICK_PX || !lane) return;
    const x = timeScale(now().view.range, lane.left, lane.right).toTime(clientX - canvas.getBoundingClientRect().left);
    openAt(x, false);
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !now().view.selection) openAt(now().cursor?.x);
  });
}
