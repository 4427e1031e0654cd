/** More do not read faster than a disk does. */
const MOST_WORKERS = 8;

/**
 * What the engine may use to open a trace: as many workers as there are processors and, if the
 * address says `?memory=MB`, so much memory instead of what the engine takes by itself.
 * @returns {{workers: number, mostBytes?: number}}
 */
export function limits() {
  const megabytes = Number(new URLSearchParams(location.search).get('memory'));
  const workers = Math.min(navigator.hardwareConcurrency || 1, MOST_WORKERS);
  return megabytes > 0 ? { workers, mostBytes: megabytes * 1e6 } : { workers };
}
