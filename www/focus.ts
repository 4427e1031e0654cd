// Focus is never lost: what had it and is gone, hidden or disabled gives it to what stands in its place,
// else to what is next to it, else to the column of the picture.

import { oncePerFrame } from './frame.ts';

/** What the keys of a keyboard reach. */
const REACHED = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])';

/** What tells an element from others, where it is made again. */
const MARKS = ['id', 'data-key', 'data-testid', 'data-pick'];

/** Of which nothing that is inside is next to anything else. */
const WHOLES = '#column, main, body';

interface Held {
  element: HTMLElement;
  /** What it lay in, from the innermost on. */
  around: Element[];
  /** All that could be reached when it was, in order. */
  reached: Element[];
}

/** Gives what is to be called after the page has changed. `home` is what has the keys where nothing is
 * left of what was around. */
export function keepFocus(home: HTMLElement): () => void {
  let held: Held | null = null;

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.matches(WHOLES)) return;
    const around: Element[] = [];
    for (let of = target.parentElement; of; of = of.parentElement) around.push(of);
    held = { element: target, around, reached: [...document.querySelectorAll(REACHED)] };
  });
  // It was left on purpose.
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget === null && target === held?.element && isReachable(held.element)) held = null;
  });

  const find = () => {
    if (!held || (document.activeElement !== document.body && document.activeElement !== null)) return;
    const { element, around, reached } = held;
    // What waits for the engine comes back to life.
    if (element.isConnected && element.checkVisibility() && document.querySelector('#status')?.getAttribute('data-state') === 'busy') return;
    const place = around.find((of) => of.isConnected && of.checkVisibility());
    const next = isReachable(element) ? element : sameIn(place, element) ?? nextTo(place, element, reached) ?? home;
    next.focus({ preventScroll: true });
  };
  // A browser takes the focus away when it has drawn what has changed.
  const ask = oncePerFrame(oncePerFrame(find));
  for (const kind of ['click', 'keydown'] as const) document.addEventListener(kind, ask, { capture: true });
  return ask;
}

function isReachable(element: Element): element is HTMLElement {
  return element instanceof HTMLElement && element.isConnected && !element.matches(':disabled') && element.checkVisibility();
}

/** It, made again. */
function sameIn(place: Element | undefined, element: HTMLElement) {
  const mark = MARKS.find((mark) => element.hasAttribute(mark));
  const same = mark && place?.querySelector(`[${mark}="${CSS.escape(element.getAttribute(mark) ?? '')}"]`);
  return same && isReachable(same) ? same : null;
}

/** The one behind it, else the one before it, in what is left of what was around it. */
function nextTo(place: Element | undefined, element: HTMLElement, reached: Element[]) {
  if (!place || place.matches(WHOLES)) return null;
  const at = reached.indexOf(element);
  const isLeft = (other: Element): other is HTMLElement => place.contains(other) && isReachable(other) && (other as HTMLElement).tabIndex >= 0;
  const before = reached.slice(0, Math.max(0, at)).reverse();
  return reached.slice(at + 1).find(isLeft) ?? before.find(isLeft) ?? [...place.querySelectorAll(REACHED)].find(isLeft) ?? null;
}
