import { button, byId, make } from '../dom.ts';
import { fileSize } from '../format.ts';
import type { Mount } from '../actions/actions.ts';

/** The button that copies an address with settings and curves inside. */
export const mountShare: Mount = ({ link, tell }) => {
  const share = byId('share');
  const toast = byId('toast');
  /** Asked for a link of what is not decided yet. */
  let isAwaited = false;
  const close = () => {
    toast.hidden = true;
    isAwaited = false;
  };
  addEventListener('keydown', (event) => event.key === 'Escape' && close());

  const give = async () => {
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
  };

  share.addEventListener('click', () => {
    if (!share.hasAttribute('data-waits')) return void give();
    const words = make('p', { role: 'status' }, make('b', {}, 'Deciding…'), ' The link is made when curves and phases are decided.');
    toast.replaceChildren(words, button({ class: 'link' }, 'Close', close));
    toast.hidden = false;
    isAwaited = true;
  });

  return ({ now }, shown) => {
    const isReady = now.is === 'ready';
    const waits = isReady && (shown?.deciding ?? false);
    share.hidden = !shown;
    (share as HTMLButtonElement).disabled = !isReady;
    share.toggleAttribute('data-waits', waits);
    share.title = waits ? 'Waits until curves and phases are decided' : '';
    if (!isReady) close();
    else if (isAwaited && !waits) {
      isAwaited = false;
      void give();
    }
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
