// What of the open trace has a name: routines, lines of code, data objects, counters and regions, each
// with the way to it.

import { codeOf, lineKey, routineKey } from '../code.ts';
import { regionType } from '../format.ts';
import { shownOf, traceOf } from '../state.ts';
import type { Actions } from '../actions/actions.ts';
import type { Entry } from './finder.ts';

/** The longest-running and the dearest first, as their tables have them. */
export function matchesOf({ now, look, foldRegion, chooseRegion }: Actions): Entry[] {
  const state = now();
  const { picture, group, summary } = shownOf(state) ?? {};
  const show = (change: Parameters<Actions['look']>[0]) => look({ tab: 'region', view: 'lanes', ...change }, 'push');
  const picked = (key: string) => () => show({ picked: key });
  const code = picture && group?.hasCode ? codeOf(picture, group.number) : null;
  const sampled = code?.routines.map(({ name }) => name) ?? [];
  const routines = [...sampled, ...(group?.routines ?? []).filter((name) => name !== '' && !sampled.includes(name))];
  const lines = (code?.lines ?? []).flatMap((line): Entry[] => {
    const key = lineKey(line);
    if (key === null || line.line === 0) return [];
    return [{ kind: 'Line', name: `${line.file}:${line.line}`, beside: group?.routines[line.routine] ?? '', go: picked(key) }];
  });
  const regions = [...new Map((traceOf(state)?.regions.lines ?? []).map(({ region, title }) => [region, title]))];
  const isFolded = (region: string) => region === summary?.region;
  return [
    ...routines.map((name): Entry => ({ kind: 'Routine', name, beside: '', go: picked(routineKey(name)) })),
    ...lines,
    ...(group?.objects ?? []).map(({ name, words }): Entry => ({ kind: 'Data', name, beside: words, go: picked(`object:${name}`) })),
    ...(group?.counters ?? []).map(({ counter, name, description }): Entry => ({ kind: 'Counter', name, beside: [counter, description].filter(Boolean).join(': '), go: () => show({ counter }) })),
    ...regions.map(([region, title]): Entry => ({ kind: 'Region', name: title, beside: title.startsWith(regionType(region)) ? '' : regionType(region), go: () => (isFolded(region) ? show({}) : state.view.tab === 'run' ? foldRegion(region) : chooseRegion(region)) })),
  ];
}
