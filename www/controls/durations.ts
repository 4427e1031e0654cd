// How long the instances of the group last: kept and left out, and a range of it to fold alone.

import { button, make, shape, watcher } from '../dom.ts';
import { duration, type DurationsSummary } from '../wasm/painter.js';
import type { MountInside } from '../actions/actions.ts';

/** The picture, in its own units; it is as wide as the panel. */
const WIDTH = 280;
const HEIGHT = 44;

/** Steps of the two fields that the keyboard uses. */
const STEPS = 1000;

export const durationsChoice: MountInside = ({ chooseSetting }) => {
  const svg = shape('svg', '', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'data-testid': 'durations' });
  const words = make('p', { class: 'between' });
  const all = button({ class: 'link', 'data-testid': 'durations-all' }, 'All', () => chooseSetting('durations', null));
  const ends = ['Shortest', 'Longest'].map((end) => make('input', { type: 'range', class: 'end', min: '0', max: String(STEPS), 'aria-label': `${end} instance that is folded` }));
  const element = make('div', { class: 'durations', hidden: '' }, svg, ...ends, words);
  const changed = watcher();
  /** Of the histogram, in nanoseconds. */
  let span: { least: number, most: number } = { least: 0, most: 1 };
  /** Chosen shares of it. */
  let chosen: [number, number] = [0, 1];
  let isOpen = false;

  const nsOf = (share: number) => span.least + share * (span.most - span.least);
  const show = () => {
    ends.forEach((end, i) => {
      end.value = String(Math.round(chosen[i] * STEPS));
      end.setAttribute('aria-valuetext', duration(nsOf(chosen[i])));
    });
    svg.querySelector('.brush')?.remove();
    if (chosen[0] <= 0 && chosen[1] >= 1) return;
    svg.append(shape('rect', 'brush', { x: chosen[0] * WIDTH, y: 0, width: (chosen[1] - chosen[0]) * WIDTH, height: HEIGHT }));
  };
  const commit = () => {
    if (chosen[0] <= 0 && chosen[1] >= 1) return chooseSetting('durations', null);
    chooseSetting('durations', `${Math.floor(nsOf(chosen[0]))}..${Math.ceil(nsOf(chosen[1]))}`);
  };

  ends.forEach((end, i) => {
    end.addEventListener('input', () => {
      const share = Number(end.value) / STEPS;
      chosen = i === 0 ? [Math.min(share, chosen[1] - 1 / STEPS), chosen[1]] : [chosen[0], Math.max(share, chosen[0] + 1 / STEPS)];
      show();
    });
    end.addEventListener('change', commit);
  });
  const shareAt = ({ clientX }: PointerEvent) => {
    const { left, width } = svg.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width));
  };
  let from: number | null = null;
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
    update({ settings }, shown, trace) {
      const group = shown?.group;
      isOpen = trace !== null;
      if (!changed(group, settings.durations, isOpen)) return;
      const durations = group?.durations;
      element.hidden = !durations || durations.kept.length === 0 || durations.mostNs <= durations.leastNs;
      if (!durations || element.hidden) return;
      span = { least: durations.leastNs, most: durations.mostNs };
      chosen = shares(settings.durations, span);
      for (const end of ends) end.disabled = !isOpen;
      svg.replaceChildren(...bars(durations), ...limits(durations.limitsNs, span));
      svg.setAttribute('aria-label', durations.words);
      words.replaceChildren(make('span', {}, duration(span.least)), make('span', {}, 'drag to fold a part'), make('span', {}, duration(span.most)));
      if (settings.durations) words.children[1].replaceChildren(`${duration(nsOf(chosen[0]))} to ${duration(nsOf(chosen[1]))} `, all);
      show();
    },
  };
};

/** One bar for each step: kept below, left out on top of them. */
function bars({ kept, rejected }: DurationsSummary) {
  const most = Math.max(1, ...kept.map((n, i) => n + (rejected[i] ?? 0)));
  const width = WIDTH / kept.length;
  return kept.flatMap((n, i) => {
    // One instance among thousands is seen all the same.
    const high = (n: number) => (n > 0 ? Math.max(1.5, (n / most) * (HEIGHT - 4)) : 0);
    const bar = (kind: string, n: number, above: number) =>
      n > 0 ? [shape('rect', kind, { x: i * width, y: HEIGHT - above - high(n), width: Math.max(0.5, width - 0.5), height: high(n), 'data-count': n })] : [];
    return [...bar('kept', n, 0), ...bar('rejected', rejected[i] ?? 0, high(n))];
  });
}

function limits(limits: [number, number] | null, { least, most }: { least: number, most: number }) {
  const inside = (limits ?? []).filter((ns) => ns > least && ns < most);
  return inside.map((ns) => {
    const x = ((ns - least) / (most - least)) * WIDTH;
    return shape('line', 'limit', { x1: x, x2: x, y1: 0, y2: HEIGHT });
  });
}

/** The part of the histogram that `LO..HI` in nanoseconds is. */
function shares(text: string | undefined, { least, most }: { least: number, most: number }): [number, number] {
  const [low, high] = /^(\d*)\.\.(\d*)$/.exec(text ?? '')?.slice(1) ?? ['', ''];
  const share = (ns: string, none: number) =>
    ns === '' ? none : Math.min(1, Math.max(0, (Number(ns) - least) / (most - least)));
  return [share(low, 0), share(high, 1)];
}
