// Whether a source file is the one that ran.

import { counted, fixed, percent } from '../format.js';

/** Sampled time on lines that no instruction comes from: a little is seen in sound programs, too. */
const MUCH = 0.3;

/** Blank, or nothing but closing signs. The ends of loops do get samples, so these alone say little. */
const BLANK = /^\s*$/;
const CLOSING = /^\s*[})\];,]+\s*$/;

/**
 * What speaks against it, in words.
 * @param {string[]} text lines of the file
 * @param {Map<number, import('./numbers.js').LineNumbers>} lines what was sampled
 * @param {RegExp} comment of the language
 * @returns {string[]}
 */
export function doubtsOf(text, lines, comment) {
  const sampled = [...lines.values()].filter(({ line }) => line > 0);
  const beyond = sampled.filter(({ line }) => line > text.length);
  if (beyond.length > 0) {
    const last = Math.max(...beyond.map(({ line }) => line));
    const what = beyond.length === 1 ? `line ${fixed(last)} was sampled` : `${counted(beyond.length, 'line')} up to ${fixed(last)} were sampled`;
    return [`This source is of another version: ${what}, and the file ends at line ${fixed(text.length)}.`];
  }
  const total = sampled.reduce((sum, { ms }) => sum + ms, 0);
  const empty = sampled.filter(({ line }) => isEmpty(text[line - 1], comment)).reduce((sum, { ms }) => sum + ms, 0);
  if (total === 0 || empty / total < MUCH) return [];
  return [`This source may be of another version: ${percent(empty / total, 0)} of its time is on lines without code, such as blank lines, comments and closing braces.`];
}

/** @type {(line: string, comment: RegExp) => boolean} */
function isEmpty(line, comment) {
  return BLANK.test(line) || CLOSING.test(line) || comment.test(line);
}
