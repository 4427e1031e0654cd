// What the page knows of its painter; the glue beside it is made by the build.

import type { AddressKey, AddressLayout, AtCursor, Code, Energy, Layout, LegendEntry, ModelAt, ModelEntry, Points, ReferenceAt, References, FileLine, SettingSchema, Settings, OutlineKinds, SourceReport, Summary, Table, View } from '../tracefold.js';

export class Picture {
  constructor(bytes: Uint8Array);
  summary(): Summary;
  paintSource(canvas: HTMLCanvasElement, view: View, dpr: number): Layout;
  paintRail(canvas: HTMLCanvasElement, view: View, dpr: number): Layout;
  paintDensity(canvas: HTMLCanvasElement, view: View, dpr: number): Layout;
  paintPerformance(canvas: HTMLCanvasElement, view: View, dpr: number): Layout;
  paintSamples(canvas: HTMLCanvasElement, view: View, dpr: number, points: Points | undefined): Layout;
  /** What was sampled of a group's memory, once. */
  setReferences(group: number, columns: References): void;
  /** Those of another picture of the same instances, which has none then. */
  takeReferences(other: Picture): void;
  hasReferences(group: number): boolean;
  paintAddress(canvas: HTMLCanvasElement, view: View, dpr: number): AddressLayout;
  addressKey(view: View): AddressKey | null;
  /** The reference nearest in time to `x`; with `y`, in px from the top of the lane, nearest to that point. */
  referenceAt(view: View, x: number, y: number | undefined): ReferenceAt | null;
  routineAt(view: View, x: number): string | undefined;
  paintAxis(canvas: HTMLCanvasElement, view: View, dpr: number): void;
  legend(view: View): LegendEntry[];
  modelLegend(view: View): ModelEntry[];
  modelAt(view: View, x: number): ModelAt | null;
  /** Energy of a mean instance, and how much of its time the power is above a limit; null if the counter does not count energy. */
  energy(group: number, counter: string, limitWatts: number): Energy | null;
  at(group: number, x: number): AtCursor;
  table(group: number, rows: number): Table;
  /** Time and speed of routines, lines and calling contexts. */
  code(group: number): Code;
  /** The files of a group, that of most time first. */
  sampledFiles(group: number): FileLine[];
  /** What was sampled of a file, without its text and with it. */
  sampledFile(group: number, name: string): SourceReport;
  sourceFile(group: number, file: SourceFile): SourceReport;
  svg(view: View, points: Points | undefined): string;
  exportFile(format: string): { name: string; bytes: Uint8Array<ArrayBuffer> }[];
  link(settings: Settings, view: object): string;
  free(): void;
}

export function settingsSchema(): SettingSchema[];
export function openLink(text: string, settings: Settings): {
  picture: Picture;
  settings: Settings;
  view: Record<string, unknown>;
  newer: boolean;
  /** Of the Tracefold that made a newer link. */
  version: number | null;
};
export default function init(options: { module_or_path: WebAssembly.Module }): Promise<unknown>;

/** The text of a source file. Fails in words if the bytes are none. */
export class SourceFile {
  constructor(name: string, bytes: Uint8Array);
  /** The grammar that it is to be parsed with. */
  grammar(): string | undefined;
  /** What the highlighter calls its language. */
  colours(): string | undefined;
  /** Its lines, each but the last with one `\n` behind it, whatever the file has. */
  text(): string;
  /** @param json nodes of a syntax tree */
  outlineByNodes(json: string): void;
}

/** The kinds of nodes of a syntax tree that an outline needs, and of those in their declarators. */
export function outlineKinds(): OutlineKinds;

/** Those of the paths, as indices, that may be the file that a trace calls so. */
export function bestNamed(paths: string[], file: string): Uint32Array;

/** Fails in words if a file of so many bytes is not looked at. */
export function checkSourceSize(bytes: number): void;
