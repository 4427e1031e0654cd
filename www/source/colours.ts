// Colours of source text, by highlight.js: each line as pieces of text, each with its kind.

import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import fortran from 'highlight.js/lib/languages/fortran';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import julia from 'highlight.js/lib/languages/julia';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import x86asm from 'highlight.js/lib/languages/x86asm';
import { createLowlight } from 'lowlight';

const lowlight = createLowlight({ c, cpp, fortran, go, java, javascript, julia, python, rust, x86asm });

/** Kinds that have a colour of their own here; the others are plain. */
const KINDS = new Set(['keyword', 'built_in', 'type', 'literal', 'number', 'string', 'comment', 'meta', 'title', 'doctag', 'symbol']);

export type Piece = { text: string, kind: string };

/** As many lists of pieces as lines. */
export function colouredLines(language: string, lines: string[]): Piece[][] {
  const coloured: Piece[][] = [[]];
  const waiting = [...lowlight.highlight(language, lines.join('\n')).children].reverse().map((node) => ({ node, kind: '' }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, kind } = next;
    if (node.type === 'element') {
      const inner = kindOf(node.properties.className) || kind;
      waiting.push(...[...node.children].reverse().map((node) => ({ node, kind: inner })));
    } else if (node.type === 'text') {
      for (const [i, text] of node.value.split('\n').entries()) {
        if (i > 0) coloured.push([]);
        if (text !== '') coloured[coloured.length - 1].push({ text, kind });
      }
    }
  }
  return coloured;
}

/** The kind of classes such as `hljs-title function_`; empty for a plain one. */
function kindOf(classes: unknown): string {
  const names = Array.isArray(classes) ? classes.map((name) => String(name).replace(/^hljs-/, '')) : [];
  return names.find((name) => KINDS.has(name)) ?? '';
}
