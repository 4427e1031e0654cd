// Archives of OTF2, written here: ranks that pass through a routine with samples in it, and call MPI between.

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const CHUNK_BYTES = 1 << 18;
const [ENTER, LEAVE, METRIC, SAMPLE] = [12, 13, 31, 68];
const UNDEFINED = 0xffffffff;

const whole = (number) => [...new Uint8Array(new BigUint64Array([BigInt(number)]).buffer)];
const text = (words) => [...new TextEncoder().encode(words), 0];

/** A number in as many bytes as it takes. */
function number(of) {
  if (of === UNDEFINED) return [255];
  const bytes = whole(of);
  while (bytes.length > 0 && bytes.at(-1) === 0) bytes.pop();
  return [bytes.length, ...bytes];
}

/** Records in chunks. */
class Records {
  #chunks = [];
  #bytes = [];
  #ticks = -1;
  count = 0;

  constructor() {
    this.#begin();
  }

  #begin() {
    this.#bytes = [3, 0x42, ...whole(0), ...whole(0)];
    this.#chunks.push(this.#bytes);
    this.#ticks = -1;
  }

  add(id, body) {
    this.count += 1;
    if (this.#bytes.length + body.length + 20 > CHUNK_BYTES) {
      while (this.#bytes.length < CHUNK_BYTES) this.#bytes.push(0);
      this.#begin();
    }
    this.#bytes.push(id, body.length, ...body);
  }

  event(ticks, id, body) {
    if (this.#bytes.length + body.length + 40 > CHUNK_BYTES) {
      while (this.#bytes.length < CHUNK_BYTES) this.#bytes.push(0);
      this.#begin();
    }
    if (ticks !== this.#ticks) this.#bytes.push(5, ...whole(ticks));
    this.#ticks = ticks;
    // Enter and Leave are their number alone.
    this.#bytes.push(id, ...(id === ENTER || id === LEAVE ? [] : [body.length]), ...body);
  }

  finish() {
    this.#bytes.push(2, 1);
    return Buffer.concat(this.#chunks.map((chunk) => Buffer.from(chunk)));
  }
}

/**
 * The files of an archive, by their paths in its folder.
 *
 * @param {object} options
 * @param {number} [options.ranks]
 * @param {number} [options.instances] of each rank
 * @param {boolean} [options.hasPower] whether the power of the first rank is read beside it, every 0.1 ms
 */
export function archive({ ranks = 2, instances = 12, hasPower = false } = {}) {
  const strings = [];
  const definitions = new Records();
  const string = (words) => {
    if (!strings.includes(words)) {
      definitions.add(10, [...number(strings.length), ...text(words)]);
      strings.push(words);
    }
    return number(strings.indexOf(words));
  };
  definitions.add(5, [...number(1e9), ...number(1000), ...number(0)]);
  [['work', 2, 1, 'work.c'], ['MPI_Allreduce', 4, 26, '']].forEach(([name, paradigm, role, file], region) => {
    const names = [string(name), string(name), [0], string(file)].flat();
    definitions.add(15, [...number(region), ...names, ...number(7), ...number(9), ...string(name), role, paradigm, ...number(0)]);
  });
  const counters = ['PAPI_TOT_INS', 'PAPI_TOT_CYC', 'PAPI_L2_TCM'];
  counters.forEach((name, member) => {
    definitions.add(19, [...number(member), ...string(name), ...string(name), 0, 0, 4, 1, ...number(0), ...string('#')]);
  });
  definitions.add(20, [...number(0), counters.length, ...counters.flatMap((_, member) => number(member)), 0, 0]);
  definitions.add(33, [...number(0), ...string('work.c'), ...number(12)]);
  definitions.add(34, [...number(0), ...number(0), ...number(0), ...number(UNDEFINED)]);
  const files = {};
  for (let rank = 0; rank < ranks; rank += 1) {
    const events = new Records();
    const sums = [0, 0, 0];
    let time = 2000 + 10 * rank;
    const moment = (id, fields, counted) => {
      counted.forEach((count, at) => (sums[at] += count));
      events.event(time, METRIC, [...number(0), 3, ...sums.flatMap((sum) => [4, ...number(sum)])]);
      events.event(time, id, fields.flatMap(number));
    };
    for (let instance = 0; instance < instances; instance += 1) {
      moment(ENTER, [0], [0, 0, 0]);
      for (let sample = 0; sample < 3; sample += 1) {
        time += 200_000 + ((instance * 61_803) % 99_991);
        moment(SAMPLE, [0, 1, 0], [400_000 * (3 - sample), 500_000, 90 * sample]);
      }
      time += 300_000;
      moment(LEAVE, [0], [300_000, 500_000, 270]);
      moment(ENTER, [1], [0, 0, 0]);
      time += 40_000 + 500 * rank;
      moment(LEAVE, [1], [20_000, 80_000, 2]);
    }
    definitions.add(13, [...number(rank), ...string(`rank ${rank}`), 1, ...number(UNDEFINED), ...number(UNDEFINED)]);
    definitions.add(14, [...number(rank), ...string('Master thread'), 1, ...number(12 * instances), ...number(rank)]);
    files[`traces/${rank}.evt`] = events.finish();
    files[`traces/${rank}.def`] = new Records().finish();
  }
  if (hasPower) {
    const float = (value) => new BigUint64Array(new Float64Array([value]).buffer)[0];
    definitions.add(19, [...number(3), ...string('power'), ...string('of the package'), 0, 0x11, 10, 1, ...number(0), ...string('W')]);
    definitions.add(20, [...number(1), 1, ...number(3), 2, 0]);
    definitions.add(14, [...number(100), ...string('power'), 3, ...number(0), ...number(0)]);
    const events = new Records();
    for (let reading = 0; reading < 20 * instances; reading += 1) events.event(1000 + 100_000 * reading, METRIC, [...number(1), 1, 10, ...number(float(50 + 10 * (reading % 10)))]);
    files['traces/100.evt'] = events.finish();
    files['traces/100.def'] = new Records().finish();
  }
  const sizes = [...whole(CHUNK_BYTES), ...whole(CHUNK_BYTES)];
  const anchor = [3, 0x42, ...text('OTF2'), 3, 2, 3, 0, 2, ...sizes, 1, 1, ...whole(ranks), ...whole(definitions.count), ...text('m'), ...text('made up'), ...text('')];
  files['traces.otf2'] = Buffer.from([...anchor, 0, 0, 0, 0, ...whole(1), 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0]);
  files['traces.def'] = definitions.finish();
  return files;
}

/** Writes them into a folder; its path. */
export async function writeArchive(folder, files) {
  await mkdir(path.join(folder, 'traces'), { recursive: true });
  for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes);
  return folder;
}
