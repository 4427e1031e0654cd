// The lanes of the picture: sized, painted and described here; what is drawn is the engine's.

import { byId, watcher } from '../dom.ts';
import { shownOf, type Shown, type State } from '../state.ts';
import { paintedTheme } from '../theme.ts';
import { mountNames, pickedAt } from './address.ts';
import { describe } from './describe.ts';
import { mountBorders, type BorderActions } from './borders.ts';
import { mountGestures, type GestureActions } from './gestures.ts';
import { mountOverlay } from './overlay.ts';
import { AXIS, DENSITY, GAP, RAIL, freeHeight, gutters, laneHeights } from './sizes.ts';
import { Surface } from './surface.ts';
import type { AddressLayout, Layout, LegendEntry, View } from '../tracefold.d.ts';

type LaneName = 'source' | 'address' | 'performance' | 'samples';

export type PlotName = LaneName | 'rail' | 'density';

export type Layouts = Partial<Record<Exclude<PlotName, 'address'>, Layout>> & { address?: AddressLayout };

/** What each was asked for. */
type Views = Record<PlotName | 'axis', View>;

/** `view` is that of the performance lane. */
export type Painted = { layouts: Layouts, legend: LegendEntry[], view: View | null, views: Views | null };

const LANES = ['source', 'address', 'performance', 'samples'] as LaneName[];

interface Picking {
  pick: (picked: string | null) => void;
  /** A data object. */
  showAlone: (object: string | null) => void;
}

/** Paints what has changed, and tells where it lies. */
export function mountLanes(actions: Omit<GestureActions, 'clicked'> & BorderActions & Picking): (state: State) => Painted {
  const root = byId('lanes');
  const surfaces = Object.fromEntries([...LANES, 'rail', 'density', 'axis'].map((name) => [name, new Surface(canvasOf(name))]));
  const overlay = mountOverlay(root);
  const borders = mountBorders(root, actions);
  const names = mountNames(actions.showAlone);
  const lookAt = mountGestures(root, { ...actions, clicked: (at) => actions.pick(pickedAt(actions.now(), painted, at)) });
  const changed = watcher();
  const placed = watcher();
  let painted: Painted = { layouts: {}, legend: [], view: null, views: null };

  const resizes = new ResizeObserver(() => actions.resized());
  for (const element of [root, byId('column'), byId('status')]) resizes.observe(element);

  return (state) => {
    const { view, now } = state;
    const shown = shownOf(state);
    const theme = paintedTheme(view.theme);
    root.hidden = view.view === 'table' || now.is === 'failed' || (!shown && now.is === 'empty');
    if (root.hidden) return painted;
    if (changed(shown?.picture, shown?.points, shown?.referenced, view, theme, root.clientWidth, freeNow(), devicePixelRatio)) {
      painted = paintAll(state, root.clientWidth, surfaces, painted, placed);
    }
    lookAt(painted.layouts);
    borders(state, painted);
    names(state, painted);
    overlay(state, painted);
    return painted;
  };
}

/** What each lane is asked to paint, for the screen and for export alike. */
export function laneViews(state: State, width: number): Views | null {
  const group = shownOf(state)?.group;
  if (!group) return null;
  const { view } = state;
  const heights = laneHeights(freeNow(), { alone: view.counter !== null, hasSource: group.hasSource, hasAddress: group.hasAddress });
  const common = {
    group: group.number,
    from: view.range[0],
    to: view.range[1],
    theme: paintedTheme(view.theme),
    width,
    ...gutters(innerWidth),
    counter: view.counter,
    hidden: view.hidden,
    model: view.counter === null ? view.model : null,
    picked: view.picked,
    object: view.object,
    colour: view.colour,
    stacks: view.stacks,
  };
  const sized = (height: number) => ({ ...common, height });
  const { source, address, performance, samples } = heights;
  return { rail: sized(RAIL), source: sized(source), address: sized(address), performance: sized(performance), samples: sized(samples), density: sized(DENSITY), axis: sized(AXIS) };
}

/** Paints one lane, the rail or the strip with the painter's call for it. */
export function paintLane({ picture, points }: Shown, name: PlotName, canvas: HTMLCanvasElement, view: View, density: number): any {
  if (name === 'source') return picture.paintSource(canvas, view, density);
  if (name === 'address') return picture.paintAddress(canvas, view, density);
  if (name === 'rail') return picture.paintRail(canvas, view, density);
  if (name === 'density') return picture.paintDensity(canvas, view, density);
  if (name === 'samples') return picture.paintSamples(canvas, view, density, points ?? undefined);
  return picture.paintPerformance(canvas, view, density);
}

function paintAll(state: State, width: number, surfaces: Record<string, Surface>, before: Painted, placed: (...values: any[]) => boolean): Painted {
  const views = laneViews(state, width);
  const shown = shownOf(state);
  const layouts: Layouts = {};
  for (const name of LANES) {
    const surface = surfaces[name];
    const { height } = views?.[name] ?? { height: laneHeights(freeNow(), { alone: false, hasSource: true, hasAddress: false })[name] };
    byId(`lane-${name}`).hidden = height === 0;
    byId(`lane-${name}`).classList.toggle('waiting', !views);
    if (height === 0) continue;
    const density = surface.fit(width, height);
    if (views && shown) layouts[name] = paintLane(shown, name, surface.canvas, views[name], density);
    if (layouts[name]) surface.canvas.dataset.layout = JSON.stringify(layouts[name]);
    describe(surface.canvas, name, state);
  }
  surfaces.samples.canvas.dataset.points = String(shown?.points?.x.length ?? 0);
  if (views && shown?.picture.addressKey(views.address)?.references) surfaces.address.canvas.dataset.references = '';
  else delete surfaces.address.canvas.dataset.references;
  const { group, from, to, theme } = views?.rail ?? {};
  // What is picked or how it is shown is nothing to them.
  const areOthers = placed(shown?.picture, group, from, to, theme, width, innerWidth, devicePixelRatio);
  for (const name of ['rail', 'density'] as const) {
    const surface = surfaces[name];
    if (!areOthers) {
      if (before.layouts[name]) layouts[name] = before.layouts[name];
      continue;
    }
    const density = surface.fit(width, name === 'rail' ? RAIL : DENSITY);
    if (views && shown) layouts[name] = paintLane(shown, name, surface.canvas, views[name], density);
    describe(surface.canvas, name, state);
  }
  if (areOthers) {
    const density = surfaces.axis.fit(width, AXIS);
    if (views) shown?.picture.paintAxis(surfaces.axis.canvas, views.axis, density);
  }
  const view = views?.performance ?? null;
  return { layouts, legend: (view && shown?.picture.legend(view)) ?? [], view, views };
}

/** Height that the lanes share at this moment; headers grow with the legend, the status with words. */
function freeNow() {
  const heads = LANES.map((name) => byId(`lane-${name}`).querySelector('.head')?.clientHeight ?? 0).filter((height) => height > 0);
  const taken = heads.reduce((sum, height) => sum + height, GAP * Math.max(0, heads.length - 2));
  return freeHeight(innerWidth, byId('column').clientHeight, byId('status').clientHeight + taken);
}

function canvasOf(name: string): HTMLCanvasElement {
  return byId(`canvas-${name}`) as HTMLCanvasElement;
}
