// The lanes of the picture: sized, painted and described here; what is drawn is the engine's.

import { byId, watcher } from '../dom.ts';
import { shownOf, tabOf, type Shown, type State } from '../state.ts';
import { paintedTheme } from '../theme.ts';
import { mountNames, pickedAt } from './address.ts';
import { mountBorders } from './borders.ts';
import { mountEnds } from './ends.ts';
import { mountGestures } from './gestures.ts';
import { mountMeasure } from './measure.ts';
import { mountOverlay } from './overlay.ts';
import { AXIS, DENSITY, LANES, RAIL, freeHeight, gutters, laneHeights, laneTops, type LaneName, type PlotName, type Measured, type Tops } from './sizes.ts';
import { Surface } from './surface.ts';
import type { Actions } from '../actions/actions.ts';
import type { AddressLayout, Layout, LegendEntry, View } from '../wasm/painter.js';
import type { ViewState } from '../view.ts';

export type Layouts = Partial<Record<Exclude<PlotName, 'address'>, Layout>> & { address?: AddressLayout };

/** What each was asked for. */
type Views = Record<PlotName | 'axis', Required<View>>;

export type Painted = { layouts: Layouts, legend: LegendEntry[], views: Views | null, tops: Tops };

/** Where a lane lies on its canvas, once it is painted. */
export type PlotOf = (name: LaneName) => Layout['plot'] | undefined;

/** Paints what has changed, and tells where it lies. */
export function mountLanes(actions: Actions): { update: (state: State) => Painted, plotOf: PlotOf } {
  const root = byId('lanes');
  const surfaces = Object.fromEntries([...LANES, 'rail', 'density', 'axis'].map((name) => [name, new Surface(canvasOf(name))]));
  const overlay = mountOverlay(root);
  const measure = mountMeasure(root);
  const borders = mountBorders(root, actions);
  const names = mountNames(actions);
  const ends = mountEnds(root, actions);
  const lookAt = mountGestures(root, actions, (at) => actions.pick(pickedAt(actions.now(), painted, at)), ends.take);
  const changed = watcher();
  const placed = watcher();
  let painted: Painted = { layouts: {}, legend: [], views: null, tops: {} };

  const resizes = new ResizeObserver(() => actions.tell({ resized: actions.now().resized + 1 }));
  for (const element of [root, byId('column'), byId('status'), byId('course')]) resizes.observe(element);

  const update = (state: State) => {
    const { view, now } = state;
    const shown = shownOf(state);
    root.hidden = tabOf(state) !== 'region' || view.view === 'table' || now.is === 'failed' || (!shown && now.is === 'empty');
    if (root.hidden) return painted;
    const sizes = measured();
    if (changed(shown?.picture, shown?.points, shown?.referenced, shown?.deciding, shown?.awaitsActivity, shown?.awaitsGauge, state.preview, state.paintsMemory, view, paintedTheme(view.theme), JSON.stringify(sizes), devicePixelRatio)) {
      painted = paintAll(state, sizes, surfaces, painted, placed);
    }
    lookAt(painted);
    borders(state, painted);
    names(state, painted);
    ends.update(state, painted);
    overlay(state, painted);
    measure(state, painted);
    return painted;
  };
  return { update, plotOf: (name) => painted.layouts[name]?.plot };
}

/** What the lanes have to fit into at this moment: headers grow with the legend, the status with
 * words. */
export function measured(): Measured {
  const aboveOf = (name: LaneName) => byId(`lane-${name}`).clientHeight - canvasOf(name).clientHeight;
  const above = { activity: aboveOf('activity'), source: aboveOf('source'), address: aboveOf('address'), performance: aboveOf('performance'), gauge: aboveOf('gauge'), samples: aboveOf('samples') };
  return { window: innerWidth, width: byId('lanes').clientWidth, column: byId('column').clientHeight, status: byId('status').clientHeight + byId('course').offsetHeight, above };
}

