// The menu of what can be saved: the picture, and the numbers behind it.

import { button, byId } from '../dom.js';

/** @typedef {'png' | 'svg' | 'csv' | 'json'} Format */

const FORMATS = /** @type {[Format, string][]} */ ([
  ['png', 'Picture as PNG'],
  ['svg', 'Picture as SVG'],
  ['csv', 'Numbers as CSV'],
  ['json', 'Everything as JSON'],
]);

/**
 * @param {(format: Format) => void} save
 * @returns {(state: import('../state.js').State) => void}
 */
export function mountExports(save) {
  const menu = byId('export');
  const list = byId('export-list');
  const turn = byId('export-button');
  const show = (/** @type {boolean} */ open) => {
    list.hidden = !open;
    turn.setAttribute('aria-expanded', String(open));
  };
  for (const [format, words] of FORMATS) {
    const item = button({ 'data-testid': `export-${format}` }, words, () => {
      show(false);
      turn.focus();
      save(format);
    });
    list.append(item);
  }
  turn.addEventListener('click', () => show(list.hidden === true));
  addEventListener('pointerdown', (event) => event.target instanceof Node && !menu.contains(event.target) && show(false));
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || list.hidden) return;
    event.stopPropagation();
    show(false);
    turn.focus();
  });

  return ({ picture, early }) => {
    menu.hidden = !picture || early !== null;
  };
}
