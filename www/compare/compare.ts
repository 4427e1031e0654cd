// Another run beside what is open: chosen, decided, painted and told. Loaded when it is first asked for.

import { ComparedPicture, type ComparedRow, type ComparedSummary, type ComparedView, type Picture } from '../wasm/painter.js';
import { button, isTyping, make, watcher } from '../dom.ts';
import { cellOf } from '../controls/ratios.ts';
import { oncePerFrame } from '../frame.ts';
import { AXIS, gutters } from '../lanes/sizes.ts';
import { Surface } from '../lanes/surface.ts';
import { factsOf } from '../run/words.ts';
import * as state from '../state.ts';
import { paintedTheme } from '../theme.ts';
import { bothOf, giveUp, type Both, type With } from './second.ts';
import { STYLE } from './style.ts';
import type { Actions } from '../actions/actions.ts';
import type { App, Dropped } from '../actions/open.ts';

/** What a person asks of the comparison. */
interface Asked {
  along: string;
  least: number;
  between: number;
  equalClock: boolean;
  counter: string | null;
  phase: number | null;
  isSwapped: boolean;
}

/** What is compared at this moment. */
interface Comparing {
  what: With;
  name: string;
  /** What it was begun with: of another trace it ends, of another picture of the same B is folded again. */
  source: state.Source;
  of: Picture;
  group: number;
  both: Both | null;
  picture: ComparedPicture | null;
  summary: ComparedSummary | null;
  /** While it is read: how far it is; if it failed: why. */
  words: string;
  hasFailed: boolean;
}

type Lane = 'phasesA' | 'phasesB' | 'codeA' | 'codeB' | 'rate' | 'difference' | 'counter' | 'axis';

/** Heights in CSS px, and those that share what a high window has left. */
const HEIGHTS: Record<Lane, number> = { phasesA: 22, phasesB: 22, codeA: 26, codeB: 26, rate: 188, difference: 128, counter: 106, axis: AXIS };
const GROWING: Lane[] = ['rate', 'difference', 'counter'];

const LEAST = [0.01, 0.02, 0.05];
const BETWEEN = [0.01, 0.02, 0.05, 0];

let mounted: ReturnType<typeof mount> | null = null;

/** Lays dropped files beside what is open; without them it asks what. */
export function begin(app: App, actions: Actions, dropped?: Dropped) {
  mounted ??= mount(app, actions);
  if (dropped) mounted.compare({ kind: 'files', dropped });
  else mounted.choose();
}

