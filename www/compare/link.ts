// A link to both: two pictures in one address, those of further runs, and how they are compared. The comparison is
// made again where it is opened.

import { fragmentFrom, viewPairs } from '../fragment.ts';
import { addressWith } from '../share/address.ts';
import { inputsOf, type Shared } from '../share/link.ts';
import { alone } from '../view.ts';
import { openLink } from '../wasm/painter.js';
import type { App, Dropped } from '../actions/open.ts';
import type { MadeLink, NamesOf, Picture } from '../wasm/painter.js';
import type { Further } from './compare.ts';
import type { Both, With } from './second.ts';

/** A further run with the letter of its side before its link. */
type Made = MadeLink & { inputs: Awaited<ReturnType<typeof inputsOf>> };

/** Characters of all links together: of 30,000 the rest is for the page's address and what is looked at. */
const LONGEST = 29_200;
/** Of that of a further run, whose curves nobody sees, as far as it can be so short. */
const OF_RUN = [1500, 2500, 4000];

export async function linkToBoth(app: App, what: With, both: Both, more: Further[], onProgress: (share: number) => void): Promise<Shared> {
  const { a, b, groups, settings, settingsOfB, dropped } = both;
  const linked = app.store.get().linked;
  const ofA = linked ? (linked.facts.origin.inputs ?? []) : await inputsOf(app, onProgress);
  const sums = async (dropped: Dropped | null) => (dropped ? app.engine.digest(dropped, () => {}).catch(() => []) : []);
  const ofB = await sums(dropped);
  const { view } = app.store.get();
  // Parts of one run: of other runs nothing is said, as here.
  const isPart = what.kind === 'objects' || what.kind === 'window';
  const made = (picture: Picture, group: number, inputs: typeof ofA, settings: Record<string, string>, longest?: number) => {
    const { shown: _, ...pairs } = viewPairs({ ...view, ...alone });
    return picture.link({ settings, view: { ...pairs, ...(group && { shown: String(group) }) }, inputs, longest }, undefined, undefined);
  };
  const isGroup = what.kind === 'group';
  const further: Made[] = [];
  for (const { side, dropped, picture } of more) {
    const inputs = await sums(dropped);
    const { text, names } = shortest((longest) => made(picture, 0, inputs, settings, longest), LONGEST / (2 + more.length), 2 + more.length);
    further.push({ text: `${side === 0 ? 'a' : 'b'}${text}`, names, inputs });
  }
  const runs = further.map(({ text }) => text).join('.');
  const longest = Math.floor((LONGEST - runs.length) / 2);
  const first = made(a, groups[0], ofA, settings, isGroup ? undefined : longest);
  const second = isGroup ? null : made(b, groups[1], isPart ? ofA : ofB, settingsOfB ?? settings, longest);
  const shown = { ...view, ...alone, phase: view.phase, besideLink: second?.text ?? null, besideRuns: runs || null, besideGroup: isGroup ? what.group : null, ...(isPart && { between: '0' as const }) };
  const fragment = fragmentFrom({ source: { kind: 'link', text: first.text }, settings, view: shown });
  return { address: addressWith(fragment), names: [second, ...further].reduce((names, of) => joined(names, of?.names ?? []), first.names), inputs: [...ofA, ...ofB, ...further.flatMap(({ inputs }) => inputs)], isOfBoth: true };
}

/** A link of as few characters as it can have, at most so many: one of so many runs. */
function shortest(made: (longest: number) => MadeLink, most: number, runs: number): MadeLink {
  for (const longest of [...OF_RUN.filter((longest) => longest < most), Math.floor(most)]) {
    try {
      return made(longest);
    } catch {
      // Its tables alone are longer.
    }
  }
  throw { message: `A link has no room for ${runs} such runs. Save the JSON, or compare fewer of them.` };
}

/** The further runs of a link, as `linkToBoth` wrote them; all are of one region. */
export function linkedRuns(texts: string, region: string): Further[] {
  const all: Further[] = [];
  try {
    for (const text of texts.split('.')) {
      const picture = openLink(text.slice(1), {}).intoPicture();
      const { trace: { name }, region: own } = picture.summary();
      all.push({ side: text[0] === 'a' ? 0 : 1, name, dropped: null, picture });
      if (own !== region) throw { message: `${name} is folded over ${own}, A over ${region}.` };
    }
  } catch (failure) {
    for (const { picture } of all) picture.free();
    throw failure;
  }
  return all;
}

/** Names of both, each once. */
function joined(a: NamesOf[], b: NamesOf[]): NamesOf[] {
  const kinds = [...new Set([...a, ...b].map(({ kind }) => kind))];
  return kinds.map((kind) => ({ kind, names: [...new Set([...a, ...b].filter((of) => of.kind === kind).flatMap(({ names }) => names))] }));
}
