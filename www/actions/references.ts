// What was sampled of memory, handed from the engine to the painter of what is shown.

import { shownGroup } from '../state.ts';
import type { App } from './open.ts';
import type { Picture } from '../wasm/painter.js';

/** Asks for the references of the group that is shown, once for each picture. */
export function followReferences({ store, engine }: App) {
  const asked: WeakMap<Picture, Set<number>> = new WeakMap();
  store.subscribe(async (now) => {
    const { picture, opened, status, early } = now;
    const group = shownGroup(now);
    if (!picture || !opened || early !== null || status !== 'ready' || !group?.hasAddress) return;
    const groups = asked.get(picture) ?? new Set();
    asked.set(picture, groups);
    if (groups.has(group.number) || picture.hasReferences(group.number)) return;
    groups.add(group.number);
    const columns = await engine.call('references', { group: group.number }).catch(() => null);
    const { picture: shown, kept } = store.get();
    // A picture that is neither shown nor kept has given its memory back.
    if (!columns || (picture !== shown && picture !== kept?.picture)) return;
    picture.setReferences(group.number, columns);
    store.set({ ...store.get(), referenced: store.get().referenced + 1 });
  });
}
