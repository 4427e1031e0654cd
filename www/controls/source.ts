// Ways into the pane of source code, and the files that are offered to it. The pane itself is loaded
// when it is first opened.

import { button, byId, watcher } from '../dom.ts';
import { bytesOf, hasFile } from '../engine/parts.ts';
import { EXAMPLE_SOURCE } from '../examples.ts';
import { counted } from '../format.ts';
import { timeScale } from '../lanes/timeline.ts';
import { Offered, type Offer } from '../source/offered.ts';
import { shownGroup, type State } from '../state.ts';
import type { GroupSummary } from '../tracefold.d.ts';

/** A pointer that went further was dragged. */
const CLICK_PX = 4;

interface Actions {
  now: () => State;
  /** Opens the pane at `LINE:FILE`, or closes it. */
  show: (place: string | null) => void;
  offered: (changes: number, remark: string) => void;
  /** What each phase is about. */
  placed: (of: GroupSummary, words: string[]) => void;
}

export function mountSource(actions: Actions) {
  const offered = new Offered();
  const root = byId('pane');
  const changed = watcher();
  let pane: Promise<(state: State, isAsked: boolean) => void> | null = null;
  /** What had the focus when the pane was opened. */
  let opener: Element | null = null;
  let isAsked = false;

  const open = (place: string, takesKeys = true) => {
    if (root.hidden) opener = document.activeElement;
    if (root.hidden && takesKeys) isAsked = true;
    actions.show(place);
  };
  const close = () => {
    const hadKeys = root.contains(document.activeElement);
    actions.show(null);
    if (hadKeys && opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
  const offer = (offers: Offer[]) => {
    offered.add(offers);
    const kept = counted(offers.length, 'source file');
    actions.offered(offered.changes, actions.now().picture ? `${kept} added. A click on the source lane shows the line.` : `${kept} kept: open a trace now.`);
  };

  // Whatever names a line of code leads to it.
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('.twisty')) return;
    const place = (target.closest('[data-line]') as HTMLElement | null)?.dataset.line ?? '';
    if (/^\d+:./s.test(place)) open(place);
  });
  onPlaceOfLane(actions.now, open);
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  });
  // Elsewhere it goes together with what was picked. Other things end first, and are asked for before
  // they have ended.
  addEventListener('keydown', ({ key, target }) => {
    const { status, view } = actions.now();
    const isUsed = status === 'busy' || view.selection || (target instanceof Element && target.closest('dialog, input, select, #pane'));
    if (key === 'Escape' && !root.hidden && !isUsed) close();
  }, { capture: true });

  const offerExample = ({ summary }: State) => {
    const { trace, path, file } = EXAMPLE_SOURCE;
    if (!summary?.trace.generated || summary.trace.name !== trace || !hasFile(file) || offered.find(path).length > 0) return;
    offered.add([{ path, open: async () => new Blob([await bytesOf(file)]) }]);
  };

  return {
    offer,
    update(state: State) {
      const { view, picture, status } = state;
      root.hidden = view.pane === null || !picture || status === 'error';
      if (root.hidden) return;
      offerExample(state);
      if (!changed(picture, view.pane, view.shown, view.sources, state.offered, state.summary)) return;
      pane ??= import('../source/pane.ts').then(({ mountPane }) => mountPane(root, offered, { open, close, offer, placed: actions.placed }));
      const hasKeys = isAsked;
      isAsked = false;
      // Loading takes a moment, in which another picture may have come, and this one be gone.
      pane.then((update) => root.hidden || update(actions.now(), hasKeys), () => {
        pane = null;
        root.replaceChildren('This part of the page could not be loaded. Close it and open it again.', button({}, 'Close', close));
      });
    },
  };
}

/** A click on the source lane, or Enter on it, opens what is there; after Enter the keys
 * go on in the pane. */
function onPlaceOfLane(now: () => State, open: (place: string, takesKeys: boolean) => void) {
  const canvas = byId('canvas-source') as HTMLCanvasElement;
  let down: { x: number, y: number } | null = null;
  const openAt = (x: number | undefined, takesKeys = true) => {
    const { picture, view } = now();
    const group = shownGroup(now());
    if (x === undefined || !picture || !group || x < view.range[0] || x > view.range[1]) return;
    const at = picture.at(group.number, x);
    if (at.file) open(`${at.line ?? 0}:${at.file}`, takesKeys);
  };
  canvas.addEventListener('pointerdown', ({ button, clientX: x, clientY: y }) => {
    // A click that clears a selection does nothing else.
    down = button === 0 && !now().view.selection ? { x, y } : null;
  });
  // The lanes hold the pointer while it is down, so that the rest of the click is theirs.
  byId('lanes').addEventListener('pointerup', ({ clientX, clientY }) => {
    const began = down;
    down = null;
    if (!began || Math.hypot(clientX - began.x, clientY - began.y) >= CLICK_PX || !canvas.dataset.layout) return;
    const { left, right } = JSON.parse(canvas.dataset.layout).plot;
    const x = timeScale(now().view.range, left, right).toTime(clientX - canvas.getBoundingClientRect().left);
    openAt(x, false);
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !now().view.selection) openAt(now().cursor?.x);
  });
}
