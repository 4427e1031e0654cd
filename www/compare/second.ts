// The run that is laid beside what is open: read and folded as that is, by an engine of its own.

import { openLink, Picture, comparedNeeds } from '../wasm/painter.js';
import { consentNeeded, filesAt } from '../actions/addresses.ts';
import { fetchAll } from '../actions/fetch.ts';
import { limits } from '../actions/limits.ts';
import { foldedWithModels } from '../actions/models.ts';
import { looked, withAdvice, type App, type Dropped } from '../actions/open.ts';
import { Engine } from '../engine/engine.ts';
import * as parts from '../engine/parts.ts';
import * as state from '../state.ts';
import { windowsOf } from './window.ts';
import type { Running } from '../engine/engine.ts';
import type { EarlyFolding, Opened, Progressed } from '../wasm/engine.js';

/** What B is made of: files, what addresses name, another group, other threads or another part of A, or the text of a
 * link, with that of further runs of both. */
export type With = { kind: 'files', dropped: Dropped } | { kind: 'addresses', addresses: string[] } | { kind: 'group', group: number } | { kind: 'objects', objects: string } | { kind: 'window', window: string } | { kind: 'link', text: string, runs: string | null };

/** Two foldings that can be compared. */
export interface Both {
  a: Picture;
  b: Picture;
  /** Numbers of their groups; 0: the one of most instances. */
  groups: [number, number];
  /** What had to be done for it, in words. */
  remark: string;
  /** Which of them are A's own, and stay when the comparison ends. */
  kept: Picture[];
  /** With what both were folded, and the files of B. */
  settings: state.Settings;
  /** Of B, where it is a part of A. */
  settingsOfB?: state.Settings;
  dropped: Dropped | null;
}

/** The engine of B; its trace stays open, so that it is folded again with A. */
let engine: Engine | null = null;
let opened: { of: Dropped, client: Running } | null = null;

/** Gives the trace of B up. */
export function giveUp() {
  engine?.cancel();
  engine?.close();
  opened = null;
}

/** Folds runs so that phases lie between breaks, if the fit is left to that, and tells with what settings: smooth curves
 * again with segments, unless those are cut through slopes. `own`: what was folded with these settings before. */
async function inPhases(settings: state.Settings, folded: (settings: state.Settings) => Promise<Picture[]>, own?: Picture[]): Promise<[Picture[], state.Settings]> {
  const runs = own ?? await folded(settings);
  const need = (runs: Picture[], what: string) => runs.some((run) => comparedNeeds(runs[0], run).includes(what));
  if (settings.fit !== undefined || !need(runs, 'fit')) return [runs, settings];
  const again = { ...settings, fit: 'segments' };
  const cut = await folded(again);
  const isCut = need(cut, 'curves');
  const left = isCut ? cut : runs;
  for (const run of left) if (!own?.includes(run)) run.free();
  return isCut ? [runs, { ...settings, fit: 'auto' }] : [cut, again];
}

