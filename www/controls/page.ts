// The frame of the page: file name, theme, panel, keys, status bar.

import { byId, isTyping, make, shows, watcher } from '../dom.ts';
import { fileSize } from '../format.ts';
import { nextTheme, onSystemTheme, paintedTheme } from '../theme.ts';
import { shownOf, sourceOf, tabOf, traceOf, type State } from '../state.ts';

/** Keys and what they do: those of the status bar first. */
const KEYS = [
  [['W', 'S'], 'zoom'],
  [['A', 'D'], 'pan'],
  [['[', ']'], 'phase'],
  [['0'], 'fit'],
  [['B'], 'break at the cursor, or at both ends of the range'],
  [['R'], 'pick a range, whose ends ← and → move'],
  [['F'], 'zoom to the range; Enter does so too'],
  [['Esc'], 'hide the values, end measuring, let the range go, show all again, or cancel reading'],
  [['\\'], 'show or hide the panel'],
  [['Ctrl', 'wheel'], 'zoom at the pointer'],
  [['drag'], 'select a range'],
  [['Shift', 'drag'], 'measure: how long it is, and what each counter does in it'],
  [['M'], 'measure from the cursor on'],
  [['double click'], 'fit; in the time line of a run, its iteration'],
  [['click'], 'pick the routine or data object, in all lanes'],
  [['←', '→'], 'move the cursor, on a lane'],
  [['/'], 'search routines, lines, data, counters and regions'],
  [['Ctrl', 'Shift', 'P'], 'all actions'],
  [['?'], 'all keys'],
] as [string[], string][];

const IN_BAR = ['zoom', 'pan', 'phase', 'fit', 'all keys'];

export function mountPage({ chooseTheme, togglePanel, repaint }: { chooseTheme: (theme: 'light' | 'dark' | 'contrast') => void, togglePanel: () => void, repaint: () => void }): (state: State) => void {
  const theme = byId('theme');
  const help = byId('help') as HTMLDialogElement;
  const changed = watcher();
  let painted = paintedTheme('auto');
  byId('keys').append(...KEYS.filter(([, words]) => IN_BAR.includes(words)).map(keyOf));
  byId('help-keys').append(...KEYS.flatMap(([keys, words]) => [make('dt', {}, ...keys.map((key) => make('kbd', {}, key))), make('dd', {}, words)]));
  theme.addEventListener('click', () => chooseTheme(nextTheme(painted)));
  const more = byId('more');
  const tools = byId('tools');
  more.addEventListener('click', () => more.setAttribute('aria-expanded', String(tools.classList.toggle('open'))));
  byId('help-button').addEventListener('click', () => help.showModal());
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.code === 'Backslash') togglePanel();
    if (event.key === '?') help.showModal();
  });
  onSystemTheme(repaint);

  return (state) => {
    const { view, panel, now } = state;
    const opened = traceOf(state);
    const summary = shownOf(state)?.summary;
    painted = paintedTheme(view.theme);
    document.documentElement.dataset.theme = painted;
    theme.textContent = { light: 'Light', dark: 'Dark', contrast: 'Contrast' }[painted];
    byId('panel').hidden = !panel || (!opened && !summary && now.is !== 'reading' && now.is !== 'folding');
    const words = statusWords(state);
    byId('remark').textContent = words;
    byId('keys').hidden = words !== '' || !summary;
    const profile = tabOf(state) === 'profile' ? state.profile : null;
    if (!changed(opened, summary, profile)) return;
    const trace = profile ?? opened ?? summary?.trace;
    shows(byId('file'), Boolean(trace));
    if (trace) byId('file').replaceChildren(...nameOf(trace, profile ? null : summary?.trace.partial));
    const isShared = sourceOf(state).kind === 'link' && summary;
    const said = [isShared ? `shared picture of ${summary.trace.name}` : '', summary?.trace.generated ? 'generated example' : ''];
    byId('about').textContent = said.filter(Boolean).join(' · ');
  };
}

function nameOf({ name, sizeBytes }: { name: string, sizeBytes: number }, partial: string | null | undefined) {
  const mark = partial ? [' ', make('span', { class: 'part', 'data-testid': 'partial', title: partial }, 'in part')] : [];
  return [make('b', {}, name), ' ', make('i', {}, fileSize(sizeBytes)), ...mark];
}

function statusWords({ now, remark }: State) {
  if (now.is === 'looking') return 'Looking at the run…';
  if (now.is === 'folding') return 'Folding…';
  if (now.is === 'reading') return 'Esc cancels; what was open stays open';
  if (now.is === 'failed') return now.problem.failure.code ? `Code ${now.problem.failure.code}` : '';
  return remark;
}

function keyOf([keys, words]: [string[], string]) {
  return make('span', { class: 'key' }, ...keys.map((key) => make('kbd', {}, key)), words);
}