function mount(app: App, actions: Actions) {
  const { store } = app;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  let asked: Asked = { along: 'auto', least: 0.01, between: 0.01, equalClock: false, counter: null, phase: null, isSwapped: false };
  let comparing: Comparing | null = null;
  const page = pageOf();
  const chooser = chooserOf();
  (document.getElementById('main') as HTMLElement).append(page.root);
  document.body.append(chooser.dialog);
  const changed = watcher();
  const painted = watcher();
  const repaint = oncePerFrame(update);
  store.subscribe(repaint);
  new ResizeObserver(repaint).observe(page.root);
  addEventListener('keydown', onKey, true);

  return { choose, compare };

  /** Asks what is to be laid beside what is open. */
  function choose() {
    const shown = state.shownOf(store.get());
    chooser.offer(shown?.summary.groups.filter(({ number }) => number !== shown.group.number) ?? [], shown?.group.number ?? 0);
    chooser.dialog.showModal();
  }

  async function compare(what: With) {
    const now = store.get();
    const shown = state.shownOf(now);
    if (!shown || shown.early !== null) return actions.tell({ remark: 'A comparison begins when what is open is folded.' });
    end();
    const own: Comparing = { what, name: nameOf(what), source: state.sourceOf(now), of: shown.picture, group: shown.group.number, both: null, picture: null, summary: null, words: shown.deciding ? 'Deciding what is open' : 'Reading', hasFailed: false };
    comparing = own;
    repaint();
    try {
      await actions.decided();
      const after = state.shownOf(store.get());
      if (comparing !== own || !after) return;
      [own.of, own.group] = [after.picture, after.group.number];
      const [both] = await Promise.all([bothOf(app, what, (words) => {
        own.words = words;
        repaint();
      }), app.prepare('compare')]);
      if (comparing !== own) return free(both);
      own.both = both;
      decide();
      announce(own.summary?.sentences[0]?.text ?? '');
    } catch (failure: any) {
      if (comparing !== own || failure.stale) return;
      [own.words, own.hasFailed] = [failure.message ?? String(failure), true];
      announce(`${own.name} could not be compared. ${own.words}`);
    }
    repaint();
  }

  /** Compares what was folded, as it is asked for now. */
  function decide() {
    const own = comparing;
    if (!own?.both) return;
    const { a, b, groups } = own.both;
    own.picture?.free();
    own.picture = null;
    const picture = new ComparedPicture();
    try {
      const sides: [Picture, number][] = [[a, groups[0]], [b, groups[1]]];
      (asked.isSwapped ? sides.toReversed() : sides).forEach(([of, group], side) => picture.add(side, of, group));
      const isPart = own.what.kind === 'group';
      const { along, least, equalClock } = asked;
      own.summary = picture.compare({ along, least, equalClock, between: isPart ? 0 : asked.between });
      own.picture = picture;
      own.hasFailed = false;
    } catch (failure: any) {
      picture.free();
      [own.words, own.hasFailed, own.summary] = [failure.message ?? String(failure), true, null];
    }
  }

  /** What is open is alone again, as it was. */
  function end() {
    if (!comparing) return;
    comparing.picture?.free();
    if (comparing.both) free(comparing.both);
    if (comparing.what.kind !== 'files') giveUp();
    comparing = null;
    repaint();
  }

  function close() {
    end();
    giveUp();
    document.getElementById('column')?.focus();
  }

  function ask(change: Partial<Asked>) {
    const before = asked;
    asked = { ...asked, ...change };
    const isDecided = ['counter', 'phase'].includes(Object.keys(change)[0]);
    if (!isDecided && before !== asked) decide();
    repaint();
  }

  function update() {
    const now = store.get();
    const own = comparing;
    document.body.toggleAttribute('data-compares', own !== null);
    page.root.hidden = own === null;
    if (!own) return;
    const shown = state.shownOf(now);
    if (JSON.stringify(state.sourceOf(now)) !== JSON.stringify(own.source)) return close();
    const isOther = shown && shown.early === null && !shown.deciding && (shown.picture !== own.of || shown.group.number !== own.group);
    if (own.both && isOther) return void compare(own.what);
    if (changed(own, own.summary, own.words, asked)) show(own);
    paint(own, now);
  }

  function show(own: Comparing) {
    const { summary } = own;
    const [a, b] = sidesOf(own);
    page.names.replaceChildren(side('a', 'A', a), make('span', { class: 'of' }, 'with'), side('b', 'B', b), ...page.buttons);
    page.told.hidden = summary === null;
    page.state.hidden = summary !== null;
    page.state.replaceChildren(...(own.hasFailed ? [make('b', {}, `${own.name} cannot be compared. `), own.words, ' What is open is as it was.'] : [`${own.words}… `]));
    page.state.classList.toggle('failed', own.hasFailed);
    page.state.dataset.state = summary ? 'ready' : own.hasFailed ? 'failed' : 'reading';
    if (!summary) return;
    page.facts.replaceChildren(...factsOf(summary.facts));
    page.sentences.replaceChildren(...summary.sentences.flatMap(({ text, phase }) => [phase === null ? make('span', {}, text) : button({ class: 'link' }, text, () => ask({ phase })), ' ']), own.both?.remark ?? '');
    page.unit.textContent = `${summary.unit}, 95 % intervals: these runs dark, the program light`;
    const picked = summary.rows.find(({ phase }) => phase !== null && phase === asked.phase) ?? summary.rows.at(-1);
    const focused = (document.activeElement as HTMLElement | null)?.dataset.row;
    page.rows.replaceChildren(
      make('thead', {}, make('tr', {}, ...['Phase', `A ${summary.unit}`, `B ${summary.unit}`, '', 'B − A', '%'].map((head) => make('th', { scope: 'col' }, head)))),
      make('tbody', {}, ...summary.rows.map((row, at) => rowOf(row, row === picked, at === summary.rows.length - 1))),
    );
    if (focused) page.rows.querySelector<HTMLElement>(`[data-row="${focused}"]`)?.focus();
    if (picked) showPicked(picked, summary);
    page.along.value = asked.along;
    page.third.replaceChildren(...summary.lanes.map(([counter, name]) => make('option', { value: counter }, name)));
    page.third.value = counterOf(summary) ?? '';
    page.third.disabled = summary.lanes.length === 0;
    page.thirdTitle.textContent = summary.lanes.find(([counter]) => counter === counterOf(summary))?.[1] ?? '';
    const isPart = own.what.kind === 'group';
    page.between.disabled = isPart;
    const [bold, rest] = isPart ? ['Parts of one run.', 'They differ by what the run itself tells; of other runs nothing is said.'] : summary.assumed;
    page.assumed.replaceChildren(make('b', {}, bold), ` ${rest}`);
  }

  function rowOf(row: ComparedRow, isPicked: boolean, isSum: boolean) {
    const { phase, name, a, b, difference, change, tone, bar, verdict } = row;
    const label = [phase === null ? '' : `${phase} `, name].join('');
    const head = phase === null ? label : button({ class: 'name', 'data-row': String(phase), 'aria-pressed': String(isPicked) }, label, () => ask({ phase: asked.phase === phase ? null : phase }));
    return make('tr', { class: [isPicked && phase !== null && 'now', isSum && 'sum', tone].filter(Boolean).join(' '), title: `${verdict}. ${row.words}` }, make('th', { scope: 'row' }, head), cellOf(a), cellOf(b), make('td', { class: 'bars', 'aria-hidden': 'true' }, barOf(bar)), cellOf(difference), cellOf(change));
  }

  function showPicked(picked: ComparedRow, summary: ComparedSummary) {
    const counters = summary.counters.filter(({ phase }) => phase === picked.phase);
    page.pickedTitle.textContent = picked.phase === null ? 'The whole instance' : `Phase ${picked.phase}${picked.name ? `: ${picked.name}` : ''}`;
    const time = { title: `Time, ${summary.unit}`, a: picked.a, b: picked.b, change: picked.change, interval: picked.interval, isSure: picked.tone !== 'unsure' };
    page.counters.replaceChildren(
      make('thead', {}, make('tr', {}, ...['', 'A', 'B', '%', '95 %'].map((head) => make('th', { scope: 'col' }, head)))),
      make('tbody', {}, ...[time, ...counters].map(({ title, a, b, change, interval, isSure }) =>
        make('tr', { class: isSure ? 'sure' : '' }, make('th', { scope: 'row', title }, title), cellOf(a), cellOf(b), cellOf(change), make('td', { class: 'interval' }, interval)))),
    );
    page.pickedWords.textContent = [`${picked.verdict}${picked.interval ? `: ${picked.interval} of the program, ${picked.within} of these runs` : ''}.`, picked.words].filter(Boolean).join(' ');
  }

  function counterOf({ lanes }: ComparedSummary) {
    return lanes.find(([counter]) => counter === asked.counter)?.[0] ?? lanes[0]?.[0] ?? null;
  }

  function viewOf(own: Comparing, now: state.State): Omit<ComparedView, 'width' | 'height'> {
    const [from, to] = now.view.range;
    return { from, to, theme: paintedTheme(now.view.theme), ...gutters(innerWidth), counter: own.summary ? counterOf(own.summary) : null, phase: asked.phase };
  }

  function paint(own: Comparing, now: state.State) {
    const { picture, summary } = own;
    if (!picture || !summary) return;
    const view = viewOf(own, now);
    const width = page.lanes.clientWidth;
    if (!painted(picture, width, innerHeight, innerWidth, devicePixelRatio, JSON.stringify(view))) return;
    const isNamed: Partial<Record<Lane, boolean>> = { phasesA: summary.along === 'phase', phasesB: summary.along === 'phase', counter: summary.lanes.length > 0 };
    const lanes = (Object.keys(HEIGHTS) as Lane[]).filter((lane) => isNamed[lane] !== false);
    for (const lane of Object.keys(HEIGHTS) as Lane[]) page.canvases[lane].closest('section')?.toggleAttribute('hidden', !lanes.includes(lane));
    const free = innerWidth < 900 ? 0 : page.column.clientHeight - page.lanes.offsetTop - page.lanes.scrollHeight + GROWING.reduce((sum, lane) => sum + page.canvases[lane].clientHeight, 0) - GROWING.filter((lane) => lanes.includes(lane)).reduce((sum, lane) => sum + HEIGHTS[lane], 0);
    const scale = 1 + Math.max(0, free - 12) / GROWING.reduce((sum, lane) => sum + HEIGHTS[lane], 0);
    for (const lane of lanes) {
      const canvas = page.canvases[lane];
      const height = Math.floor(HEIGHTS[lane] * (GROWING.includes(lane) ? scale : 1));
      picture.paint(lane, canvas, { ...view, width, height }, page.surfaces[lane].fit(width, height));
    }
    page.lanes.style.setProperty('--left', `${view.left}px`);
  }

  function side(kind: string, letter: string, name: string) {
    return make('span', { class: `side ${kind}` }, make('i', { 'aria-hidden': 'true' }), make('b', {}, letter), ' ', name);
  }

  function sidesOf(own: Comparing): [string, string] {
    const shown = state.shownOf(store.get());
    const isGroup = own.what.kind === 'group';
    const a = isGroup ? `group ${own.group}` : (shown?.summary.trace.name ?? 'what is open');
    return asked.isSwapped ? [own.name, a] : [a, own.name];
  }

  function nameOf(what: With) {
    if (what.kind === 'group') return `group ${what.group}`;
    if (what.kind === 'link') return 'a link';
    return what.dropped.files.reduce((most, file) => (file.size > most.size ? file : most)).name;
  }

  function announce(words: string) {
    const element = document.getElementById('announce');
    if (element) element.textContent = words;
  }

  function onKey(event: KeyboardEvent) {
    if (!comparing?.summary || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const phases = comparing.summary.rows.flatMap(({ phase }) => (phase === null ? [] : [phase]));
    const step = (by: number) => {
      const at = asked.phase === null ? (by > 0 ? -1 : phases.length) : phases.indexOf(asked.phase);
      const next = phases[Math.min(Math.max(at + by, 0), phases.length - 1)];
      ask({ phase: next ?? null });
      const row = comparing?.summary?.rows.find(({ phase }) => phase === next);
      if (row) announce(`Phase ${next} ${row.name}: ${row.a.text} and ${row.b.text}, ${row.change.text} %, ${row.verdict}`);
    };
    const acts: Record<string, () => void> = {
      x: () => ask({ isSwapped: !asked.isSwapped }),
      '[': () => step(-1),
      ']': () => step(1),
      Escape: () => (asked.phase === null ? close() : ask({ phase: null })),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  async function save(format: string) {
    const own = comparing;
    if (!own?.picture) return;
    await app.prepare('export');
    for (const { name, bytes } of own.picture.exportFile(format, { ...viewOf(own, store.get()), width: 0, height: 0 })) {
      const anchor = make('a', { href: URL.createObjectURL(new Blob([bytes])), download: name });
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
    }
  }

  /** All that is shown of a comparison, made once. */
  function pageOf() {
    const canvases = Object.fromEntries((Object.keys(HEIGHTS) as Lane[]).map((lane) => [lane, make('canvas', { role: 'img', 'aria-label': lane, 'data-testid': `compare-${lane}` })])) as Record<Lane, HTMLCanvasElement>;
    const surfaces = Object.fromEntries(Object.entries(canvases).map(([lane, canvas]) => [lane, new Surface(canvas)])) as Record<Lane, Surface>;
    const names = make('p', { class: 'sides', 'data-testid': 'compare-sides' });
    const facts = make('div', { class: 'facts' });
    const sentences = make('p', { class: 'sentence', 'data-testid': 'compare-sentences' });
    const told = make('div', { class: 'told' });
    const words = make('p', { class: 'state', role: 'status', 'data-testid': 'compare-state' });
    const hint = make('p', { class: 'hint', 'data-testid': 'compare-hint' });
    const thirdTitle = make('h2', {});
    const key = () => make('span', { class: 'key2', 'aria-hidden': 'true' }, make('i', { class: 'a' }), 'A', make('i', { class: 'b' }), 'B');
    const meaning = make('span', { class: 'key2', 'aria-hidden': 'true' }, make('i', { class: 'higher' }), 'B surely higher', make('i', { class: 'lower' }), 'B surely lower', make('i', { class: 'unsure' }), 'interval holds 0, or less than matters');
    const lane = (title: HTMLElement | string, of: Lane[], ...head: Node[]) => make('section', { class: 'lane' }, make('div', { class: 'head' }, typeof title === 'string' ? make('h2', {}, title) : title, ...head), ...of.flatMap((name) => {
      const letter = /[AB]$/.exec(name)?.[0];
      return [make('div', { class: 'row' }, ...(letter ? [make('b', { class: 'letter', 'aria-hidden': 'true' }, letter)] : []), canvases[name])];
    }));
    const lanes = make('div', { class: 'lanes', 'data-testid': 'compare-lanes' }, lane('Phases', ['phasesA', 'phasesB']), lane('Source', ['codeA', 'codeB'], hint), lane('Rate', ['rate'], key()), lane('Difference', ['difference'], meaning), lane(thirdTitle, ['counter'], key()), make('div', {}, canvases.axis));
    for (const canvas of Object.values(canvases)) {
      canvas.addEventListener('pointermove', (event) => {
        const at = placeOf(event.offsetX);
        hint.textContent = at === null ? '' : (comparing?.picture?.at(at) ?? '');
      });
      canvas.addEventListener('pointerleave', () => (hint.textContent = ''));
      canvas.addEventListener('click', (event) => {
        const at = placeOf(event.offsetX);
        const phase = at === null ? undefined : comparing?.picture?.phaseAt(at);
        ask({ phase: phase === undefined || phase === asked.phase ? null : phase });
      });
      canvas.addEventListener('dblclick', (event) => {
        const at = placeOf(event.offsetX);
        const phase = at === null ? undefined : comparing?.picture?.phaseAt(at);
        const span = phase === undefined ? [] : (comparing?.picture?.phaseSpan(phase) ?? []);
        const [from, to] = store.get().view.range;
        const isWhole = from === 0 && to === 1;
        actions.look({ range: isWhole && span.length === 2 ? [span[0], span[1]] : [0, 1] });
      });
    }
    function placeOf(px: number): number | null {
      const { left, right } = gutters(innerWidth);
      const share = (px - left) / (lanes.clientWidth - left - right);
      const [from, to] = store.get().view.range;
      return share >= 0 && share <= 1 ? from + share * (to - from) : null;
    }
    const column = make('div', { class: 'compared' }, names, words, told);
    told.append(facts, sentences, lanes);
    const [rows, counters] = [make('table', { 'data-testid': 'compare-rows' }), make('table', { 'data-testid': 'compare-counters' })];
    const [unit, pickedTitle, pickedWords, assumed] = [make('small', {}), make('h2', {}), make('p', { class: 'hint' }), make('p', { class: 'hint assumed', 'data-testid': 'compare-assumed' })];
    const select = (options: [string, string][], choose: (value: string) => void) => {
      const element = make('select', {}, ...options.map(([value, words]) => make('option', { value }, words)));
      element.addEventListener('change', () => choose(element.value));
      return element;
    };
    const along = select([['auto', 'phase, if most is matched'], ['phase', 'phase'], ['share', 'share'], ['time', 'time']], (along) => ask({ along }));
    const least = select(LEAST.map((share) => [String(share), `${100 * share} %`]), (value) => ask({ least: Number(value) }));
    const between = select(BETWEEN.map((share) => [String(share), share ? `${100 * share} %` : 'nothing: these runs only']), (value) => ask({ between: Number(value) }));
    const clock = select([['', 'time'], ['cycles', 'cycles, as at one clock']], (value) => ask({ equalClock: value !== '' }));
    const third = select([], (counter) => ask({ counter }));
    const field = (words: string, control: HTMLElement) => make('label', { class: 'field' }, make('span', {}, words), control);
    const panel = make('aside', { class: 'compare-panel', 'aria-label': 'Numbers of the comparison' },
      make('div', { class: 'panel-body' },
        make('section', {}, make('h2', {}, make('span', {}, 'Where the time went')), make('p', { class: 'hint' }, unit), rows),
        make('section', {}, pickedTitle, counters, pickedWords),
        make('section', { class: 'fields' }, make('h2', {}, 'Comparison'), field('Align by', along), field('Compare', clock), field('Least change', least), field('Runs vary by', between), field('Third lane', third)),
        make('section', {}, assumed)));
    const root = make('section', { id: 'compare', class: 'compare', 'data-testid': 'compare', 'aria-label': 'Comparison', hidden: '' }, column, panel);
    const buttons = [
      make('span', { class: 'gap' }),
      button({ class: 'quiet', title: 'Swap A and B (X)', 'data-testid': 'compare-swap' }, 'Swap', () => ask({ isSwapped: !asked.isSwapped })),
      ...['SVG', 'CSV', 'JSON'].map((format) => button({ class: 'quiet', title: `Save the comparison as ${format}`, 'data-testid': `compare-${format.toLowerCase()}` }, format, () => void save(format.toLowerCase()))),
      button({ class: 'quiet', title: 'Another run', 'data-testid': 'compare-other' }, 'Other…', () => choose()),
      button({ title: 'What is open is alone again (Escape)', 'data-testid': 'compare-close' }, 'Close B', () => close()),
    ];
    return { root, column, names, buttons, facts, sentences, told, state: words, lanes, canvases, surfaces, rows, counters, unit, pickedTitle, pickedWords, assumed, along, between, third, thirdTitle };
  }

  /** Asks what B is. */
  function chooserOf() {
    const input = make('input', { type: 'file', multiple: '', class: 'unseen', tabindex: '-1', 'aria-label': 'Files of the other run', 'data-testid': 'compare-files' });
    const dialog = make('dialog', { class: 'chooser', 'aria-labelledby': 'compare-title', 'data-testid': 'compare-with' });
    const group = make('select', { 'aria-label': 'Group' });
    const link = make('input', { type: 'text', 'aria-label': 'Link', placeholder: 'https://…#s=…', 'data-testid': 'compare-link' });
    const wrong = make('p', { class: 'wrong', role: 'alert' });
    const go = (what: With) => {
      dialog.close();
      void compare(what);
    };
    input.addEventListener('change', () => {
      const files = [...(input.files ?? [])];
      input.value = '';
      if (files.length > 0) go({ kind: 'files', dropped: { files, names: files.map(({ name }) => name) } });
    });
    const groups = make('p', { class: 'row' }, make('span', {}, 'Another group'), group, button({ 'data-testid': 'compare-group' }, 'Compare', () => go({ kind: 'group', group: Number(group.value) })));
    const ofLink = () => {
      const text = /(?:^|[#&?])s=([\w-]+)/.exec(link.value)?.[1] ?? (/^[\w-]{20,}$/.test(link.value.trim()) ? link.value.trim() : null);
      wrong.textContent = text ? '' : 'That is no link with a picture inside: it has no s= in it.';
      if (text) go({ kind: 'link', text });
    };
    dialog.append(
      make('h2', { id: 'compare-title' }, 'Compare with'),
      make('p', { class: 'row' }, button({ class: 'filled', 'data-testid': 'compare-choose' }, 'Choose files of another run', () => input.click()), input),
      make('p', { class: 'hint' }, 'Or drop them on the right half of the page. They are folded as what is open is.'),
      groups,
      make('p', { class: 'row' }, make('span', {}, 'A link'), link, button({ 'data-testid': 'compare-link-go' }, 'Compare', ofLink)),
      wrong,
      make('form', { method: 'dialog' }, make('button', {}, 'Cancel')),
    );
    const offer = (others: { number: number, kept: number }[], own: number) => {
      wrong.textContent = '';
      groups.hidden = others.length === 0;
      group.replaceChildren(...others.map(({ number }) => make('option', { value: String(number) }, `${number} beside ${own}`)));
    };
    return { dialog, offer };
  }
}

function free({ a, b, kept }: Both) {
  for (const picture of new Set([a, b])) if (!kept.includes(picture)) picture.free();
}

/** A bar from zero to the difference, and both intervals over it. */
function barOf([end, low, high, lowWithin, highWithin]: number[]): HTMLElement {
  const place = (from: number, to: number, kind: string) => {
    const bar = make('i', { class: kind });
    const [least, most] = [Math.min(from, to), Math.max(from, to)].map((x) => 50 + 50 * Math.min(Math.max(x, -1), 1));
    bar.style.left = `${least}%`;
    bar.style.width = `${most - least}%`;
    return bar;
  };
  if (end === undefined) return make('span', {});
  return make('span', {}, place(0, end, 'bar'), ...(low === undefined ? [] : [place(low, high, 'program'), place(lowWithin, highWithin, 'runs')]));
}
