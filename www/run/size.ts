// How large the time line of a run is.

import { byId } from '../dom.ts';
import { gutters } from '../lanes/sizes.ts';
import type { RunPicture } from '../wasm/painter.js';

/** It takes at most this share of the window. */
const SHARE = 0.42;

/** How many pixels of the screen it is wide. */
export function runColumns(): number {
  const { left, right } = gutters(innerWidth);
  // As wide as the column, which it is not before it is first shown.
  return Math.max(1, Math.round((byId('column').clientWidth - left - right) * devicePixelRatio));
}

/** How many rows it has, and its height. */
export function runRows(picture: RunPicture): { rows: number, height: number } {
  const [rows, height] = picture.rows(Math.round(innerHeight * SHARE));
  return { rows, height };
}
