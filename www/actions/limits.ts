/** More do not read faster than a disk does. */
const MOST_WORKERS = 8;

/** What the engine may use to open a trace: as many workers as there are processors. An address with
 * `?memory=MB` bounds what is kept of a trace, one with `?early=MB` says from which size on there
 * are early pictures; otherwise the engine has its own bounds. */
export function limits(): { workers: number, mostBytes?: number, earlyAboveBytes?: number } {
  const asked = new URLSearchParams(location.search);
  const bytes = (key: string) => Number(asked.get(key)) * 1e6 || undefined;
  const workers = Math.min(navigator.hardwareConcurrency || 1, MOST_WORKERS);
  return { workers, mostBytes: bytes('memory'), earlyAboveBytes: bytes('early') };
}
