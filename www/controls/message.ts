import { button, make } from '../dom.ts';
import { fileSize, fixed, regionName } from '../format.ts';
import type { Actions } from './status.ts';
import type { EngineFailure } from '../engine/protocol.ts';
import { shownOf, type Problem, type State } from '../state.ts';
import type { TraceChoice } from '../wasm/engine.js';
import type { Summary } from '../wasm/painter.js';

/** What happened, what is kept, what to do. */
export function messageParts(state: State, problem: Problem, actions: Actions): HTMLElement[] {
  const summary = shownOf(state)?.summary;
  const { task, failure, choices, addresses = [] } = problem;
  const { title, text } = wordsOf(problem);
  const parts: HTMLElement[] = [make('h1', {}, title)];
  if (text) parts.push(make('p', { class: 'words' }, text));
  const excerpt = excerptOf(failure);
  if (excerpt) parts.push(excerpt);

  if (choices) parts.push(make('ul', { class: 'choices' }, ...choices.map((choice) => choiceRow(choice, actions))));

  const buttons = make('p', { class: 'buttons' });
  if (task === 'ask') buttons.append(button({ class: 'filled big', 'data-testid': 'load-anyway' }, 'Load it', () => actions.loadAnyway(addresses)));
  else if (problem.mayBeRanks) buttons.append(button({ class: 'big', 'data-testid': 'as-ranks', title: 'Tasks are numbered in this order; what the clocks are is said' }, 'All, as ranks of one run', () => actions.chooseTrace(null)));
  else if (task === 'fold' && Object.keys(state.settings).length > 0) buttons.append(button({ class: 'filled big' }, 'Reset', actions.resetSettings));
  buttons.append(button({ class: 'big' }, 'Choose another file', actions.chooseFiles));
  if (!isQuestion(task)) buttons.append(button({ class: 'big' }, 'Copy this message', () => navigator.clipboard?.writeText(failure.full ?? `${title}. ${text}`)));
  parts.push(buttons);
  if (summary) parts.unshift(stillOpen(summary, actions.back));
  return parts;
}

/** Whether the page asks, rather than says what went wrong. */
export function isQuestion(task: Problem['task']) {
  return task === 'ask' || task === 'choose';
}

/** One of several traces: its name, its size and what it lacks. */
function choiceRow({ name, size, missing }: TraceChoice, { chooseTrace }: Actions) {
  const open = button({ class: 'big', 'data-testid': 'choice' }, name, () => chooseTrace(name));
  const lacks = missing.length > 0 ? ` · without ${missing.join(' and ')}` : '';
  return make('li', {}, open, make('span', {}, ` ${fileSize(size)}${lacks}`));
}

function stillOpen({ trace, region }: Summary, back: () => void) {
  return make('p', { class: 'kept' }, make('b', {}, 'Still open:'), ` ${trace.name}, ${regionName(region)}. `, button({ class: 'link', 'data-testid': 'back' }, 'Back to it', back));
}

/** A message of several sentences has its first as heading; others get the heading of their task. */
export function wordsOf({ task, title, failure }: Problem) {
  const { message, file, line, column } = failure;
  const heading = /[.?]$/.test(title) ? title : `${title}.`;
  if (task === 'open' && file) {
    const found = message.replace(`${[file, line, column].filter(Boolean).join(':')}: `, '');
    const place = line ? `Line ${fixed(line)}${column ? `, column ${fixed(column)}` : ''}: ` : '';
    const text = place + found;
    return { title: `${capital(file)} could not be read.`, text: `${capital(text)}.` };
  }
  const sentence = /^(\p{Lu}[^.]*)\.\s+(\S.*)$/su.exec(message);
  if (!isQuestion(task) && sentence) return { title: `${sentence[1]}.`, text: sentence[2] };
  return { title: heading, text: message };
}

/** Words begin a sentence with a capital; names of files stay as they are. */
function capital(text: string) {
  return /^[a-z]+ /.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
}

/** The line of the file with the caret under the place, as the engine lays it out. */
function excerptOf({ full, line }: EngineFailure) {
  const lines = (full ?? '').split('\n').slice(1).filter((text) => text.trim() !== '');
  if (lines.length === 0) return null;
  const rows = lines.map((text, i) => {
    const isCaret = /^\s*\^\s*$/.test(text);
    const number = i === 0 && line ? fixed(line) : '';
    return make('span', isCaret ? { class: 'caret' } : i === 0 ? { class: 'at' } : {}, make('i', {}, number), text);
  });
  return make('pre', { tabindex: '0', 'aria-label': 'The place in the file' }, ...rows);
}
