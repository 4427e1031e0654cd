// What a worker knows of the engine; the glue beside it is made by the build.

import type { Choices, Instances, ModelFile, Opened, Points, Progress, References, RegionRow, Settings } from '../tracefold.js';

export class Session {
  begin(
    names: string[], files: File[], choice: string | undefined,
    how: { mostBytes?: number, earlyAboveBytes?: number, only: Settings },
    progress: (progress: Progress) => void,
  ): { blocks: number } | Choices;
  read(): void;
  readFirst(): boolean;
  readNext(index: number): boolean;
  readPart(index: number): Uint32Array;
  join(index: number, words: Uint32Array): boolean;
  finish(): Opened;
  fold(settings: Settings, models: ModelFile[]): Uint8Array;
  regions(settings: Settings): RegionRow[];
  points(group: number, counter: string): Points | undefined;
  references(group: number): References | undefined;
  instances(group: number): Instances | undefined;
  exportFile(format: string): { name: string; bytes: Uint8Array }[];
}

export function initSync(options: { module: WebAssembly.Module }): unknown;
