// A folding with many counters, of which it is known how far each moves with cycles per instruction.

import { phased } from './phased.mjs';

const BORDERS = [0.15, 0.3, 0.5, 0.7, 0.85];

/** Cycles per instruction in each phase. */
const SLOW = [0.5, 1.4, 0.7, 1.1, 0.6, 0.9];

/** What has nothing to do with them: over the six phases, each as long as it is, r² is under .1. */
const OTHER = [1.2, 1, 0.8, 1.1, 1.3, 0.9];

/** The four that move most with cycles per instruction, in this order. */
export const TELLING = ['PAPI_RES_STL', 'PAPI_L1_DCM', 'PAPI_L2_DCM', 'PAPI_L3_TCM'];

/**
 * Instructions, cycles, the four that tell most, and others: `count` counters in all.
 *
 * @param {any} folding as it stands in `folding.json`
 * @param {{ count?: number, name?: (index: number) => string, group?: object, borders?: number[] }} [how]
 */
export function withCounters(folding, { count = 28, name = (index) => `OTHER_${index}`, group = {}, borders = BORDERS } = {}) {
  const edges = [0, ...BORDERS, 1];
  const rates = (ratios) => (points) => Array.from({ length: points }, (_, j) => {
    const phase = edges.findLastIndex((edge) => edge <= j / (points - 1));
    return 2000 * ratios[Math.min(phase, SLOW.length - 1)];
  });
  const told = TELLING.map((counter, i) => ({ counter, ratios: SLOW.map((slow, phase) => [0.4, 0.05, 0.02, 0.01][i] * (slow + 0.1 * i * OTHER[phase])) }));
  const all = [
    { counter: 'PAPI_TOT_INS', ratios: SLOW.map(() => 1) },
    { counter: 'PAPI_TOT_CYC', ratios: SLOW },
    ...Array.from({ length: count - 6 }, (_, i) => ({ counter: name(i), ratios: OTHER.map((other, phase) => 0.3 / 2 ** (i % 9) * (other + 0.01 * ((i * phase) % 7))) })),
    // Last in the trace: it is not their place that they are shown for.
    ...told,
  ];
  const groups = folding.groups.map((of) => {
    const [model] = of.curves;
    const curves = all.map(({ counter, ratios }) => {
      const rate = rates(ratios)(model.rate.length);
      const mean = rate.reduce((sum, value) => sum + value, 0) / rate.length;
      return { ...model, counter, description: '', instructions: counter === 'PAPI_TOT_INS', rate, rate_band: [], mean_rate: mean, mean_count: 1e6 * mean, joules: undefined };
    });
    return { ...of, curves, samples: 1000 };
  });
  return phased({ ...folding, groups }, { borders, group: { sparse: [], ...group } });
}
