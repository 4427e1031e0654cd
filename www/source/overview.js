// Above the lines: which loop each phase is about, and the loops and routines of the file.

import { make } from '../dom.js';
import { fixed, percent } from '../format.js';
import { blocksOfMost, flattened, wordsOf } from './outline.js';
import { timeOf } from './rows.js';

/** More entries are not for reading. */
const MOST = 200;

/** @typedef {{file: string, line: number, words: string, share: number} | null} PlaceOfPhase `share` of the phase */

/**
 * The place of each phase: the innermost loop with most of its time (Servat 2015, §4.5.1), where the
 * text is there; else the line that has most of it.
 * @param {import('../tracefold.js').GroupSummary} group
 * @param {import('./code.js').Known} known
 * @param {string} name of the file that is shown
 * @param {import('./outline.js').Block[]} blocks of that file
 * @returns {PlaceOfPhase[]}
 */
export function placesOfPhases({ phases }, known, name, blocks) {
  return phases.map((_, i) => placeOfPhase(known, known.phases[i], name, blocks));
}

/**
 * @param {import('../tracefold.js').GroupSummary} group
 * @param {PlaceOfPhase[]} places
 * @returns {HTMLElement[]}
 */
export function phaseParts({ phases }, places) {
  if (phases.length < 2) return [];
  const rows = phases.map((phase, i) => {
    const place = places[i];
    const title = `${phase.number}${phase.name ? ` ${phase.name}` : ''}`;
    if (!place) return make('li', {}, make('b', {}, title), ' no sample');
    const entry = make('button', { type: 'button', class: 'link', 'data-line': `${place.line}:${place.file}`, 'data-phase-place': String(phase.number) }, place.words);
    return make('li', {}, make('b', {}, title), ' ', entry, ` ${percent(place.share, 0)}`);
  });
  return [make('details', { open: '', 'data-testid': 'pane-phases' }, make('summary', {}, make('h3', {}, 'Phases')), make('ul', {}, ...rows))];
}

/**
 * @param {import('./code.js').Known} code
 * @param {Map<number, number>} times share of the region by place
 * @param {string} name
 * @param {import('./outline.js').Block[]} blocks
 * @returns {PlaceOfPhase}
 */
export function placeOfPhase(code, times, name, blocks) {
  const rows = code.lines.filter(({ place, file }) => times.has(place) && file !== '');
  const weight = (/** @type {{place: number}} */ { place }) => times.get(place) ?? 0;
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const most = rows.reduce((best, row) => (best && weight(best) >= weight(row) ? best : row), /** @type {typeof rows[0] | null} */ (null));
  if (!most || total === 0) return null;
  /** @type {Map<number, number>} */
  const lines = new Map();
  for (const row of rows) if (row.file === name) lines.set(row.line, (lines.get(row.line) ?? 0) + weight(row));
  const inFile = [...lines.values()].reduce((sum, time) => sum + time, 0);
  const round = inFile > total / 2 ? blocksOfMost(blocks, lines) : [];
  const block = round.at(-1);
  if (!block) return { file: most.file, line: most.line, words: `${most.routine} [${most.line}]${most.file === name ? '' : ` in ${most.file}`}`, share: weight(most) / total };
  const within = [...lines].filter(([line]) => block.from <= line && line <= block.to);
  const [line] = within.reduce((best, next) => (next[1] > best[1] ? next : best));
  return { file: name, line, words: wordsOf(round), share: within.reduce((sum, [, time]) => sum + time, 0) / total };
}

/**
 * Routines and loops that were sampled; all of them if none was.
 * @param {import('./file.js').SourceFile | null} file
 * @param {Map<number, import('./numbers.js').LineNumbers>} lines
 * @param {string} name
 * @returns {HTMLElement[]}
 */
export function outlineParts(file, lines, name) {
  const all = flattened(file?.blocks ?? []);
  if (all.length === 0) return [];
  const timed = all.map((entry) => ({ ...entry, time: timeOf(entry.block, lines) }));
  const sampled = timed.filter(({ time }) => time !== '');
  const some = sampled.length > 0 ? sampled : timed;
  const rows = some.slice(0, MOST).map(({ block, depth, time }) => {
    const entry = make('button', { type: 'button', class: 'link', 'data-line': `${block.from}:${name}` }, wordsOf([block]));
    return make('li', { class: `depth-${Math.min(depth, 6)}` }, entry, time && ` ${time}`);
  });
  const hidden = some.length > MOST ? `, the first ${fixed(MOST)} here` : '';
  const count = `${fixed(all.length)}, ${fixed(sampled.length)} sampled${hidden}`;
  return [make('details', { 'data-testid': 'pane-outline' }, make('summary', {}, make('h3', {}, 'Loops and routines'), ' ', make('small', {}, count)), make('ul', {}, ...rows))];
}
