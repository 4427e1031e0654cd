// Two fingers pan and zoom the lanes; one finger scrolls the page, as everywhere.

import { timeScale, zoomed } from './timeline.ts';

export function mountPinch(root: HTMLElement, shown: () => { range: [number, number], left: number, right: number } | null, ranged: (range: [number, number]) => void) {
  let began: { range: [number, number], centre: number, spread: number } | null = null;

  root.addEventListener('touchstart', (event) => {
    const now = shown();
    began = now && event.touches.length === 2 ? { range: now.range, ...fingers(root, event.touches) } : null;
  }, { passive: true });

  root.addEventListener('touchmove', (event) => {
    const now = shown();
    if (!began || !now || event.touches.length !== 2) return;
    event.preventDefault();
    const { centre, spread } = fingers(root, event.touches);
    const held = timeScale(began.range, now.left, now.right).toTime(began.centre);
    const [from, to] = zoomed(began.range, held, began.spread / spread);
    // The time that was between the fingers stays between them.
    const moved = timeScale([from, to], now.left, now.right).toTime(centre) - held;
    const start = Math.min(1 - (to - from), Math.max(0, from - moved));
    ranged([start, start + (to - from)]);
  }, { passive: false });

  root.addEventListener('touchend', () => (began = null));
}

function fingers(root: HTMLElement, touches: TouchList) {
  const { left } = root.getBoundingClientRect();
  const [a, b] = [touches[0].clientX - left, touches[1].clientX - left];
  return { centre: (a + b) / 2, spread: Math.max(10, Math.abs(a - b)) };
}
