// Phases as a person changes them: the texts of the settings `breaks` and `names`, from and to what
// they mean.

/**
 * @typedef {import('./tracefold.js').GroupSummary} GroupSummary
 * @typedef {Record<string, string>} Settings
 */

/** Borders do not come nearer to each other, or to the ends, than this share of the region. */
export const NEAREST = 0.001;

/**
 * The borders of a group's phases, increasing.
 * @param {GroupSummary} group
 * @returns {number[]}
 */
export function bordersOf({ phases }) {
  return phases.slice(1).map(({ start }) => start);
}

/**
 * A border elsewhere. It does not pass its neighbours, so that every phase stays who it is.
 * @type {(settings: Settings, group: GroupSummary, index: number, at: number) => Settings}
 */
export function moved(settings, group, index, at) {
  return withBorders(settings, group, bordersOf(group).map((border, i) => (i === index ? at : border)));
}

/**
 * One border less: the two phases beside it become one, named as the first of them that has a name.
 * @type {(settings: Settings, group: GroupSummary, index: number) => Settings}
 */
export function merged(settings, group, index) {
  const names = namesOf(settings, group.number);
  const next = new Map([...names].flatMap(([number, name]) => {
    if (number === index + 2) return names.has(index + 1) ? [] : [[index + 1, name]];
    return [[number > index + 1 ? number - 1 : number, name]];
  }));
  return withNames(withBorders(settings, group, bordersOf(group).filter((_, i) => i !== index)), group.number, next);
}

/**
 * More borders: a phase around one becomes two, and the first keeps the name.
 * @type {(settings: Settings, group: GroupSummary, at: number[]) => Settings}
 */
export function dividedAt(settings, group, at) {
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

/**
 * @param {Settings} settings
 * @param {GroupSummary} group
 * @param {number} phase from 1
 * @param {string} name empty: without
 * @returns {Settings}
 */
export function named(settings, group, phase, name) {
  const names = namesOf(settings, group.number);
  names.delete(phase);
  if (name.trim() !== '') names.set(phase, name.trim());
  return withNames(settings, group.number, names);
}

/**
 * The names of a group's phases, by number.
 * @param {Settings} settings
 * @param {number} group
 * @returns {Map<number, string>}
 */
export function namesOf({ names = '' }, group) {
  const part = byGroup(names).get(group) ?? '';
  return new Map(part.split(',').filter(Boolean).map((entry) => {
    const [number, name] = entry.split('=');
    return [Number(number), unescaped(name ?? '')];
  }));
}

/** @type {(settings: Settings, group: GroupSummary, borders: number[]) => Settings} */
function withBorders(settings, { number }, borders) {
  const text = borders.map((at) => String(Number(at.toFixed(6)))).join(',');
  return { ...settings, breaks: joined(byGroup(settings.breaks ?? '').set(number, text)) };
}

/** @type {(settings: Settings, group: number, names: Map<number, string>) => Settings} */
function withNames(settings, group, names) {
  const groups = byGroup(settings.names ?? '');
  const text = [...names].sort(([a], [b]) => a - b).map(([number, name]) => `${number}=${escaped(name)}`).join(',');
  if (text) groups.set(group, text);
  else groups.delete(group);
  const { names: _, ...rest } = settings;
  return groups.size > 0 ? { ...rest, names: joined(groups) } : rest;
}

/**
 * `1:a;2:b` as a map; the inside of each entry is not looked at.
 * @param {string} text
 * @returns {Map<number, string>}
 */
function byGroup(text) {
  return new Map(text.split(';').filter(Boolean).map((part) => {
    const colon = part.indexOf(':');
    return [Number(part.slice(0, colon)), part.slice(colon + 1)];
  }));
}

/** @param {Map<number, string>} groups */
function joined(groups) {
  return [...groups].sort(([a], [b]) => a - b).map(([group, text]) => `${group}:${text}`).join(';');
}

/** @param {string} name */
function escaped(name) {
  return name.replace(/[%,;=]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** @param {string} name */
function unescaped(name) {
  return name.replace(/%(25|2C|3B|3D)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}
