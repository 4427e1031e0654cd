import { button, byId, make } from '../dom.ts';
import { fileSize } from '../format.ts';
import type { Mount } from '../actions/actions.ts';

/** The button that copies an address with settings and curves inside. */
export const mountShare: Mount = ({ link, tell }) => {
  const share = byId('share');
  const toast = byId('toast');
  const close = () => (toast.hidden = true);
  addEventListener('keydown', (event) => event.key === 'Escape' && close());

  share.addEventListener('click', async () => {
    let address;
    try {
      address = link();
    } catch (failure: any) {
      return tell({ remark: failure.message });
    }
    const isCopied = await copied(address);
    const words = `${fileSize(address.length)}; settings and curves are inside, the trace is not.`;
    const field = make('input', { readonly: '', value: address, 'aria-label': 'Link', 'data-testid': 'share-link' });
    const text = make('p', { role: 'status' }, make('b', {}, isCopied ? 'Link copied.' : 'Copy this link.'), ` ${words}`);
    toast.replaceChildren(text, field, button({ class: 'link' }, 'Close', close));
    toast.hidden = false;
    if (!isCopied) field.select();
  });

  return ({ now }, shown) => {
    const isReady = now.is === 'ready';
    share.hidden = !shown;
    (share as HTMLButtonElement).disabled = !isReady;
    if (!isReady) close();
  };
};

async function copied(text: string) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
