// Every setting by theme, from the engine's own list: no key, default or help is typed here.

import { button, byId, make, watcher } from '../dom.ts';
import { runOf, tabOf } from '../state.ts';
import { settingsSchema } from '../wasm/painter.js';
import { energyLines } from './energy.ts';
import { fitReport } from './fit.ts';
import type { Actions, Mount, MountInside } from '../actions/actions.ts';
import type { Choice, CounterSummary, Key } from '../wasm/painter.js';

/** How long instances last, loaded when it is shown first. */
const durationsChoice: MountInside = (actions) => {
  const element = make('div');
  let inside: ReturnType<MountInside> | null = null;
  const seen = new ResizeObserver(() => {
    if (element.clientWidth === 0) return;
    seen.disconnect();
    import('./durations.ts').then(({ durationsChoice }) => {
      inside = durationsChoice(actions);
      element.append(inside.element);
      actions.tell({});
    }, ({ message }) => actions.tell({ remark: message }));
  });
  seen.observe(element);
  return { element, update: (...now) => inside?.update(...now) };
};

/** Value of the last entry of a list, which no setting has. */
const OTHER = 'other…';

/** Of which only a trace knows the values. */
const OF_RUN = 'boundary';

/** Chosen where they are seen: in the header, in the lanes, in the table of phases. */
const ELSEWHERE = ['region', 'breaks', 'names', 'durations', 'models', 'expressions'];

/** Themes that are unfolded where there is room, as what most look for is in them: beside a region, and beside
 * the run. Each of the others is one stop of Tab until it is opened, something in it is changed, or it has more to
 * tell than settings. */
const UNFOLDED = { region: ['Instances', 'Fit'], run: ['Repetition'] };

/** Settings whose values name counters, which only the picture knows. */
const OF_COUNTERS = {
  phases: ({ counter, name }) => [{ value: counter, label: name }],
  x: ({ counter, name, instructions }) => [
    { value: counter, label: instructions ? 'instructions' : name },
    ...(instructions ? [{ value: `${counter}:time`, label: 'instructions, shown in time' }] : []),
  ],
} as Record<string, (counter: CounterSummary) => Choice[]>;

/** Before there is a picture. */
const NONE: CounterSummary[] = [];
const NOWHERE: string[] = [];

export const mountSettings: Mount = (actions) => {
  const { chooseSetting, resetSettings } = actions;
  const root = byId('settings');
  /** What stands under the settings of a theme. */
  const extras = ([['Fit', fitReport], ['Instances', durationsChoice], ['Energy', energyLines]] as const).map(([theme, mount]) => [theme, mount(actions)] as const);
  const listed = settingsSchema().filter(({ key }) => !ELSEWHERE.includes(key));
  const changed = watcher();
  const offered = watcher();
  const placed = watcher();
  const rows = new Map(listed.map((setting) => [setting.key, rowOf(setting, chooseSetting)]));
  const themes = [...new Set(listed.map(({ theme }) => theme))].map((theme) => {
    const keys = listed.filter((setting) => setting.theme === theme).map(({ key }) => key);
    const values = make('small');
    const reset = button({ class: 'link', 'aria-label': `Reset ${theme}` }, 'Reset', () => resetSettings(keys));
    const details = make('details', { 'data-theme': theme }, make('summary', {}, make('h2', { 'data-term': 'setting' }, theme), values), reset, ...keys.map((key) => (rows.get(key) as Row).element));
    for (const [under, { element }] of extras) if (under === theme) details.append(element);
    root.append(details);
    return { theme, keys, details, values, reset };
  });
  const wide = matchMedia('(min-width: 900px)');
  const turned = watcher();

  return (state, shown, trace) => {
    for (const [, { update }] of extras) update(state, shown, trace);
    const beside = tabOf(state) === 'region' ? 'region' : 'run';
    const telling = extras.filter(([, { element }]) => !element.hidden).map(([theme]) => theme).join();
    const isChanged = (keys: string[]) => keys.some((key) => Object.hasOwn(state.settings, key));
    if (turned(wide.matches, beside, telling)) {
      for (const { theme, keys, details } of themes) details.open = wide.matches && (UNFOLDED[beside].includes(theme) || telling.includes(theme) || isChanged(keys));
    }
    const { settings, now } = state;
    const counters = shown?.group.counters ?? NONE;
    if (offered(counters)) for (const [key, valuesOf] of Object.entries(OF_COUNTERS)) rows.get(key)?.offer(counters.flatMap(valuesOf));
    const boundaries = runOf(state)?.summary.boundaries ?? NOWHERE;
    if (placed(boundaries)) rows.get(OF_RUN)?.offer(boundaries.map((value) => ({ value, label: value })));
    const disabled = !trace || now.is === 'reading';
    if (!changed(settings, disabled, counters, boundaries)) return;
    for (const { key, default: usual } of listed) rows.get(key)?.show(settings[key] ?? usual, Object.hasOwn(settings, key), disabled);
    for (const { keys, details, values, reset } of themes) {
      if (isChanged(keys) && wide.matches) details.open = true;
      reset.hidden = !isChanged(keys) || disabled;
      values.textContent = keys.map((key) => settings[key]).filter(Boolean).join(', ') || 'default';
    }
  };
};

type Row = { element: HTMLElement, offer: (choices: Choice[]) => void, show: (value: string, isChanged: boolean, disabled: boolean) => void };

/** A field of text; with choices, a list whose last entry, *other*, leads to the field. */
function rowOf(setting: Key, choose: Actions['chooseSetting']): Row {
  const { key, label, help, placeholder, default: usual } = setting;
  const choices = setting.choices ?? (Object.hasOwn(OF_COUNTERS, key) || key === OF_RUN ? [{ value: usual, label: usual || 'where most passes are whole' }] : null);
  const id = `setting-${key}`;
  const field = make('input', { placeholder: placeholder || usual, ...(choices ? { 'aria-label': label } : { id }) });
  const list = choices && make('select', { id }, ...optionsOf(choices), make('option', { value: OTHER }, 'other…'));
  const element = make('div', { class: 'setting', title: help }, make('label', { for: id }, label), ...(list ? [list] : []), field);
  const typing = (on: boolean) => {
    if (list) [list.hidden, field.hidden] = [on, !on];
  };
  const commit = (value: string) => choose(key, value === '' || value === usual ? null : value);

  field.addEventListener('change', () => commit(field.value.trim()));
  field.addEventListener('blur', () => typing(false));
  list?.addEventListener('change', () => {
    if (list.value !== OTHER) return commit(list.value);
    typing(true);
    field.focus();
    field.select();
  });
  typing(false);
  return {
    element,
    offer(more) {
      list?.replaceChildren(...optionsOf([...(choices ?? []), ...more]), make('option', { value: OTHER }, 'other…'));
    },
    show(value, isChanged, disabled) {
      element.classList.toggle('changed', isChanged);
      if (list && ![...list.options].some((option) => option.value === value)) list.prepend(make('option', { value }, value));
      for (const control of list ? [list, field] : [field]) {
        control.value = value;
        control.disabled = disabled;
      }
    },
  };
}

function optionsOf(choices: Choice[]) {
  return choices.map(({ value, label }) => make('option', { value }, label));
}
