// Words of the page, each a link to its one meaning in `guide/glossary.html`. They are no stops of the
// Tab key, of which there would be a hundred: keys reach all that are in view through the help.

import { make } from './dom.ts';

const addressOf = (name: string) => `guide/glossary.html#${name}`;
const TAB = { target: '_blank', rel: 'noopener' };

/** Words that mean what the glossary says under `name`. */
export function term(name: string, ...words: (Node | string)[]) {
  return make('a', { class: 'term', href: addressOf(name), 'data-term': name, tabindex: '-1', ...TAB }, ...words);
}

/** Makes links of the headings of `index.html`, which say by `data-for` what they are about. */
export function linkHeadings() {
  for (const heading of document.querySelectorAll<HTMLElement>('[data-for]')) {
    heading.replaceChildren(term(heading.dataset.for as string, ...heading.childNodes));
  }
}

/** Links to all that is in view, each once, for the help. A word inside of a control, where no link
 * may be, is marked only. */
export function termsInView() {
  const seen = [...document.querySelectorAll<HTMLElement>('[data-term]')].filter((word) => word.checkVisibility());
  const names = [...new Set(seen.map((word) => word.dataset.term as string))].sort();
  return names.map((name) => make('a', { href: addressOf(name), ...TAB }, name.replaceAll('-', ' ')));
}
