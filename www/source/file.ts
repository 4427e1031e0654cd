// One source file, as far as it has been looked at: its lines, and the colours of what was shown.

import type { BlockRow, SourceFile } from '../wasm/painter.js';
import type { Piece } from './colours.ts';

/** Colours are made for about so many lines at a time, from the begin of a routine. */
const PART = 150;

/** A part of more lines stays plain: it would keep the page busy. */
const LARGEST_PART = 5000;

/** A longer line is cut on screen. */
const LONGEST_LINE = 1000;

type Colours = typeof import('./colours.ts');

export class ShownFile {
  readonly lines: string[];
  readonly longest: number;
  /** Whether its routines and loops are known, as far as they will be. */
  isOutlined = false;
  /** Whether its lines have colours, as far as they will have. */
  isColoured = false;
  /** Why there are none, if that is no fault of the file. */
  wordsOnBlocks = '';
  /** Number of the first line of each part, from 1. */
  #parts = [1];
  /** By number of the part. */
  #coloured: Map<number, Piece[][]> = new Map();
  #colours: Colours | null = null;

  constructor(readonly source: SourceFile) {
    this.lines = source.text().split('\n').map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
    this.longest = this.lines.reduce((most, { length }) => Math.max(most, length), 0);
  }

  /** Finds routines and loops that only a parser finds, and loads what colours are made with. */
  async look() {
    const grammar = this.source.grammar();
    try {
      if (grammar) this.source.outlineByNodes(JSON.stringify(await (await import('./parser.ts')).nodesByParser(grammar, this.source.text())));
    } catch (failure: any) {
      this.wordsOnBlocks = `Loops and routines were not looked for: ${failure.message ?? failure}`;
    }
    await this.colour();
    this.isOutlined = true;
  }

  /** Loads what colours are made with. */
  async colour() {
    if (this.source.colours()) this.#colours = await import('./colours.ts').catch(() => null);
    this.isColoured = true;
  }

  /** Says where it may be parted. */
  partAt(blocks: BlockRow[]) {
    const outer = blocks.filter(({ depth }) => depth === 0);
    this.#parts = outer.reduce((parts, { first }) => (first - parts[parts.length - 1] >= PART ? [...parts, first] : parts), [1]);
    this.#coloured.clear();
  }

  /** @param line from 1 */
  pieces(line: number): Piece[] {
    const text = this.lines[line - 1];
    const part = this.#parts.findLastIndex((first) => first <= line);
    return this.#partOf(part)?.[line - this.#parts[part]] ?? (text ? [{ text, kind: '' }] : []);
  }

  #partOf(part: number) {
    const language = this.source.colours();
    if (!this.#colours || !language) return null;
    const known = this.#coloured.get(part);
    if (known) return known;
    const from = this.#parts[part] - 1;
    const lines = this.lines.slice(from, (this.#parts[part + 1] ?? this.lines.length + 1) - 1);
    const pieces = lines.length > LARGEST_PART ? [] : coloured(this.#colours, language, lines);
    this.#coloured.set(part, pieces);
    return pieces;
  }
}

function coloured({ colouredLines }: Colours, language: string, lines: string[]): Piece[][] {
  try {
    const pieces = colouredLines(language, lines);
    // Every line must be what it is in the file, whatever the highlighter makes of it.
    const isSame = pieces.length === lines.length && pieces.every((line, i) => line.map(({ text }) => text).join('') === lines[i]);
    return isSame ? pieces : [];
  } catch {
    return [];
  }
}
