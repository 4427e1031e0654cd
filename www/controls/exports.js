// The menu of what can be saved: the picture, and the numbers behind it.

import { button, byId } from '../dom.js';

/** @typedef {'png' | 'svg' | 'csv' | 'json'} Format */

const FORMATS = /** @type {[Format, string][]} */ ([
  ['png', 'Picture as PNG'],
  ['svg', 'Picture as SVG'],
  ['csv', 'Numbers as CSV'],
  ['json', 'Everything as JSON'],
]);

/** What only the trace can give, not a link. */
const FROM_TRACE = ['csv', 'json'];

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
  const items = FORMATS.map(([format, words]) => {
    const item = button({ 'data-testid': `export-${format}` }, words, () => {
      show(false);
      turn.focus();
      save(format);
    });
    list.append(item);
    return { format, item };
  });
  turn.addEventListener('click', () => show(list.hidden === true));
  addEventListener('pointerdown', (event) => event.target instanceof Node && !menu.contains(event.target) && show(false));
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || list.hidden) return;
    event.stopPropagation();
    show(false);
    turn.focus();
  });

  return ({ picture, opened }) => {
    menu.hidden = !picture;
    for (const { format, item } of items) {
      item.disabled = FROM_TRACE.includes(format) && !opened;
      item.title = item.disabled ? 'Open the trace for this: a link has no samples.' : '';
    }
  };
}
