// What the pane's table says of each line: numbers, heat, text, and what begins and ends there.

import type { BlockRow, CounterSummary, SourceReport, SourceRow } from '../wasm/painter.js';
import type { ShownFile } from './file.ts';
import type { Shown } from './listing.ts';

interface Told {
  /** Of the file. */
  name: string;
  file: ShownFile | null;
  view: SourceReport;
  counters: CounterSummary[];
  /** Whose events per instruction are shown beside the rate. */
  counter: string;
  /** `time`, or a counter: its rate if it counts instructions, else its events per instruction. */
  heat: string;
  /** First lines of folded blocks. */
  folded: Set<number>;
}

export function shownOf({ name, file, view, counters, counter, heat, folded }: Told): Shown {
  const lines = new Map(view.lines.map((row) => [row.line, row]));
  const columns = view.columns.map((column, i) => ({ ...column, i })).filter((column) => !column.ratio || column.counter === counter);
  // The heat of time stands before those of the counters.
  const heatOf = counters.findIndex(({ counter }) => counter === heat) + 1;
  const numbersOf = ({ samples, time, figures }: SourceRow) => [samples, time, ...columns.map(({ i }) => figures[i])].map(({ text }) => text);
  const heads = ['samples', view.unit, ...columns.map(({ ratio, name, unit }) => (ratio || name === unit ? unit : `${name} ${unit}`))];
  const none = heads.map(() => '');
  const begins = beginsOf(view.blocks);
  const inside = brackets(file, view.blocks);
  const beyond = [...lines.keys()].filter((line) => line === 0 || line > (file?.lines.length ?? 0));

  const lineAt: Shown['lineAt'] = (line) => {
    const row = lines.get(line);
    const numbers = row ? numbersOf(row) : none;
    const heat = row?.heat[heatOf] ?? 0;
    const isThere = file !== null && line > 0 && line <= file.lines.length;
    if (!isThere) {
      const text = file === null ? (row?.routine ?? '') : line === 0 ? 'line unknown' : 'beyond the end of this file';
      return { numbers, heat, pieces: [{ text, kind: file === null ? '' : 'comment' }], note: '', fold: null, bracket: '' };
    }
    const blocks = begins.get(line) ?? [];
    const fold = blocks.length > 0 ? { words: blocks[0].words, isFolded: folded.has(line) } : null;
    return { numbers, heat, pieces: file.pieces(line), note: blocks.map(noteOf).filter(Boolean).join(' · '), fold, bracket: inside(line) };
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

function noteOf({ kind, name, time }: BlockRow) {
  return time && `${kind === 'loop' ? 'loop' : name} ${time}`;
}

/** The blocks that begin in each line, outermost first; those of one line alone are left out. */
function beginsOf(blocks: BlockRow[]) {
  const begins: Map<number, BlockRow[]> = new Map();
  for (const block of blocks) {
    if (block.last > block.first) begins.set(block.first, [...(begins.get(block.first) ?? []), block]);
  }
  return begins;
}

/** Numbers of the lines that are not inside a folded block. */
function unfolded({ lines }: ShownFile, begins: Map<number, BlockRow[]>, folded: Set<number>) {
  const shown = [];
  for (let line = 1; line <= lines.length; line += 1) {
    shown.push(line);
    if (folded.has(line)) line = Math.max(line, begins.get(line)?.[0].last ?? line);
  }
  return shown;
}

/** Whether a line is in a block, or its last one. */
function brackets(file: ShownFile | null, blocks: BlockRow[]): (line: number) => '' | 'inside' | 'end' {
  const deep = new Uint8Array((file?.lines.length ?? 0) + 2);
  const ends = new Set(blocks.map(({ last }) => last));
  for (const { depth, first, last } of blocks) if (depth === 0) deep.fill(1, first, Math.min(last, deep.length - 1) + 1);
  return (line) => (ends.has(line) ? 'end' : deep[line] ? 'inside' : '');
}
