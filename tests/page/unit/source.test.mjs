// What the source pane knows before anything is drawn: which file is meant, what is in it, and what
// each line took.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';
import { Language, Parser } from 'web-tree-sitter';
import '../typescript.mjs';

const { doubtsOf } = await import('../../../www/source/doubts.js');
const { blocksOfFortran } = await import('../../../www/source/fortran.js');
const { blocksByIndentation } = await import('../../../www/source/indentation.js');
const { isSource, languageOf } = await import('../../../www/source/languages.js');
const { heatOf, linesOfFile, placesOfPhases } = await import('../../../www/source/numbers.js');
const { Offered } = await import('../../../www/source/offered.js');
const { blocksAt, blocksOfMost, flattened, nested, wordsOf } = await import('../../../www/source/outline.js');
const { blocksOfTree } = await import('../../../www/source/syntax-tree.js');
const { linesOf } = await import('../../../www/source/text.js');

const textOf = (name) => readFileSync(new URL(`../../outline/${name}`, import.meta.url), 'utf8');
const lines = (name) => textOf(name).split('\n');

/** Blocks as indented words. */
const written = (blocks) => flattened(blocks).map(({ block: { kind, name, from, to }, depth }) => `${'  '.repeat(depth)}${kind}${name && ` ${name}`} ${from}-${to}`);

await Parser.init();
const require = createRequire(import.meta.url);
async function parsed(grammar, text) {
  const parser = new Parser();
  parser.setLanguage(await Language.load(readFileSync(require.resolve(`tree-sitter-${grammar}/tree-sitter-${grammar}.wasm`))));
  return blocksOfTree(parser.parse(text).rootNode);
}

test('routines and loops of C are found, whatever comments, strings and macros say', async () => {
  assert.deepEqual(written(await parsed('c', textOf('kernels.c'))), [
    'routine gather 8-26',
    '  loop 11-17',
    '    loop 13-15',
    '  loop 19-20',
    '  loop 22-24',
    'routine old_style 28-32',
    'routine pointer_to 34-34',
    '  loop 34-34',
  ]);
});

test('C++ has methods, templates, lambdas and loops over ranges', async () => {
  assert.deepEqual(written(await parsed('cpp', textOf('mesh.cpp'))), [
    'routine Grid 8-8',
    'routine sum 9-15',
    '  loop 12-13',
    'routine operator() 16-16',
    'routine solve 23-37',
    '  routine lambda 25-28',
    '    loop 26-27',
    '  loop 29-34',
    '    loop 30-32',
    'routine mesh::Solver::run 41-44',
    '  loop 43-43',
  ]);
});

test('free Fortran: names, continuations, interfaces, shared labels, words together or apart', () => {
  assert.deepEqual(written(blocksOfFortran('heat.f90', lines('heat.f90'))), [
    'routine dot 13-32',
    '  loop outer 19-28',
    '    loop 21-22',
    '    loop 23-27',
    '  loop 29-31',
    'routine solve_real 34-47',
    '  loop 38-40',
    '    loop 39-40',
    '  loop 41-43',
    '    loop 41-43',
    '  routine inner 45-46',
  ]);
});

test('fixed Fortran: comments and labels by column, blanks that mean nothing, a program without a name', () => {
  assert.deepEqual(written(blocksOfFortran('sweep.f', lines('sweep.f'))), [
    'routine sweep 2-18',
    '  loop 5-10',
    '    loop 6-9',
    '  loop 11-13',
    '  loop 14-16',
    'routine twice 20-23',
    'routine main program 25-28',
    '  loop 26-27',
  ]);
});

test('an old ending does not make free Fortran fixed', () => {
  const free = ['program p', 'do i = 1, 3', '  x = i', 'end do', 'end program'];
  assert.deepEqual(written(blocksOfFortran('p.f', free)), ['routine p 1-5', '  loop 2-4']);
});

test('what is not closed ends with what is round it, and ends without a begin are nothing', () => {
  assert.deepEqual(written(blocksOfFortran('a.f90', ['end do', 'subroutine a', 'do i = 1, 2', 'end subroutine', 'do'])), ['routine a 2-4', '  loop 3-3', 'loop 5-5']);
});

