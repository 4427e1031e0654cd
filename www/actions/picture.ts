// What is shown, as a file: one SVG, and the same drawn into a canvas.

import { byId } from '../dom.ts';
import { laneViews, measured } from '../lanes/lanes.ts';
import { shownOf, type State } from '../state.ts';

/** Device pixels per CSS pixel of an exported PNG. */
const DENSITY = 2;

/** Empty while there is no picture. As wide as the column, which lanes that are hidden are not. */
export function svgOf(state: State): string {
  const shown = shownOf(state);
  if (!shown) return '';
  const { activity, source, address, performance, gauge, samples } = laneViews(shown, state.view, { ...measured(), width: byId('column').clientWidth });
  const height = activity.height + source.height + address.height + performance.height + gauge.height + samples.height;
  return shown.picture.svg({ ...performance, height }, shown.points ?? undefined);
}

export async function pngOf(state: State): Promise<Blob | null> {
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