/** B folded as A is, and both folded otherwise where that is needed to compare them. */
export async function bothOf(app: App, what: With, report: (words: string) => void): Promise<Both> {
  const now = app.store.get();
  const shown = state.shownOf(now);
  const open = now.now.open;
  if (!shown || !open?.picture) throw { message: 'Nothing is open to be compared with.' };
  const a = shown.picture;
  await app.prepare('compare');
  const settings: state.Settings & { region: string } = { ...open.made.settings, region: open.made.settings.region ?? open.summary.region };
  const alike = { a, remark: '', kept: [a], settings: open.made.settings, dropped: null };
  if (what.kind === 'group') {
    const isThere = shown.summary.groups.some(({ number }) => number === what.group);
    if (!isThere) throw { message: `There is no group ${what.group} here.` };
    return { ...alike, b: a, groups: [shown.group.number, what.group] };
  }
  if (what.kind === 'link') {
    await app.prepare('export');
    const link = openLink(what.text, {});
    const remark = unlikeSettings(open.made.settings, link.facts().settings);
    const b = link.intoPicture();
    const isGroupUnlike = comparedNeeds(a, b).includes('group');
    return { ...alike, b, groups: [isGroupUnlike ? 0 : shown.group.number, 0], remark: [isGroupUnlike ? UNLIKE : '', remark].filter(Boolean).join(' ') };
  }
  if (what.kind === 'objects' || what.kind === 'window') {
    if (!app.engine.isOpen) throw { message: 'Another part of a run needs its trace: open it.' };
    report('Folding');
    const own = async (settings: state.Settings) => (await foldedWithModels(app, (args) => app.engine.call('fold', args), settings)).bytes;
    // Neither may keep groups of its own, nor smooth curves: both are folded for it, and then A as it is on screen.
    const sides = (alike: state.Settings) => (what.kind === 'window' ? windowsOf(what.window, alike) : [alike, { ...alike, objects: what.objects }]);
    const both = async (alike: state.Settings) => {
      const pictures: Picture[] = [];
      for (const side of sides(alike)) pictures.push(new Picture(await own(side)));
      return pictures;
    };
    try {
      const [[a, b], alike] = await inPhases({ ...settings, group: settings.group ?? 'none' }, both);
      const [ofA, ofB] = sides(alike);
      const isInside = what.kind === 'window' && ofA.from === undefined && ofA.to === undefined;
      return { a, b, groups: [0, 0], remark: isInside ? 'A is all of the run, B a part of it: what they share makes them alike.' : '', kept: [], settings: ofA, settingsOfB: ofB, dropped: null };
    } finally {
      await own(open.made.settings);
    }
  }
  const dropped = what.kind === 'files' ? what.dropped : await filesOf(what.addresses, report);
  const client = await opening(app, dropped, report);
  const trace = await repeating(app, client, settings);
  offerInCommon(settings.region, open.from.trace, trace);
  report('Folding');
  if (trace.hasRun || trace.hasGauges) await client.call('see');
  const folded = (settings: state.Settings) => foldedWithModels(app, (args) => client.call('fold', args), settings);
  const b = new Picture((await folded(settings)).bytes);
  const needs = ['group', 'fit'].filter((key) => comparedNeeds(a, b).includes(key));
  const changed = needs.filter((key) => open.made.settings[key] === undefined);
  const unchanged = (): Both => {
    const own = shown.summary.groups.length > 1 && !needs.includes('group') ? shown.group.number : 0;
    return { ...alike, b, groups: [shown.group.number, own], remark: needs.includes('group') ? UNLIKE : '', dropped };
  };
  if (changed.length === 0 || !app.engine.isOpen) return unchanged();
  // For the comparison alone: what is on screen is folded as it was, so that what is asked of it later is of it.
  const both = async (settings: state.Settings) => {
    const all = await Promise.all([foldedWithModels(app, (args) => app.engine.call('fold', args), settings), folded(settings)]);
    return all.map(({ bytes }) => new Picture(bytes));
  };
  const isGroup = changed.includes('group');
  const [[again, other], others] = await inPhases(isGroup ? { ...settings, group: 'none' } : settings, both, isGroup ? undefined : [a, b]);
  await foldedWithModels(app, (args) => app.engine.call('fold', args), open.made.settings);
  if (again === a) return { ...unchanged(), settings: others };
  b.free();
  return { a: again, b: other, groups: [0, 0], remark: isGroup ? 'Groups of instances are unlike: all are folded together.' : '', kept: [], settings: others, dropped };
}

/** A further run of either side, folded as both are. */
export async function furtherOf(app: App, { a, settings: asked }: Both, dropped: Dropped, report: (words: string) => void): Promise<Picture> {
  const region = asked.region ?? state.shownOf(app.store.get())?.summary.region ?? '';
  const client = await opening(app, dropped, report);
  const settings = { ...asked, region };
  const trace = await repeating(app, client, settings);
  offerInCommon(region, null, trace);
  report('Folding');
  if (trace.hasRun || trace.hasGauges) await client.call('see');
  const folded = async (settings: state.Settings) => new Picture((await foldedWithModels(app, (args) => client.call('fold', args), settings)).bytes);
  const run = await folded(settings);
  const needs = comparedNeeds(a, run);
  const isOther = needs.includes('fit') && asked.fit === undefined;
  if (!needs.includes('group') && !isOther) return run;
  run.free();
  if (needs.includes('group')) throw { message: 'Its groups of instances are unlike those of A. Choose no groups in Settings, and compare again.' };
  return folded({ ...settings, fit: 'segments' });
}

