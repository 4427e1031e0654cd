/** The address of this page with something behind `#`; in a frame of a notebook, which has none, that alone:
 * it belongs behind the address of any page of Tracefold. */
export function addressWith(fragment: string): string {
  if (location.protocol === 'about:') return `#${fragment}`;
  const here = new URL(location.protocol === 'file:' ? location.pathname : './', document.baseURI);
  here.hash = fragment;
  return here.href;
}
