// A part of a trace that is still being written: what has come since is loaded when it is asked for, or as it comes.

import { webAddress } from '../actions/addresses.ts';
import { button, byId, make, shows } from '../dom.ts';
import { sourceOf, traceOf, type State } from '../state.ts';
import type { Actions } from '../actions/actions.ts';
import type { App } from '../actions/open.ts';

/** Who writes a part does so every ten seconds, or less often: what is shown is not much older. */
const LOOK_MS = 3000;

export function mountGrowing(app: App, actions: Actions): (state: State) => void {
  const root = byId('growing');
  const load = button({ class: 'link', 'data-testid': 'load-since' }, 'Load what has come since', () => void app.reopen?.(undefined, true));
  const follow = make('input', { type: 'checkbox', 'data-testid': 'follow' });
  const choices = [load, make('label', {}, follow, 'As it comes')];
  const words = 'What has come since is seen when the file is dropped here again: of this one the browser shows a page no more than it was.';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: { source: unknown, canLoad: boolean } | null = null;

  /** How the files are by now, as far as that is told without loading them. */
  const marks = async (): Promise<string> => {
    const source = sourceOf(app.store.get());
    if (source.kind !== 'url') {
      const files = (await app.inputs?.again?.()) ?? [];
      return files.map(({ size, lastModified }) => `${size} ${lastModified}`).join();
    }
    const answers = await Promise.all(source.addresses.map((address) => fetch(webAddress(address), { method: 'HEAD', cache: 'no-cache', credentials: 'same-origin' })));
    const wrong = answers.find(({ ok }) => !ok);
    if (wrong) throw { message: `the server answered ${wrong.status}` };
    const told = answers.map(({ headers }) => ['etag', 'last-modified', 'content-length'].map((name) => headers.get(name) ?? '').join(' '));
    // Of one that says nothing of itself it may be newer at any time.
    return told.every((of) => of.trim()) ? told.join() : String(performance.now());
  };

  const stop = (remark = '') => {
    clearTimeout(timer);
    timer = undefined;
    follow.checked = false;
    if (remark) actions.tell({ remark });
  };

  /** What could not be read, as it was written anew meanwhile, is read when it is newer again; of anything else that
   * failed a person has not yet read why. */
  const isAtRest = () => {
    const { now } = app.store.get();
    return now.is === 'ready' || (now.is === 'failed' && now.problem.isAnew === true);
  };

  /** Loads what is newer than `before`, and looks again after a while. */
  const look = async (before: string | null) => {
    const following = timer;
    let seen = before;
    try {
      // Nobody looks at a page behind another, and what a person does goes first.
      if (!document.hidden && isAtRest()) {
        const marked = await marks();
        if (timer !== following) return;
        if (marked !== before) await app.reopen?.(undefined, true);
        seen = marked;
      }
    } catch ({ message }: any) {
      return stop(`No more is loaded as it comes: ${message}. What is shown stays.`);
    }
    if (timer === following) timer = setTimeout(() => void look(seen), LOOK_MS);
  };

  follow.addEventListener('change', () => {
    clearTimeout(timer);
    timer = follow.checked ? setTimeout(() => void look(null)) : undefined;
  });

  return (state) => {
    const source = sourceOf(state);
    const grows = traceOf(state)?.grows ?? false;
    const isReading = state.now.is === 'reading';
    if (timer !== undefined && !grows && !isReading) stop(shown?.source === source ? 'The trace has ended: this is all of it.' : '');
    shows(root, grows);
    load.disabled = isReading;
    const canLoad = source.kind === 'url' || Boolean(app.inputs?.again);
    if (!grows || (shown?.source === source && shown.canLoad === canLoad)) return;
    stop();
    shown = { source, canLoad };
    root.replaceChildren(...(canLoad ? choices : [words]));
  };
}
