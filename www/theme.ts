/** The theme that is painted: the one chosen, else what the system prefers. */
export function paintedTheme(chosen: 'auto' | 'light' | 'dark' | 'contrast'): 'light' | 'dark' | 'contrast' {
  if (chosen !== 'auto') return chosen;
  // Colours that the system forces are of high contrast, too, on a ground that is dark or light.
  const isForced = matchMedia('(forced-colors: active)').matches;
  if (isForced || matchMedia('(prefers-contrast: more)').matches) return isForced && matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'contrast';
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** The one after it in the cycle of the button. */
export function nextTheme(theme: 'light' | 'dark' | 'contrast'): 'light' | 'dark' | 'contrast' {
  return theme === 'light' ? 'dark' : theme === 'dark' ? 'contrast' : 'light';
}

/** Calls back when the system's preference changes. */
export function onSystemTheme(changed: () => void) {
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)']) {
    matchMedia(query).addEventListener('change', changed);
  }
}
