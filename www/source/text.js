// The bytes of a source file as lines, or why they are none.

import { fileSize } from '../format.js';

/** A source file of more is made by a program, for a program. */
const LARGEST_BYTES = 8e6;

/** So much of a file shows whether it is text. */
const LOOKED_AT = 64 << 10;

/** A longer line is cut on screen. */
const LONGEST_LINE = 1000;

/**
 * @param {Blob} file
 * @returns {Promise<string[]>} without the line ends; fails in words
 */
export async function linesOf(file) {
  if (file.size > LARGEST_BYTES) throw { message: `It has ${fileSize(file.size)}; source of at most ${fileSize(LARGEST_BYTES)} is shown.` };
  if (file.size === 0) throw { message: 'It is empty.' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const start = bytes.subarray(0, LOOKED_AT);
  if (start.some((byte) => byte === 0) && !isUtf16(bytes)) throw { message: 'It is not text: it holds bytes that no source has.' };
  const lines = decoded(bytes).split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
}

/**
 * UTF-8, else the bytes of Western Europe, which are never wrong.
 * @param {Uint8Array} bytes
 */
function decoded(bytes) {
  if (isUtf16(bytes)) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** @param {Uint8Array} bytes */
function isUtf16([first, second]) {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
