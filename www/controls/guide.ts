// Links to the guide: a tab beside the page; in the single-file page, which has the guide inside, a
// layer over it.

import { byId } from '../dom.ts';
import { termsInView } from '../terms.ts';

export function mountGuide() {
  byId('help-button').addEventListener('click', listTerms);
  addEventListener('keydown', (event) => {
    if (event.key === '?') listTerms();
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="guide/"]') : null;
    const guide = document.getElementById('guide') as HTMLDialogElement | null;
    if (!link || !guide) return;
    event.preventDefault();
    // `guide/glossary.html#phase` is `glossary-phase` there.
    const [page, section] = (link.getAttribute('href') as string).replace('guide/', '').split('.html#');
    const name = section === undefined ? page.replace('.html', '') : `${page}-${section}`;
    const frame = guide.querySelector('iframe') as HTMLIFrameElement;
    const show = () => frame.contentDocument?.getElementById(name)?.scrollIntoView();
    guide.showModal();
    frame.addEventListener('load', show, { once: true });
    show();
  });
}

function listTerms() {
  const links = termsInView();
  byId('help-terms').replaceChildren(...(links.length > 0 ? ['Words in view: ', ...links.flatMap((link, at) => (at > 0 ? [' · ', link] : [link]))] : []));
}
