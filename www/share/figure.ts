// Figures of what is shown: SVG, the same drawn into a canvas, a report; and what a person chooses for them.

import { button, make } from '../dom.ts';
import { shownOf, type Shown, type State } from '../state.ts';
import { pairsOf } from '../view.ts';

/** Device pixels per CSS pixel of a PNG; on paper 600 of them are an inch, as print asks for of lines. */
const DENSITY = 2;
const PAPER_DENSITY = 600 / 96;

/** Texts and words of widths: journals have columns of about these. */
const WIDTHS = [['', 'Screen, 976 px'], ['85mm', 'One column, 85 mm'], ['170mm', 'Two columns, 170 mm']] as const;

/** Keys of how the page looks. */
const OF_PAGE = new Set(['sourceURL', 'view', 'tab', 'panel', 'order', 'code', 'pane', 'theme']);

/** What is chosen, until the page is left: a width; lanes that are left out. */
const chosen = { width: '', without: new Set<string>(), grey: false };

/** The lanes that there are to choose from. */
function lanesOf({ group }: Shown, { view }: State) {
  const alone = view.counter !== null;
  const lanes: [string, string, boolean][] = [
    ['activity', 'Activity', !alone && group.activity !== null], ['source', 'Source', group.hasSource], ['address', 'Data', !alone && group.hasAddress],
    ['performance', alone ? 'Rate' : 'Performance', true], ['gauge', 'Memory and gauges', !alone && group.gauges.length > 0], ['samples', 'Samples', alone],
  ];
  return lanes.filter(([, , isThere]) => isThere);
}

/** Keys and texts that the command line takes after `--view`. */
function textsOf(shown: Shown, state: State): [string, string][] {
  const lanes = lanesOf(shown, state).map(([name]) => name);
  const wanted = lanes.filter((name) => !chosen.without.has(name));
  return [
    ...pairsOf(state.view).filter(([key]) => !OF_PAGE.has(key)),
    ...(chosen.width ? [['width', chosen.width] as [string, string]] : []),
    ...(wanted.length > 0 && wanted.length < lanes.length ? [['lanes', wanted.join(',')] as [string, string]] : []),
    ...(chosen.grey ? [['ink', 'grey'] as [string, string]] : []),
  ];
}

function figure(state: State, isReport: boolean): string {
  const shown = shownOf(state);
  return shown ? shown.picture.figure(Object.fromEntries(textsOf(shown, state)), state.settings, shown.points ?? undefined, isReport) : '';
}

/** Empty while there is no picture. */
export const svgOf = (state: State) => figure(state, false);

/** The same with tables and doubts as one page. */
export const reportOf = (state: State) => figure(state, true);

export async function pngOf(state: State): Promise<Blob | null> {
  const svg = svgOf(state);
  if (svg === '') return null;
  const density = chosen.width.endsWith('mm') ? PAPER_DENSITY : DENSITY;
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.naturalWidth * density);
    canvas.height = Math.round(image.naturalHeight * density);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Offers width, lanes and greys, and what is made with them; later files are made so, too. */
export function choose(state: State, save: (format: 'svg' | 'png' | 'html') => unknown) {
  const shown = shownOf(state);
  if (!shown) return;
  const quoted = (text: string) => (/^[\w.,:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const command = make('code', { 'data-testid': 'figure-command' });
  const tell = () => {
    const options = textsOf(shown, state).map(([key, text]) => ` --view ${quoted(`${key}=${text}`)}`).join('');
    command.textContent = `tracefold fold FILE --format svg --out DIR${options}`;
  };
  const turn = (words: string, name: string, isOn: boolean, set: (isOn: boolean) => void) => {
    const box = make('input', { type: 'checkbox', 'data-testid': `figure-${name}` });
    box.checked = isOn;
    box.addEventListener('change', () => {
      set(box.checked);
      tell();
    });
    return make('label', {}, box, ` ${words}`);
  };
  const width = make('select', { 'data-testid': 'figure-width', 'aria-label': 'Width' }, ...WIDTHS.map(([value, words]) => make('option', { value }, words)));
  width.value = chosen.width;
  width.addEventListener('change', () => {
    chosen.width = width.value;
    tell();
  });
  const lanes = lanesOf(shown, state).map(([name, words]) => turn(words, name, !chosen.without.has(name), (isOn) => (isOn ? chosen.without.delete(name) : chosen.without.add(name))));
  const dialog = make('dialog', { class: 'figure', 'data-testid': 'figure', 'aria-labelledby': 'figure-title' });
  const saves = ([['svg', 'Save SVG'], ['png', 'Save PNG'], ['html', 'Save report']] as const).map(([format, words]) => button({ 'data-testid': `figure-save-${format}` }, words, () => save(format)));
  const row = (title: string, ...choices: HTMLElement[]) => make('div', { role: 'group', 'aria-label': title }, make('b', {}, title), make('span', {}, ...choices));
  dialog.append(
    make('h2', { id: 'figure-title' }, 'Figure for a paper'),
    row('Width', width),
    row('Lanes', ...lanes),
    row('Ink', turn('Greys and dashes, without colours', 'grey', chosen.grey, (isOn) => (chosen.grey = isOn))),
    make('p', { class: 'hint' }, 'The command line draws the same, with the settings after --set:'),
    command,
    make('p', { class: 'saves' }, ...saves, button({}, 'Close', () => dialog.close())),
  );
  dialog.addEventListener('close', () => dialog.remove());
  tell();
  document.body.append(dialog);
  dialog.showModal();
}
