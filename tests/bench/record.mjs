// Puts sections of Markdown from standard input into BENCHMARKS.md: each replaces the one with its
// heading, a new one goes to the end, and all others stay as they were measured.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../../BENCHMARKS.md', import.meta.url));
const HEAD = `# Benchmarks

Written by \`make bench\` and \`make bench-large\`; every baseline is from the same run.
`;

/** @returns {Map<string, string>} heading to section, both without blank lines around them */
function sections(markdown) {
  const parts = markdown.split(/^## /m).slice(1).map((part) => part.trim());
  return new Map(parts.map((part) => [part.split('\n')[0], `## ${part}\n`]));
}

const measured = sections(readFileSync(0, 'utf8'));
if (measured.size === 0) throw new Error('nothing was measured');
const known = sections(readFileSync(FILE, 'utf8'));
for (const [heading, section] of measured) known.set(heading, section);
writeFileSync(FILE, [HEAD, ...known.values()].join('\n'));
for (const section of measured.values()) console.log(section);
