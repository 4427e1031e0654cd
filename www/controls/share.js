import { button, byId, make } from '../dom.js';
import { fileSize } from '../format.js';

/**
 * The button that copies an address with settings and curves inside.
 * @param {() => string} link
 * @param {(message: string) => void} refused
 * @returns {(state: import('../state.js').State) => void}
 */
export function mountShare(link, refused) {
  const share = byId('share');
  const toast = byId('toast');
  const close = () => (toast.hidden = true);
  addEventListener('keydown', (event) => event.key === 'Escape' && close());

  share.addEventListener('click', async () => {
    let address;
    try {
      address = link();
    } catch (/** @type {any} */ failure) {
      return refused(failure.message);
    }
    const isCopied = await copied(address);
    const words = `${fileSize(address.length)}; settings and curves are inside, the trace is not.`;
    const field = make('input', { readonly: '', value: address, 'aria-label': 'Link', 'data-testid': 'share-link' });
    const text = make('p', { role: 'status' }, make('b', {}, isCopied ? 'Link copied.' : 'Copy this link.'), ` ${words}`);
    toast.replaceChildren(text, field, button({ class: 'link' }, 'Close', close));
    toast.hidden = false;
    if (!isCopied) field.select();
  });

  return ({ picture, status }) => {
    share.hidden = !picture;
    /** @type {HTMLButtonElement} */ (share).disabled = status !== 'ready';
    if (status !== 'ready') close();
  };
}

/** @param {string} text */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
