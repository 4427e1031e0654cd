// How sure a curve is, on a card below its name in the legend: there while the name is pointed at or has
// the focus, or after a long press. Loaded when a name is first neared.

import { byId, make, watcher } from '../dom.ts';
import { shownOf, type State } from '../state.ts';
import type { Actions } from '../actions/actions.ts';

/** A name is passed on the way to another; and so long the pointer may take to come onto the card. */
const REST_MS = 300;
/** Of a finger. */
const PRESS_MS = 500;
const EDGE = 8;

const entryOf = (target: EventTarget | null) => (target instanceof Element ? target.closest<HTMLElement>('[data-certain]') ?? target.closest('.entry')?.querySelector<HTMLElement>('[data-certain]') : null);

export function mountCertainty({ now }: Actions): (state: State) => void {
  const [legend, lanes, root] = [byId('legend'), byId('lanes'), byId('certainty')];
  const changed = watcher();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Of the counter that it is about. */
  let counter: string | null = null;
  const named = () => [...legend.querySelectorAll<HTMLElement>('[data-certain]')].find((entry) => entry.dataset.certain === counter);

  const hide = () => {
    named()?.removeAttribute('aria-describedby');
    counter = null;
    root.hidden = true;
  };
  const show = (wanted: string) => {
    hide();
    const shown = shownOf(now());
    const told = shown?.picture.certainty(shown.group.number, wanted);
    counter = wanted;
    const entry = named();
    if (!shown || !told || !entry || lanes.hidden) return hide();
    const rows = told.rows.map(({ what, lines }) => make('div', {}, make('dt', {}, what), make('dd', {}, ...lines.map((line) => make('span', {}, line)))));
    const doubt = shown.deciding ? [make('p', { class: 'hint' }, 'Deciding… Until then, of the spline.')] : [];
    root.replaceChildren(make('p', {}, make('b', {}, told.name), ...(told.name === told.counter ? [] : [' ', make('span', {}, told.counter)])), make('dl', {}, ...rows), ...doubt);
    root.hidden = false;
    entry.setAttribute('aria-describedby', 'certainty');
    const [at, within] = [entry.getBoundingClientRect(), lanes.getBoundingClientRect()];
    root.style.setProperty('left', `${Math.max(EDGE, Math.min(at.left - within.left, within.width - root.offsetWidth - EDGE))}px`);
    const below = at.bottom - within.top + 4;
    const above = at.top - within.top - 4 - root.offsetHeight;
    root.style.setProperty('top', `${below + root.offsetHeight > within.height && above >= 0 ? above : below}px`);
  };
  /** What is about to be done gives way to this. */
  const atOnce = (act: () => void) => {
    clearTimeout(timer);
    act();
  };
  const later = (act: () => void, ms = REST_MS) => {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
  };
  const point = (target: EventTarget | null) => {
    const wanted = entryOf(target)?.dataset.certain;
    if (wanted === undefined) later(leave);
    else if (wanted !== counter) later(() => show(wanted));
    else clearTimeout(timer);
  };
  /** What has the focus of the keyboard keeps its card. */
  const leave = () => {
    const focused = legend.querySelector<HTMLElement>('[data-certain]:focus-visible')?.dataset.certain;
    if (focused === undefined) hide();
    else if (focused !== counter) show(focused);
  };

  legend.addEventListener('pointerover', ({ target, pointerType }) => pointerType !== 'touch' && point(target));
  root.addEventListener('pointerover', () => clearTimeout(timer));
  for (const element of [legend, root]) element.addEventListener('pointerleave', ({ pointerType }) => pointerType !== 'touch' && later(leave));
  legend.addEventListener('focusin', ({ target }) => target instanceof Element && target.matches(':focus-visible') && point(target));
  legend.addEventListener('focusout', () => later(leave));

  let isPress = false;
  legend.addEventListener('pointerdown', ({ target, pointerType }) => {
    isPress = false;
    const wanted = entryOf(target)?.dataset.certain;
    if (pointerType !== 'touch' || wanted === undefined) return;
    later(() => {
      isPress = true;
      show(wanted);
    }, PRESS_MS);
  });
  for (const end of ['pointerup', 'pointercancel'] as const) legend.addEventListener(end, ({ pointerType }) => pointerType === 'touch' && !isPress && clearTimeout(timer));
  legend.addEventListener('contextmenu', (event) => isPress && event.preventDefault());
  // The long press does nothing else.
  legend.addEventListener('click', (event) => {
    if (isPress) event.stopPropagation();
    isPress = false;
  }, true);
  addEventListener('pointerdown', ({ target }) => {
    if (counter !== null && !(target instanceof Node && (root.contains(target) || legend.contains(target)))) atOnce(hide);
  });
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || counter === null) return;
    atOnce(hide);
    event.stopPropagation();
  }, true);
  // What was neared while this was loaded.
  const first = legend.querySelector<HTMLElement>('[data-certain]:is(:hover, :focus-visible)');
  if (first) point(first);

  return (state) => {
    const { picture, group, deciding } = shownOf(state) ?? {};
    if (!changed(picture, group, deciding, state.view, state.resized) || counter === null) return;
    show(counter);
  };
}
