// Traces for the browser tests: the real ones of the shared folder, where it is, and small ones
// that are written here.

import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

export const SHARED = process.env.TRACEFOLD_SHARED || '';
/** Paraver traces that are not ours. */
export const corpus = path.join(SHARED, 'corpus/paraver');
const NAMD = path.join(corpus, 'namd');

/** What to tell `node:test` where the shared folder is absent: a reason to skip, or `false`. */
export const withoutShared = SHARED && existsSync(NAMD)
  ? false
  : `no corpus at ${SHARED || 'TRACEFOLD_SHARED, which is not set'}`;

export const namd = ['prv', 'pcf', 'row'].map((kind) => path.join(NAMD, `444.namd.${kind}`));

/** The settings with which the reference tool was run on namd. */
export const PUBLISHED =
  'nugget=0.0001&ends=soft&group=none&outliers=median:1.5&select=distance:500';

/**
 * MIPS of namd as published, at folded time `x`: the reference's slope, which is 1.001 times the
 * derivative and stands at j/999 (its own column says j/1000).
 *
 * @param {number} x
 */
export function publishedMips(x) {
  const folder = path.join(SHARED, 'golden/namd-published-dist500');
  const text = gunzipSync(readFileSync(path.join(folder, '444.namd.codeblocks.fused.any.any.any.slope.csv.gz'))).toString();
  const slopes = new Map(
    text.split('\n')
      .map((line) => line.split(';'))
      .filter(([, , counter]) => counter === 'PAPI_TOT_INS')
      .map(([, , , at, mips]) => [Math.round(Number(at) * 1000), Number(mips)]),
  );
  const below = Math.floor(x * 999);
  const share = x * 999 - below;
  return ((1 - share) * slopes.get(below) + share * slopes.get(below + 1)) / 1.001;
}

const LABELS = `EVENT_TYPE
0    60000019    User function
VALUES
0   End
1   ROUTINE

EVENT_TYPE
7  42000050 (PAPI_TOT_INS) Instr completed
7  42000059 (PAPI_TOT_CYC) Total cycles
7  42000007 (PAPI_L2_TCM) L2 cache misses

EVENT_TYPE
0    30000000    Sampled functions
VALUES
0   End
1   ROUTINE

EVENT_TYPE
0    30000100    Sampled line functions
VALUES
0   End
1   12 (FILE)
2   17 (FILE)
`;

/**
 * The text of a small trace: one thread that runs one routine again and again, sampled.
 *
 * @param {object} options
 * @param {number} [options.instances]
 * @param {number} [options.samples] in each instance
 * @param {number} [options.duration] of an instance, ns
 * @param {string[]} [options.totals] events in an instance: instructions, cycles, misses
 * @param {string} [options.routine]
 * @param {string} [options.file]
 */
export function smallTrace({
  instances = 12, samples = 9, duration = 1_000_000, totals = ['2000000', '3000000', '900'],
  routine = 'work', file = 'work.c',
} = {}) {
  const types = [42000050, 42000059, 42000007];
  const lines = [];
  const moment = (time, ...pairs) => lines.push(`2:1:1:1:1:${time}:${pairs.join(':')}`);
  const counts = (share) => types.map((type, i) => `${type}:${(BigInt(totals[i]) * BigInt(share)) / 1_000_000n}`);
  let time = 1000;
  for (let instance = 0; instance < instances; instance += 1) {
    if (instance > 0) time += duration;
    moment(time, '60000019:1', ...counts(0));
    let done = 0;
    for (let sample = 0; sample < samples; sample += 1) {
      // Spread over the instance by a fixed step that never repeats, ascending within it.
      const place = (sample + ((instance * 0.618) % 1)) / samples;
      const share = Math.floor(1e6 * place * place) - done;
      done += share;
      const at = time + Math.max(1, Math.floor(place * duration));
      moment(at, '30000000:1', `30000100:${place < 0.5 ? 1 : 2}`, ...counts(share));
    }
    time += duration;
    moment(time, '60000019:0', ...counts(1e6 - done));
  }
  const prv = `#Paraver (01/01/2026 at 00:00):${time}_ns:1(1):1:1(1:1),0\n${lines.join('\n')}\n`;
  const pcf = LABELS.replaceAll('ROUTINE', routine).replaceAll('FILE', file);
  return { prv, pcf };
}

/**
 * Memory samples of the same program, as `perf script` prints them: made up, on a clock that shows
 * 500 s more, with markers of the routine. One load in each instance, a third of the way.
 *
 * @param {object} options
 * @param {number} [options.instances]
 * @param {number} [options.duration] of an instance, ns
 * @param {string} [options.routine]
 */
export function memorySamples({ instances = 12, duration = 1_000_000, routine = 'work' } = {}) {
  const decoded = '|OP LOAD|LVL L3 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A';
  const lines = [];
  const record = (ns, what) => {
    const seconds = 500 + Math.floor(ns / 1e9);
    lines.push(`app 4711/4711 [000] ${seconds}.${String(ns % 1e9).padStart(9, '0')}: ${what}`, '');
  };
  for (let instance = 0; instance < instances; instance += 1) {
    const begin = 1000 + 2 * instance * duration;
    const address = (0x7f5a0000 + 64 * instance).toString(16);
    record(begin, `probe_app:${routine}: (401136)`);
    record(begin + Math.floor(duration / 3), `1 cpu/mem-loads,ldlat=30/P: ${address} 68100842 ${decoded} 57 401136 ${routine}+0x1c (/a/app)`);
    record(begin + duration, `probe_app:${routine}_ret__return: (401190 <- 401136)`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Writes a trace into `folder`.
 *
 * @param {string} folder
 * @param {string} name without its ending
 * @param {{ prv: string | Buffer, pcf?: string }} trace
 * @returns {Promise<string[]>} the files
 */
export async function write(folder, name, { prv, pcf }) {
  const files = [[path.join(folder, `${name}.prv`), prv], [path.join(folder, `${name}.pcf`), pcf]]
    .filter(([, text]) => text !== undefined);
  for (const [file, text] of files) await writeFile(file, text);
  return files.map(([file]) => file);
}
