// Ways into the pane of source code, and the files that are offered to it. The pane itself is loaded
// when it is first opened.

import { button, byId, watcher } from '../dom.js';
import { bytesOf, hasFile } from '../engine/parts.js';
import { EXAMPLE_SOURCE } from '../examples.js';
import { counted } from '../format.js';
import { timeScale } from '../lanes/timeline.js';
import { Offered } from '../source/offered.js';
import { shownGroup } from '../state.js';

/** A pointer that went further was dragged. */
const CLICK_PX = 4;

/**
 * @typedef {import('../state.js').State} State
 *
 * @typedef {Object} Actions
 * @property {() => State} now
 * @property {(place: string | null) => void} show opens the pane at `LINE:FILE`, or closes it
 * @property {(changes: number, remark: string) => void} offered
 * @property {(of: import('../tracefold.js').GroupSummary, words: string[]) => void} placed what each phase is about
 *
 * @param {Actions} actions
 */
export function mountSource(actions) {
  const offered = new Offered();
  const root = byId('pane');
  const changed = watcher();
  /** @type {Promise<(state: State, isAsked: boolean) => void> | null} */
  let pane = null;
  /** @type {Element | null} what had the focus when the pane was opened */
  let opener = null;
  let isAsked = false;

  const open = (/** @type {string} */ place, takesKeys = true) => {
    if (root.hidden) opener = document.activeElement;
    if (root.hidden && takesKeys) isAsked = true;
    actions.show(place);
  };
  const close = () => {
    const hadKeys = root.contains(document.activeElement);
    actions.show(null);
    if (hadKeys && opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
  /** @param {import('../source/offered.js').Offer[]} offers */
  const offer = (offers) => {
    offered.add(offers);
    const kept = counted(offers.length, 'source file');
    actions.offered(offered.changes, actions.now().picture ? `${kept} added. A click on the source lane shows the line.` : `${kept} kept: open a trace now.`);
  };

  // Whatever names a line of code leads to it.
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('.twisty')) return;
    const place = /** @type {HTMLElement | null} */ (target.closest('[data-line]'))?.dataset.line ?? '';
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

  /** @param {State} state */
  const offerExample = ({ summary }) => {
    const { trace, path, file } = EXAMPLE_SOURCE;
    if (!summary?.trace.generated || summary.trace.name !== trace || !hasFile(file) || offered.find(path).length > 0) return;
    offered.add([{ path, open: async () => new Blob([await bytesOf(file)]) }]);
  };

  return {
    offer,
    /** @param {State} state */
    update(state) {
      const { view, picture, status } = state;
      root.hidden = view.pane === null || !picture || status === 'error';
      if (root.hidden) return;
      offerExample(state);
      if (!changed(picture, view.pane, view.shown, view.sources, state.offered, state.summary)) return;
      pane ??= import('../source/pane.js').then(({ mountPane }) => mountPane(root, offered, { open, close, offer, placed: actions.placed }));
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

/**
 * A click on the source lane, or Enter on it, opens what is there.
 * @param {() => State} now
 * @param {(place: string, takesKeys: boolean) => void} open whether the keys go on in the pane
 */
function onPlaceOfLane(now, open) {
  const canvas = /** @type {HTMLCanvasElement} */ (byId('canvas-source'));
  /** @type {{x: number, y: number} | null} */
  let down = null;
  const openAt = (/** @type {number | undefined} */ x, takesKeys = true) => {
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
