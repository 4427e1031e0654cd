// Every setting by theme, from the engine's own list: no key, default or help is typed here.

import { button, byId, make, watcher } from '../dom.js';

/** Chosen in the header. */
const ELSEWHERE = ['region'];

/** @typedef {import('../tracefold.js').SettingSchema} SettingSchema */

/**
 * @param {SettingSchema[]} schema
 * @param {{chooseSetting: (key: string, value: string | null) => void, resetSettings: (keys: string[]) => void}} actions
 * @returns {(state: import('../state.js').State) => void}
 */
export function mountSettings(schema, { chooseSetting, resetSettings }) {
  const root = byId('settings');
  const shown = schema.filter(({ key }) => !ELSEWHERE.includes(key));
  const changed = watcher();
  const rows = new Map(shown.map((setting) => [setting.key, rowOf(setting, chooseSetting)]));
  const themes = [...new Set(shown.map(({ theme }) => theme))].map((theme) => {
    const keys = shown.filter((setting) => setting.theme === theme).map(({ key }) => key);
    const values = make('small');
    const reset = button({ class: 'link', 'aria-label': `Reset ${theme}` }, 'Reset', () => resetSettings(keys));
    const details = make('details', {}, make('summary', {}, make('h2', {}, theme), values), reset, ...keys.map((key) => /** @type {Row} */ (rows.get(key)).element));
    root.append(details);
    return { keys, details, values, reset };
  });
  const wide = matchMedia('(min-width: 900px)');
  const unfold = () => themes.forEach(({ details }) => (details.open = wide.matches));
  wide.addEventListener('change', unfold);
  unfold();

  return ({ settings, opened, status, reading }) => {
    const disabled = !opened || (status === 'busy' && reading?.task === 'open');
    if (!changed(settings, disabled)) return;
    for (const { key, default: usual } of shown) rows.get(key)?.show(settings[key] ?? usual, key in settings, disabled);
    for (const { keys, values, reset } of themes) {
      reset.hidden = !keys.some((key) => key in settings) || disabled;
      values.textContent = keys.map((key) => settings[key]).filter(Boolean).join(', ') || 'default';
    }
  };
}

/** @typedef {{element: HTMLElement, show: (value: string, isChanged: boolean, disabled: boolean) => void}} Row */

/**
 * @param {SettingSchema} setting
 * @param {(key: string, value: string | null) => void} choose
 * @returns {Row}
 */
function rowOf(setting, choose) {
  const { key, label, help, choices, placeholder, default: usual } = setting;
  const isList = choices !== null && choices.length > 0 && !placeholder;
  const field = isList ? make('select', {}, ...optionsOf(choices)) : make('input', { placeholder: placeholder || usual });
  const element = make('label', { class: 'setting', title: help }, make('span', {}, label), field);
  if (choices && !isList) {
    field.setAttribute('list', `choices-${key}`);
    element.append(make('datalist', { id: `choices-${key}` }, ...optionsOf(choices)));
  }
  field.addEventListener('change', () => {
    const value = field.value.trim();
    choose(key, value === '' || value === usual ? null : value);
  });
  return {
    element,
    show(value, isChanged, disabled) {
      element.classList.toggle('changed', isChanged);
      if (field instanceof HTMLSelectElement && ![...field.options].some((option) => option.value === value)) {
        field.append(make('option', { value }, value));
      }
      field.value = value;
      field.disabled = disabled;
    },
  };
}

/** @param {{value: string, label: string}[]} choices */
function optionsOf(choices) {
  return choices.map(({ value, label }) => make('option', { value }, label));
}
