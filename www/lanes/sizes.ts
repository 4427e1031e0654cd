// Where lanes lie: gutters, heights. CSS pixels; style.css has the same gutters for the headers.

export const LANES = ['activity', 'source', 'address', 'performance', 'gauge', 'samples'] as const;

export type LaneName = (typeof LANES)[number];

export type PlotName = LaneName | 'rail' | 'density';

/** Lengths that only the browser knows; `above` is what stands over the canvas of a lane. */
export interface Measured {
  window: number;
  width: number;
  column: number;
  status: number;
  above: Record<LaneName, number>;
}

/** Where canvases begin, below the top of all lanes; none of a lane that is not there. */
export type Tops = Partial<Record<PlotName | 'axis', number>>;

/** Below this width of the window the narrow rules hold. */
const NARROW = 600;

/** Below this width the panel lies under the lanes and the page scrolls. */
const SCROLLS = 900;

export function isNarrow(windowWidth: number) {
  return windowWidth < NARROW;
}

export function gutters(windowWidth: number) {
  return isNarrow(windowWidth) ? { left: 32, right: 50 } : { left: 112, right: 68 };
}

/** Height of the time axis. */
export const AXIS = 28;

/** Height of the rail of phases above the lanes, and of the strip of samples below them. */
export const RAIL = 22;
export const DENSITY = 12;

/** Lanes lower than this together cannot be read: the page scrolls instead. */
const LOWEST = 440;

/** From one lane to the next. */
export const GAP = 8;

/** From the last lane to the strip. */
const BELOW = 6;

/** Rail, strip and time axis, and the gap between two lanes. */
const AROUND = RAIL + DENSITY + BELOW + AXIS + GAP;

/** Height that all lanes share. Where the page scrolls it is fixed; elsewhere it is what status and
 * the headers of lanes leave of the column. */
export function freeHeight({ window, column, status, above }: Measured) {
  if (window < SCROLLS) return LOWEST;
  const heads = LANES.map((name) => above[name]).filter((height) => height > 0);
  const taken = heads.reduce((sum, height) => sum + height, GAP * Math.max(0, heads.length - 2));
  return Math.max(LOWEST, column - AROUND - status - taken);
}

/** What decides which lanes there are. */
interface Shows { alone: boolean, hasActivity: boolean, hasSource: boolean, hasAddress: boolean, hasGauge: boolean }

/** Heights of the lanes. With one counter alone the source lane keeps its names only, activity,
 * addresses and gauges leave, and the samples get more than the rate. */
export function laneHeights(free: number, { alone, hasActivity, hasSource, hasAddress, hasGauge }: Shows): Record<LaneName, number> {
  if (!alone) {
    const activity = hasActivity ? Math.round(free * 0.2) : 0;
    const gauge = hasGauge ? Math.round(free * 0.14) : 0;
    const rest = free - activity - gauge;
    const source = hasSource ? Math.round(rest * (hasAddress ? 0.22 : 0.27)) : 0;
    const address = hasAddress ? Math.round((rest - source) / 2) : 0;
    return { activity, source, address, performance: rest - source - address, gauge, samples: 0 };
  }
  const source = hasSource ? 34 : 0;
  const performance = Math.round((free - source) * 0.38);
  return { activity: 0, source, address: 0, performance, gauge: 0, samples: free - source - performance };
}

/** A lane lies below what stands over it, and that below the lane before. */
export function laneTops(above: Record<LaneName, number>, heightOf: (name: LaneName) => number): Tops {
  const tops: Tops = { rail: 0 };
  let bottom = RAIL;
  for (const name of LANES) {
    if (heightOf(name) === 0) continue;
    const isFirst = name === 'activity' || (name === 'source' && tops.activity === undefined);
    tops[name] = bottom + (isFirst ? 0 : GAP) + above[name];
    bottom = tops[name] + heightOf(name);
  }
  return { ...tops, density: bottom + BELOW, axis: bottom + BELOW + DENSITY };
}
