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

/** What was sampled of a group's memory, as columns by folded time. */
export interface References {
  x: Float64Array;
  /** Index of the object, and bytes from its begin. */
  object: Uint32Array;
  offset: Float64Array;
  store: Uint8Array;
  level: Uint8Array;
  /** Cycles; 0 where none were sampled. */
  cost: Uint32Array;
  /** Which sample of the call-stack it is. */
  line: Uint32Array;
}

/** A data object with what was sampled of it; sizes in words. */
export interface ObjectSummary {
  name: string;
  kind: string;
  size: string;
  touched: string;
  loads: number;
  stores: number;
  /** Cycles of a load, on average and of all but the dearest 5 %. */
  meanCost: number | null;
  highCost: number | null;
  levels: { level: number; name: string; references: number }[];
}

/** How an object is walked through in a phase or by a routine. */
export interface StreamSummary {
  object: number;
  /** From 1. */
  phase: number | null;
  routine: string | null;
  loads: number;
  stores: number;
  /** E.g. `descending, 64 B per step`. */
  words: string;
  meanCost: number | null;
}

/** Every instance of a group, as columns: `objects` are application, task and thread in turn. */
export interface Instances {
  objects: Uint32Array;
  startNs: Float64Array;
  durationNs: Float64Array;
  /** Index into `fates`. */
  fate: Uint8Array;
  fates: string[];
}

/** A model in XML that a person dropped. */
export interface ModelFile {
  name: string;
  text: string;
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
  /** Joules per event and mean power, if it counts energy. */
  joules: number | null;
  watts: number | null;
  /** Finest detail of a spline, as a share and in milliseconds; 0 for segments. */
  resolution: number;
  resolutionMs: number;
  /** Where it changes if it is asked alone. */
  ownBreaks: number[];
}

export interface PhaseRate {
  counter: string;
  /** Events per microsecond, and the half width of the 95 % interval; 0 where nothing tells. */
  rate: number;
  halfWidth: number;
  perInstruction: number | null;
  perInstructionHalfWidth: number | null;
  watts: number | null;
  wattsHalfWidth: number | null;
}

export interface Phase {
  /** From 1. */
  number: number;
  start: number;
  end: number;
  startMs: number;
  endMs: number;
  ms: number;
  share: number;
  name: string;
  routine: string | null;
  /** Its place among the routines, which is its colour. */
  routineIndex: number | null;
  /** What calls it, from the root. */
  callers: string[];
  line: number | null;
  file: string | null;
  rates: PhaseRate[];
}

export interface Break {
  at: number;
  /** Of the 95 % interval; 0 where nothing tells. */
  halfWidth: number;
  ms: number;
  halfWidthMs: number;
  /** Counters whose rate changes there beyond doubt. */
  changed: string[];
  byHand: boolean;
}

