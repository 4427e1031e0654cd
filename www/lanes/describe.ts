import { pathOf } from '../code.ts';
import { count, counted, duration, fixed, regionName, significant } from '../format.ts';
import { shownOf, type State } from '../state.ts';
import type { PlotName } from './sizes.ts';
import type { GroupSummary } from '../wasm/painter.js';

/** Bands that are told one by one. */
const BANDS = 12;

/** And objects. */
const OBJECTS = 8;

/** Says in words what a lane shows, for those who do not see it. */
export function describe(canvas: HTMLCanvasElement, name: PlotName, state: State) {
  const shown = shownOf(state);
  if (!shown) {
    canvas.setAttribute('aria-label', `${name}: nothing read yet`);
    return;
  }
  const words = { source: sourceWords, address: addressWords, performance: performanceWords, samples: samplesWords, rail: railWords, density: densityWords }[name];
  const region = regionName(shown.summary.region);
  canvas.setAttribute('aria-label', `${words(shown.group, state)} Over one folded instance of ${region}, ${duration(shown.group.meanMs)}.`);
}

function sourceWords({ routines, bands, levels }: GroupSummary, { view }: State) {
  if (routines.length === 0) return 'Source: no routine was sampled.';
  const shown = bands.slice(0, BANDS).map(({ routine, callers, line, startMs, endMs }) => `${pathOf([...callers, routine], line)} from ${duration(startMs)} to ${duration(endMs)}`);
  const what = view.stacks === 'icicle' ? `Source: an icicle of ${counted(levels, 'level')}, callers over what they call; the innermost are` : 'Source: bands of';
  if (shown.length > 0) return `${what} ${shown.join('; ')}${bands.length > BANDS ? '; and others' : ''}.`;
  const named = routines.slice(0, 5).join(', ');
  return `Source: sampled lines of ${named}${routines.length > 5 ? ' and others' : ''}.`;
}

function addressWords({ objects, streams }: GroupSummary, { view }: State) {
  const shown = objects.flatMap((object, index) => (view.object === null || view.object === object.name ? [{ ...object, index }] : []));
  const busiest = shown.sort((a, b) => b.loads + b.stores - a.loads - a.stores).slice(0, OBJECTS);
  const told = busiest.map(({ name, kind, size, loads, stores, meanCost, index }) => {
    const ways = streams.filter(({ object, phase, words }) => object === index && phase !== null && words !== '').map(({ phase, words }) => `phase ${phase} ${words}`);
    const cost = meanCost === null ? '' : ` at ${fixed(meanCost)} cycles on average`;
    return [`${name}, ${kind}, ${size}: ${counted(loads, 'load')}${cost} and ${counted(stores, 'store')}`, ...ways].join(', ');
  });
  return `Address: ${told.join('; ')}${shown.length > OBJECTS ? '; and others' : ''}.`;
}

function performanceWords({ counters }: GroupSummary, { view }: State) {
  const shown = counters.filter(({ counter }) => (view.counter === null ? !view.hidden.includes(counter) : counter === view.counter));
  const curves = shown.map(({ name, instructions, clock, meanRate }) => {
    if (instructions) return `MIPS, mean ${fixed(meanRate)}`;
    return clock ? `${name}, mean ${significant(meanRate / 1000)} CPUs` : `${name}, mean ${significant(meanRate)} million per second`;
  });
  return `Performance: curves of ${curves.join('; ') || 'no counter'}.`;
}

function samplesWords({ counters }: GroupSummary, { view }: State) {
  const shown = counters.find(({ counter }) => counter === view.counter);
  if (!shown) return 'Samples.';
  return `Samples of ${shown.name}: ${count(shown.used)} used, ${count(shown.unused)} not used, ${count(shown.excluded)} of instances left out, against the fitted curve, as share of events minus share of time.`;
}

function railWords({ phases }: GroupSummary) {
  const named = phases.map(({ number, name, ms }) => `${number} ${name ? `${name}, ` : ''}${duration(ms)}`);
  return `Phases: ${named.join('; ') || 'no break was found'}.`;
}

function densityWords({ samples }: GroupSummary) {
  return `Where the ${count(samples)} samples lie.`;
}
