// The instances of a group over the run: each as a point, the trend in words, and a range of run time that
// is dragged to be folded alone. Loaded when somebody first looks at them.

import { button, byId, make, watcher } from '../dom.ts';
import { AXIS, gutters } from '../lanes/sizes.ts';
import { Surface } from '../lanes/surface.ts';
import { shownOf, tabOf, traceOf, type State } from '../state.ts';
import { paintedTheme } from '../theme.ts';
import type { Actions } from '../actions/actions.ts';
import type { CourseRange, CourseSummary, CourseView } from '../wasm/painter.js';

const HEIGHT = 110;

/** A drag shorter than so many px is a click. */
const CLICK = 4;

/** Steps of the two fields that the keyboard uses. */
const STEPS = 1000;

/** Marks of the kinds of points, in the order of the key. */
const KINDS = ['used', 'excluded', 'excluded', 'unused'];

export function mountCourse({ now, look, tell, foldBetween }: Actions): (state: State) => void {
  const root = byId('course');
  const what = make('select', { 'aria-label': 'What of each instance', 'data-testid': 'course-what' });
  const per = (['total', 'rate'] as const).map((of) => button({ class: 'word', 'data-per': of }, of === 'total' ? 'total' : 'per time', () => choose(of)));
  const ways = make('div', { class: 'words', role: 'group', 'aria-label': 'In all or per time' }, ...per);
  const key = make('p', { class: 'legend' });
  const close = button({ class: 'close', 'aria-label': 'Close instances over the run', title: 'Close', 'data-testid': 'course-close' }, '×', () => look({ course: null }, 'push'));
  const head = make('div', { class: 'head' }, make('h2', {}, 'Instances'), what, ways, key, close);
  const canvas = make('canvas', { id: 'canvas-course', role: 'img' });
  const axis = make('canvas', { 'aria-hidden': 'true' });
  const dragged = make('i', { class: 'dragged', hidden: '' });
  const ends = ['Earliest', 'Latest'].map((end) => make('input', { type: 'range', class: 'end', min: '0', max: String(STEPS), 'aria-label': `${end} start of an instance that is folded` }));
  const fields = make('div', { class: 'ends' }, ...ends);
  const near = make('p', { class: 'hint near', 'data-testid': 'course-near', 'aria-live': 'polite' });
  const drift = make('p', { class: 'sentence', 'data-testid': 'course-drift', role: 'status' });
  const all = button({ class: 'link', 'data-testid': 'course-all' }, 'Fold all of the run', () => void foldBetween(null, null));
  const table = make('table');
  const more = make('details', {}, make('summary', {}, 'As a table'), make('div', { class: 'scroll-x', tabindex: '0', role: 'group', 'aria-label': 'Instances over the run as a table' }, table));
  const remarks = make('p', { class: 'hint', 'data-testid': 'course-remarks' });
  const inside = [head, make('div', { class: 'course-plot' }, canvas, dragged, axis), fields, near, make('div', { class: 'course-words' }, drift, all), remarks, more];
  const [surface, below] = [new Surface(canvas), new Surface(axis)];
  const changed = watcher();
  const offered = watcher();
  let seen: { view: CourseView, summary: CourseSummary } | null = null;
  let chosen: [number, number] = [0, STEPS];
  let isSeen = false;

  const counterOf = (asked: string) => /^(?:total|rate):(.*)$/s.exec(asked)?.[1] ?? null;
  function choose(of: 'total' | 'rate') {
    const counter = counterOf(now().view.course ?? '');
    if (counter !== null) look({ course: `${of}:${counter}` });
  }
  what.addEventListener('change', () => {
    const of = now().view.course?.startsWith('rate:') ? 'rate' : 'total';
    look({ course: what.value === '' ? 'duration' : `${of}:${what.value}` });
  });

  const picture = () => now().course?.picture ?? null;
  const between = (a: number, b: number): CourseRange | null => (seen && picture()?.between(seen.view, a, b)) ?? null;
  const fold = (range: CourseRange | null) => {
    if (!range) return;
    const { endsNs: [from, to], instances, words } = range;
    if (instances === 0) return tell({ remark: `No instance starts there: ${words}.` });
    void foldBetween(String(from), String(to));
  };

  const placeIn = (event: PointerEvent): [number, number] => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  let from: number | null = null;
  const drag = (to: number | null) => {
    dragged.hidden = to === null || from === null;
    if (to === null || from === null || !seen) return;
    const { left = 0, right = 0, width = 0 } = seen.view;
    const [a, b] = [from, to].map((x) => Math.min((width ?? 0) - (right ?? 0), Math.max(left ?? 0, x))).sort((a, b) => a - b);
    dragged.style.setProperty('left', `${a}px`);
    dragged.style.setProperty('width', `${Math.max(1, b - a)}px`);
    near.textContent = between(from, to)?.words ?? '';
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || now().now.is === 'reading') return;
    [from] = placeIn(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const [x, y] = placeIn(event);
    if (from !== null) return drag(Math.abs(x - from) >= CLICK ? x : null);
    near.textContent = (seen && picture()?.near(seen.view, x, y)) || '';
  });
  canvas.addEventListener('pointerup', (event) => {
    const begun = from;
    const [x] = placeIn(event);
    drag(null);
    from = null;
    if (begun !== null && Math.abs(x - begun) >= CLICK) fold(between(begun, x));
  });
  const stop = () => {
    drag(null);
    from = null;
    near.textContent = '';
  };
  canvas.addEventListener('pointercancel', stop);
  canvas.addEventListener('pointerleave', () => from === null && stop());

  const range = () => {
    const { left = 0, right = 0, width = 0 } = seen?.view ?? {};
    const [a, b] = chosen.map((step) => (left ?? 0) + (step / STEPS) * ((width ?? 0) - (left ?? 0) - (right ?? 0)));
    return between(a, b);
  };
  const showEnds = () => ends.forEach((end, i) => {
    end.value = String(chosen[i]);
    end.setAttribute('aria-valuetext', range()?.words ?? '');
  });
  ends.forEach((end, i) => {
    end.addEventListener('input', () => {
      const step = Number(end.value);
      chosen = i === 0 ? [Math.min(step, chosen[1] - 1), chosen[1]] : [chosen[0], Math.max(step, chosen[0] + 1)];
      showEnds();
      near.textContent = range()?.words ?? '';
    });
    end.addEventListener('change', () => (chosen[0] <= 0 && chosen[1] >= STEPS ? void foldBetween(null, null) : fold(range())));
  });

  return (state) => {
    const { view, settings, course } = state;
    const shown = shownOf(state);
    if (root.hidden || view.course === null || !shown || !traceOf(state) || tabOf(state) !== 'region') {
      isSeen = false;
      return;
    }
    // After a link, which has none to show.
    if (head.parentElement !== root) root.replaceChildren(...inside);
    const counter = counterOf(view.course);
    if (offered(shown.group.counters)) {
      what.replaceChildren(make('option', { value: '' }, 'Duration'), ...shown.group.counters.map(({ counter, name }) => make('option', { value: counter, title: counter }, counter === name ? name : `${name}: ${counter}`)));
    }
    what.value = counter ?? '';
    ways.hidden = counter === null;
    for (const way of per) way.setAttribute('aria-pressed', String(view.course.startsWith(`${way.dataset.per}:`)));
    const isPart = settings.from !== undefined || settings.to !== undefined;
    all.hidden = !isPart;
    const [width, theme] = [root.clientWidth, paintedTheme(view.theme)];
    if (!changed(course, settings.from, settings.to, width, innerWidth, theme, devicePixelRatio)) return;
    root.setAttribute('aria-busy', String(!course?.picture));
    if (!course?.picture) {
      drift.textContent = course?.words ?? 'Looking at all instances…';
      return;
    }
    const summary = course.picture.summary();
    const number = (text: string | undefined, none: number) => (text === undefined ? none : Number(text));
    const brush: [number, number] | null = isPart ? [number(settings.from, summary.fromNs), number(settings.to, summary.toNs)] : null;
    const asked: CourseView = { theme, width, height: HEIGHT, ...gutters(innerWidth), brush: brush ?? undefined };
    seen = { view: asked, summary };
    const layout = course.picture.paint(canvas, asked, surface.fit(width, HEIGHT));
    canvas.dataset.layout = JSON.stringify(layout);
    course.picture.axis(axis, { ...asked, height: AXIS }, below.fit(width, AXIS));
    const words = [summary.drift, summary.trend].filter(Boolean).join(' ');
    canvas.setAttribute('aria-label', `${summary.title}. ${words}`);
    drift.replaceChildren(make('b', {}, summary.title), ` ${words}`);
    remarks.textContent = summary.remarks.join(' ');
    key.replaceChildren(...summary.key.flatMap((told, i) => (told ? [make('span', { class: 'entry' }, make('i', { class: `point ${KINDS[i]}` }), told)] : [])));
    const cells = (row: string[]) => row.map((text) => make('td', {}, text));
    table.replaceChildren(make('thead', {}, make('tr', {}, ...summary.heads.map((head) => make('th', { scope: 'col' }, head)))), make('tbody', {}, ...summary.rows.map((row) => make('tr', {}, ...cells(row)))));
    const span = Math.max(1, summary.toNs - summary.fromNs);
    const stepOf = (ns: number) => Math.min(STEPS, Math.max(0, Math.round(((ns - summary.fromNs) / span) * STEPS)));
    chosen = brush ? [stepOf(brush[0]), stepOf(brush[1])] : [0, STEPS];
    showEnds();
    // They were opened from above the lanes.
    if (!isSeen) root.scrollIntoView({ block: 'nearest' });
    isSeen = true;
  };
}