test('other languages are read by their indentation', () => {
  assert.deepEqual(written(blocksByIndentation(lines('solve.py'))), [
    'routine __init__ 6-7',
    'routine run 9-20',
    '  loop 12-18',
    '    loop 15-16',
    'loop 26-27',
  ]);
  assert.deepEqual(written(blocksByIndentation(lines('lib.rs'))), ['routine total 2-14', '  loop 4-6', '  loop 7-12', '    loop 8-10']);
  assert.deepEqual(written(blocksByIndentation(lines('step.jl'))), ['routine step! 1-6', '  loop 2-4']);
});

test('no text stops a scanner, or keeps it for long', () => {
  const hostile = ['\u0000', '(((((', 'do '.repeat(5000), "'".repeat(999), '&'.repeat(300), `${'  '.repeat(900)}for`, 'real('.repeat(500), 'a '.repeat(400), '', '\t\t'];
  const many = Array.from({ length: 20_000 }, (_, i) => hostile[i % hostile.length]);
  // What is not linear does not come to an end.
  for (const name of ['x.f', 'x.f90']) assert.ok(blocksOfFortran(name, many).every(({ to }) => to <= many.length));
  assert.ok(blocksByIndentation(many).every(({ to }) => to <= many.length));
});

test('a line is in the blocks round it, outermost first, and is told in words', () => {
  const blocks = nested([{ kind: 'loop', name: '', from: 3, to: 5 }, { kind: 'routine', name: 'f', from: 1, to: 9 }, { kind: 'routine', name: 'g', from: 11, to: 12 }]);
  assert.deepEqual(blocksAt(blocks, 4).map(({ from }) => from), [1, 3]);
  assert.deepEqual(blocksAt(blocks, 10), []);
  assert.equal(wordsOf(blocksAt(blocks, 4)), 'loop 3–5 in f');
  assert.equal(wordsOf(blocksAt(blocks, 6)), 'f 1–9');
});

test('a phase is about the innermost block that holds most of its time', () => {
  const blocks = nested([{ kind: 'routine', name: 'f', from: 1, to: 20 }, { kind: 'loop', name: '', from: 2, to: 9 }, { kind: 'loop', name: '', from: 3, to: 4 }, { kind: 'loop', name: '', from: 11, to: 15 }]);
  const at = (weights) => blocksOfMost(blocks, new Map(weights)).map(({ from }) => from);
  assert.deepEqual(at([[3, 6], [7, 4], [12, 1]]), [1, 2, 3]);
  assert.deepEqual(at([[3, 5], [7, 4], [12, 2]]), [1, 2]);
  assert.deepEqual(at([[3, 1], [12, 1]]), [1]);
  assert.deepEqual(at([[30, 1]]), []);
});

test('source is known by its ending, and nothing of a trace is', () => {
  for (const name of ['a.c', 'b.CPP', 'c.f90', 'd.F', 'e.py', 'memcpy.S', 'x.h', 'k.cu']) assert.ok(isSource(name), name);
  for (const name of ['a.prv', 'a.pcf', 'a.row', 'a.prv.gz', 'a.extract', 'perf.txt', 'm.xml', 'all.zip', 'run', '.c/run', 'c']) assert.ok(!isSource(name), name);
  assert.equal(languageOf('a.C').outline, 'cpp');
  assert.equal(languageOf('a.c').outline, 'c');
  assert.equal(languageOf('what.ever').outline, 'indentation');
});

test('a file is found by its name, and among several by its folders', () => {
  const offered = new Offered();
  const open = async () => new Blob();
  offered.add(['a/x/solve.c', 'a/y/solve.c', 'README', 'b/Other.c'].map((path) => ({ path, open })));
  const found = (file) => offered.find(file).map(({ path }) => path);
  assert.deepEqual(found('solve.c'), ['a/x/solve.c', 'a/y/solve.c']);
  assert.deepEqual(found('/home/me/y/solve.c'), ['a/y/solve.c']);
  assert.deepEqual(found('C:\\src\\x\\solve.c'), ['a/x/solve.c']);
  assert.deepEqual(found('other.c'), ['b/Other.c'], 'another case is better than nothing');
  assert.deepEqual(found('olve.c'), []);
  offered.add([{ path: 'a/x/solve.c', open }]);
  assert.equal(offered.size, 4, 'the same path again');
});