/** What each lane is asked to paint, for the screen and for export alike. */
export function laneViews({ group, awaitsActivity, awaitsGauge, deciding }: Shown, view: ViewState, sizes: Measured): Views {
  const heights = laneHeights(freeHeight(sizes), { alone: view.counter !== null, hasActivity: group.activity !== null || awaitsActivity, hasSource: group.hasSource, hasAddress: group.hasAddress, hasGauge: group.gauges.length > 0 || awaitsGauge });
  const common = {
    group: group.number,
    from: view.range[0],
    to: view.range[1],
    theme: paintedTheme(view.theme),
    width: sizes.width,
    ...gutters(sizes.window),
    counter: view.counter,
    curves: view.curves,
    hidden: view.hidden,
    undecided: deciding,
    model: view.counter === null ? view.model : null,
    picked: view.picked,
    object: view.object,
    colour: view.colour,
    stacks: view.stacks,
    gauge: view.gauge,
  };
  const sized = (height: number) => ({ ...common, height });
  const { activity, source, address, performance, gauge, samples } = heights;
  return { rail: sized(RAIL), activity: sized(activity), source: sized(source), address: sized(address), performance: sized(performance), gauge: sized(gauge), samples: sized(samples), density: sized(DENSITY), axis: sized(AXIS) };
}

/** Paints one lane, the rail or the strip with the painter's call for it. */
export function paintLane({ picture, points }: Shown, name: PlotName, canvas: HTMLCanvasElement, view: View, density: number): any {
  if (name === 'address') return picture.paintAddress(canvas, view, density);
  if (name === 'samples') return picture.paintSamples(canvas, view, density, points ?? undefined);
  return picture.paint(name, canvas, view, density);
}

function paintAll(state: State, sizes: Measured, surfaces: Record<string, Surface>, before: Painted, placed: (...values: any[]) => boolean): Painted {
  const shown = shownOf(state);
  const views = shown && laneViews(shown, { ...state.view, curves: state.preview ?? state.view.curves }, sizes);
  const waiting = laneHeights(freeHeight(sizes), { alone: false, hasActivity: false, hasSource: true, hasAddress: false, hasGauge: false });
  const layouts: Layouts = {};
  const paint = (name: PlotName, height: number) => {
    const { canvas } = surfaces[name];
    const density = surfaces[name].fit(sizes.width, height);
    if (shown && views && (name !== 'address' || state.paintsMemory)) layouts[name] = paintLane(shown, name, canvas, views[name], density);
    canvas.setAttribute('aria-label', shown && views ? shown.picture.describe(name, views[name]) : `${name}: nothing read yet`);
    return canvas;
  };
  for (const name of LANES) {
    const { height } = views?.[name] ?? { height: waiting[name] };
    byId(`lane-${name}`).hidden = height === 0;
    byId(`lane-${name}`).classList.toggle('waiting', !views || (name === 'activity' && shown?.awaitsActivity === true) || (name === 'gauge' && shown?.awaitsGauge === true) || (name === 'address' && !state.paintsMemory));
    if (height === 0) continue;
    const canvas = paint(name, height);
    if (layouts[name]) canvas.dataset.layout = JSON.stringify(layouts[name]);
  }
  surfaces.samples.canvas.dataset.points = String(shown?.points?.x.length ?? (shown && state.view.counter !== null ? shown.picture.carriedSamples(shown.group.number, state.view.counter) : 0));
  surfaces.address.canvas.toggleAttribute('data-references', Boolean(state.paintsMemory && views && shown?.picture.addressKey(views.address)?.references));
  const { group, from, to, theme } = views?.rail ?? {};
  // What is picked or how it is shown is nothing to them.
  if (placed(shown?.picture, shown?.deciding, group, from, to, theme, sizes.width, sizes.window, devicePixelRatio)) {
    paint('rail', RAIL);
    paint('density', DENSITY);
    const density = surfaces.axis.fit(sizes.width, AXIS);
    if (views) shown?.picture.paint('axis', surfaces.axis.canvas, views.axis, density);
  } else {
    layouts.rail = before.layouts.rail;
    layouts.density = before.layouts.density;
  }
  const heightOf = (name: LaneName) => views?.[name].height ?? waiting[name];
  return { layouts, legend: (views && shown?.picture.legend(views.performance)) ?? [], views, tops: laneTops(sizes.above, heightOf) };
}

function canvasOf(name: string): HTMLCanvasElement {
  return byId(`canvas-${name}`) as HTMLCanvasElement;
}
