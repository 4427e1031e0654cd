// A person's own formula of counters, loaded with the first one.

import { button, make } from '../dom.ts';
import type { Actions } from '../actions/actions.ts';

export type ExpressionForm = ReturnType<typeof expressionForm>;

/** The field for a formula, with what is wrong with it underneath. */
export function expressionForm(express: Actions['express'], done: () => void) {
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