/** What runs are as a whole, by what they were dropped as: a run that is laid beside others again is not read again. */
const wholes = new WeakMap<Dropped, Uint8Array>();

/** What each run is as a whole, of the trace that is open, of B and of further ones, in this order. */
export async function wholesOf(app: App, further: Dropped[], report: (words: string) => void): Promise<Uint8Array[]> {
  if (!app.engine.isOpen) throw { message: 'What is open is a link, which holds one region of its run. Open the trace.' };
  report('Looking at the run of A');
  const all = [await app.engine.call('wholeRun', {})];
  for (const dropped of further) {
    const client = wholes.has(dropped) ? null : await opening(app, dropped, report);
    report('Looking at the runs');
    if (client) wholes.set(dropped, await client.call('wholeRun', {}));
    all.push(wholes.get(dropped) as Uint8Array);
  }
  return all;
}

/** How each run among files uses its threads: one, or as many as there are. */
export async function usesOf(app: App, dropped: Dropped, report: (words: string) => void): Promise<Uint8Array[]> {
  const names: (string | undefined)[] = await opening(app, dropped, report).then(() => [undefined], (failure) => failure.traces ?? Promise.reject(failure));
  const uses: Uint8Array[] = [];
  try {
    for (const [at, choice] of names.entries()) {
      const tell = (words: string) => report(choice ? `${choice} (${at + 1} of ${names.length}): ${words}` : words);
      const client = await opening(app, choice ? { ...dropped, choice } : dropped, tell);
      tell('Looking at the run');
      uses.push(await client.call('runUse', {}));
    }
  } finally {
    giveUp();
  }
  return uses;
}

/** The profile of the trace that files are; `null` where they are profiles themselves. */
export async function profileOf(app: App, dropped: Dropped & { choice?: string }, how: object, report: (words: string) => void): Promise<Uint8Array | null> {
  try {
    const client = await opening(app, dropped, report);
    report('Making the profile');
    return await client.call('profile', { how });
  } catch (failure: any) {
    if (failure.profiles) return null;
    throw failure;
  }
}

/** A run of a series, with the number of its group; 0: the one of most instances. */
export interface SeriesRun {
  name: string;
  picture: Picture;
  group: number;
}

/** What is open and the runs of these names among files, all folded alike. */
export async function runsOf(app: App, dropped: Dropped, names: string[], report: (words: string) => void): Promise<{ runs: SeriesRun[], kept: Picture[], remark: string }> {
  const shown = state.shownOf(app.store.get());
  const open = app.store.get().now.open;
  if (!shown || !open?.picture) throw { message: 'Nothing is open to be compared with.' };
  await app.prepare('compare');
  const region = open.made.settings.region ?? open.summary.region;
  const first = { name: shown.summary.trace.name, picture: shown.picture };
  const foldedWith = async (settings: state.Settings) => {
    const pictures: Picture[] = [];
    try {
      for (const [at, name] of names.entries()) {
        const tell = (words: string) => report(`${name} (${at + 2} of ${names.length + 1}): ${words}`);
        const client = await opening(app, { ...dropped, choice: name }, tell);
        const trace = await repeating(app, client, settings);
        offerInCommon(region, open.from.trace, trace);
        tell('Folding');
        if (trace.hasRun || trace.hasGauges) await client.call('see');
        pictures.push(new Picture((await foldedWithModels(app, (args) => client.call('fold', args), settings)).bytes));
      }
    } catch (failure) {
      for (const picture of pictures) picture.free();
      throw failure;
    } finally {
      giveUp();
    }
    return pictures;
  };
  const settings: state.Settings = { ...open.made.settings, region };
  const others = await foldedWith(settings);
  const all = [first.picture, ...others];
  const needs = ['group', 'fit'].filter((key) => others.some((other) => comparedNeeds(first.picture, other).includes(key)));
  const changed = needs.filter((key) => open.made.settings[key] === undefined);
  const named = (pictures: Picture[], group: number) => [first.name, ...names].map((name, at) => ({ name, picture: pictures[at], group }));
  const unchanged = { runs: named(all, 0), kept: [first.picture], remark: needs.includes('group') ? UNLIKE : '' };
  if (changed.length === 0 || !app.engine.isOpen) return unchanged;
  const again = async (alike: state.Settings) => {
    report('Folding');
    const own = new Picture((await foldedWithModels(app, (args) => app.engine.call('fold', args), alike)).bytes);
    return [own, ...(await foldedWith(alike))];
  };
  const isGroup = changed.includes('group');
  const [runs] = await inPhases(isGroup ? { ...settings, group: 'none' } : settings, again, isGroup ? undefined : all);
  await foldedWithModels(app, (args) => app.engine.call('fold', args), open.made.settings);
  if (runs === all) return unchanged;
  for (const picture of others) picture.free();
  return { runs: named(runs, 0), kept: [], remark: isGroup ? 'Groups of instances are unlike: all are folded together.' : '' };
}

