// What the performance lane shows: the counters, a model, or a person's own formula of counters.

import { button, byId, make, watcher } from '../dom.ts';
import { shownOf, type State } from '../state.ts';
import type { Actions, Mount } from '../actions/actions.ts';
import type { Painted } from '../lanes/lanes.ts';
import type { GroupSummary, Moment, Summary } from '../wasm/painter.js';

/** Value of the entry that leads to the field. */
export const OWN = 'expression…';

export const mountModels: Mount = ({ look, express }) => {
  const select = byId('model') as HTMLSelectElement;
  const changed = watcher();
  const form = formOf(express, () => select.focus());
  select.parentElement?.after(form.element);
  select.addEventListener('change', () => {
    if (select.value !== OWN) return look({ model: select.value || null }, 'push');
    form.open();
  });

  return ({ view, settings }, shown, opened) => {
    const { summary, group, early } = shown ?? {};
    select.hidden = early !== null || view.counter !== null || group?.counters.length === 0;
    if (select.hidden) form.close();
    if (!changed(group, view.model, settings.expressions, opened)) return;
    form.know(settings.expressions ?? '');
    select.replaceChildren(...optionsOf(group?.models ?? [], summary?.missingModels ?? [], Boolean(opened)));
    select.value = view.model ?? '';
    select.title = select.selectedOptions[0]?.text ?? '';
  };
};

function optionsOf(models: GroupSummary['models'], missing: Summary['missingModels'], canExpress: boolean) {
  const grouped = (label: string, some: HTMLElement[]) => (some.length > 0 ? [make('optgroup', { label }, ...some)] : []);
  const possible = models.map(({ name, title, source }) => make('option', { value: name, title: source }, title));
  const impossible = missing.map(({ title, counters, without }) => make('option', { disabled: '', title: `Not counted: ${counters}` }, `${title} (without ${without})`));
  return [
    make('option', { value: '' }, 'Counters'),
    ...grouped('Models', possible),
    ...(canExpress ? [make('option', { value: OWN }, 'Expression…')] : []),
    ...grouped('Not possible here', impossible),
  ];
}

/** The field for a formula, with what is wrong with it underneath. */
function formOf(express: Actions['express'], done: () => void) {
  const name = make('input', { 'aria-label': 'Name of the expression', placeholder: 'name', class: 'expression-name', maxlength: '60' });
  const formula = make('input', { 'aria-label': 'Expression', placeholder: 'PAPI_L3_TCM*64/PAPI_TOT_INS', 'data-testid': 'expression', 'aria-describedby': 'expression-error', spellcheck: 'false' });
  const error = make('p', { id: 'expression-error', 'data-testid': 'expression-error', role: 'alert', class: 'wrong' });
  const known = make('ul', { class: 'expressions' });
  const element = make('form', { class: 'expression', hidden: '' }, name, formula, make('button', { type: 'submit' }, 'Show'), button({ class: 'link' }, 'Close', () => close(true)), error, known);
  let list: [string, string][] = [];
  const close = (byHand: boolean) => {
    element.hidden = true;
    error.textContent = '';
    if (byHand) done();
  };
  const tried = async (next: [string, string][], shown: string | null) => {
    error.textContent = '';
    const wrong = await express(next.map(([name, formula]) => (name === formula ? formula : `${name}=${formula}`)).join(';') || null, shown);
    error.textContent = wrong;
    formula.toggleAttribute('aria-invalid', wrong !== '');
    return wrong === '';
  };
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    const text = formula.value.trim();
    const called = name.value.trim() || text;
    if (text === '') return void (error.textContent = 'An expression of counters is expected, such as PAPI_L3_TCM*64/PAPI_TOT_INS.');
    if (/[;=]/.test(called + text)) return void (error.textContent = 'An expression and its name are without ; and =.');
    if (await tried([...list.filter(([known]) => known !== called), [called, text]], called)) close(true);
  });
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close(true);
  });
  return {
    element,
    close: () => element.hidden || close(false),
    open() {
      element.hidden = false;
      formula.focus();
    },
    know(expressions: string) {
      list = expressions.split(';').filter(Boolean).map((part) => {
        const [called, formula] = part.includes('=') ? part.split('=') : [part, part];
        return [called.trim(), formula.trim()];
      });
      known.replaceChildren(...list.map(([called, text]) => make('li', {}, make('b', {}, called), ` ${called === text ? '' : text} `,
        button({ class: 'link', 'aria-label': `Remove ${called}` }, 'Remove', () => void tried(list.filter(([other]) => other !== called), null)))));
    },
  };
}

/** The name of the model that is shown, and its components, each with its explanation, and room for its value. */
export function modelEntries(state: State, views: Painted['views']): HTMLElement[] {
  const shown = shownOf(state);
  const entries = (views && shown?.picture.modelLegend(views.performance)) || [];
  const { title, source } = shown?.group.models.find(({ name }) => name === state.view.model) ?? {};
  const named = title ? [make('b', { class: 'model-name', 'data-testid': 'model-name', title: [title, source].filter(Boolean).join('. ') }, title)] : [];
  return [...named, ...entries.map(({ component, name, colour, explanation, area, right }) => {
    const square = make('i', { class: area ? 'square' : 'swatch' });
    square.style.setProperty('background', colour);
    const id = `component-${component.replace(/[^\w-]/g, '-')}`;
    const kind = right ? 'entry component right' : 'entry component';
    const value = make('b', { class: 'value', 'data-component': component });
    if (explanation === '') return make('span', { class: kind }, square, name, value);
    return make('span', { class: kind, tabindex: '0', 'aria-describedby': id }, square, name, value,
      make('span', { class: 'card explains', id, role: 'tooltip' }, explanation));
  })];
}

export function showComponents(root: HTMLElement, at: Moment | null | undefined) {
  for (const element of root.querySelectorAll<HTMLElement>('[data-component]')) {
    const found = at?.components.find(({ component }) => component === element.dataset.component);
    element.textContent = found?.text ?? '';
    element.dataset.value = String(found?.value ?? '');
  }
}
