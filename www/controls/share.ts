import { button, byId, make } from '../dom.ts';
import { fileSize } from '../format.ts';
import type { Mount } from '../actions/actions.ts';

/** The button that copies an address with settings and curves inside. */
export const mountShare: Mount = ({ prepareLink, link, tell }) => {
  const share = byId('share');
  const toast = byId('toast');
  /** The click that is answered. */
  let asked: Event | null = null;
  const close = () => {
    toast.hidden = true;
    asked = null;
  };
  addEventListener('keydown', (event) => event.key === 'Escape' && close());

  const show = (...parts: HTMLElement[]) => {
    toast.replaceChildren(...parts, button({ class: 'link' }, 'Close', close));
    toast.hidden = false;
  };
  for (const nears of ['pointerenter', 'focus']) share.addEventListener(nears, prepareLink);

  share.addEventListener('click', async (click) => {
    asked = click;
    if (share.hasAttribute('data-waits')) show(make('p', { role: 'status' }, make('b', {}, 'Deciding…'), ' The link is made when curves and phases are decided.'));
    let address;
    try {
      address = await link();
    } catch (failure: any) {
      return tell({ remark: failure.message });
    }
    if (asked !== click) return;
    const isCopied = await copied(address);
    const words = `${fileSize(address.length)}; settings and curves are inside, the trace is not.`;
    const field = make('input', { readonly: '', value: address, 'aria-label': 'Link', 'data-testid': 'share-link' });
    const text = make('p', { role: 'status' }, make('b', {}, isCopied ? 'Link copied.' : 'Copy this link.'), ` ${words}`);
    show(text, field);
    if (!isCopied) field.select();
  });

  return ({ now }, shown) => {
    const isReady = now.is === 'ready';
    const waits = isReady && (shown?.deciding ?? false);
    share.hidden = !shown;
    (share as HTMLButtonElement).disabled = !isReady;
    share.toggleAttribute('data-waits', waits);
    share.title = waits ? 'Waits until curves and phases are decided' : '';
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
