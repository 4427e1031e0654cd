// Compares what two builds of the command line answer, byte for byte: exit status, stderr, the list of
// regions and every CSV, for the traces of the corpus (TRACEFOLD_SHARED), the examples and 20 made-up
// ones.
//
//   make same BEFORE=PATH AFTER=PATH [ONLY=WORD]
//   node tests/same-answers.mjs BEFORE AFTER [WORD]
//
// WORD takes only the cases whose name contains it. Answers stay in target/same to be looked at. Exit
// status: 0 all alike, 1 something differs, 2 usage.

import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const shared = resolve(root, process.env.TRACEFOLD_SHARED ?? '../shared');
const work = join(root, 'target/same');
const made = join(work, 'made');

// Shape, seed, options: every shape of a few megabytes once, the rest where options change the way.
const MADE = [
  ['example', 3], ['references', 3], ['stream4', 3], ['contrast5', 3], ['short7', 3], ['smooth', 3],
  ['mixed', 3], ['fig418', 3], ['joint4', 3], ['many', 3], ['rapl', 3], ['nested', 3], ['sets', 3], ['bt', 3],
  ['deep', 3], ['big', 3, '--size-mb', '5', '--threads', '3'], ['stream4', 5, '--jitter', '0.05'],
  ['contrast5', 6, '--sets', '3'], ['short7', 7, '--unread-borders'], ['rapl', 8, '--ms', '3'],
  ['bt', 9, '--depth', '5'],
];

// Options beside the defaults, for the traces whose path ends so.
const OPTIONS = {
  'namd/444.namd.prv': [
    ['--set', 'x=PAPI_TOT_CYC'], ['--set', 'x=PAPI_TOT_INS:time'], ['--set', 'fit=segments'],
    ['--set', 'fit=kriging', '--set', 'routines=samples:3', '--set', 'align=pivot'],
    ['--set', 'group=none', '--set', 'prefilter=yes', '--set', 'select=distance:500'],
    ['--region', 'User function'], ['--only', 'counters=PAPI_TOT_INS,PAPI_TOT_CYC', '--threads', '1'],
  ],
  'epoch/epoch_2proc.prv.gz': [
    ['--region', 'MPI Point-to-point'], ['--set', 'x=PAPI_TOT_INS'], ['--set', 'fit=segments'],
  ],
  'static/example.prv.gz': [
    ['--set', 'x=PAPI_TOT_INS'], ['--set', 'x=PAPI_TOT_CYC:time'], ['--set', 'fit=segments'],
    ['--set', 'fit=kriging'], ['--region', 'User function'], ['--model', 'static/models/papi.xml'],
    ['--set', 'breaks=1:0.25,0.5', '--set', 'names=1:2=solve'], ['--set', 'phases=PAPI_TOT_INS'],
    ['--only', 'objects=1.1.*', '--memory', '1'],
  ],
  'tests/traces/calls-perf.txt.gz': [['--set', 'fit=segments'], ['--set', 'align=pivot']],
  'uprobe-phases/groups-period.perf-script.txt': [['--set', 'x=task-clock']],
  'made/rapl-8.prv': [['--set', 'refresh=1'], ['--region', 'User function']],
  'made/sets-3.prv': [['--set', 'x=PAPI_TOT_INS'], ['--set', 'outliers=median:1.5']],
};