export interface FitReport {
  kind: 'spline' | 'segments';
  /** Error of segments at instances that were held out, over that of the spline. */
  ratio: number | null;
  breaksBic: number;
  breaksHeldOut: number;
  uncertain: boolean;
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
  hasAddress: boolean;
  /** By address. */
  objects: ObjectSummary[];
  streams: StreamSummary[];
  /** How well call-stacks could be joined; `method` is empty without them. */
  alignment: { method: string; coverage: number; components: number; depth: number; ambiguous: number };
  /** Routines above one another, at most. */
  levels: number;
  /** The first stretches with one innermost routine. */
  bands: { startMs: number; endMs: number; routine: string; callers: string[]; line: number | null }[];
  /** Models that its counters allow. */
  models: { name: string; title: string; stacked: boolean; source: string }[];
  fit: FitReport;
  phases: Phase[];
  breaks: Break[];
  /** Durations between which instances were folded; none if all were. */
  limitsMs: [number, number] | null;
  /** Instances in each of as many equal steps from the shortest to the longest. */
  durations: { leastMs: number; mostMs: number; kept: number[]; rejected: number[] };
  rejected: number;
  /** What `x` counts: `total` is milliseconds or events of a mean instance. */
  axis: { counter: string | null; total: number; unit: string };
  /** Stretches with too few samples. */
  sparse: [number, number][];
  displacement: number | null;
  betterOverInstructions: boolean;
  locked: boolean;
  /** Whether there are too few samples for curves that say much. */
  few: boolean;
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
  /** Models that the counters do not allow, and what they lack. */
  missingModels: { title: string; counters: string[] }[];
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
  /** Shown instead of the counters. */
  model?: string | null;
  picked?: string | null;
  object?: string | null;
  colour?: 'latency' | 'level';
  stacks?: 'bands' | 'icicle';
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

export interface AddressLayout extends Layout {
  /** Rows of one object each, from the bottom up. */
  rows: { object: string; kind: string; top: number; bottom: number }[];
}

/** What the colours of the address lane mean. */
export interface AddressKey {
  /** Cycles at both ends of the scale; `null` where no latency was sampled. */
  low: number | null;
  high: number | null;
  steps: string[];
  levels: { level: number; name: string; loads: number; colour: string }[];
  /** Loads without a latency. */
  unknown: number;
  unknownColour: string;
  stores: number;
  storeColour: string;
  /** Whether there are references, not objects alone. */
  references: boolean;
}

/** A reference near the cursor, and the load nearest to it. */
export interface ReferenceAt {
  object: string | null;
  kind: string | null;
  offset: string;
  store: boolean;
  /** Where it lies, in px of the lane. */
  x: number;
  y: number;
  cost: number | null;
  level: string | null;
}

export interface LegendEntry {
  counter: string;
  name: string;
  colour: string;
  strip: number;
  per: string;
  instructions: boolean;
}

export interface Energy {
  shareAbove: number;
  /** The longest stretch above the limit. */
  longestMs: number;
  meanWatts: number;
  /** Of a mean instance. */
  joules: number;
  instructionsPerJoule: number | null;
}

export interface ModelEntry {
  /** `MIPS` for the rate of instructions that stands beside a model. */
  component: string;
  name: string;
  colour: string;
  /** What it means; may be empty. */
  explanation: string;
  /** Whether it is an area of a stack. */
  area: boolean;
  /** Whether its axis is at the right. */
  right: boolean;
  /** Title of its axis; may be empty. */
  per: string;
}

export interface ModelAt {
  values: { component: string; value: number | null; halfWidth: number }[];
  /** The sum of a stack. */
  total: number | null;
}

export interface AtCursor {
  ms: number;
  /** What the axis counts by then; the same as `ms` if it is time. */
  axis: number;
  /** Number of the phase, from 1. */
  phase: number | null;
  routine: string | null;
  line: number | null;
  file: string | null;
  /** Samples in the same cell of the strip, and how long that is. */
  near: number;
  nearMs: number;
  values: {
    counter: string;
    fitted: number;
    rate: number;
    /** Of the 95 % interval of the rate; 0 where nothing tells. */
    halfWidth: number;
    watts: number | null;
    perInstruction: number | null;
  }[];
}

/** What the curves say of the time of a routine or line; one value per counter. */
export interface Speed {
  /** Events per microsecond. */
  rates: (number | null)[];
  perInstruction: (number | null)[];
  /** Milliseconds at each of as many equal steps of MIPS; empty without instructions. */
  histogram: number[];
}

export interface RoutineRow extends Speed {
  /** Its place among the routines, which is its colour. */
  routine: number;
  name: string;
  /** With it on the call-stack, and with it innermost. */
  inclusiveMs: number;
  exclusiveMs: number;
  inclusiveShare: number;
  exclusiveShare: number;
  samples: number;
}

export interface LineRow extends Speed {
  place: number;
  file: string;
  /** 0 where the trace does not tell. */
  line: number;
  routine: number;
  ms: number;
  share: number;
  samples: number;
}

export interface ContextRow {
  context: number;
  /** That of the caller, which is before it. */
  parent: number | null;
  routine: number;
  inclusiveMs: number;
  exclusiveMs: number;
  samples: number;
}

/** Time and speed of code: routines by exclusive time, lines by time. */
export interface Code {
  counters: { counter: string; name: string; instructions: boolean }[];
  routines: RoutineRow[];
  lines: LineRow[];
  contexts: ContextRow[];
  histogramMips: { least: number; most: number };
}

export interface Table {
  columns: { counter: string; name: string }[];
  rows: {
    x: number;
    ms: number;
    mips: number | null;
    rates: number[];
    watts: (number | null)[];
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

/** A number as it is written, with the value that was printed. */
export interface Figure {
  value: number | null;
  text: string;
  within: string;
}

/** What stands over a column: the rate of a counter, or its events per instruction. */
export interface Column {
  counter: string;
  name: string;
  unit: string;
  ratio: boolean;
}

/** A file of the trace; without name those lines that have none. */
export interface FileLine {
  file: string;
  /** Its line of most time. */
  line: number;
  share: string;
}

/** What was sampled of a source file. */
export interface SourceReport {
  /** Of the times. */
  unit: string;
  columns: Column[];
  /** In order. */
  lines: SourceRow[];
  /** Outer ones before those in them; empty without the text. */
  blocks: BlockRow[];
  /** For each phase what it is about. */
  phases: (PhasePlace | null)[];
  /** Why it may be another file than the one that ran. */
  doubt: string | null;
}

export interface SourceRow {
  /** 0 where the trace does not tell. */
  line: number;
  routine: string;
  samples: Figure;
  time: Figure;
  figures: Figure[];
  /** From 1 to 8, 0 for none: by time, then by each counter of the group. */
  heat: number[];
}

/** A routine or loop. */
export interface BlockRow {
  kind: 'routine' | 'loop';
  name: string;
  words: string;
  first: number;
  last: number;
  /** Blocks round it. */
  depth: number;
  /** What its lines take, without what they call; empty if none was sampled. */
  time: string;
}

export interface PhasePlace {
  file: string;
  line: number;
  share: string;
  words: string;
}

/** The kinds of nodes of a syntax tree that an outline needs, and of those in their declarators. */
export interface OutlineKinds {
  outlined: string[];
  declarators: string[];
}

declare global {
  /** Names of the files in `static/`; the build writes them in. */
  const STATIC_FILES: string[];
}
