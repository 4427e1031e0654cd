// The few things every part does with the page's elements. Text goes in as text, never as markup.

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * A button that does one thing.
 * @param {Record<string, string>} attributes
 * @param {string} text
 * @param {() => void} onClick
 */
export function button(attributes, text, onClick) {
  const element = make('button', { type: 'button', ...attributes }, text);
  element.addEventListener('click', onClick);
  return element;
}

/**
 * Remembers what it was called with: true when any of it is another value than last time.
 * @returns {(...values: any[]) => boolean}
 */
export function watcher() {
  /** @type {any[] | null} */
  let last = null;
  return (...values) => {
    const changed = last === null || values.some((value, i) => value !== last?.[i]);
    last = values;
    return changed;
  };
}
