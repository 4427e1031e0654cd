// What is known of each line of a file: samples, time, rates; and how hot it is.

/**
 * @typedef {import('./code.js').Known} Known
 *
 * @typedef {Object} LineNumbers
 * @property {number} line
 * @property {string} routine
 * @property {number} samples
 * @property {number} ms
 * @property {number} share of the region
 * @property {(number | null)[]} rates events per microsecond, for each counter
 * @property {(number | null)[]} perInstruction
 *
 * @typedef {'time' | string} Heat `time`, or a counter: its rate if it counts instructions, else its
 *   events per instruction
 */

/** Steps of the heat sequence. */
const STEPS = 8;

/**
 * The lines of one file by number. A line that is in several routines, as code that was inlined
 * is, has the sum of their times and the mean of their rates.
 * @param {Known} code
 * @param {string} file
 * @returns {Map<number, LineNumbers>}
 */
export function linesOfFile(code, file) {
  /** @type {Map<number, LineNumbers>} */
  const lines = new Map();
  for (const row of code.lines) {
    if (row.file !== file) continue;
    const before = lines.get(row.line);
    lines.set(row.line, before ? together(before, row) : { ...row });
  }
  return new Map([...lines].sort(([a], [b]) => a - b));
}

/** @type {(a: LineNumbers, b: LineNumbers) => LineNumbers} */
function together(a, b) {
  const mean = (/** @type {number | null} */ x, /** @type {number | null} */ y) => {
    if (x === null || y === null) return x ?? y;
    const ms = a.ms + b.ms;
    return ms > 0 ? (x * a.ms + y * b.ms) / ms : x;
  };
  return {
    line: a.line,
    routine: a.ms >= b.ms ? a.routine : b.routine,
    samples: a.samples + b.samples,
    ms: a.ms + b.ms,
    share: a.share + b.share,
    rates: a.rates.map((rate, i) => mean(rate, b.rates[i])),
    perInstruction: a.perInstruction.map((ratio, i) => mean(ratio, b.perInstruction[i])),
  };
}

/**
 * Every file of a folding, by its time, most first. Lines without a file are one file without name.
 * @param {Known} code
 * @returns {{file: string, ms: number, line: number}[]} with its line of most time
 */
export function filesOf(code) {
  /** @type {Map<string, {file: string, ms: number, line: number, most: number}>} */
  const files = new Map();
  for (const { file, line, ms } of code.lines) {
    const known = files.get(file) ?? { file, ms: 0, line, most: -1 };
    files.set(file, { file, ms: known.ms + ms, ...(ms > known.most ? { line, most: ms } : { line: known.line, most: known.most }) });
  }
  return [...files.values()].sort((a, b) => b.ms - a.ms);
}

/**
 * How hot each line is, 1 to 8: the rank of its value among the lines, times its time, both as
 * shares of the largest. Instructions are hot where there are few in a microsecond.
 * @param {Map<number, LineNumbers>} lines
 * @param {Heat} heat
 * @param {Known['counters']} counters
 * @returns {Map<number, number>}
 */
export function heatOf(lines, heat, counters) {
  const index = counters.findIndex(({ counter }) => counter === heat);
  const isSlow = counters[index]?.instructions ?? false;
  const all = [...lines.values()];
  const valueOf = (/** @type {LineNumbers} */ row) => (index < 0 ? row.ms : isSlow ? negative(row.rates[index]) : row.perInstruction[index]);
  const values = all.map(valueOf).filter((value) => value !== null).sort((a, b) => a - b);
  const longest = Math.max(0, ...all.map(({ ms }) => ms));
  return new Map(all.flatMap((row) => {
    const value = valueOf(row);
    if (value === null || longest === 0) return [];
    const rank = (values.findLastIndex((other) => other <= value) + 1) / values.length;
    return [/** @type {[number, number]} */ ([row.line, Math.max(1, Math.ceil(STEPS * rank * (row.ms / longest)))])];
  }));
}

/** @param {number | null} value */
function negative(value) {
  return value === null ? null : -value;
}

/**
 * Time of every place in each phase: a sample stands for half of the gap to its neighbours on
 * either side.
 * @param {import('../tracefold.js').SampledLines} sampled
 * @param {{start: number, end: number}[]} phases in order
 * @returns {Map<number, number>[]} for each phase, share of the region by place
 */
export function placesOfPhases({ x, place }, phases) {
  const times = phases.map(() => /** @type {Map<number, number>} */ (new Map()));
  let phase = 0;
  for (let i = 0; i < x.length; i += 1) {
    while (phase < phases.length && x[i] >= phases[phase].end && phase < phases.length - 1) phase += 1;
    if (phase >= phases.length || x[i] < phases[phase].start) continue;
    const from = i === 0 ? 0 : (x[i - 1] + x[i]) / 2;
    const to = i === x.length - 1 ? 1 : (x[i] + x[i + 1]) / 2;
    times[phase].set(place[i], (times[phase].get(place[i]) ?? 0) + to - from);
  }
  return times;
}
