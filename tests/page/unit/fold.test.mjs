// Which fold is meant where several are asked for.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const { foldingOf } = await import('../../../www/actions/fold.ts');

test('a fold that waited for what threads do does not give up one that was asked for since', async () => {
  let seen = () => {};
  const folded = [];
  const engine = {
    call(command, args) {
      if (command === 'see') return new Promise((resolve) => (seen = () => resolve(undefined)));
      folded.push(args.settings.region);
      return Promise.resolve(new Uint8Array());
    },
  };
  const open = { from: { trace: { hasRun: true } } };
  const app = /** @type {any} */ ({ engine, folds: 0, store: { get: () => ({ now: { is: 'ready', open }, models: [] }) } });
  const first = foldingOf(app, { region: 'decided before' });
  const firstSeen = seen;
  const second = foldingOf(app, { region: 'chosen since' });
  seen();
  await second;
  firstSeen();
  await assert.rejects(first, { stale: true });
  assert.deepEqual(folded, ['chosen since']);
});
