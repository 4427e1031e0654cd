// How long the instances of the group last: kept and left out, and a range of it to fold alone.

import { button, make, watcher } from '../dom.js';
import { counted, duration, fixed } from '../format.js';
import { shownGroup } from '../state.js';

const SVG = 'http://www.w3.org/2000/svg';

/** The picture, in its own units; it is as wide as the panel. */
const WIDTH = 280;
const HEIGHT = 44;

/** Steps of the two fields that the keyboard uses. */
const STEPS = 1000;

/**
 * @param {{chooseDurations: (text: string | null) => void}} actions
 * @returns {{element: HTMLElement, update: (state: import('../state.js').State) => void}}
 */
export function durationsChoice({ chooseDurations }) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('role', 'img');
  svg.setAttribute('data-testid', 'durations');
  const words = make('p', { class: 'between' });
  const all = button({ class: 'link', 'data-testid': 'durations-all' }, 'All', () => chooseDurations(null));
  const ends = ['Shortest', 'Longest'].map((end) => make('input', { type: 'range', class: 'end', min: '0', max: String(STEPS), 'aria-label': `${end} instance that is folded` }));
  const element = make('div', { class: 'durations' }, svg, ...ends, words);
  const changed = watcher();
  /** @type {{least: number, most: number}} of the histogram, in ms */
  let span = { least: 0, most: 1 };
  /** @type {[number, number]} chosen shares of it */
  let chosen = [0, 1];
  let isOpen = false;

  const msOf = (/** @type {number} */ share) => span.least + share * (span.most - span.least);
  const show = () => {
    ends.forEach((end, i) => {
      end.value = String(Math.round(chosen[i] * STEPS));
      end.setAttribute('aria-valuetext', duration(msOf(chosen[i])));
    });
    svg.querySelector('.brush')?.remove();
    if (chosen[0] <= 0 && chosen[1] >= 1) return;
    svg.append(shape('rect', 'brush', { x: chosen[0] * WIDTH, y: 0, width: (chosen[1] - chosen[0]) * WIDTH, height: HEIGHT }));
  };
  const commit = () => {
    if (chosen[0] <= 0 && chosen[1] >= 1) return chooseDurations(null);
    chooseDurations(`${Math.floor(msOf(chosen[0]) * 1e6)}..${Math.ceil(msOf(chosen[1]) * 1e6)}`);
  };

  ends.forEach((end, i) => {
    end.addEventListener('input', () => {
      const share = Number(end.value) / STEPS;
      chosen = i === 0 ? [Math.min(share, chosen[1] - 1 / STEPS), chosen[1]] : [chosen[0], Math.max(share, chosen[0] + 1 / STEPS)];
      show();
    });
    end.addEventListener('change', commit);
  });
  const shareAt = (/** @type {PointerEvent} */ { clientX }) => {
    const { left, width } = svg.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width));
  };
  /** @type {number | null} */
  let from = null;
  svg.addEventListener('pointerdown', (event) => {
    if (!isOpen || event.button !== 0) return;
    from = shareAt(event);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener('pointermove', (event) => {
    if (from === null) return;
    const to = shareAt(event);
    chosen = from < to ? [from, to] : [to, from];
    show();
  });
  svg.addEventListener('pointerup', () => {
    if (from === null) return;
    from = null;
    if (chosen[1] - chosen[0] > 0.01) commit();
  });
  svg.addEventListener('pointercancel', () => (from = null));

  return {
    element,
    update(state) {
      const group = shownGroup(state);
      const { settings, opened, early } = state;
      if (!changed(group, settings.durations, opened, early)) return;
      const { durations: found, limitsMs } = group ?? {};
      isOpen = Boolean(opened) && early === null;
      element.hidden = !found || found.kept.length === 0 || found.mostMs <= found.leastMs;
      if (!found || !group || element.hidden) return;
      span = { least: found.leastMs, most: found.mostMs };
      chosen = shares(settings.durations, span);
      for (const end of ends) end.disabled = !isOpen;
      svg.replaceChildren(...bars(found), ...limits(limitsMs ?? null, span));
      const left = group.instances - group.kept;
      svg.setAttribute('aria-label', `Durations of ${counted(group.instances, 'instance')}, ${duration(span.least)} to ${duration(span.most)}; ${fixed(left)} left out`);
      words.replaceChildren(make('span', {}, duration(span.least)), make('span', {}, 'drag to fold a part'), make('span', {}, duration(span.most)));
      if (settings.durations) words.children[1].replaceChildren(`${duration(msOf(chosen[0]))} to ${duration(msOf(chosen[1]))} `, all);
      show();
    },
  };
}

/**
 * One bar for each step: kept below, left out on top of them.
 * @param {import('../tracefold.js').GroupSummary['durations']} durations
 */
function bars({ kept, rejected }) {
  const most = Math.max(1, ...kept.map((n, i) => n + (rejected[i] ?? 0)));
  const width = WIDTH / kept.length;
  return kept.flatMap((n, i) => {
    // One instance among thousands is seen all the same.
    const high = (/** @type {number} */ n) => (n > 0 ? Math.max(1.5, (n / most) * (HEIGHT - 4)) : 0);
    const bar = (/** @type {string} */ kind, /** @type {number} */ n, /** @type {number} */ above) =>
      n > 0 ? [shape('rect', kind, { x: i * width, y: HEIGHT - above - high(n), width: Math.max(0.5, width - 0.5), height: high(n), 'data-count': n })] : [];
    return [...bar('kept', n, 0), ...bar('rejected', rejected[i] ?? 0, high(n))];
  });
}

/**
 * @param {[number, number] | null} limits
 * @param {{least: number, most: number}} span
 */
function limits(limits, { least, most }) {
  const inside = (limits ?? []).filter((ms) => ms > least && ms < most);
  return inside.map((ms) => {
    const x = ((ms - least) / (most - least)) * WIDTH;
    return shape('line', 'limit', { x1: x, x2: x, y1: 0, y2: HEIGHT });
  });
}

/**
 * The part of the histogram that `LO..HI` in nanoseconds is.
 * @type {(text: string | undefined, span: {least: number, most: number}) => [number, number]}
 */
function shares(text, { least, most }) {
  const [low, high] = /^(\d*)\.\.(\d*)$/.exec(text ?? '')?.slice(1) ?? ['', ''];
  const share = (/** @type {string} */ ns, /** @type {number} */ none) =>
    ns === '' ? none : Math.min(1, Math.max(0, (Number(ns) / 1e6 - least) / (most - least)));
  return [share(low, 0), share(high, 1)];
}

/** @type {(name: string, kind: string, attributes: Record<string, number>) => SVGElement} */
function shape(name, kind, attributes) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, name));
  element.setAttribute('class', kind);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
