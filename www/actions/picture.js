// What is shown, as a file: one SVG, and the same drawn into a canvas.

import { byId } from '../dom.js';
import { laneViews } from '../lanes/lanes.js';

/** Device pixels per CSS pixel of an exported PNG. */
const DENSITY = 2;

/** @typedef {import('../state.js').State} State */

/**
 * @param {State} state
 * @returns {string} empty while there is no picture
 */
export function svgOf(state) {
  const views = laneViews(state, byId('column').clientWidth);
  if (!views || !state.picture) return '';
  const height = views.source.height + views.address.height + views.performance.height + views.samples.height;
  return state.picture.svg({ ...views.performance, height }, state.points ?? undefined);
}

/**
 * @param {State} state
 * @returns {Promise<Blob | null>}
 */
export async function pngOf(state) {
  const svg = svgOf(state);
  if (svg === '') return null;
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * DENSITY;
    canvas.height = image.naturalHeight * DENSITY;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve));
  } finally {
    URL.revokeObjectURL(url);
  }
}