/** What both have, where B has no such region. */
function offerInCommon(region: string, a: Opened | null, b: Opened) {
  const regionsOf = (trace: Opened | null) => (trace?.regions.lines ?? []).map(({ region }) => region);
  const ofB = regionsOf(b);
  if (ofB.includes(region)) return;
  const both = regionsOf(a).filter((region) => ofB.includes(region));
  throw { message: `B has no region ${region}; ${both.length > 0 ? 'both have' : `it has ${ofB.slice(0, 3).join(', ') || 'none'}, and no region is in both.`}`, regions: both.slice(0, 4) };
}

/** Settings by which a side is another part of a run. */
const PARTS = ['region', 'objects', 'from', 'to', 'instances'];

/** With what A and B were folded, where that is not the same; a setting that is not set is at its default. */
function unlikeSettings(a: state.Settings, b: state.Settings): string {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => a[key] !== b[key] && !PARTS.includes(key));
  const named = keys.map((key) => `${key} ${[a[key], b[key]].map((value) => value ?? 'by default').join(' and ')}`);
  return named.length > 0 ? `Folded with unlike settings: ${named.join(', ')}.` : '';
}

const UNLIKE = 'Groups of instances are unlike; those of most instances are compared.';

/** What was loaded last: a comparison that is begun again does not load it again. */
let loaded: { of: string, dropped: Dropped } | null = null;

export async function filesOf(addresses: string[], report: (words: string) => void): Promise<Dropped> {
  const hosts = consentNeeded(addresses, 'compareURL');
  if (hosts.length > 0) throw { message: `${addresses.join(', ')} is to be compared. ${hosts.join(', ')} will see that you asked for it.`, asks: addresses };
  const of = addresses.join(' ');
  if (loaded?.of !== of) {
    const files = await fetchAll(filesAt(addresses), (progress) => report(wordsOf(progress)), new AbortController().signal);
    loaded = { of, dropped: { files, names: files.map(({ name }) => name) } };
  }
  return loaded.dropped;
}

function wordsOf({ phase, done, total }: Progressed): string {
  return total ? `${phase} ${Math.floor((100 * Number(done)) / Number(total))}\u202f%` : phase;
}

/** The worker that holds the trace of B. */
async function opening(app: App, dropped: Dropped & { choice?: string }, report: (words: string) => void): Promise<Running> {
  if (opened?.of === dropped) return opened.client;
  giveUp();
  engine ??= new Engine(parts);
  const own = engine;
  const client = await own.start();
  const onProgress = (progress: Progressed | EarlyFolding) => {
    if ('phase' in progress) report(wordsOf(progress));
  };
  const answer = await client.call('open', { files: dropped.files, names: dropped.names, choice: dropped.choice, ...limits() }, { onProgress }).catch((failure: any) => {
    // One that is stale was ended by what came after it.
    if (!failure.stale) own.cancel();
    throw withAdvice(failure);
  });
  if (answer.profiles) {
    own.cancel();
    throw { message: 'These are profiles.', profiles: true };
  }
  if (answer.choices) {
    own.cancel();
    const names: string[] = answer.choices.map(({ name }: { name: string }) => name);
    throw { message: `Found ${names.length} traces, expected one: choose the files of one run.`, traces: names };
  }
  own.adopt();
  opened = { of: dropped, client };
  traces.set(client, answer);
  return client;
}

const traces = new WeakMap<Running, Opened>();

/** The trace with what repeats in it, where no event marks the region. */
const repeating = (app: App, client: Running, settings: state.Settings) => looked(app, client, traces.get(client) as Opened, settings);
