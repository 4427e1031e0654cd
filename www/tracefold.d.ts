// The values that page, painter and engine exchange. The two WebAssembly modules themselves are in
// `wasm/`.

export type Settings = Record<string, string>;

/** What reading reports: bytes or steps `done` of `total` in a named phase. */
export interface Progress {
  phase: string;
  done: number;
  total: number;
}

/** A picture of the part read so far: an encoded folding, and the share of the trace it is of. */
export interface EarlyFolding {
  folding: Uint8Array;
  share: number;
}

/** What is thrown by every call, and what an engine answers instead of a value. */
export interface Failure {
  message: string;
  file?: string;
  line?: number;
  column?: number;
  /** The message, the line of the file and a caret under the column. */
  full?: string;
  code?: string;
}

export interface Notice {
  text: string;
  count: number;
  /** `file:line` of the first, or empty. */
  first: string;
}

export interface RegionRow {
  region: string;
  group: number;
  instances: number;
  samples: number;
  meanMs: number;
  mips: number | null;
  /** Share of the time of all threads, 0 to 1. */
  share: number;
}

export interface Opened {
  name: string;
  sizeBytes: number;
  durationNs: number;
  threads: number;
  generated: boolean;
  /** The region shown first, if there is any. */
  first: string | null;
  regions: RegionRow[];
  notices: Notice[];
}

/** Of several traces in one drop, one: `missing` are endings such as `.pcf`. */
export interface Choice {
  name: string;
  size: number;
  missing: string[];
}

/** What opening answers instead, if nobody has said yet which of several traces is meant. */
export interface Choices {
  choices: Choice[];
}

/** Samples of one counter, as columns: folded time, share of events, 0 used, 1 not used, 2 left out. */
export interface Points {
  x: Float64Array;
  y: Float64Array;
  used: Uint8Array;
}

export interface CounterSummary {
  counter: string;
  name: string;
  description: string;
  instructions: boolean;
  /** Whether it counts the nanoseconds that threads ran. */
  clock: boolean;
  used: number;
  unused: number;
  excluded: number;
  meanCount: number;
  /** Events per microsecond. */
  meanRate: number;
  nugget: number;
}

export interface GroupSummary {
  number: number;
  instances: number;
  kept: number;
  meanMs: number;
  meanInstructions: number | null;
  samples: number;
  mips: number | null;
  counters: CounterSummary[];
  routines: string[];
  hasSource: boolean;
}

export interface Summary {
  trace: {
    name: string;
    sizeBytes: number;
    durationNs: number;
    threads: number;
    generated: boolean;
    /** How sure the numbers are, sentence by sentence. */
    provenance: string[];
    /** If only a part of the trace is in the picture: how much, and why. */
    partial: string | null;
  };
  region: string;
  shown: number;
  quantised: boolean;
  notices: Notice[];
  groups: GroupSummary[];
}

/** All that a picture depends on beside the folding; lengths in CSS pixels. */
export interface View {
  group: number;
  from: number;
  to: number;
  theme: 'light' | 'dark' | 'contrast';
  width: number;
  height: number;
  left: number;
  right: number;
  counter: string | null;
  hidden: string[];
}

/** A value lies at `bottom - (value * factor - min) / (max - min) * (bottom - top)`. */
export interface Strip {
  top: number;
  bottom: number;
  unit: string;
  min: number;
  max: number;
  factor: number;
  curves: string[];
  /** Whether its axis is the right one. */
  right: boolean;
}

export interface Layout {
  plot: { left: number; top: number; right: number; bottom: number };
  strips: Strip[];
}

export interface LegendEntry {
  counter: string;
  name: string;
  colour: string;
  strip: number;
  per: string;
  instructions: boolean;
}

export interface AtCursor {
  ms: number;
  routine: string | null;
  line: number | null;
  file: string | null;
  values: { counter: string; fitted: number; rate: number; perInstruction: number | null }[];
}

export interface Table {
  columns: { counter: string; name: string }[];
  rows: {
    x: number;
    ms: number;
    mips: number | null;
    rates: number[];
    perInstruction: (number | null)[];
  }[];
}

export interface SettingSchema {
  key: string;
  label: string;
  default: string;
  help: string;
  theme: string;
  choices: { value: string; label: string }[] | null;
  placeholder: string;
}

declare global {
  /** Names of the files in `static/`; the build writes them in. */
  const STATIC_FILES: string[];
}
