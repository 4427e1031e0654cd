import { button, byId, make, watcher } from '../dom.ts';
import { percent } from '../format.ts';
import { shownOf, sourceOf, traceOf, type State } from '../state.ts';
import type { Mount } from '../actions/actions.ts';
import type { Difference } from '../wasm/painter.js';

/** The button that copies an address with settings and curves inside. */
export const mountShare: Mount = ({ prepareLink, link, open, now, tell }) => {
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

  const offer = async (click: Event, pseudonyms: boolean) => {
    asked = click;
    const wait = (title: string, words: string) => show(make('p', { role: 'status' }, make('b', {}, title), words));
    if (share.hasAttribute('data-waits')) wait('Deciding…', ' The link is made when curves and phases are decided.');
    try {
      const onProgress = (done: number) => asked === click && wait('Reading the files…', ` ${percent(done)}, for their SHA-256`);
      const [made, { partsOf }] = await Promise.all([link(pseudonyms, onProgress), import('../share/dialog.ts')]);
      if (asked !== click || !made) return;
      const isCopied = await copied(made.address);
      const again = traceOf(now()) && !made.isOfBoth ? (pseudonyms: boolean) => void offer(new Event('again'), pseudonyms) : null;
      const { parts, field } = partsOf(made, isCopied, pseudonyms, again);
      show(...parts);
      if (!isCopied) field.select();
    } catch (failure: any) {
      tell({ remark: failure.message });
      if (asked === click) close();
    }
  };
  share.addEventListener('click', (click) => {
    // That the last link was copied says nothing of the next.
    close();
    void offer(click, false);
  });

  const told = byId('shared');
  const changed = watcher();
  const chooser = make('input', { type: 'file', class: 'unseen', multiple: '', tabindex: '-1', 'aria-label': 'Files of the trace of this picture', 'data-testid': 'recheck-files' });
  chooser.addEventListener('change', () => {
    const files = [...(chooser.files ?? [])];
    chooser.value = '';
    if (files.length > 0) void open({ files, names: files.map(({ name }) => name) }, true);
  });
  /** What a shared picture is, or what came of comparing it with the trace that is open now. */
  const tellShared = (state: State) => {
    const source = sourceOf(state);
    const { linked } = state;
    const isLink = source.kind === 'link' && linked?.text === source.text && state.now.is === 'ready';
    const isCompared = linked?.checked?.of === source && linked.checked.picture === shownOf(state)?.picture;
    const checked = isCompared ? linked?.checked?.result : null;
    if (!changed(isLink, checked, linked?.text)) return;
    told.hidden = !isLink && !checked;
    told.dataset.equal = checked ? String(checked.isEqual) : '';
    if (isLink) told.replaceChildren(`${linked.facts.words.join(' ')} `, button({ class: 'link', id: 'recheck', 'data-testid': 'recheck', title: 'Opens the trace, folds it as the link says and compares every number of every table' }, 'Re-check with the trace', () => chooser.click()), chooser);
    else if (checked) told.replaceChildren(make('b', {}, 'Re-checked. '), checked.words.join(' '), ...differencesOf(checked.differences));
  };

  return (state, shown) => {
    tellShared(state);
    const isReady = state.now.is === 'ready';
    const waits = isReady && (shown?.deciding ?? false);
    share.hidden = !shown;
    (share as HTMLButtonElement).disabled = !isReady;
    share.toggleAttribute('data-waits', waits);
    share.title = waits ? 'Waits until curves and phases are decided' : '';
    if (!isReady) close();
  };
};

function differencesOf(differences: Difference[]) {
  const items = differences.map(({ place, linked, refolded }) => make('li', {}, `${place}: ${linked} in the link, ${refolded} now`));
  return items.length > 0 ? [make('ul', {}, ...items)] : [];
}

async function copied(text: string) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
