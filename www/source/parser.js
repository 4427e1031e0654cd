// tree-sitter with its grammars of C and C++, loaded when the first such file is shown.

import { Language, Parser } from 'web-tree-sitter';
import { bytesOf } from '../engine/parts.js';
import { blocksOfTree } from './syntax-tree.js';

/** The page is not kept busy for longer by a parser that goes on on the next frame. */
const SLICE_MS = 12;

/** @type {Promise<void> | null} */
let ready = null;
/** @type {Map<string, Promise<Language>>} */
const languages = new Map();

/**
 * @param {'c' | 'cpp'} grammar
 * @param {string[]} lines
 * @returns {Promise<import('./outline.js').Block[]>} fails if the parser cannot be loaded
 */
export async function blocksByParser(grammar, lines) {
  ready ??= begun();
  await ready;
  const language = languages.get(grammar) ?? loaded(grammar);
  languages.set(grammar, language);
  const parser = new Parser().setLanguage(await language);
  const tree = await parsed(parser, lines.join('\n'));
  const blocks = await blocksOfTree(tree.rootNode, pause);
  tree.delete();
  parser.delete();
  return blocks;
}

async function begun() {
  const bytes = await bytesOf('source/web-tree-sitter.wasm');
  await Parser.init({ wasmBinary: bytes }).catch(retried);
}

/** @param {string} grammar */
async function loaded(grammar) {
  return Language.load(new Uint8Array(await bytesOf(`source/tree-sitter-${grammar}.wasm`))).catch((failure) => {
    languages.delete(grammar);
    throw failure;
  });
}

/** @param {unknown} failure */
function retried(failure) {
  ready = null;
  throw failure;
}

/**
 * Parses in slices: what is halted goes on with the next call.
 * @param {Parser} parser
 * @param {string} text
 */
async function parsed(parser, text) {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > until });
    if (tree) return tree;
    await pause();
  }
}

/** Lets the page do what waits. */
function pause() {
  return new Promise((/** @type {(value: void) => void} */ resolve) => setTimeout(resolve));
}
