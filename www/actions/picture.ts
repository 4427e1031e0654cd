// What is shown, as a file: the lanes on one canvas, painted by the same calls as on the screen.

import { byId } from '../dom.ts';
import { counted, duration, fixed, regionName } from '../format.ts';
import { laneViews, measured, paintLane } from '../lanes/lanes.ts';
import { shownOf, type Shown, type State } from '../state.ts';
import type { LegendEntry, View } from '../wasm/painter.js';
import type { ViewState } from '../view.ts';
import type { Picture } from '../wasm/painter.js';

/** Device pixels per CSS pixel of an exported picture. */
const DENSITY = 2;

const TITLE = 40;
const HEAD = 24;
const GAP = 6;
const LINE = 18;
const STEP = 10;
const LEGEND = '600 12px';

export function pngOf(state: State): Promise<Blob | null> {
  const shown = shownOf(state);
  if (!shown) return Promise.resolve(null);
  const { picture } = shown;
  const { views, width } = columnWide(shown, state.view);
  const rows = legendRows(picture, state.view, views.performance);
  const heads = { source: HEAD, address: HEAD, performance: HEAD + LINE * Math.max(0, rows.length - 1), samples: HEAD };
  const lanes = (['source', 'address', 'performance', 'samples'] as const).filter((name) => views[name].height > 0);
  const around = views.rail.height + GAP + views.density.height + views.axis.height;
  const height = lanes.reduce((sum, name) => sum + heads[name] + views[name].height, TITLE + around);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * DENSITY);
  canvas.height = Math.round(height * DENSITY);
  const ctx = canvas.getContext('2d') as CanvasRenderingContext2D;
  const style = getComputedStyle(document.body);
  ctx.scale(DENSITY, DENSITY);
  ctx.fillStyle = style.backgroundColor;
  ctx.fillRect(0, 0, width, height);
  const write = (text: string, x: number, y: number, font = '600 13px', colour = style.color) => {
    ctx.font = `${font} ${style.fontFamily}`;
    ctx.fillStyle = colour;
    ctx.fillText(text, x, y);
    return ctx.measureText(text).width;
  };
  write(titleOf(shown), 12, 26, '600 15px');
  write('Phases', 12, TITLE + 15);
  place(ctx, views.rail, TITLE, (part) => paintLane(shown, 'rail', part, views.rail, DENSITY));
  let top = TITLE + views.rail.height;
  for (const name of lanes) {
    write(name === 'performance' && state.view.counter ? 'Rate' : name[0].toUpperCase() + name.slice(1), 12, top + 17);
    if (name === 'performance') {
      for (const [i, row] of rows.entries()) {
        for (const { text, colour, x } of row) write(text, x, top + 17 + i * LINE, LEGEND, colour);
      }
    }
    if (name === 'address') {
      for (const { colour, text, x } of keyOf(picture, state.view, views.address)) {
        ctx.fillStyle = colour;
        if (text === null) ctx.fillRect(x, top + 8, STEP, 8);
        else write(text, x, top + 17, '12px');
      }
    }
    top += heads[name];
    place(ctx, views[name], top, (part) => paintLane(shown, name, part, views[name], DENSITY));
    top += views[name].height;
  }
  place(ctx, views.density, top + GAP, (part) => paintLane(shown, 'density', part, views.density, DENSITY));
  top += GAP + views.density.height;
  place(ctx, views.axis, top, (part) => picture.paintAxis(part, views.axis, DENSITY));
  return new Promise((resolve) => canvas.toBlob(resolve));
}

export function svgOf(state: State): string {
  const shown = shownOf(state);
  if (!shown) return '';
  const { views } = columnWide(shown, state.view);
  const height = views.source.height + views.address.height + views.performance.height + views.samples.height;
  return shown.picture.svg({ ...views.performance, height }, shown.points ?? undefined);
}

/** As wide as the column, which lanes that are hidden are not. */
function columnWide(shown: Shown, view: ViewState) {
  const width = byId('column').clientWidth;
  return { width, views: laneViews(shown, view, { ...measured(), width }) };
}

function place(ctx: CanvasRenderingContext2D, { width, height }: View, top: number, paint: (canvas: HTMLCanvasElement) => void) {
  const part = document.createElement('canvas');
  part.width = Math.round(width * DENSITY);
  part.height = Math.round(height * DENSITY);
  paint(part);
  ctx.drawImage(part, 0, top, width, height);
}

/** The names of the curves in as many rows as they need. */
function legendRows(picture: Picture, { counter, model, hidden }: ViewState, view: View) {
  const ctx = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  ctx.font = `${LEGEND} ${getComputedStyle(document.body).fontFamily}`;
  const rows: { text: string, colour: string, x: number }[][] = [[]];
  let x = view.left;
  const isShown = (entry: LegendEntry) => (counter === null ? !hidden.includes(entry.counter) : entry.counter === counter);
  const curves = picture.legend(view).filter(isShown).map(({ name, instructions, colour }) => ({ text: instructions ? 'MIPS' : name, colour }));
  const components = picture.modelLegend(view).map(({ name, colour }) => ({ text: name, colour }));
  for (const { text, colour } of model !== null && counter === null ? components : curves) {
    const { width } = ctx.measureText(text);
    if (x > view.left && x + width > view.width) {
      rows.push([]);
      x = view.left;
    }
    rows[rows.length - 1].push({ text, colour, x });
    x += width + 22;
  }
  return rows;
}

/** What the colours of the address lane mean, from left to right: squares, and words beside them. */
function keyOf(picture: Picture, { colour }: ViewState, view: View) {
  const key = picture.addressKey(view);
  const ctx = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  ctx.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const parts: { colour: string, text: string | null, x: number }[] = [];
  let x = Math.max(84, view.left);
  const square = (colour: string) => {
    parts.push({ colour, text: null, x });
    x += STEP;
  };
  const words = (text: string, after: number) => {
    parts.push({ colour: '', text, x });
    x += ctx.measureText(text).width + after;
  };
  const entry = (colour: string, text: string) => {
    square(colour);
    x += 5;
    words(text, 22);
  };
  if (!key) return parts;
  if (colour === 'level') for (const { colour, name } of key.levels) entry(colour, name);
  else if (key.low !== null && key.high !== null) {
    words(`Load latency ${fixed(key.low)}`, 6);
    key.steps.forEach(square);
    x += 6;
    words(`${fixed(key.high)} cycles, log`, 22);
  }
  if (key.stores > 0) entry(key.storeColour, 'Store');
  return parts;
}

function titleOf({ summary, group }: Shown) {
  const kept = `${fixed(group.kept)} of ${counted(group.instances, 'instance')}`;
  const origin = summary.trace.generated ? ' · generated example' : '';
  return `${regionName(summary.region)} · group ${group.number} of ${summary.groups.length} · ${kept} · mean ${duration(group.meanMs)} · ${summary.trace.name}${origin}`;
}
