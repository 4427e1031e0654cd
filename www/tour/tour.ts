// Five steps through the picture of a region: a card beside what it tells of, which is framed. All
// else can be used meanwhile, and nothing of it is remembered.

import { button, byId, make } from '../dom.ts';

const STEPS: { at: string, title: string, words: string }[] = [
  { at: '#lane-rail', title: 'Phases', words: 'One pass of the loop, made of the samples of all of them. The rail says where rates change: each piece is a phase. [ and ] step through them.' },
  { at: '#lane-performance', title: 'Speed', words: 'How fast it runs at each moment: millions of instructions per second, and events beside them. Point at a curve for its value and its interval.' },
  { at: '#lane-source', title: 'Code', words: 'Which line and routine runs at that moment. A click picks a routine in all lanes; its name in the panel opens the text.' },
  { at: '#lanes', title: 'A range', words: 'Drag over the lanes, or press R and move its ends with the arrows: a card tells what happens in the range. Esc lets it go.' },
  { at: '#share', title: 'Share', words: 'Copies a link with settings, view and curves inside it. The trace itself stays on this computer.' },
];

const GAP_PX = 12;

let end: (() => void) | null = null;

/** Begins as soon as the page has come to rest with a picture; where it fails there is no tour. */
export function begin() {
  end?.();
  const status = byId('status');
  const look = () => {
    const { state } = status.dataset;
    if (state === 'ready' && !status.hasAttribute('data-deciding')) show();
    else if (state !== 'error') return;
    waiting.disconnect();
  };
  const waiting = new MutationObserver(look);
  waiting.observe(status, { attributes: true });
  end = () => waiting.disconnect();
  look();
}

function show() {
  let at = 0;
  const title = make('h2', { id: 'tour-title', tabindex: '-1' });
  const count = make('small');
  const words = make('p', { id: 'tour-words' });
  const back = button({}, 'Back', () => go(at - 1));
  const next = button({ class: 'filled', 'data-testid': 'tour-next' }, 'Next', () => (at === STEPS.length - 1 ? stop() : go(at + 1)));
  const card = make('section', { class: 'card tour', id: 'tour', role: 'dialog', 'aria-labelledby': 'tour-title', 'aria-describedby': 'tour-words', 'data-testid': 'tour' },
    make('div', { class: 'tour-head' }, title, count), words,
    make('div', { class: 'tour-buttons' }, button({ class: 'link' }, 'End the tour', stop), back, next));

  function go(to: number) {
    mark(null);
    at = to;
    title.textContent = STEPS[at].title;
    count.textContent = `${at + 1} of ${STEPS.length}`;
    words.textContent = STEPS[at].words;
    back.disabled = at === 0;
    next.textContent = at === STEPS.length - 1 ? 'Done' : 'Next';
    mark(target());
    target()?.scrollIntoView({ block: 'nearest' });
    place();
    title.focus({ preventScroll: true });
  }
  const target = () => {
    const element = document.querySelector<HTMLElement>(STEPS[at].at);
    return element?.checkVisibility() ? element : null;
  };
  /** Below what it tells of, else above, else over it; in the middle where that is not to be seen. */
  function place() {
    const { width, height } = card.getBoundingClientRect();
    const box = target()?.getBoundingClientRect() ?? new DOMRect(0, innerHeight / 2, innerWidth, 0);
    const below = box.bottom + GAP_PX;
    const top = below + height <= innerHeight ? below : box.top - GAP_PX - height;
    const within = (value: number, most: number) => Math.max(GAP_PX, Math.min(value, most - GAP_PX));
    card.style.top = `${within(top < GAP_PX ? innerHeight : top, innerHeight - height)}px`;
    card.style.left = `${within(box.left + box.width / 2 - width / 2, innerWidth - width)}px`;
  }
  function onKey(event: KeyboardEvent) {
    if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return;
    event.stopImmediatePropagation();
    stop();
  }
  function stop() {
    end = null;
    const hadFocus = card.contains(document.activeElement);
    mark(null);
    card.remove();
    removeEventListener('keydown', onKey, true);
    removeEventListener('resize', place);
    removeEventListener('scroll', place, true);
    if (hadFocus) byId('column').focus({ preventScroll: true });
  }

  document.body.append(card);
  addEventListener('keydown', onKey, true);
  addEventListener('resize', place);
  addEventListener('scroll', place, true);
  end = stop;
  go(0);
}

function mark(element: HTMLElement | null) {
  for (const marked of document.querySelectorAll('.toured')) marked.classList.remove('toured');
  element?.classList.add('toured');
}
