// Runs of a made-up loop: phases of given lengths and rates, instances that vary, samples at places that
// do not repeat. What is compared is known.

const TYPES = { instructions: 42000050, cycles: 42000059, misses: 42000007 };
/** Cycles in a millisecond, of a clock that does not change. */
const CYCLES_PER_MS = 2.4e6;

/**
 * @typedef {object} Phase
 * @property {string} routine
 * @property {number} ms
 * @property {number} mips
 * @property {number} misses in 1000 instructions
 */

/** @type {Phase[]} */
export const PHASES = [
  { routine: 'copy', ms: 14, mips: 3600, misses: 20 },
  { routine: 'scale', ms: 13, mips: 4200, misses: 54 },
  { routine: 'add', ms: 18, mips: 3300, misses: 30 },
  { routine: 'triad', ms: 19, mips: 3800, misses: 28 },
];

/** Uniform in 0 to 1, the same for the same seed (Marsaglia's xorshift). */
function random(seed) {
  let state = seed * 2654435761 >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/**
 * @param {object} options
 * @param {number} options.seed
 * @param {Phase[]} [options.phases]
 * @param {string} [options.region]
 * @param {number} [options.instances]
 * @param {number} [options.samples] in each instance
 * @returns {{ prv: string, pcf: string }}
 */
export function loop({ seed, phases = PHASES, region = 'work', instances = 150, samples = 7 }) {
  const next = random(seed);
  const lines = [];
  let time = 1000;
  const record = (pairs) => lines.push(`2:1:1:1:1:${Math.round(time)}:${pairs.join(':')}`);
  for (let instance = 0; instance < instances; instance += 1) {
    const own = phases.map((phase) => ({ ...phase, ns: 1e6 * phase.ms * (1 + 0.006 * (next() - 0.5)) }));
    const whole = own.reduce((sum, { ns }) => sum + ns, 0);
    const begin = time;
    const zero = Object.values(TYPES).map((type) => `${type}:0`);
    record(['60000019:1', ...zero]);
    const places = Array.from({ length: samples }, (_, at) => ((at + next()) / samples) * whole).sort((a, b) => a - b);
    let before = { instructions: 0, cycles: 0, misses: 0 };
    const counted = (ns) => {
      const now = { instructions: 0, cycles: (CYCLES_PER_MS * ns) / 1e6, misses: 0 };
      let start = 0;
      for (const phase of own) {
        const inside = Math.min(Math.max(ns - start, 0), phase.ns);
        // Millions a second are events in a µs.
        now.instructions += (phase.mips * phase.ms * 1e3 * inside) / phase.ns;
        now.misses += (phase.mips * phase.ms * phase.misses * inside) / phase.ns;
        start += phase.ns;
      }
      const pairs = Object.entries(TYPES).map(([name, type]) => `${type}:${Math.max(Math.round(now[name] - before[name]), 0)}`);
      before = now;
      return pairs;
    };
    for (const place of places) {
      let start = 0;
      const at = own.findIndex(({ ns }) => (start += ns) > place) + 1 || own.length;
      time = begin + place;
      record([`30000000:${at}`, `30000100:${at}`, ...counted(place)]);
    }
    time = begin + whole;
    record(['60000019:0', ...counted(whole)]);
    time += 2e6;
  }
  const prv = `#Paraver (01/01/2026 at 00:00):${Math.round(time)}_ns:1(1):1:1(1:1),0\n${lines.join('\n')}\n`;
  const values = (of) => phases.map(({ routine }, at) => `${at + 1}   ${of(routine, at)}`).join('\n');
  const pcf = `EVENT_TYPE
7    42000050    PAPI_TOT_INS [Instr completed]
7    42000059    PAPI_TOT_CYC [Total cycles]
7    42000007    PAPI_L2_TCM [Level 2 cache misses]

EVENT_TYPE
0    60000019    User function
VALUES
0   End
1   ${region}

EVENT_TYPE
0    30000000    Sampled functions
VALUES
0   End
${values((routine) => routine)}

EVENT_TYPE
0    30000100    Sampled line functions
VALUES
0   End
${values((_, at) => `${10 * (at + 1)} (loop.c)`)}
`;
  return { prv, pcf };
}

/** The phases with one of them slower, by a factor, at the same work. */
export function slower(at, factor) {
  return PHASES.map((phase, i) => (i === at ? { ...phase, ms: phase.ms * factor, mips: phase.mips / factor } : phase));
}
