// Above the lines: which loop each phase is about, and the loops and routines of the file.

import { make } from '../dom.ts';
import { fixed } from '../format.ts';
import type { BlockRow, GroupSummary, SourceReport } from '../wasm/painter.js';

/** More entries are not for reading. */
const MOST = 200;

export function phaseParts({ phases }: GroupSummary, { phases: codes }: SourceReport): HTMLElement[] {
  if (phases.length < 2) return [];
  const rows = phases.map((phase, i) => {
    const code = codes[i];
    const title = `${phase.number}${phase.name ? ` ${phase.name}` : ''}`;
    if (!code) return make('li', {}, make('b', {}, title), ' no sample');
    const entry = make('button', { type: 'button', class: 'link', 'data-line': `${code.line}:${code.file}`, 'data-phase-place': String(phase.number) }, code.words);
    return make('li', {}, make('b', {}, title), ' ', entry, ` ${code.share}`);
  });
  return [make('details', { open: '', 'data-testid': 'pane-phases' }, make('summary', {}, make('h3', {}, 'Phases')), make('ul', {}, ...rows))];
}

/** Routines and loops that were sampled; all of them if none was. */
export function outlineParts(blocks: BlockRow[], name: string): HTMLElement[] {
  if (blocks.length === 0) return [];
  const sampled = blocks.filter(({ time }) => time !== '');
  const some = sampled.length > 0 ? sampled : blocks;
  const rows = some.slice(0, MOST).map(({ first, words, depth, time }) => {
    const entry = make('button', { type: 'button', class: 'link', 'data-line': `${first}:${name}` }, words);
    return make('li', { class: `depth-${Math.min(depth, 6)}` }, entry, time && ` ${time}`);
  });
  const hidden = some.length > MOST ? `, the first ${fixed(MOST)} here` : '';
  const count = `${fixed(blocks.length)}, ${fixed(sampled.length)} sampled${hidden}`;
  return [make('details', { 'data-testid': 'pane-outline' }, make('summary', {}, make('h3', {}, 'Loops and routines'), ' ', make('small', {}, count)), make('ul', {}, ...rows))];
}
