// Routines and loops of languages without a parser here: by indentation.
//
// A line whose first words open a routine (`def`, `fn`, `func`, `function`, `sub`, `procedure`,
// `proc`, or a name with parentheses before a brace) or a loop (`for`, `foreach`, `while`, `until`,
// `loop`, `do`, `repeat`) has as its block all lines below it that are indented deeper, and a line
// of closing braces, brackets or the word `end` at its own depth. A head may be broken over lines if
// the last of them begins with its closing parenthesis. Blank lines belong to a block if
// lines of it follow. Tabs go to the next multiple of eight. Strings and comments are not
// understood: a text with code inside is taken for code.

import { nested } from './outline.js';

const MODIFIERS = String.raw`(?:(?:pub(?:\([^)]*\))?|public|private|protected|internal|static|async|inline|const|unsafe|extern|export|default|override|final|abstract|virtual|local|recursive|@\w+(?:\([^)]*\))?)\s+)*`;
const ROUTINE = new RegExp(String.raw`^${MODIFIERS}(?:def|fn|func|fun|function\*?|sub|subroutine|procedure|proc|cpdef|cdef)\s+(?:\([^)]*\)\s*)?([\w.:$!?~]+)`, 'i');
/** A method as in Java: something, a name, parentheses and a brace, or the parenthesis left open. */
const METHOD = /^(?:[\w<>[\],.*&@]+\s+)+(\w+)\s*\([^;=]*(?:\{|,|\))\s*$/;
const LOOP = /^(?:[\w']+\s*:\s*)?(?:for|foreach|while|until|loop|do|repeat|parfor)\b|^@(?:threads|simd|inbounds|distributed)\b.*\bfor\b/i;
const NO_METHOD = /^(?:if|else|elif|switch|match|return|new|throw|case|catch|using|with|try|class|struct|impl|enum|trait|interface|namespace|module|type|let|var|val|import|package)\b/;
const CLOSES = /^(?:[}\])]+[;,)]*|end\w*;?)(?:\s|$|\/\/|#|while\b)/i;

/** The end of a head that was broken over lines: `) -> int:`. */
const CONTINUES = /^[)\]].*[:{]$/;

/** A line indented deeper opens no block: nobody reads it, and a program wrote it. */
const DEEPEST = 400;

/**
 * @param {string[]} lines
 * @returns {import('./outline.js').Block[]}
 */
export function blocksByIndentation(lines) {
  const depths = lines.map(depthOf);
  /** @type {import('./outline.js').Found[]} */
  const found = [];
  /** @type {{index: number, depth: number, kind: 'routine' | 'loop', name: string}[]} */
  const open = [];
  let last = -1;
  const close = (/** @type {number} */ depth, /** @type {number} */ index, /** @type {boolean} */ closes) => {
    while (open.length > 0 && open[open.length - 1].depth >= depth) {
      const block = /** @type {(typeof open)[0]} */ (open.pop());
      const to = closes && block.depth === depth ? index : last;
      // The head alone is a declaration, or a statement with all on one line.
      if (to > block.index) found.push({ kind: block.kind, name: block.name, from: block.index + 1, to: to + 1 });
    }
  };
  for (const [index, depth] of depths.entries()) {
    if (depth === null) continue;
    const text = lines[index].trim();
    const closes = CLOSES.test(text);
    if (CONTINUES.test(text)) continue;
    close(depth, index, closes);
    const head = depth > DEEPEST ? null : headOf(text.slice(0, 300));
    if (head) open.push({ index, depth, ...head });
    last = index;
  }
  close(-1, -1, false);
  return nested(found);
}

/**
 * @param {string} text
 * @returns {{kind: 'routine' | 'loop', name: string} | null}
 */
function headOf(text) {
  const routine = ROUTINE.exec(text);
  if (routine) return { kind: 'routine', name: routine[1] };
  if (LOOP.test(text)) return { kind: 'loop', name: '' };
  const method = NO_METHOD.test(text) ? null : METHOD.exec(text);
  return method ? { kind: 'routine', name: method[1] } : null;
}

/**
 * Columns before the first sign; `null` for a blank line.
 * @param {string} line
 */
function depthOf(line) {
  let depth = 0;
  for (const sign of line) {
    if (sign === ' ') depth += 1;
    else if (sign === '\t') depth += 8 - (depth % 8);
    else return depth;
  }
  return null;
}
