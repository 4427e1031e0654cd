// The few things every part does with the page's elements. Text goes in as text, never as markup.

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Shows an element or hides it; while it is shown, the page has the attribute `data-shows-ID`. A rule that asks
 * the page what it `:has` would do without, but costs the styles of all tables at each move of the pointer. */
export function shows(element: HTMLElement, isShown: boolean) {
  element.hidden = !isShown;
  document.body.toggleAttribute(`data-shows-${element.id}`, isShown);
}

/** A button that does one thing. */
export function button(attributes: Record<string, string>, text: string, onClick: () => void) {
  const element = make('button', { type: 'button', ...attributes }, text);
  element.addEventListener('click', onClick);
  return element;
}

/** Whether keys are for what has the focus, not for the page; a list that is closed needs none of the page's. */
export function isTyping(target: EventTarget | null) {
  return target instanceof Element && target.closest('input, select[size], textarea, dialog') !== null;
}

const SVG = 'http://www.w3.org/2000/svg';

/** An element of a drawing, of a kind that its style knows. */
export function shape(name: string, kind: string, attributes: Record<string, string | number> = {}, ...children: Node[]): SVGElement {
  const element = document.createElementNS(SVG, name) as SVGElement;
  if (kind) element.setAttribute('class', kind);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Other children, of which the one with the same `data-KEY` as the one before has the focus again. */
export function refill(root: HTMLElement, key: string, ...children: Node[]) {
  const focused = document.activeElement instanceof HTMLElement && root.contains(document.activeElement) ? document.activeElement.dataset[key] : undefined;
  root.replaceChildren(...children);
  if (focused !== undefined) root.querySelector<HTMLElement>(`[data-${key}="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

/**
 * Asks to show or hide what is folded away. Whether it is open the state says, in each rendering: the
 * element does not turn by itself, as a rendering before its `toggle` would turn it back unseen.
 */
export function onUnfold(details: HTMLDetailsElement, ask: (isOpen: boolean) => void) {
  details.querySelector('summary')?.addEventListener('click', (event) => {
    event.preventDefault();
    ask(!details.open);
  });
}

/** Remembers what it was called with: true when any of it is another value than last time. */
export function watcher(): (...values: any[]) => boolean {
  let last: any[] | null = null;
  return (...values) => {
    const changed = last === null || values.some((value, i) => value !== last?.[i]);
    last = values;
    return changed;
  };
}
