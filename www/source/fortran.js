// Routines and loops of Fortran, found by a scanner: no parser of it that a browser runs is kept up.
//
// Loops are `do` with a control, `do while`, `do concurrent` and `do` alone, with or without a name,
// up to their `end do` or, with a label (`do 10 i = 1, n`), up to the statement of that label, which
// several loops may share. Routines are `program`, `subroutine`, `function` and `module procedure`
// outside interfaces, with `contains` inside them, up to their `end`; statements before the end of a
// main program without a name are the routine `main program`. Words may be written together or
// apart, in any case. What is not closed ends where the block round it ends.

import { isFixedForm, statementsOf } from './fortran-statements.js';
import { nested } from './outline.js';

const TYPE = String.raw`(?:integer|real|doubleprecision|doublecomplex|complex|logical|character|byte|type|class)(?:\*\d+|\*?\((?:[^()]|\([^()]*\))*\))?`;
const PREFIX = String.raw`(?:pure|impure|elemental|recursive|non_recursive|module|attributes\([^)]*\)|${TYPE})*`;
const FUNCTION = new RegExp(String.raw`^${PREFIX}function([a-z]\w*)\([^()]*\)(?:(?:result|bind)\((?:[^()]|\([^()]*\))*\))*$`);
const SUBROUTINE = new RegExp(String.raw`^${PREFIX}subroutine([a-z]\w*)(?:\([^()]*\))?(?:bind\([^()]*\))?$`);
const PROGRAM = /^program([a-z]\w*)$/;
const PROCEDURE = /^moduleprocedure(?:::)?([a-z]\w*)$/;
const OTHER = /^(?:abstract)?interface(?!=|\()|^module(?!procedure)[a-z]\w*$|^submodule\([^)]*\)[a-z]\w*$|^blockdata(?:[a-z]\w*)?$/;
const DO = /^(?:([a-z]\w*):)?do(\d*),?(?:(while\(.*\)|concurrent\(.*)|([a-z]\w*)=(.*))?$/;
const END_DO = /^enddo(?:[a-z]\w*)?$/;
const END = /^end(?:(?:subroutine|function|program|procedure|module|submodule|blockdata|interface)(?:[a-z(*/+<=>.'-].*)?)?$/;

/**
 * @typedef {{kind: 'routine' | 'loop' | 'other', name: string, from: number, label: string}} Open
 *
 * @param {string} name of the file
 * @param {string[]} lines
 * @returns {import('./outline.js').Block[]}
 */
export function blocksOfFortran(name, lines) {
  /** @type {import('./outline.js').Found[]} */
  const found = [];
  /** @type {Open[]} */
  const open = [];
  /** First statement of a program without a name. */
  let start = 0;
  const close = (/** @type {number} */ to) => {
    const { kind, name, from } = /** @type {Open} */ (open.pop());
    if (kind !== 'other' && !open.some((outer) => outer.name === 'interface')) found.push({ kind, name, from, to });
  };
  for (const { text, label, from, to } of statementsOf(lines, isFixedForm(name, lines))) {
    const unit = unitOf(text, open);
    if (unit) open.push({ ...unit, from, label: '' });
    else if (END.test(text)) {
      // Loops that nobody closed end before it.
      while (open.at(-1)?.kind === 'loop') close(from - 1);
      if (open.length > 0) close(to);
      else if (start > 0) found.push({ kind: 'routine', name: 'main program', from: start, to });
      start = 0;
      continue;
    } else if (END_DO.test(text)) {
      if (open.at(-1)?.kind === 'loop') close(to);
    } else {
      const loop = loopOf(text);
      if (loop) open.push({ ...loop, kind: 'loop', from });
    }
    if (start === 0 && !open.some(({ kind }) => kind !== 'loop')) start = from;
    while (label !== '' && open.at(-1)?.label === label) close(to);
  }
  while (open.length > 0) close(lines.length);
  return nested(found);
}

/**
 * A routine, or what may hold routines, that begins with a statement.
 * @param {string} text
 * @param {Open[]} open
 * @returns {{kind: 'routine' | 'other', name: string} | null}
 */
function unitOf(text, open) {
  const procedure = PROCEDURE.exec(text);
  // In an interface it is a declaration, without an end.
  if (procedure) return open.at(-1)?.name === 'interface' ? null : { kind: 'routine', name: procedure[1] };
  if (OTHER.test(text)) return { kind: 'other', name: /^(abstract)?interface/.test(text) ? 'interface' : '' };
  const routine = PROGRAM.exec(text) ?? SUBROUTINE.exec(text) ?? FUNCTION.exec(text);
  return routine && !text.startsWith('end') ? { kind: 'routine', name: routine[1] } : null;
}

/**
 * A loop that begins with a statement: `do10i=1,10` is one, `do10i=1.10` sets a variable.
 * @param {string} text
 * @returns {{name: string, label: string} | null}
 */
function loopOf(text) {
  const match = DO.exec(text);
  if (!match) return null;
  const [, name = '', label, , variable, control] = match;
  if (variable !== undefined && !hasCommaOutside(control)) return null;
  return { name, label };
}

/**
 * Whether a comma stands outside all parentheses.
 * @param {string} text
 */
function hasCommaOutside(text) {
  let depth = 0;
  for (const sign of text) {
    if (sign === '(' || sign === '[') depth += 1;
    if (sign === ')' || sign === ']') depth -= 1;
    if (sign === ',' && depth === 0) return true;
  }
  return false;
}
