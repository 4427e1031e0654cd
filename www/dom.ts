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

/** A button that does one thing. */
export function button(attributes: Record<string, string>, text: string, onClick: () => void) {
  const element = make('button', { type: 'button', ...attributes }, text);
  element.addEventListener('click', onClick);
  return element;
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
