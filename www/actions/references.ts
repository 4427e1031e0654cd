// What was sampled of memory, handed from the engine to the painter of what is shown.

import { referencesArrived, shownOf, traceOf } from '../state.ts';
import type { App } from './open.ts';
import type { Picture } from '../wasm/painter.js';

/** Asks for the references of the group that is shown, once for each picture. */
export function followReferences({ store, engine }: App) {
  const asked: WeakMap<Picture, Set<number>> = new WeakMap();
  store.subscribe(async (now) => {
    const shown = shownOf(now);
    if (!shown?.group.hasAddress || !traceOf(now) || now.now.is !== 'ready') return;
    const { picture, group: { number: group }, referenced } = shown;
    const groups = asked.get(picture) ?? new Set();
    asked.set(picture, groups);
    if (groups.has(group) || referenced.includes(group)) return;
    groups.add(group);
    const columns = await engine.call('references', { group }).catch(() => null);
    // A picture that is not held has given its memory back.
    if (!columns || store.get().now.open?.picture !== picture) return;
    picture.setReferences(group, columns);
    store.set(referencesArrived(store.get(), group));
  });
}
