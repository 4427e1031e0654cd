// A link to both: two pictures in one address, and how they are compared. The comparison is made again where it
// is opened.

import { fragmentFrom, viewPairs } from '../fragment.ts';
import { addressWith } from '../share/address.ts';
import { inputsOf, type Shared } from '../share/link.ts';
import { alone } from '../view.ts';
import type { App } from '../actions/open.ts';
import type { NamesOf, Picture } from '../wasm/painter.js';
import type { Both, With } from './second.ts';

/** Characters of each of two links: of 30,000 the rest is for the page's address and what is looked at. */
const LONGEST = 14_600;

export async function linkToBoth(app: App, what: With, both: Both, onProgress: (share: number) => void): Promise<Shared> {
  const { a, b, groups, settings, settingsOfB, dropped } = both;
  const linked = app.store.get().linked;
  const ofA = linked ? (linked.facts.origin.inputs ?? []) : await inputsOf(app, onProgress);
  const ofB = dropped ? await app.engine.digest(dropped, () => {}).catch(() => []) : [];
  const { view } = app.store.get();
  // Parts of one run: of other runs nothing is said, as here.
  const isPart = what.kind === 'objects' || what.kind === 'window';
  const made = (picture: Picture, group: number, inputs: typeof ofA, settings: Record<string, string>, longest?: number) => {
    const { shown: _, ...pairs } = viewPairs({ ...view, ...alone });
    return picture.link({ settings, view: { ...pairs, ...(group && { shown: String(group) }) }, inputs, longest }, undefined, undefined);
  };
  const isGroup = what.kind === 'group';
  const first = made(a, groups[0], ofA, settings, isGroup ? undefined : LONGEST);
  const second = isGroup ? null : made(b, groups[1], isPart ? ofA : ofB, settingsOfB ?? settings, LONGEST);
  const shown = { ...view, ...alone, phase: view.phase, besideLink: second?.text ?? null, besideGroup: isGroup ? what.group : null, ...(isPart && { between: '0' as const }) };
  const fragment = fragmentFrom({ source: { kind: 'link', text: first.text }, settings, view: shown });
  return { address: addressWith(fragment), names: joined(first.names, second?.names ?? []), inputs: [...ofA, ...ofB], isOfBoth: true };
}

/** Names of both, each once. */
function joined(a: NamesOf[], b: NamesOf[]): NamesOf[] {
  const kinds = [...new Set([...a, ...b].map(({ kind }) => kind))];
  return kinds.map((kind) => ({ kind, names: [...new Set([...a, ...b].filter((of) => of.kind === kind).flatMap(({ names }) => names))] }));
}
