// What the pane's table says of each line: numbers, heat, text, and what begins and ends there.

import { fixed, perInstruction, percent, significant } from '../format.js';
import { heatOf } from './numbers.js';
import { flattened, wordsOf } from './outline.js';

/**
 * @typedef {import('./numbers.js').LineNumbers} LineNumbers
 * @typedef {import('./outline.js').Block} Block
 * @typedef {import('./listing.js').Shown} Shown
 *
 * @typedef {Object} Told
 * @property {string} name of the file
 * @property {import('./file.js').SourceFile | null} file
 * @property {Map<number, LineNumbers>} lines what was sampled
 * @property {import('./code.js').Known['counters']} counters
 * @property {string | null} counter whose events per instruction are shown
 * @property {import('./numbers.js').Heat} heat
 * @property {Set<number>} folded first lines of folded blocks
 *
 * @param {Told} told
 * @returns {Shown}
 */
export function shownOf({ name, file, lines, counters, counter, heat, folded }) {
  const instructions = counters.findIndex((counter) => counter.instructions);
  const ratio = counters.findIndex((known) => known.counter === counter);
  const { factor, unit } = perInstruction(Math.max(0, ...[...lines.values()].map((row) => row.perInstruction[ratio] ?? 0)));
  const hasRatio = ratio >= 0 && instructions >= 0;
  const heats = heatOf(lines, heat, counters);
  const numbersOf = (/** @type {LineNumbers} */ row) => [
    fixed(row.samples),
    row.ms > 0 ? significant(row.ms) : '0',
    ...(instructions >= 0 ? [written(row.rates[instructions], (rate) => fixed(rate))] : []),
    ...(hasRatio ? [written(row.perInstruction[ratio], (value) => significant(value * factor))] : []),
  ];
  const heads = ['samples', 'ms', ...(instructions >= 0 ? ['MIPS'] : []), ...(hasRatio ? [unit.replace('per ', '/\u202f')] : [])];
  const none = heads.map(() => '');
  const begins = file?.begins() ?? new Map();
  const inside = brackets(file);
  const beyond = [...lines.keys()].filter((line) => line === 0 || line > (file?.lines.length ?? 0));

  /** @type {Shown['lineAt']} */
  const lineAt = (line) => {
    const row = lines.get(line);
    const numbers = row ? numbersOf(row) : none;
    const heat = heats.get(line) ?? 0;
    const isThere = file !== null && line > 0 && line <= file.lines.length;
    if (!isThere) {
      const text = file === null ? (row?.routine ?? '') : line === 0 ? 'line unknown' : 'beyond the end of this file';
      return { numbers, heat, pieces: [{ text, kind: file === null ? '' : 'comment' }], note: '', fold: null, bracket: '' };
    }
    const blocks = begins.get(line) ?? [];
    const fold = blocks.length > 0 ? { words: wordsOf([blocks[0]]), isFolded: folded.has(line) } : null;
    return { numbers, heat, pieces: file.pieces(line), note: blocks.map((/** @type {Block} */ block) => noteOf(block, lines)).filter(Boolean).join(' · '), fold, bracket: inside(line) };
  };
  return {
    label: file ? `Source of ${name}` : `Sampled lines of ${name}`,
    heads,
    codeHead: file ? 'source' : 'routine',
    lines: file ? [...unfolded(file, begins, folded), ...beyond] : [...lines.keys()],
    lineAt,
    longest: file ? file.longest : 20,
  };
}

/** @type {(value: number | null | undefined, text: (value: number) => string) => string} */
function written(value, text) {
  return value === null || value === undefined ? '–' : text(value);
}

/**
 * The time of a block's lines, without what they call; empty if none was sampled.
 * @param {Block} block
 * @param {Map<number, LineNumbers>} lines
 */
export function timeOf({ from, to }, lines) {
  const rows = [...lines.values()].filter(({ line }) => from <= line && line <= to);
  const ms = rows.reduce((sum, row) => sum + row.ms, 0);
  if (ms === 0) return '';
  const share = rows.reduce((sum, row) => sum + row.share, 0);
  return `${significant(ms)}\u202fms, ${percent(share)}`;
}

/** @type {(block: Block, lines: Map<number, LineNumbers>) => string} */
function noteOf(block, lines) {
  const time = timeOf(block, lines);
  return time && `${block.kind === 'loop' ? 'loop' : block.name} ${time}`;
}

/**
 * Numbers of the lines that are not inside a folded block.
 * @param {import('./file.js').SourceFile} file
 * @param {Map<number, Block[]>} begins
 * @param {Set<number>} folded
 */
function unfolded({ lines }, begins, folded) {
  const shown = [];
  for (let line = 1; line <= lines.length; line += 1) {
    shown.push(line);
    if (folded.has(line)) line = Math.max(line, begins.get(line)?.[0].to ?? line);
  }
  return shown;
}

/**
 * Whether a line is in a block, or its last one.
 * @param {import('./file.js').SourceFile | null} file
 * @returns {(line: number) => '' | 'inside' | 'end'}
 */
function brackets(file) {
  const deep = new Uint8Array((file?.lines.length ?? 0) + 2);
  const ends = new Set(flattened(file?.blocks ?? []).map(({ block }) => block.to));
  for (const { from, to } of file?.blocks ?? []) deep.fill(1, from, Math.min(to, deep.length - 1) + 1);
  return (line) => (ends.has(line) ? 'end' : deep[line] ? 'inside' : '');
}
