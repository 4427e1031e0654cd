// The frame of the page: file name, theme, panel, keys, status bar.

import { byId, make, watcher } from '../dom.js';
import { fileSize } from '../format.js';
import { nextTheme, onSystemTheme, paintedTheme } from '../theme.js';

/** Keys and what they do: those of the status bar first. */
const KEYS = /** @type {[string[], string][]} */ ([
  [['W', 'S'], 'zoom'],
  [['A', 'D'], 'pan'],
  [['[', ']'], 'phase'],
  [['0'], 'fit'],
  [['B'], 'break at the cursor, or at both ends of the selection'],
  [['Enter'], 'zoom to the selection'],
  [['Esc'], 'hide the values, clear the selection, show all again, or cancel reading'],
  [['\\'], 'show or hide the panel'],
  [['Ctrl', 'wheel'], 'zoom at the pointer'],
  [['drag'], 'select a range'],
  [['click'], 'pick the routine or data object, in all lanes'],
  [['←', '→'], 'move the cursor, on a lane'],
  [['?'], 'all keys'],
]);

const IN_BAR = ['zoom', 'pan', 'phase', 'fit', 'all keys'];

/**
 * @param {{chooseTheme: (theme: 'light' | 'dark' | 'contrast') => void, togglePanel: () => void, repaint: () => void}} actions
 * @returns {(state: import('../state.js').State) => void}
 */
export function mountPage({ chooseTheme, togglePanel, repaint }) {
  const theme = byId('theme');
  const help = /** @type {HTMLDialogElement} */ (byId('help'));
  const changed = watcher();
  byId('keys').append(...KEYS.filter(([, words]) => IN_BAR.includes(words)).map(keyOf));
  byId('help-keys').append(...KEYS.flatMap(([keys, words]) => [make('dt', {}, ...keys.map((key) => make('kbd', {}, key))), make('dd', {}, words)]));
  theme.addEventListener('click', () => chooseTheme(nextTheme(/** @type {any} */ (document.documentElement.dataset.theme))));
  const more = byId('more');
  const tools = byId('tools');
  more.addEventListener('click', () => more.setAttribute('aria-expanded', String(tools.classList.toggle('open'))));
  byId('help-button').addEventListener('click', () => help.showModal());
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target instanceof Element && event.target.closest('input, textarea, select, dialog'))) return;
    if (event.key === '\\') togglePanel();
    if (event.key === '?') help.showModal();
  });
  onSystemTheme(repaint);

  return (state) => {
    const { opened, summary, view, panel, status } = state;
    const painted = paintedTheme(view.theme);
    document.documentElement.dataset.theme = painted;
    theme.textContent = { light: 'Light', dark: 'Dark', contrast: 'Contrast' }[painted];
    byId('panel').hidden = !panel || (!opened && !summary && status !== 'busy');
    const words = statusWords(state);
    byId('remark').textContent = words;
    byId('keys').hidden = words !== '' || !summary;
    if (!changed(opened, summary)) return;
    const trace = opened ?? summary?.trace;
    byId('file').hidden = !trace;
    if (trace) byId('file').replaceChildren(...nameOf(trace, summary?.trace.partial));
    byId('sent').textContent = trace?.generated ? '0 bytes sent · generated example' : '0 bytes sent';
  };
}

/**
 * @param {{name: string, sizeBytes: number}} trace
 * @param {string | null | undefined} partial
 */
function nameOf({ name, sizeBytes }, partial) {
  const mark = partial ? [' ', make('span', { class: 'part', 'data-testid': 'partial', title: partial }, 'in part')] : [];
  return [make('b', {}, name), ' ', make('i', {}, fileSize(sizeBytes)), ...mark];
}

/** @param {import('../state.js').State} state */
function statusWords({ status, reading, problem, remark }) {
  if (status === 'busy') return reading?.task === 'fold' ? 'Folding…' : 'Esc cancels; what was open stays open';
  if (status === 'error') return problem?.failure.code ? `Code ${problem.failure.code}` : '';
  return remark;
}

/** @param {[string[], string]} key */
function keyOf([keys, words]) {
  return make('span', { class: 'key' }, ...keys.map((key) => make('kbd', {}, key)), words);
}
