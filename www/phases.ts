// Phases as a person changes them: the texts of the settings `breaks` and `names`, from and to what
// they mean.

import type { GroupSummary } from './wasm/painter.js';

type Settings = Record<string, string>;

/** Borders do not come nearer to each other, or to the ends, than this share of the region. */
export const NEAREST = 0.001;

/** The borders of a group's phases, increasing. */
export function bordersOf({ phases }: GroupSummary): number[] {
  return phases.slice(1).map(({ start }) => start);
}

/** A border elsewhere. It does not pass its neighbours, so that every phase stays who it is. */
export function moved(settings: Settings, group: GroupSummary, index: number, at: number): Settings {
  return withBorders(settings, group, bordersOf(group).map((border, i) => (i === index ? at : border)));
}

/** One border less: the two phases beside it become one, named as the first of them that has a name. */
export function merged(settings: Settings, group: GroupSummary, index: number): Settings {
  const names = namesOf(settings, group.number);
  const next = new Map([...names].flatMap(([number, name]) => {
    if (number === index + 2) return names.has(index + 1) ? [] : [[index + 1, name]];
    return [[number > index + 1 ? number - 1 : number, name]];
  }));
  return withNames(withBorders(settings, group, bordersOf(group).filter((_, i) => i !== index)), group.number, next);
}

/** More borders: a phase around one becomes two, and the first keeps the name. */
export function dividedAt(settings: Settings, group: GroupSummary, at: number[]): Settings {
  let borders = bordersOf(group);
  let names = namesOf(settings, group.number);
  for (const more of at) {
    if (!(more > NEAREST && more < 1 - NEAREST) || borders.some((border) => Math.abs(border - more) < NEAREST)) continue;
    const phase = borders.filter((border) => border < more).length + 1;
    names = new Map([...names].map(([number, name]) => [number > phase ? number + 1 : number, name]));
    borders = [...borders, more].sort((a, b) => a - b);
  }
  return withNames(withBorders(settings, group, borders), group.number, names);
}

/** A phase, counted from 1, under another name; an empty one takes it away. */
export function named(settings: Settings, group: GroupSummary, phase: number, name: string): Settings {
  const names = namesOf(settings, group.number);
  names.delete(phase);
  if (name.trim() !== '') names.set(phase, name.trim());
  return withNames(settings, group.number, names);
}

/** The names of a group's phases, by number. */
export function namesOf({ names = '' }: Settings, group: number): Map<number, string> {
  const part = byGroup(names).get(group) ?? '';
  return new Map(part.split(',').filter(Boolean).map((entry) => {
    const [number, name] = entry.split('=');
    return [Number(number), unescaped(name ?? '')];
  }));
}

function withBorders(settings: Settings, { number }: GroupSummary, borders: number[]): Settings {
  const text = borders.map((at) => String(Number(at.toFixed(6)))).join(',');
  return { ...settings, breaks: joined(byGroup(settings.breaks ?? '').set(number, text)) };
}

function withNames(settings: Settings, group: number, names: Map<number, string>): Settings {
  const groups = byGroup(settings.names ?? '');
  const text = [...names].sort(([a], [b]) => a - b).map(([number, name]) => `${number}=${escaped(name)}`).join(',');
  if (text) groups.set(group, text);
  else groups.delete(group);
  const { names: _, ...rest } = settings;
  return groups.size > 0 ? { ...rest, names: joined(groups) } : rest;
}

/** `1:a;2:b` as a map; the inside of each entry is not looked at. */
function byGroup(text: string): Map<number, string> {
  return new Map(text.split(';').filter(Boolean).map((part) => {
    const colon = part.indexOf(':');
    return [Number(part.slice(0, colon)), part.slice(colon + 1)];
  }));
}

function joined(groups: Map<number, string>) {
  return [...groups].sort(([a], [b]) => a - b).map(([group, text]) => `${group}:${text}`).join(';');
}

function escaped(name: string) {
  return name.replace(/[%,;=]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

function unescaped(name: string) {
  return name.replace(/%(25|2C|3B|3D)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}
