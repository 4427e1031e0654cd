// Routines and loops of a file as a nested list, whatever found them.

/**
 * @typedef {Object} Block
 * @property {'routine' | 'loop'} kind
 * @property {string} name of a routine; empty for a loop without a name
 * @property {number} from first line, from 1
 * @property {number} to last line
 * @property {Block[]} parts blocks inside it, in order
 *
 * @typedef {Omit<Block, 'parts'>} Found
 */

/**
 * Puts blocks into the smallest block round each. Of two with the same lines the first is round the
 * second; one that overlaps another without lying in it is put beside it.
 * @param {Found[]} found
 * @returns {Block[]}
 */
export function nested(found) {
  const blocks = found.filter(({ from, to }) => from <= to).map((block) => ({ ...block, parts: /** @type {Block[]} */ ([]) }));
  blocks.sort((a, b) => a.from - b.from || b.to - a.to);
  /** @type {Block[]} */
  const roots = [];
  /** @type {Block[]} */
  const open = [];
  for (const block of blocks) {
    while (open.length > 0 && block.to > /** @type {Block} */ (open.at(-1)).to) open.pop();
    (open.at(-1)?.parts ?? roots).push(block);
    open.push(block);
  }
  return roots;
}

/**
 * The blocks round a line, outermost first.
 * @param {Block[]} blocks
 * @param {number} line
 * @returns {Block[]}
 */
export function blocksAt(blocks, line) {
  /** @type {Block[]} */
  const round = [];
  for (let among = blocks; ; ) {
    const block = among.find(({ from, to }) => from <= line && line <= to);
    if (!block) return round;
    round.push(block);
    among = block.parts;
  }
}

/**
 * The innermost block that holds more than half of what lies in the file, and the blocks round it:
 * what a phase is about (Servat 2015, §4.5.1). Empty if no block does.
 * @param {Block[]} blocks
 * @param {Map<number, number>} weights by line
 * @returns {Block[]} outermost first
 */
export function blocksOfMost(blocks, weights) {
  const total = sum([...weights.values()]);
  const within = (/** @type {Block} */ { from, to }) => sum([...weights].map(([line, weight]) => (from <= line && line <= to ? weight : 0)));
  /** @type {Block[]} */
  const round = [];
  for (let among = blocks; ; ) {
    const block = among.find((block) => within(block) > total / 2);
    if (!block) return round;
    round.push(block);
    among = block.parts;
  }
}

/**
 * A block in words: `loop 223–229 in Scale`, `Scale 219–231`.
 * @param {Block[]} round the block, and those round it before it
 */
export function wordsOf(round) {
  const block = /** @type {Block} */ (round.at(-1));
  const lines = block.from === block.to ? `${block.from}` : `${block.from}–${block.to}`;
  if (block.kind === 'routine') return `${block.name} ${lines}`;
  const routine = round.findLast(({ kind }) => kind === 'routine');
  return `loop ${block.name ? `${block.name} ` : ''}${lines}${routine ? ` in ${routine.name}` : ''}`;
}

/**
 * Every block, outer before inner, with how deep it lies.
 * @param {Block[]} blocks
 * @returns {{block: Block, depth: number}[]}
 */
export function flattened(blocks) {
  /** @type {{block: Block, depth: number}[]} */
  const all = [];
  const waiting = blocks.map((block) => ({ block, depth: 0 })).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { block, depth } = next;
    all.push(next);
    waiting.push(...block.parts.map((block) => ({ block, depth: depth + 1 })).reverse());
  }
  return all;
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
