// What the state lacks is asked for once, and an answer that nobody waits for any more is dropped.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const { askFor } = await import('../../../www/actions/ask.ts');
const state = await import('../../../www/state.ts');

const picture = /** @type {any} */ ({ summary: () => ({ region: 'x', shown: 1, groups: [{ number: 1, counters: [{ counter: 'C' }, { counter: 'D' }], models: [], objects: [], routines: [] }] }) });
const from = /** @type {any} */ ({ source: { kind: 'files' }, trace: {}, regionsBy: '' });
const ready = state.opened(state.emptyState, from, picture, state.emptyState);

/** A store whose states lack words on the counter shown alone, until they are the remark. `asked` are
 * the questions; each is answered or refused by the test. */
function lacking() {
  const store = state.createStore(ready);
  /** @type {{ key: string, answer: (words: string) => void, refuse: (failure: object) => void }[]} */
  const asked = [];
  /** @type {object[]} */
  const refusals = [];
  askFor(store, [({ view: { counter }, remark }) => (counter === null || remark === `words on ${counter}` ? null : {
    key: [counter],
    ask: () => new Promise((answer, refuse) => asked.push({ key: counter, answer, refuse })),
    arrived: (now, words) => ({ ...now, remark: words }),
    refused: (failure) => refusals.push(failure),
  })]);
  const alone = (/** @type {string | null} */ counter) => store.set(state.viewChanged(store.get(), { counter }));
  return { store, asked, refusals, alone, keys: () => asked.map(({ key }) => key) };
}

const soon = () => new Promise((done) => setTimeout(done));

test('it is asked for once, however often the state changes otherwise, and the answer gets into the state', async () => {
  const { store, asked, alone, keys } = lacking();
  alone('C');
  store.set({ ...store.get(), panel: false });
  assert.deepEqual(keys(), ['C']);
  asked[0].answer('words on C');
  await soon();
  assert.equal(store.get().remark, 'words on C');
  assert.deepEqual(keys(), ['C']);
});

test('an answer to what is lacked no more is dropped', async () => {
  const { store, asked, alone, keys } = lacking();
  alone('C');
  alone('D');
  asked[0].answer('words on C');
  await soon();
  assert.deepEqual([store.get().remark, keys()], ['', ['C', 'D']]);
});

test('nothing is asked for while something else goes on, and then it is', async () => {
  const { store, alone, keys } = lacking();
  store.set(state.openingBegan(store.get(), 'b.prv'));
  alone('C');
  assert.deepEqual(keys(), []);
  store.set(state.openingStopped(store.get()));
  assert.deepEqual(keys(), ['C']);
});

test('what was overtaken is asked for again, what was refused is not', async () => {
  const { store, asked, refusals, alone, keys } = lacking();
  alone('C');
  asked[0].refuse({ message: 'a newer one', stale: true });
  await soon();
  store.set({ ...store.get(), panel: false });
  assert.deepEqual([keys(), refusals], [['C', 'C'], []]);
  asked[1].refuse({ message: 'no' });
  await soon();
  store.set({ ...store.get(), panel: true });
  assert.deepEqual([keys(), refusals], [['C', 'C'], [{ message: 'no' }]]);
});
