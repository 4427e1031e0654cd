// What a worker knows of the engine; the glue beside it is made by the build.

import type { Choices, Opened, Points, Progress, RegionRow, Settings } from '../tracefold.js';

export class Session {
  open(files: File[], progress: (progress: Progress) => void): Opened | Choices;
  openBytes(names: string[], buffers: Uint8Array[], progress: (progress: Progress) => void): Opened;
  fold(settings: Settings): Uint8Array;
  regions(settings: Settings): RegionRow[];
  points(group: number, counter: string): Points | undefined;
  exportFile(format: string): { name: string; bytes: Uint8Array }[];
}

export function initSync(options: { module: WebAssembly.Module }): unknown;
