// Numbers and names as text: value and unit in, words out.

/** Narrow no-break space: between groups of three digits, and before a unit. */
const THIN = '\u202f';

export function fixed(value: number, decimals = 0) {
  if (!Number.isFinite(value)) return '–';
  const [whole, rest] = Math.abs(value).toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, THIN);
  const text = rest ? `${grouped}.${rest}` : grouped;
  return value < 0 && /[1-9]/.test(text) ? `\u2212${text}` : text;
}

/** So many significant figures, never fewer than the whole digits; trailing zeros are kept. */
export function significant(value: number, figures = 3) {
  if (value === 0) return '0';
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  return fixed(value, Math.max(0, Math.min(12, figures - whole)));
}

/** Milliseconds; microseconds below one, seconds above 100 s. */
export function duration(ms: number) {
  if (!Number.isFinite(ms)) return '–';
  if (ms > 0 && ms < 1) return `${significant(ms * 1000)}${THIN}µs`;
  if (ms > 100_000) return `${fixed(ms / 1000, 1)}${THIN}s`;
  return `${fixed(ms, ms >= 10 ? 1 : 2)}${THIN}ms`;
}

/** A count of events in four figures: `60.09 G`. */
export function count(value: number) {
  const [power, letter] = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M']].find(([power]) => value >= Number(power)) ?? [1, ''];
  if (letter === '') return fixed(value);
  return `${plain(significant(value / Number(power), 4))}${THIN}${letter}`;
}

/** Size of a file: `2.9 MB`. */
export function fileSize(bytes: number) {
  const [power, unit] = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB']].find(([power]) => bytes >= Number(power)) ?? [1, 'bytes'];
  if (power === 1) return `${fixed(bytes)}${THIN}bytes`;
  const size = bytes / Number(power);
  return `${size < 10 ? significant(size, 2) : fixed(size)}${THIN}${unit}`;
}

/** What is still to wait: seconds, from two minutes on minutes. */
export function timeLeft(seconds: number) {
  return seconds < 120 ? `${fixed(Math.ceil(seconds))}${THIN}s` : `${fixed(Math.round(seconds / 60))}${THIN}min`;
}

export function percent(share: number, decimals = 1) {
  return `${fixed(100 * share, decimals)}${THIN}%`;
}

/** The power in which a ratio reads as 1 to 999, and its words. */
export function perInstruction(largest: number) {
  if (largest >= 0.1) return { factor: 1, unit: 'per ins' };
  if (largest >= 1e-4) return { factor: 1e3, unit: 'per 1000 ins' };
  return { factor: 1e6, unit: 'per 10⁶ ins' };
}

/** The name of a region without its type: `User function:main` is `main`. */
export function regionName(region: string) {
  const colon = region.indexOf(':');
  return colon < 0 ? region : region.slice(colon + 1);
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
  const stem = trace.replace(/\.(gz|bz2)$/i, '').replace(/\.(prv|extract|txt)$/i, '');
  const safe = (part: string) => part.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '');
  const parts = [safe(stem), safe(regionName(region))].filter(Boolean).join('.');
  return `${parts.slice(0, 100) || 'tracefold'}${ending}`;
}

function plain(number: string) {
  return number.includes('.') ? number.replace(/\.?0+$/, '') : number;
}
