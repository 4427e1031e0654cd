// All that can be done with what is open, each with the keys that do the same.

import { FORMATS } from '../controls/exports.ts';
import { OWN } from '../controls/models.ts';
import { byId } from '../dom.ts';
import { runOf, shownOf, tabOf, traceOf } from '../state.ts';
import { settingsSchema } from '../wasm/painter.js';
import type { Actions } from '../actions/actions.ts';
import type { ViewState } from '../view.ts';
import type { Entry } from './finder.ts';

/** What keys do, by their place on the keyboard: for lanes, and the first of them for a run as well. */
const OF_RUN_AND_LANES = [
  ['Zoom in', 'W', 'KeyW'], ['Zoom out', 'S', 'KeyS'], ['Move to earlier', 'A', 'KeyA'], ['Move to later', 'D', 'KeyD'], ['Show all: fit', '0', 'Digit0'],
  ['To the one before: phase or iteration', '[', 'BracketLeft'], ['To the next one: phase or iteration', ']', 'BracketRight'],
] as const;

/** Parts of the side panel, and of what the time line and the points of a run tell. */
const PANELS = ['phases', 'code', 'data', 'regions', 'settings'] as const;
const COLOURS = ['cluster', 'duration', 'ipc', 'activity'] as const;
const PLANES = ['instructions', 'duration'] as const;

