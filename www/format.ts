// What the page says of itself: sizes of files, progress, counts. What it says of a folding comes from
// the painter as text.

/** Narrow no-break space: between groups of three digits, and before a unit. */
const THIN = '\u202f';

/** A whole number in groups of three digits. */
export function fixed(value: number): string {
  return value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, THIN);
}

/** Size of a file: `2.9 MB`. */
export function fileSize(bytes: number) {
  const [power, unit] = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB']].find(([power]) => bytes >= Number(power)) ?? [1, 'bytes'];
  if (power === 1) return `${fixed(bytes)}${THIN}bytes`;
  const size = bytes / Number(power);
  return `${size < 10 ? size.toFixed(1) : fixed(size)}${THIN}${unit}`;
}

/** What is still to wait: seconds, from two minutes on minutes. */
export function timeLeft(seconds: number) {
  return seconds < 120 ? `${fixed(Math.ceil(seconds))}${THIN}s` : `${fixed(Math.round(seconds / 60))}${THIN}min`;
}

export function percent(share: number) {
  return `${fixed(100 * share)}${THIN}%`;
}

/** The name of a region without its type: `User function:main` is `main`. */
export function regionName(region: string) {
  const colon = region.indexOf(':');
  return colon < 0 ? region : region.slice(colon + 1).trimStart();
}

/** The type of a region: `User function:main` is of `User function`. */
export function regionType(region: string) {
  const colon = region.indexOf(':');
  return colon < 0 ? '' : region.slice(0, colon);
}

/** One word or two: `1 notice`, `2 notices`. */
export function counted(n: number, word: string) {
  return `${fixed(n)} ${word}${n === 1 ? '' : 's'}`;
}

/** A name under which anything can be saved anywhere: from the trace, the region and the kind. */
export function fileName(trace: string, region: string, ending: string) {
  const stem = trace.replace(/\.(gz|bz2)$/i, '').replace(/\.(prv|extract|txt|otf2)$/i, '');
  const safe = (part: string) => part.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '');
  const parts = [safe(stem), safe(regionName(region))].filter(Boolean).join('.');
  return `${parts.slice(0, 100) || 'tracefold'}${ending}`;
}
