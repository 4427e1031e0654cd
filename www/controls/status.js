// What is going on, in exact words: reading, the facts of what is shown, or what went wrong.

import { button, byId, make, watcher } from '../dom.js';
import { count, duration, fileSize, fixed, percent, regionName, timeLeft } from '../format.js';
import { shownGroup } from '../state.js';
import { isQuestion, messageParts, wordsOf } from './message.js';

/** @typedef {import('../state.js').State} State */

/**
 * @typedef {Object} Actions
 * @property {() => void} cancel
 * @property {() => void} listInstances
 * @property {() => void} readAgain
 * @property {() => void} back
 * @property {() => void} resetSettings
 * @property {() => void} chooseFiles
 * @property {(name: string) => void} chooseTrace
 * @property {(addresses: string[]) => void} loadAnyway
 */

/**
 * @param {Actions} actions
 * @returns {(state: State) => void} call it after the lanes: `ready` means that they are painted
 */
export function mountStatus(actions) {
  const root = byId('status');
  const changed = watcher();
  const progressed = watcher();
  byId('cancel').addEventListener('click', actions.cancel);
  addEventListener('keydown', (event) => event.key === 'Escape' && actions.cancel());

  return (state) => {
    const { status, reading, problem, summary, view, settings, early } = state;
    const opening = reading?.task === 'open' ? reading : null;
    if (progressed(reading)) showReading(opening);
    root.dataset.state = status;
    root.toggleAttribute('data-deciding', state.deciding);
    if (!changed(status, opening?.name, problem, summary, view.shown, settings.objects)) return;
    byId('landing').hidden = status !== 'empty';
    byId('facts').hidden = (opening !== null && early === null) || !summary || status === 'error';
    byId('message').hidden = status !== 'error';
    byId('facts').replaceChildren(...factsOf(state, actions));
    byId('partial').hidden = byId('facts').hidden || !summary?.trace.partial;
    byId('partial').replaceChildren(...partialWords(state, actions));
    if (problem) showProblem(state, problem, actions);
    byId('announce').textContent = announcement(state);
    document.title = titleOf(state);
  };
}

/**
 * Tells at once that something is going on; every other state is told when it is on screen.
 * @param {State} state
 */
export function markBusy({ status }) {
  if (status === 'busy') byId('status').dataset.state = status;
}

/** @param {import('../state.js').Reading | null} reading */
function showReading(reading) {
  byId('reading').hidden = reading === null;
  if (!reading) return;
  const { name, phase, done, total, perSecond } = reading;
  const isTitle = /^(Reading|Loading) /.test(phase);
  const share = total > 0 ? done / total : 0;
  /** @type {HTMLElement[]} */
  const parts = [make('b', { class: 'title' }, isTitle ? phase : `Reading ${name}`)];
  const add = (/** @type {string} */ value, /** @type {string} */ rest) => parts.push(make('span', {}, make('b', {}, value), rest));
  if (total > 0) add(percent(share, 0), '');
  if (phase && !isTitle) add('', phase);
  if (total > 1000) add(fileSize(done), ` of ${fileSize(total)}`);
  if (perSecond > 0) add(`${fileSize(perSecond)}/s`, '');
  if (perSecond > 0 && total > done) add(timeLeft((total - done) / perSecond), ' left');
  byId('reading-row').replaceChildren(...parts);
  /** @type {HTMLProgressElement} */ (byId('reading-bar')).value = share;
}

/**
 * @param {State} state
 * @param {import('../state.js').Problem} problem
 * @param {Actions} actions
 */
function showProblem(state, problem, actions) {
  const root = byId('message');
  root.classList.toggle('question', isQuestion(problem.task));
  root.replaceChildren(...messageParts(state, actions));
  /** @type {HTMLElement | null} */ (root.querySelector('.choices button'))?.focus();
}

/**
 * Which part of the trace is shown, and how to get to another.
 * @param {State} state
 * @param {Actions} actions
 */
function partialWords({ summary, opened, status }, { readAgain }) {
  const words = [make('b', {}, 'A part of the trace.'), ` ${summary?.trace.partial ?? ''} `];
  if (!opened || status === 'busy') return words;
  return [...words, button({ class: 'link', 'data-testid': 'read-again' }, 'Read it again with these settings', readAgain)];
}

/**
 * The title line analysts know.
 * @param {State} state
 * @param {Actions} actions
 * @returns {HTMLElement[]}
 */
function factsOf(state, actions) {
  const { summary, settings, early, opened } = state;
  const group = shownGroup(state);
  if (!summary || !group) return [];
  const fact = (/** @type {string} */ value, /** @type {string} */ rest) => make('span', {}, make('b', {}, value), ` ${rest}`);
  const counter = group.counters.find(({ instructions }) => instructions) ?? group.counters[0];
  const facts = [
    make('h1', { title: summary.region }, regionName(summary.region)),
    ...(early !== null ? [make('span', { class: 'mark', 'data-testid': 'early' }, `first ${percent(early, 0)} of the trace`)] : []),
    ...(summary.trace.generated ? [make('span', { class: 'mark', 'data-testid': 'generated' }, 'generated example')] : []),
    make('span', {}, `group ${group.number} of ${summary.groups.length}`),
    opened ? button({ class: 'link fact', 'data-testid': 'instances-button', title: 'List them' }, `${fixed(group.kept)} of ${fixed(group.instances)} instances`, actions.listInstances) : fact(fixed(group.kept), `of ${fixed(group.instances)} instances`),
    make('span', {}, 'mean ', make('b', {}, duration(group.meanMs))),
  ];
  if (group.meanInstructions !== null) facts.push(fact(count(group.meanInstructions), 'instructions'));
  if (counter) {
    const all = counter.used + counter.unused;
    facts.push(counter.used === all ? fact(fixed(group.samples), 'samples') : fact(fixed(counter.used), `of ${fixed(all)} samples used`));
  }
  facts.push(make('span', {}, 'appl.task.thread ', make('b', {}, settings.objects ?? '*.*.*')));
  return facts;
}

/** @param {State} state */
function announcement(state) {
  const { status, reading, problem, summary } = state;
  const group = shownGroup(state);
  if (status === 'busy') return reading?.task === 'open' ? `Reading ${reading.name}` : 'Folding';
  if (status === 'error' && problem) return Object.values(wordsOf(problem)).join(' ');
  if (!summary || !group) return '';
  return `${regionName(summary.region)}: ${group.kept} of ${group.instances} instances folded`;
}

/** @param {State} state */
function titleOf({ summary }) {
  return summary ? `${regionName(summary.region)} · ${summary.trace.name} · Tracefold` : 'Tracefold';
}
