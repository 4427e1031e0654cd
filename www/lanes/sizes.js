// Where lanes lie: gutters, heights. CSS pixels; style.css has the same gutters for the headers.

/** Below this width of the window the narrow rules hold. */
const NARROW = 600;

/** Header, facts, status bar, time axis, lane headers and gaps, which the lanes leave free. */
const AROUND = 44 + 32 + 26 + 28 + 24 + 24 + 8 + 8;

/** @param {number} windowWidth */
export function gutters(windowWidth) {
  return windowWidth < NARROW ? { left: 32, right: 50 } : { left: 112, right: 68 };
}

/** Height of the time axis. */
export const AXIS = 28;

/**
 * Heights of the lanes for a window. With one counter alone the source lane keeps its names only,
 * and the samples get more than the rate.
 * @param {{width: number, height: number}} window
 * @param {{alone: boolean, hasSource: boolean}} shown
 * @returns {{source: number, performance: number, samples: number}}
 */
export function laneHeights({ width, height }, { alone, hasSource }) {
  const narrow = width < NARROW;
  const free = narrow ? 460 : Math.max(440, height - AROUND);
  if (!alone) {
    const source = hasSource ? Math.round(free * (narrow ? 0.24 : 0.28)) : 0;
    return { source, performance: free - source, samples: 0 };
  }
  const source = hasSource ? 34 : 0;
  const rest = free - source - 32;
  const performance = Math.round(rest * 0.38);
  return { source, performance, samples: rest - performance };
}
