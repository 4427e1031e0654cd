// A folding with phases, bands and doubts, made of that of the example: what an engine would give.

/** Phases of the example's made-up region, as shares of it. */
export const BORDERS = [0.22, 0.425, 0.7];

/**
 * @param {any} folding as it stands in `folding.json`
 * @param {{ borders?: number[], names?: string[], group?: object, region?: string }} [how] `group`:
 *   fields of every group that are other
 */
export function phased(folding, { borders = BORDERS, names = [], group: others = {}, region } = {}) {
  const edges = [0, ...borders, 1];
  const phases = edges.slice(1).map((end, i) => ({ start: edges[i], end, name: names[i] ?? '', place: i }));
  const groups = folding.groups.map((group) => ({
    ...group,
    curves: group.curves.map((curve) => ({
      ...curve,
      rate_band: curve.rate.map((rate) => 0.05 * Math.abs(rate) + 1e-9),
      phases: phases.map(({ start, end }) => {
        const inside = curve.rate.filter((_, j) => j / (curve.rate.length - 1) >= start && j / (curve.rate.length - 1) < end);
        const rate = inside.reduce((sum, value) => sum + value, 0) / inside.length;
        return { rate, half_width: 0.01 * rate };
      }),
      own_breaks: borders.slice(0, 1),
    })),
    phases: phases.map((phase) => ({ ...phase, place: Math.min(phase.place, group.places.length - 1) })),
    breaks: borders.map((at) => ({ at, half_width: 0.004, changed: [0, 1], by_hand: false })),
    fit: { kind: 'segments', error_ratio: 0.54, breaks_bic: borders.length, breaks_cross_validation: borders.length, uncertain: false },
    density: Array.from({ length: 100 }, () => 5),
    ...others,
  }));
  return { ...folding, region: region ?? folding.region, groups };
}
