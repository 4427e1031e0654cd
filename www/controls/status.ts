// What is going on, in exact words: reading, the facts of what is shown, or what went wrong.

import { button, byId, make, shows, watcher } from '../dom.ts';
import { fileSize, percent, timeLeft } from '../format.ts';
import { shownOf, tabOf, traceOf, type Problem, type Reading, type Shown, type State } from '../state.ts';
import { isQuestion, messageParts, wordsOf } from './message.ts';
import { term } from '../terms.ts';

export interface Actions {
  cancel: () => void;
  listInstances: () => void;
  courseOf: (asked: string | null) => void;
  readAgain: () => void;
  back: () => void;
  resetSettings: () => void;
  chooseFiles: () => void;
  chooseTrace: (choice: string | null) => void;
  loadAnyway: (addresses: string[]) => void;
}

/** To be updated after the lanes: `ready` means that they are painted. */
export function mountStatus(actions: Actions): (state: State) => void {
  const root = byId('status');
  const changed = watcher();
  const progressed = watcher();
  byId('cancel').addEventListener('click', actions.cancel);
  addEventListener('keydown', (event) => event.key === 'Escape' && actions.cancel());

  return (state) => {
    const { now, settings } = state;
    const shown = shownOf(state);
    const reading = now.is === 'reading' ? now.reading : null;
    const problem = now.is === 'failed' ? now.problem : null;
    if (progressed(reading)) showReading(reading);
    root.dataset.state = wordFor(state);
    root.toggleAttribute('data-deciding', shown?.deciding ?? false);
    if (!changed(now.is, reading?.name, problem, shown?.summary, shown?.group, shown?.deciding, settings.objects, state.view.course, state.profile)) return;
    const factsAreSeen = shown && !problem && (!reading || shown.early !== null);
    shows(byId('landing'), now.is === 'empty' && !state.profile);
    byId('facts').hidden = !factsAreSeen;
    byId('message').hidden = !problem;
    byId('facts').replaceChildren(...(shown ? factsOf(state, shown, actions) : []));
    byId('partial').hidden = !factsAreSeen || !shown.summary.trace.partial;
    byId('partial').replaceChildren(...(shown ? partialWords(state, shown, actions) : []));
    if (problem) showProblem(state, problem, actions);
    byId('announce').textContent = announcement(state);
    document.title = !shown && state.profile ? `${state.profile.name} · Tracefold` : shown ? `${shown.summary.title} · ${shown.summary.trace.name} · Tracefold` : 'Tracefold';
  };
}

/** Tells at once that something is going on; every other state is told when it is on screen. */
export function markBusy(state: State) {
  if (wordFor(state) === 'busy') byId('status').dataset.state = 'busy';
}

/** What is going on, as style and tests know it. */
function wordFor({ now, profile }: State) {
  if (now.is === 'failed') return 'error';
  if (now.is === 'empty' && profile) return 'ready';
  return now.is === 'ready' || now.is === 'empty' ? now.is : 'busy';
}

function showReading(reading: Reading | null) {
  byId('reading').hidden = reading === null;
  if (!reading) return;
  const { name, phase, done, total, perSecond } = reading;
  const isTitle = /^(Reading|Loading) /.test(phase);
  const share = total > 0 ? done / total : 0;
  const parts: HTMLElement[] = [make('b', { class: 'title' }, isTitle ? phase : `Reading ${name}`)];
  const add = (value: string, rest: string) => parts.push(make('span', {}, make('b', {}, value), rest));
  if (total > 0) add(percent(share), '');
  if (phase && !isTitle) add('', phase);
  if (total > 1000) add(fileSize(done), ` of ${fileSize(total)}`);
  if (perSecond > 0) add(`${fileSize(perSecond)}/s`, '');
  if (perSecond > 0 && total > done) add(timeLeft((total - done) / perSecond), ' left');
  byId('reading-row').replaceChildren(...parts);
  (byId('reading-bar') as HTMLProgressElement).value = share;
}

function showProblem(state: State, problem: Problem, actions: Actions) {
  const root = byId('message');
  root.classList.toggle('question', isQuestion(problem.task));
  root.replaceChildren(...messageParts(state, problem, actions));
  root.querySelector<HTMLElement>('.choices button')?.focus();
}

/** Which part of the trace is shown, and how to get to another. */
function partialWords(state: State, { summary }: Shown, { readAgain }: Actions) {
  const words = [make('b', {}, 'A part of the trace.'), ` ${summary.trace.partial ?? ''} `];
  // A part of a fold is all that there is of it.
  if (traceOf(state)?.regionAlone !== null || wordFor(state) === 'busy') return words;
  return [...words, button({ class: 'link', 'data-testid': 'read-again' }, 'Read it again with these settings', readAgain)];
}

/** The title line analysts know. */
function factsOf(state: State, { summary, group, early }: Shown, actions: Actions): HTMLElement[] {
  const fact = (name: string, value: string, rest: string) => make('span', {}, make('b', {}, value), ' ', term(name, rest));
  const { kept, instances, mean, instructions, samples, efficiency } = group.facts;
  return [
    make('h1', { title: summary.region }, term('region', summary.title)),
    ...(early !== null ? [make('span', { class: 'mark', 'data-testid': 'early' }, term('in-part', `first ${percent(early)} of the trace`))] : []),
    ...(summary.trace.generated ? [make('span', { class: 'mark', 'data-testid': 'generated' }, term('generated', 'generated example'))] : []),
    make('span', {}, term('group', `group ${group.number} of ${summary.allGroups}`)),
    traceOf(state) ? button({ class: 'link fact', 'data-testid': 'instances-button', 'data-term': 'instance', title: 'List them' }, `${kept} of ${instances} instances`, actions.listInstances) : fact('instance', kept, `of ${instances} instances`),
    ...(traceOf(state) ? [button({ class: 'link fact', 'data-testid': 'course-button', 'data-term': 'instance', title: 'Instances over the run', 'aria-expanded': String(state.view.course !== null), 'aria-controls': 'course' }, 'over the run', () => actions.courseOf(state.view.course === null ? 'duration' : null))] : []),
    make('span', {}, term('mean', 'mean'), ' ', make('b', {}, mean)),
    ...(instructions !== null ? [fact('instructions', instructions, 'instructions')] : []),
    ...(group.counters.length > 0 ? [fact('sample', ...samples)] : []),
    ...(efficiency !== null ? [make('span', { title: group.activity?.words ?? '' }, term('efficiency', 'efficiency'), ' ', make('b', {}, efficiency))] : []),
    make('span', {}, term('object', 'appl.task.thread'), ' ', make('b', {}, state.settings.objects ?? '*.*.*')),
  ];
}

function announcement(state: State) {
  const { now } = state;
  const shown = shownOf(state);
  if (now.is === 'reading') return `Reading ${now.reading.name}`;
  if (now.is === 'looking') return `Looking at ${now.open.from.trace?.name}`;
  if (now.is === 'folding') return 'Folding';
  if (now.is === 'failed') return Object.values(wordsOf(now.problem)).join(' ');
  if (state.profile && tabOf(state) === 'profile') return `Profile ${state.profile.name} is open`;
  if (!shown) return '';
  const { summary, group: { facts, phases }, deciding } = shown;
  const decided = phases.length > 0 ? `; phases: ${phases.length}` : '';
  return `${summary.title}: ${facts.kept} of ${facts.instances} instances folded${deciding ? '; deciding on curves and phases' : decided}`;
}
