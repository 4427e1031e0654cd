// One source file, as far as it has been looked at: its blocks, and the colours of what was shown.

import { blocksOfFortran } from './fortran.js';
import { blocksByIndentation } from './indentation.js';
import { languageOf } from './languages.js';
import { flattened } from './outline.js';

/**
 * @typedef {import('./outline.js').Block} Block
 * @typedef {import('./colours.js').Piece} Piece
 */

/** Colours are made for about so many lines at a time, from the begin of a routine. */
const PART = 150;

/** A part of more lines stays plain: it would keep the page busy. */
const LARGEST_PART = 5000;

export class SourceFile {
  /** @type {Block[]} */
  blocks = [];
  /** Why there are no blocks, if that is no fault of the file. */
  wordsOnBlocks = '';
  /** Number of the first line of each part, from 1. */
  #parts = [1];
  /** @type {Map<number, Piece[][]>} by number of the part */
  #coloured = new Map();
  /** @type {typeof import('./colours.js') | null} */
  #colours = null;

  /**
   * @param {string} name
   * @param {string[]} lines
   */
  constructor(name, lines) {
    this.name = name;
    this.lines = lines;
    this.language = languageOf(name);
    this.longest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  }

  /** Finds routines and loops, and loads what colours are made with. */
  async look() {
    const { outline, colours } = this.language;
    try {
      if (outline === 'fortran') this.blocks = blocksOfFortran(this.name, this.lines);
      else if (outline === 'indentation') this.blocks = blocksByIndentation(this.lines);
      else if (outline !== 'none') this.blocks = await (await import('./parser.js')).blocksByParser(outline, this.lines);
    } catch (/** @type {any} */ failure) {
      this.wordsOnBlocks = `Loops and routines were not looked for: ${failure.message ?? failure}`;
    }
    this.#parts = this.blocks.reduce((parts, { from }) => (from - parts[parts.length - 1] >= PART ? [...parts, from] : parts), [1]);
    if (colours) this.#colours = await import('./colours.js').catch(() => null);
  }

  /**
   * @param {number} line from 1
   * @returns {Piece[]}
   */
  pieces(line) {
    const text = this.lines[line - 1];
    const part = this.#parts.findLastIndex((first) => first <= line);
    return this.#partOf(part)?.[line - this.#parts[part]] ?? (text ? [{ text, kind: '' }] : []);
  }

  /** @param {number} part */
  #partOf(part) {
    const { colours } = this.language;
    if (!this.#colours || !colours) return null;
    const known = this.#coloured.get(part);
    if (known) return known;
    const from = this.#parts[part] - 1;
    const lines = this.lines.slice(from, (this.#parts[part + 1] ?? this.lines.length + 1) - 1);
    const pieces = lines.length > LARGEST_PART ? [] : coloured(this.#colours, colours, lines);
    this.#coloured.set(part, pieces);
    return pieces;
  }

  /** The blocks that begin in each line, outermost first; those of one line alone are left out. */
  begins() {
    /** @type {Map<number, Block[]>} */
    const begins = new Map();
    for (const { block } of flattened(this.blocks)) {
      if (block.to > block.from) begins.set(block.from, [...(begins.get(block.from) ?? []), block]);
    }
    return begins;
  }
}

/** @type {(colours: typeof import('./colours.js'), language: string, lines: string[]) => Piece[][]} */
function coloured({ colouredLines }, language, lines) {
  try {
    const pieces = colouredLines(language, lines);
    // Every line must be what it is in the file, whatever the highlighter makes of it.
    const isSame = pieces.length === lines.length && pieces.every((line, i) => line.map(({ text }) => text).join('') === lines[i]);
    return isSame ? pieces : [];
  } catch {
    return [];
  }
}
