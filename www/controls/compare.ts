// Another run beside what is open.

import { byId } from '../dom.ts';
import type { Mount } from '../actions/actions.ts';

export const mountCompare: Mount = ({ compare }) => {
  const button = byId('compare-button');
  button.addEventListener('click', () => void compare());
  return (_, shown) => {
    button.hidden = shown?.early !== null;
  };
};
