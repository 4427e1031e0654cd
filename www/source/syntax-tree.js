// Routines and loops of C and C++, out of the syntax tree that tree-sitter makes.

import { nested } from './outline.js';

/** Nodes of the two grammars that are blocks. */
const LOOPS = ['for_statement', 'for_range_loop', 'while_statement', 'do_statement'];
const ROUTINES = ['function_definition', 'lambda_expression'];

/**
 * What is used of a node.
 * @typedef {Object} Node
 * @property {string} type
 * @property {string} text
 * @property {{row: number, column: number}} startPosition
 * @property {{row: number, column: number}} endPosition
 * @property {(types: string[]) => (Node | null)[]} descendantsOfType
 * @property {(field: string) => Node | null} childForFieldName
 */

/** Nodes that are looked at before others may have their turn. */
const AT_ONCE = 200;

/**
 * @param {Node} root
 * @param {() => Promise<void>} [pause] called now and then, as a large file has many thousands
 * @returns {Promise<import('./outline.js').Block[]>}
 */
export async function blocksOfTree(root, pause) {
  const nodes = root.descendantsOfType([...LOOPS, ...ROUTINES]).filter((node) => node !== null);
  /** @type {import('./outline.js').Found[]} */
  const found = [];
  for (const [i, node] of nodes.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await pause?.();
    const isLoop = LOOPS.includes(node.type);
    found.push({
      kind: isLoop ? 'loop' : 'routine',
      name: isLoop ? '' : nameOf(node),
      from: node.startPosition.row + 1,
      to: node.endPosition.row + 1,
    });
  }
  return nested(found);
}

/**
 * The name before the parameters, without what it returns: `Mesh::solve`, `operator()`.
 * @param {Node} routine
 */
function nameOf(routine) {
  if (routine.type === 'lambda_expression') return 'lambda';
  // What is returned may lie round it: a pointer, or a pointer to a function.
  const whole = routine.childForFieldName('declarator');
  let declarator = innerOf(whole) ?? whole;
  let name = declarator?.childForFieldName('declarator') ?? declarator;
  while (name?.type === 'parenthesized_declarator' && innerOf(name)) {
    declarator = innerOf(name);
    name = declarator?.childForFieldName('declarator') ?? null;
  }
  return name?.text.replace(/\s+/g, ' ').slice(0, 200) ?? '';
}

/** @type {(node: Node | null) => Node | null} */
function innerOf(node) {
  return node?.descendantsOfType(['function_declarator'])[0] ?? null;
}
