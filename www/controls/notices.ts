import { button, byId, make, watcher } from '../dom.ts';
import { counted } from '../format.ts';
import type { Mount } from '../actions/actions.ts';
import type { NoticeLine } from '../wasm/painter.js';

/** What was odd but harmless: how many, the first, and all of them on demand; and how sure the
 * numbers are. */
export const mountNotices: Mount = () => {
  const root = byId('notices');
  const changed = watcher();
  return (_, shown, opened) => {
    const summary = shown?.summary;
    if (!changed(summary, opened)) return;
    const notices = summary?.notices ?? opened?.notices ?? [];
    const sure = sureness(summary?.trace.provenance ?? []);
    root.hidden = notices.length === 0 && sure.length === 0;
    root.replaceChildren(...sure);
    if (notices.length === 0) return;
    const list = make('ul', { hidden: '' }, ...notices.map((notice) => make('li', {}, words(notice))));
    const turn = button({ class: 'link', 'aria-expanded': 'false' }, 'List', () => {
      list.hidden = !list.hidden;
      turn.setAttribute('aria-expanded', String(!list.hidden));
    });
    root.append(make('p', {}, make('b', {}, counted(notices.length, 'notice')), ` ${notices[0].text} `, turn), list);
  };
};

function sureness(sentences: string[]) {
  if (sentences.length === 0) return [];
  const list = make('ul', {}, ...sentences.map((sentence) => make('li', {}, sentence)));
  return [make('details', { open: '', 'data-testid': 'provenance' }, make('summary', {}, make('b', {}, 'How sure these numbers are')), list)];
}

function words({ text, often, first }: NoticeLine) {
  const place = first ? ` (${often ? 'first at ' : ''}${first})` : '';
  return `${text}${often ? ` –${often}` : ''}${place}`;
}
