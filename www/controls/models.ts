// What the performance lane shows: the counters, a model, or a person's own formula of counters.

import { byId, make, watcher } from '../dom.ts';
import { shownOf, type State } from '../state.ts';
import type { Mount } from '../actions/actions.ts';
import type { ExpressionForm } from './expression.ts';
import type { Painted } from '../lanes/lanes.ts';
import type { GroupSummary, Moment, Summary } from '../wasm/painter.js';

/** Value of the entry that leads to the field. */
export const OWN = 'expression…';

export const mountModels: Mount = ({ look, express, tell }) => {
  const select = byId('model') as HTMLSelectElement;
  const changed = watcher();
  let form: ExpressionForm | null = null;
  let expressions = '';
  const openForm = async () => {
    const { expressionForm } = await import('./expression.ts');
    if (!form) {
      form = expressionForm(express, () => select.focus());
      form.know(expressions);
      select.parentElement?.after(form.element);
    }
    form.open();
  };
  select.addEventListener('change', () => {
    if (select.value !== OWN) return look({ model: select.value || null }, 'push');
    openForm().catch(({ message }) => tell({ remark: message }));
  });

  return ({ view, settings }, shown, opened) => {
    const { summary, group, early } = shown ?? {};
    select.hidden = early !== null || view.counter !== null || group?.counters.length === 0;
    if (select.hidden) form?.close();
    if (!changed(group, view.model, settings.expressions, opened)) return;
    expressions = settings.expressions ?? '';
    form?.know(expressions);
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
