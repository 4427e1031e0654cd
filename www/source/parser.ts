// tree-sitter with its grammars of C and C++, loaded when the first such file is shown. What of a
// syntax tree is a routine or a loop, the wasm knows.

import { Language, Parser } from 'web-tree-sitter';
import { bytesOf } from '../engine/parts.ts';
import { outlineKinds } from '../wasm/painter.js';

/** The page is not kept busy for longer by a parser that goes on on the next frame. */
const SLICE_MS = 12;

/** Nodes that are looked at before others may have their turn. */
const AT_ONCE = 200;

/** A node as the wasm reads it. */
interface Node {
  kind: string;
  /** First and last line, from 1. */
  first: number;
  last: number;
  /** Of a declarator: in how many others of its list it lies. */
  depth: number;
  /** The text of its declarator; empty without one. */
  declarator: string;
}

/** What is used of a node. */
interface SyntaxNode {
  type: string;
  text: string;
  endIndex: number;
  startPosition: { row: number };
  endPosition: { row: number };
  descendantsOfType(types: string[]): (SyntaxNode | null)[];
  childForFieldName(field: string): SyntaxNode | null;
}

let ready: Promise<void> | null = null;
const languages: Map<string, Promise<Language>> = new Map();

/** The nodes of a text that make its outline. Fails if the parser cannot be loaded. */
export async function nodesByParser(grammar: string, text: string): Promise<Node[]> {
  ready ??= begun();
  await ready;
  const language = languages.get(grammar) ?? loaded(grammar);
  languages.set(grammar, language);
  const parser = new Parser().setLanguage(await language);
  const tree = await parsed(parser, text);
  const nodes = await nodesOf(tree.rootNode);
  tree.delete();
  parser.delete();
  return nodes;
}

/** The nodes of a tree that are asked for, each with those in its declarator behind it. A large file
 * has many thousands. */
async function nodesOf(root: SyntaxNode): Promise<Node[]> {
  const { outlined, declarators } = outlineKinds();
  const nodes: Node[] = [];
  const take = (node: SyntaxNode, depth: number) => nodes.push({
    kind: node.type,
    first: node.startPosition.row + 1,
    last: node.endPosition.row + 1,
    depth,
    declarator: node.childForFieldName('declarator')?.text ?? '',
  });
  for (const [i, node] of ofKinds(root, outlined).entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await pause();
    take(node, 0);
    const declarator = node.childForFieldName('declarator');
    const ends: number[] = [];
    for (const inner of declarator ? ofKinds(declarator, declarators) : []) {
      while (ends.length > 0 && ends[ends.length - 1] < inner.endIndex) ends.pop();
      take(inner, ends.length);
      ends.push(inner.endIndex);
    }
  }
  return nodes;
}

function ofKinds(node: SyntaxNode, kinds: string[]): SyntaxNode[] {
  return node.descendantsOfType(kinds).filter((node) => node !== null);
}

async function begun() {
  const bytes = await bytesOf('source/web-tree-sitter.wasm');
  await Parser.init({ wasmBinary: bytes }).catch(retried);
}

async function loaded(grammar: string) {
  return Language.load(new Uint8Array(await bytesOf(`source/tree-sitter-${grammar}.wasm`))).catch((failure) => {
    languages.delete(grammar);
    throw failure;
  });
}

function retried(failure: unknown) {
  ready = null;
  throw failure;
}

/** Parses in slices: what is halted goes on with the next call. */
async function parsed(parser: Parser, text: string) {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > until });
    if (tree) return tree;
    await pause();
  }
}

/** Lets the page do what waits. */
function pause() {
  return new Promise<void>((resolve) => setTimeout(resolve));
}
