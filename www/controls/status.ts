// What is going on, in exact words: reading, the facts of what is shown, or what went wrong.

import { button, byId, make, watcher } from '../dom.ts';
import { count, duration, fileSize, fixed, percent, regionName, timeLeft } from '../format.ts';
import { shownGroup, type Problem, type Reading, type State } from '../state.ts';
import { isQuestion, messageParts, wordsOf } from './message.ts';

export interface Actions {
  cancel: () => void;
  listInstances: () => void;
  readAgain: () => void;
  back: () => void;
  resetSettings: () => void;
  chooseFiles: () => void;
  chooseTrace: (name: string) => void;
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

/** Tells at once that something is going on; every other state is told when it is on screen. */
export function markBusy({ status }: State) {
  if (status === 'busy') byId('status').dataset.state = status;
}

function showReading(reading: Reading | null) {
  byId('reading').hidden = reading === null;
  if (!reading) return;
  const { name, phase, done, total, perSecond } = reading;
  const isTitle = /^(Reading|Loading) /.test(phase);
  const share = total > 0 ? done / total : 0;
  const parts: HTMLElement[] = [make('b', { class: 'title' }, isTitle ? phase : `Reading ${name}`)];
  const add = (value: string, rest: string) => parts.push(make('span', {}, make('b', {}, value), rest));
  if (total > 0) add(percent(share, 0), '');
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
  root.replaceChildren(...messageParts(state, actions));
  root.querySelector<HTMLElement>('.choices button')?.focus();
}

/** Which part of the trace is shown, and how to get to another. */
function partialWords({ summary, opened, status }: State, { readAgain }: Actions) {
  const words = [make('b', {}, 'A part of the trace.'), ` ${summary?.trace.partial ?? ''} `];
  if (!opened || status === 'busy') return words;
  return [...words, button({ class: 'link', 'data-testid': 'read-again' }, 'Read it again with these settings', readAgain)];
}

/** The title line analysts know. */
function factsOf(state: State, actions: Actions): HTMLElement[] {
  const { summary, settings, early, opened } = state;
  const group = shownGroup(state);
  if (!summary || !group) return [];
  const fact = (value: string, rest: string) => make('span', {}, make('b', {}, value), ` ${rest}`);
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

function announcement(state: State) {
  const { status, reading, problem, summary } = state;
  const group = shownGroup(state);
  if (status === 'busy') return reading?.task === 'open' ? `Reading ${reading.name}` : 'Folding';
  if (status === 'error' && problem) return Object.values(wordsOf(problem)).join(' ');
  if (!summary || !group) return '';
  return `${regionName(summary.region)}: ${group.kept} of ${group.instances} instances folded`;
}

function titleOf({ summary }: State) {
  return summary ? `${regionName(summary.region)} · ${summary.trace.name} · Tracefold` : 'Tracefold';
}
