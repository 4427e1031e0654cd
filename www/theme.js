/**
 * The theme that is painted: the one chosen, else what the system prefers.
 * @param {'auto' | 'light' | 'dark' | 'contrast'} chosen
 * @returns {'light' | 'dark' | 'contrast'}
 */
export function paintedTheme(chosen) {
  if (chosen !== 'auto') return chosen;
  if (matchMedia('(prefers-contrast: more)').matches) return 'contrast';
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/**
 * The one after it in the cycle of the button.
 * @param {'light' | 'dark' | 'contrast'} theme
 * @returns {'light' | 'dark' | 'contrast'}
 */
export function nextTheme(theme) {
  return theme === 'light' ? 'dark' : theme === 'dark' ? 'contrast' : 'light';
}

/**
 * Calls back when the system's preference changes.
 * @param {() => void} changed
 */
export function onSystemTheme(changed) {
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)']) {
    matchMedia(query).addEventListener('change', changed);
  }
}
