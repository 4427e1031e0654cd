// Ways to the tour, which is loaded when it is first asked for.

import { byId } from '../dom.ts';

export function mountTour(openExample: () => void) {
  const begin = () => {
    const isEmpty = byId('status').dataset.state === 'empty';
    void import('../tour/tour.ts').then(({ begin }) => {
      if (isEmpty) openExample();
      begin();
    }, () => (byId('remark').textContent = 'The tour could not be loaded. Try again.'));
  };
  byId('tour-button').addEventListener('click', begin);
  byId('tour-again').addEventListener('click', () => {
    (byId('help') as HTMLDialogElement).close();
    begin();
  });
}
