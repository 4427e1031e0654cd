// Accumulates and merges traces of gigabytes in parts, by one and by two workers at a time, and measures time and
// the most memory of a worker; prints a table. LARGE_MB makes the large one smaller.

import { mkdirSync, rmSync, statSync } from 'node:fs';
import { FOLDER, generated, measured, run } from './processes.mjs';

const LARGE_MB = Number(process.env.LARGE_MB ?? 4000);
const COMMAND = 'target/release/tracefold';
const REGION = 'User function:step';
const OUT = `${FOLDER}/parts`;

/** So many parts of a trace, by so many workers at a time: seconds, and the most memory that one took. */
async function accumulated(trace, parts, workers) {
  const start = performance.now();
  let next = 1;
  let peak = 0;
  const work = async () => {
    while (next <= parts) {
      const part = next;
      next += 1;
      const words = [`${trace}.prv`, '--region', REGION, '--part', `${part}/${parts}`, '--threads', '1', '-o', `${OUT}/${part}.part`];
      peak = Math.max(peak, (await measured(COMMAND, ['accumulate', ...words])).peak);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return { wall: (performance.now() - start) / 1000, peak };
}

const files = (parts) => Array.from({ length: parts }, (_, at) => `${OUT}/${at + 1}.part`);

run('cargo', 'build', '--locked', '--release', '-p', 'tracefold', '--bin', 'tracefold');
const rows = [];
for (const [megabytes, parts] of [[1000, 4], [LARGE_MB, 16]]) {
  const trace = generated(megabytes);
  mkdirSync(OUT, { recursive: true });
  // Each once before, so that the file lies in memory for both.
  await accumulated(trace, parts, 2);
  const two = await accumulated(trace, parts, 2);
  const one = await accumulated(trace, parts, 1);
  const bytes = files(parts).reduce((sum, file) => sum + statSync(file).size, 0);
  const merged = await measured(COMMAND, ['merge', ...files(parts), '--partial', `${OUT}/all.part`]);
  const folded = await measured(COMMAND, ['merge', `${OUT}/all.part`, '--out', `${OUT}/out`, '--format', 'json']);
  const whole = await measured(COMMAND, ['fold', `${trace}.prv`, `${trace}.pcf`, '--region', REGION, '--threads', '2', '--out', `${OUT}/whole`, '--format', 'json']);
  // As a pipe would bring it, at once; with less memory it is thinned.
  const coming = [];
  for (const [at, limit] of ['', '--memory 64'].entries()) {
    const words = `accumulate - ${trace}.pcf --name run.prv --region '${REGION}' --every 1 ${limit} -o ${OUT}/coming-${at}`;
    coming.push({ ...(await measured('sh', ['-c', `exec ${COMMAND} ${words} < ${trace}.prv`])), bytes: statSync(`${OUT}/coming-${at}`).size });
  }
  rows.push({ megabytes, parts, coming, one, two, bytes, merged, folded, whole, all: statSync(`${OUT}/all.part`).size });
  rmSync(OUT, { recursive: true, force: true });
}

const row = (name, of) => `| ${name} | ${rows.map(of).join(' | ')} |`;
const seconds = (time) => `${time.toFixed(1)} s`;
const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
const came = ({ wall, peak, bytes }) => `${seconds(wall)}, ${mb(peak)} of memory, a part of ${mb(bytes)}`;
console.log(`## Parts of a fold

Generated traces, by bytes, one thread a worker; merged into one part, which is folded, beside the fold of the whole by two threads.

${row('', ({ megabytes, parts }) => `${(megabytes / 1000).toFixed(1)} GB in ${parts} parts`)}
| --- | ${rows.map(() => '---:').join(' | ')} |
${row('one worker', ({ one }) => seconds(one.wall))}
${row('two workers', ({ one, two }) => `${seconds(two.wall)} (${(one.wall / two.wall).toFixed(2)} ×)`)}
${row('most memory of a worker', ({ one, two }) => mb(Math.max(one.peak, two.peak)))}
${row('all parts', ({ bytes }) => mb(bytes))}
${row('as it comes, written every second', ({ coming: [own] }) => came(own))}
${row('the same, at most 64 MB kept', ({ coming: [, less] }) => came(less))}
${row('merged', ({ merged }) => `${seconds(merged.wall)}, ${mb(merged.peak)} of memory`)}
${row('the merged part', ({ all }) => mb(all))}
${row('folded and written', ({ folded }) => `${seconds(folded.wall)}, ${mb(folded.peak)} of memory`)}
${row('the whole folded and written', ({ whole }) => `${seconds(whole.wall)}, ${mb(whole.peak)} of memory`)}

Goals: two workers at least 1.7 × one on 1 GB; at most 300 MB a worker on 4 GB; the merged part of it at most 100 MB.`);
