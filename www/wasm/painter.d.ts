// What the page knows of its painter; the glue beside it is made by the build.

import type { AddressKey, AddressLayout, AtCursor, Code, Energy, Layout, LegendEntry, ModelAt, ModelEntry, Points, ReferenceAt, References, SampledLines, SettingSchema, Settings, Summary, Table, View } from '../tracefold.js';

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
  /** Every sampled line over folded time. */
  lines(group: number): SampledLines;
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