export function commandsOf(actions: Actions): Entry[] {
  const { now, look, tell, pick } = actions;
  const state = now();
  const { view, cursor, settings } = state;
  const shown = shownOf(state);
  const trace = traceOf(state);
  const tab = tabOf(state);
  const isRegion = tab === 'region' && shown !== null;
  const isRun = tab === 'run' && runOf(state) !== null;
  const entry = (kind: string) => (name: string, go: () => void, keys?: string[], beside = ''): Entry => ({ kind, name, beside, go, keys });
  const when = (is: unknown, ...entries: Entry[]) => (is ? entries : []);
  const [move, see, phase, counters, save, go, set] = ['Move', 'View', 'Phases', 'Counters', 'Save', 'Go', 'Settings'].map(entry);
  const step = (change: Partial<ViewState>) => () => look(change, 'push');
  const group = shown?.group;
  const named = (name: string) => name[0].toUpperCase() + name.slice(1);

  const moving = when(isRegion || isRun, ...OF_RUN_AND_LANES.map(([name, key, code]) => move(name, press(code), [key])));
  const ofLanes = when(isRegion && view.view === 'lanes',
    move('Pick a range', press('KeyR'), ['R']),
    move('Measure from the cursor on', press('KeyM'), ['M'], cursor ? '' : 'at a cursor'),
    ...when(view.selection, move('Zoom to the range', press('Enter'), ['F']), move('Let the range go', step({ selection: null }), ['Esc'])),
    ...when(trace && (view.selection ?? cursor), phase('Break at the cursor, or at both ends of the range', press('KeyB'), ['B'])),
    ...when(view.picked !== null, see('Show all again, not what is picked alone', () => pick(null), ['Esc'])),
    ...when(view.object !== null, see('Show all data objects', step({ object: null }), ['Esc'])),
    ...when(group?.hasCallers, see(view.stacks === 'icicle' ? 'Innermost routines alone' : 'Icicle: routines under those that call them', step({ stacks: view.stacks === 'icicle' ? 'bands' : 'icicle' }))),
    ...when(group?.hasAddress, see(view.colour === 'level' ? 'Colour loads by latency' : 'Colour loads by memory level', step({ colour: view.colour === 'level' ? 'latency' : 'level' }))),
  );
  // Those of the table of phases are for the one that is zoomed to.
  const ofOne = when(isRegion && trace, ...['phase-name', 'phase-merge', 'phase-source'].flatMap((id) => {
    const tool = document.querySelector<HTMLButtonElement>(`[data-testid=${id}]:enabled`);
    return tool ? [phase(`${tool.textContent} (this phase)`, () => {
      look({ panel: 'phases' });
      soon(() => tool.click());
    })] : [];
  }));
  const ofPhases = when(isRegion && trace && ('breaks' in settings || 'names' in settings), phase('Reset phases', () => actions.resetSettings(['breaks', 'names'])));
  const zooms = (isRegion ? group?.phases ?? [] : []).map(({ number, name, start, end }) => phase(`Zoom to phase ${number}`, step({ range: [start, end] }), undefined, name));
  const ofCounters = when(isRegion && view.view === 'lanes',
    counters('Choose counters', () => void actions.pickCounters(!state.picking)),
    ...when(view.counter !== null, counters('All counters, not one alone', step({ counter: null }))),
    ...when(view.model !== null, counters('Counters, not a model', step({ model: null }))),
    ...when(trace, counters('A formula of your own', () => {
      const models = byId('model') as HTMLSelectElement;
      models.value = OWN;
      models.dispatchEvent(new Event('change'));
    })),
    ...(group?.models ?? []).map(({ name, title }) => counters(`Model: ${title}`, step({ model: name, counter: null }))),
    ...(group?.counters ?? []).flatMap(({ counter, name }) => [
      counters(`${name} alone`, step({ counter }), undefined, counter),
      counters(`${view.hidden.includes(counter) ? 'Show' : 'Hide'} ${name}`, () => actions.toggleCounter(counter), undefined, counter),
    ]),
  );
  const seen = [
    ...when(trace, see('Region', step({ tab: 'region' }))),
    ...when(trace && trace.regionAlone === null, see('Run', step({ tab: 'run' })), see('Efficiency', step({ tab: 'efficiency' }))),
    ...when(isRegion, see(view.view === 'table' ? 'Curves as lanes' : 'Curves as a table', step({ view: view.view === 'table' ? 'lanes' : 'table' }))),
    ...when(isRegion, ...PANELS.map((panel) => see(`Panel: ${named(panel)}`, () => {
      tell({ panel: true });
      look({ panel });
    }))),
    ...when(isRegion && group?.hasCode, see(view.code === 'tree' ? 'Routines as a list' : 'Routines as a tree of calls', step({ code: view.code === 'tree' ? 'list' : 'tree', panel: 'code' }))),
    ...when(isRegion && trace, see(view.course === null ? 'Instances over the run' : 'Close instances over the run', step({ course: view.course === null ? 'duration' : null }))),
    ...when(shown || trace, see(state.panel ? 'Hide the panel' : 'Show the panel', () => tell({ panel: !now().panel }), ['\\'])),
    ...when(view.pane !== null, see('Close the source text', step({ pane: null }))),
    ...when(isRun, ...COLOURS.map((by) => see(`Colour the time line by ${by === 'ipc' ? 'IPC' : by}`, step({ by }))), ...PLANES.map((plane) => see(`Points by ${plane}`, step({ plane }))),
      see(view.distances === 'shown' ? 'Hide distances between bursts' : 'Show distances between bursts', step({ distances: view.distances === 'shown' ? 'hidden' : 'shown' })),
      see(view.multiples === 'shown' ? 'Hide all clusters folded' : 'Show all clusters folded', step({ multiples: view.multiples === 'shown' ? 'hidden' : 'shown' }))),
    ...when(isRun && view.clusters.length > 0, see('Mark no cluster', step({ clusters: [] }))),
    ...(['auto', 'light', 'dark', 'contrast'] as const).map((theme) => see(`Theme: ${theme === 'auto' ? 'as the system has it' : theme}`, () => look({ theme }))),
  ];
  const kinds = isRegion ? [undefined, ...when(trace, {} as Entry).map(() => 'of trace')] : ['of run'];
  const saved = when(isRegion ? shown.early === null : isRun, ...FORMATS.filter(([, , kind]) => kinds.includes(kind)).map(([format, words]) => save(words, () => void actions.save(format))));
  const shared = when(shown && state.now.is === 'ready', save('Share: copy a link', click('share')));
  const gone = [
    go('Open files', click('open')),
    ...when(shown || trace, go('Search routines, lines, data, counters, regions', () => dispatchEvent(new KeyboardEvent('keydown', { key: '/' })), ['/'])),
    ...when(isRegion, ...(shown?.summary.groups ?? []).filter(({ number }) => number !== group?.number).map(({ number, facts }) => go(`Group ${number}`, step({ shown: number }), undefined, `${facts.kept} × ${facts.mean}`))),
    ...when(isRun && !byId('run-fold').hidden, go(byId('run-fold').textContent ?? '', click('run-fold'))),
    ...when(isRegion && trace, go('List instances', click(document.querySelector<HTMLElement>('[data-testid=instances-button]')))),
    go('All keys', click('help-button'), ['?']),
  ];
  const known = when(trace && state.now.is !== 'reading',
    ...when(Object.keys(settings).length > 0, set('Reset all settings', () => actions.resetSettings(Object.keys(settings)))),
    ...settingsSchema().filter(({ key }) => document.getElementById(`setting-${key}`)).map(({ key, label, theme }) => set(`${theme}: ${label}`, () => {
      tell({ panel: true });
      look({ panel: 'settings' });
      soon(() => reveal(byId(`setting-${key}`)));
    }, undefined, key)));
  return [...moving, ...ofLanes, ...ofOne, ...ofPhases, ...zooms, ...seen, ...ofCounters, ...shared, ...saved, ...gone, ...known];
}

/** The key itself, so that it does here what it does there. */
function press(code: string) {
  return () => void dispatchEvent(new KeyboardEvent('keydown', { code, key: code, bubbles: true }));
}

/** The panel is up to date on the frame after the lanes. */
function soon(act: () => void) {
  setTimeout(act, 100);
}

function click(what: string | HTMLElement | null) {
  return () => (typeof what === 'string' ? byId(what) : what)?.click();
}

/** Gives it the keys, unfolding what it lies in. */
function reveal(field: HTMLElement) {
  const folded = field.closest('details');
  if (folded) folded.open = true;
  field.focus();
  field.scrollIntoView({ block: 'nearest' });
}