function* filesIn(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

/** Makes the traces of MADE, and archives of two of the corpus; gives their paths. */
function make() {
  fs.mkdirSync(made, { recursive: true });
  const cargo = ['build', '--locked', '--quiet', '--release', '-p', 'tracefold-generate'];
  execFileSync('cargo', cargo, { cwd: root, stdio: 'inherit' });
  const generate = join(root, 'target/release/tracefold-generate');
  const paths = MADE.map(([shape, seed, ...options]) => {
    const name = `${shape}-${seed}`;
    execFileSync(generate, [shape, '--seed', seed, '--out', made, '--name', name, ...options]);
    return join(made, `${name}.prv`);
  });
  const epoch = join(shared, 'corpus/paraver/epoch');
  if (fs.existsSync(epoch)) {
    const of = (archive, ...files) => {
      execFileSync('tar', ['-caf', join(made, archive), '-C', epoch, ...files]);
      paths.push(join(made, archive));
    };
    of('epoch.tar.gz', 'epoch_4proc.prv.gz', 'epoch_4proc.pcf', 'epoch_4proc.row');
    of('epoch.tar', 'epoch_2proc.prv.gz', 'epoch_2proc.pcf');
  }
  return paths;
}

/** The cases: a name, and the arguments of a fold or of `regions`. */
function cases() {
  const traces = ['static/example.prv.gz', 'tests/traces/calls-perf.txt.gz'];
  for (const folder of ['corpus', 'golden/inputs'].map((name) => join(shared, name)).filter(fs.existsSync)) {
    for (const path of filesIn(folder)) {
      if (/(\.prv|\.extract|\.perf-script\.txt)(\.gz)?$/.test(path)) traces.push(path);
    }
  }
  traces.push(...make());
  return traces.flatMap((path) => {
    const options = Object.entries(OPTIONS).find(([end]) => path.endsWith(end))?.[1] ?? [];
    const name = path.replace(`${shared}/`, '').replace(`${work}/`, '');
    return [
      { name: `regions ${name}`, args: ['regions', path, '--json'] },
      ...[[], ...options].map((more) => ({ name: ['fold', name, ...more].join(' '), args: ['fold', path, ...more] })),
    ];
  });
}

/** Runs a build on a case; gives what it says and writes, by name. */
function answer(program, { args }, out) {
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out, { recursive: true });
  const all = args[0] === 'fold' ? [...args, '--format', 'csv', '--out', out] : args;
  return new Promise((done, failed) => {
    const child = spawn(program, all, { cwd: root });
    const said = { stdout: [], stderr: [] };
    for (const stream of ['stdout', 'stderr']) child[stream].on('data', (bytes) => said[stream].push(bytes));
    child.on('error', failed);
    child.on('close', (code, signal) => {
      for (const stream of ['stdout', 'stderr']) fs.writeFileSync(join(out, stream), Buffer.concat(said[stream]));
      fs.writeFileSync(join(out, 'status'), `${signal ?? code}\n`);
      done(new Map(fs.readdirSync(out).map((name) => [name, fs.readFileSync(join(out, name))])));
    });
  });
}

/** The first line in which two texts differ, as three lines to read. */
function firstDifference(before, after) {
  if (!before || !after) return `    only ${before ? 'before' : 'after'}`;
  const [a, b] = [before, after].map((bytes) => bytes.toString().split('\n'));
  const at = a.findIndex((line, index) => line !== b[index]);
  const line = at < 0 ? a.length : at;
  const shown = (lines) => (lines[line] ?? '(end)').slice(0, 200);
  return `    line ${line + 1}\n    - ${shown(a)}\n    + ${shown(b)}`;
}

async function main([before, after, word = '']) {
  try {
    for (const program of [before, after]) fs.accessSync(program, fs.constants.X_OK);
  } catch {
    console.error('usage: node tests/same-answers.mjs BEFORE AFTER [WORD], two builds of tracefold');
    return 2;
  }
  if (!fs.existsSync(shared)) console.log(`skipped: no corpus at ${shared}; examples and made-up traces only`);
  const programs = { before: resolve(before), after: resolve(after) };
  const chosen = cases().filter(({ name }) => name.includes(word));
  if (chosen.length === 0) {
    console.error(`same answers: no case has ${word} in its name`);
    return 2;
  }
  let [different, files] = [0, 0];
  const statuses = {};
  for (const [index, one] of chosen.entries()) {
    const [old, now] = await Promise.all(
      Object.entries(programs).map(([which, program]) => answer(program, one, join(work, which, `${index}`)))
    );
    const names = [...new Set([...old.keys(), ...now.keys()])].sort();
    const differ = names.filter((name) => !old.get(name)?.equals(now.get(name) ?? Buffer.from('\0')));
    files += names.filter((name) => name.endsWith('.csv')).length;
    const status = old.get('status').toString().trim();
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (differ.length === 0) continue;
    different += 1;
    console.log(`differs: ${one.name} (target/same/{before,after}/${index})`);
    for (const name of differ) console.log(`  ${name}\n${firstDifference(old.get(name), now.get(name))}`);
  }
  const ended = Object.entries(statuses).map(([status, count]) => `${count} with status ${status}`).join(', ');
  console.log(`same answers: ${chosen.length - different} of ${chosen.length} cases alike (${ended}; ${files} CSVs)`);
  return different > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
