// Beside a profile: the picked context, threads as points, and settings.

import { button, make, refill, watcher } from '../dom.ts';
import { counted } from '../format.ts';
import type { AxisAsked, Looked } from './looked.ts';
import type { Page } from './page.ts';
import type { NoticeLine, PickedNode, ProfileSummary } from '../wasm/profiler.js';

export interface PanelActions {
  look: (change: Partial<Looked>) => void;
  save: (format: string) => void;
  /** Asks for another profile to lay beside. */
  compare: () => void;
  /** Folds the calls of a region, where the trace that is open has it; `null` otherwise. */
  folder: (name: string) => (() => void) | null;
}

/** What is told beside the pictures. */
export interface Beside {
  summary: ProfileSummary;
  looked: Looked;
  node: number | null;
  picked: PickedNode | null;
  notices: NoticeLine[];
  /** Whether it was made of the trace that is open. */
  isOfTrace: boolean;
}

const FILES = [['csv', 'CSV'], ['json', 'JSON'], ['speedscope', 'speedscope'], ['folded', 'Collapsed stacks'], ['tau', 'TAU']];

/** Most that is said of the machine. */
const MOST_METADATA = 200;

export function mountPanel(page: Page, actions: PanelActions) {
  const changed = watcher();
  const settingsChanged = watcher();
  const noticed = watcher();
  page.files.append(make('h2', {}, 'Save'), make('p', {}, ...FILES.map(([format, words]) => button({ class: 'link', 'data-testid': `profile-save-${format}` }, words, () => actions.save(format)))), make('p', {}, button({ class: 'link', 'data-testid': 'profile-compare' }, 'Compare with another profile…', actions.compare)));

  return (beside: Beside) => {
    const { summary, looked, node, picked, notices, isOfTrace } = beside;
    if (changed(summary, picked)) showPicked(beside);
    if (settingsChanged(summary, isOfTrace, looked.measure, looked.kind, looked.whole, looked.unwind, looked.sites, looked.thread)) showSettings(beside);
    showAxes(beside, node);
    if (noticed(summary, notices)) showNotices(summary, notices);
  };

  function showPicked(beside: Beside) {
    const { summary, picked } = beside;
    if (!picked) return page.picked.replaceChildren();
    const { name, lines, path } = picked;
    const rows = lines.map(({ name, value, words }) => make('tr', {}, make('th', { scope: 'row' }, name), make('td', {}, value), make('td', {}, words)));
    const above = path.flatMap(([at, name], i) => [...(i > 0 ? [' › '] : []), button({ class: 'link', 'data-above': String(at) }, name, () => actions.look({ node: at }))]);
    refill(page.picked, 'above', make('h2', {}, make('span', {}, name), make('small', {}, summary.threadsWords)), make('table', {}, make('tbody', {}, ...rows)), ...(above.length > 0 ? [make('p', { class: 'path' }, 'in ', ...above)] : []));
    const fold = picked.folds ? actions.folder(picked.folds) : null;
    page.room.replaceChildren(...(picked.room ? [...(picked.folds ? [make('b', {}, 'Room to fold: ')] : []), picked.room, ...(fold ? [' ', button({ class: 'link', 'data-testid': 'profile-fold' }, 'Fold it', fold)] : [])] : []));
    const others = beside.summary.room.filter(([node]) => node !== beside.node).map(([node, words]) => make('li', {}, button({ class: 'link', 'data-above': String(node) }, words, () => actions.look({ node }))));
    page.rooms.replaceChildren(...(others.length > 0 ? [make('summary', {}, 'Where else there is room to fold'), make('ul', {}, ...others)] : []));
    page.rooms.hidden = others.length === 0;
    page.room.parentElement!.hidden = !picked.room && others.length === 0;
  }

  /** What the three axes beside the picked node are of. */
  function showAxes({ summary, looked }: Beside, node: number | null) {
    page.scatter.hidden = summary.threads.length < 2 || node === null;
    const measures = summary.metrics.map(([metric, short]) => [metric, metric === 'TIME' ? 'time' : short]);
    const row = (key: 'x' | 'colour' | 'size', words: string) => {
      const asked = looked[key];
      const of: [string, string][] = [...(key === 'x' ? [['', 'as usual'] as [string, string]] : [['', 'nothing'] as [string, string]]), ...measures.map(([metric, short]) => [`~${metric}`, short] as [string, string])];
      const select = make('select', { 'aria-label': `${words} of the points`, 'data-axis': key }, ...of.map(([value, words]) => make('option', { value }, words)));
      select.value = asked ? `~${asked.measure || summary.metrics[0]?.[0]}` : '';
      select.addEventListener('change', () => actions.look({ [key]: select.value ? { node: asked?.node ?? null, measure: select.value.slice(1) } satisfies AxisAsked : null }));
      const isPinned = asked?.node !== undefined && asked?.node !== null;
      const pin = button({ class: 'link', 'data-pin': key, title: isPinned ? 'Of the picked context again' : 'Keep this context on this axis, and pick another' }, isPinned ? 'unpin' : 'pin', () =>
        actions.look({ [key]: isPinned ? { ...asked, node: null } : { node, measure: asked?.measure ?? summary.metrics[0]?.[0] ?? '' } }));
      return [make('span', {}, words), select, pin];
    };
    const signature = JSON.stringify([looked.x, looked.colour, looked.size, node, summary.metrics]);
    if (page.axes.dataset.of === signature) return;
    page.axes.dataset.of = signature;
    refill(page.axes, 'axis', ...row('x', 'Across'), ...row('colour', 'Colour'), ...row('size', 'Size'));
  }

  function showSettings({ summary, looked, isOfTrace }: Beside) {
    const select = (words: string, key: string, options: [string, string][], value: string, choose: (value: string) => void) => {
      const element = make('select', { 'data-testid': `profile-${key}`, 'data-set': key }, ...options.map(([value, words]) => make('option', { value }, words)));
      element.value = value;
      element.addEventListener('change', () => choose(element.value));
      return make('label', {}, words, element);
    };
    const isMetric = looked.measure === '' || summary.metrics.some(([metric]) => metric === looked.measure);
    const metrics = summary.metrics.map(([metric, short]): [string, string] => [metric, metric === short || metric === 'TIME' ? metric : `${short} (${metric})`]);
    const formula = make('input', { placeholder: 'PAPI_L2_DCM / PAPI_TOT_INS', 'aria-label': 'Formula of counters', 'data-set': 'formula', 'data-testid': 'profile-formula' });
    formula.value = isMetric ? '' : looked.measure;
    formula.addEventListener('change', () => actions.look({ measure: formula.value.trim() }));
    const measure = select('Metric', 'metric', [...metrics, ...(isMetric ? [] : [['=', 'the formula below'] as [string, string]])], isMetric ? looked.measure || (summary.metrics[0]?.[0] ?? '') : '=', (value) => value !== '=' && actions.look({ measure: value === summary.metrics[0]?.[0] ? '' : value }));
    const rows = [
      measure,
      ...(summary.metrics.length > 1 ? [make('label', {}, 'Formula', formula)] : []),
      ...(isOfTrace && summary.hasSamples ? [
        select('Weights', 'weights', [['', 'clipped at calls'], ['whole', 'since the sample before']], looked.whole ? 'whole' : '', (value) => actions.look({ whole: value === 'whole' })),
        select('Call sites', 'unwind', [['sites', 'routines and lines'], ['routines', 'routines'], ['none', 'none']], looked.unwind, (unwind) => actions.look({ unwind: unwind as Looked['unwind'] })),
      ] : []),
      ...(isOfTrace ? [select('Calls', 'sites', [['', 'together'], ['1', 'by call site, too']], looked.sites ? '1' : '', (value) => actions.look({ sites: value === '1' }))] : []),
      ...(looked.thread !== null ? [make('p', {}, button({ class: 'link', 'data-set': 'threads', 'data-testid': 'profile-all-threads' }, 'All threads again', () => actions.look({ thread: null })))] : []),
    ];
    const told = summary.metadata.slice(0, MOST_METADATA);
    const metadata = told.length > 0 ? [make('details', {}, make('summary', {}, 'What the measurement says of itself'), make('dl', {}, ...told.flatMap(([key, value]) => [make('dt', {}, key), make('dd', {}, value)])))] : [];
    refill(page.settings, 'set', make('h2', {}, 'Profile'), ...rows, ...metadata);
  }

  function showNotices(summary: ProfileSummary, notices: NoticeLine[]) {
    const sentences = [...notices.map(({ text, often, first }) => `${text}${often}${first ? ` (${first})` : ''}`), ...summary.notices];
    page.notices.hidden = sentences.length === 0;
    const list = make('ul', { hidden: '' }, ...sentences.map((sentence) => make('li', {}, sentence)));
    const turn = button({ class: 'link', 'aria-expanded': 'false' }, 'List', () => {
      list.hidden = !list.hidden;
      turn.setAttribute('aria-expanded', String(!list.hidden));
    });
    page.notices.replaceChildren(make('p', {}, make('b', {}, counted(sentences.length, 'notice')), ` ${sentences[0] ?? ''} `, turn), list);
  }
}