test('bytes become lines, or a reason', async () => {
  const of = (bytes) => linesOf(new Blob([bytes])).catch(({ message }) => message);
  assert.deepEqual(await of('a\r\nb\rc\n\n'), ['a', 'b', 'c', '']);
  assert.deepEqual(await of(new Uint8Array([0x66, 0xfc, 0x72])), ['für'], 'not UTF-8');
  assert.deepEqual(await of(new Uint8Array([0xff, 0xfe, 0x61, 0, 0x0a, 0, 0x62, 0])), ['a', 'b'], 'UTF-16');
  assert.match(await of(''), /empty/);
  assert.match(await of(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0])), /not text/);
  assert.match(await of('x'.repeat(8_000_001)), /8\.0\u202fMB/);
  assert.equal((await of('y'.repeat(5000)))[0].length, 1001);
});

const row = (line, ms, rates, more = {}) => ({ place: line, file: 'a.c', line, routine: 'f', samples: 10, ms, share: ms / 10, rates, perInstruction: rates.map((rate) => rate / rates[0]), ...more });
const known = (rows) => ({ counters: [{ counter: 'I', name: 'I', instructions: true }, { counter: 'M', name: 'M', instructions: false }], lines: rows, phases: [] });

test('a line in several routines has their time together, and the mean of their rates by time', () => {
  const lines = linesOfFile(known([row(7, 3, [100, 10]), row(7, 1, [200, 20]), row(9, 1, [1, 1], { file: 'b.c' })]), 'a.c');
  assert.deepEqual([...lines.keys()], [7]);
  const { ms, samples, rates } = lines.get(7);
  assert.deepEqual([ms, samples, rates], [4, 20, [125, 12.5]]);
});

test('heat is the rank of a value times the time of its line', () => {
  const { counters, lines: rows } = known([row(1, 8, [400, 4]), row(2, 8, [100, 10]), row(3, 1, [200, 40])]);
  const lines = linesOfFile(known(rows), 'a.c');
  const heat = (by) => [...heatOf(lines, by, counters).values()];
  assert.deepEqual(heat('time'), [8, 8, 1]);
  assert.deepEqual(heat('M'), [3, 6, 1], 'ratios 0.01, 0.1 and 0.2 have the ranks 1 to 3 of 3');
  assert.deepEqual(heat('I'), [3, 8, 1], 'the slowest is the hottest');
});

test('a sample stands for half of the gaps beside it, in the phase that it lies in', () => {
  const sampled = { x: Float64Array.of(0.1, 0.3, 0.5, 0.9), place: Uint32Array.of(4, 5, 4, 6) };
  const [first, second] = placesOfPhases(sampled, [{ start: 0, end: 0.4 }, { start: 0.4, end: 1 }]);
  const rounded = (times) => [...times].map(([place, share]) => [place, Number(share.toFixed(9))]);
  assert.deepEqual(rounded(first), [[4, 0.2], [5, 0.2]]);
  assert.deepEqual(rounded(second), [[4, 0.3], [6, 0.3]]);
});

test('source of another version is doubted, and the one that ran is not', () => {
  const text = ['int f() {', '  // adds', '  x = 1;', '', '  *p = 2;', '}'];
  const doubts = (...rows) => doubtsOf(text, linesOfFile(known(rows.map(([line, ms]) => row(line, ms, [1, 1]))), 'a.c'), languageOf('a.c').comment);
  assert.deepEqual(doubts([3, 8], [5, 8], [6, 2]), []);
  assert.match(doubts([3, 8], [9, 1])[0], /is of another version: line 9 was sampled, and the file ends at line 6/);
  assert.match(doubts([3, 5], [2, 3], [4, 1])[0], /may be of another version: 44\u202f% of its time/);
});
