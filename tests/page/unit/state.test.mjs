// The transitions of the state: what is kept when something else changes.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const state = await import('../../../www/state.ts');
const { defaultView } = await import('../../../www/view.ts');

const summary = { region: 'User function:main', shown: 2, groups: [1, 2].map((number) => ({ number, counters: [{ counter: 'C' }, { counter: 'D' }], models: [], objects: [], routines: [] })) };
const picture = /** @type {any} */ ({ summary: () => summary });
const ready = state.folded({ ...state.emptyState, opened: /** @type {any} */ ({ name: 'a.prv' }), source: { kind: 'files' } }, picture);

test('a folded picture is ready, and shows the most populated group', () => {
  assert.equal(ready.status, 'ready');
  assert.equal(state.shownGroup(ready)?.number, 2);
  assert.equal(state.shownGroup(state.viewChanged(ready, { shown: 1 }))?.number, 1);
  assert.equal(state.shownGroup(state.viewChanged(ready, { shown: 9 }))?.number, 2);
});

test('opening keeps what is open, and so does stopping it', () => {
  const busy = state.readingWentOn(state.openingBegan(ready, 'b.prv'), { done: 38, total: 100 });
  assert.equal(busy.status, 'busy');
  assert.equal(busy.picture, picture);
  const stopped = state.openingStopped(busy);
  assert.equal(stopped.status, 'ready');
  assert.equal(stopped.picture, picture);
  assert.equal(stopped.remark, 'Stopped at 38\u202f%.');
  assert.equal(state.openingStopped(state.openingBegan(state.emptyState, 'b.prv')).status, 'empty');
});

test('a fold that ends while another trace is read does not end the reading', () => {
  const busy = state.openingBegan(ready, 'b.prv');
  assert.equal(state.folded(busy, picture).status, 'busy');
});

test('after a failure the picture is there to go back to, with its own choices', () => {
  const asked = state.foldingBegan(state.settingChosen(ready, 'nugget', 'much'));
  const failed = state.failed(asked, { task: 'fold', title: '', failure: { message: 'no' } });
  assert.equal(failed.status, 'error');
  assert.deepEqual(failed.settings, { nugget: 'much' });
  const back = state.backToPicture(failed);
  assert.equal(back.status, 'ready');
  assert.deepEqual(back.settings, {});
});

test('another trace keeps general choices and drops those of the trace before', () => {
  const chosen = { ...ready, settings: { region: 'x:y', objects: '1.1.*', nugget: '0.1' }, view: { ...ready.view, theme: /** @type {const} */ ('dark'), counter: 'C' } };
  const { settings, view } = state.carriedOver(chosen);
  assert.deepEqual(settings, { nugget: '0.1' });
  assert.deepEqual(view, { ...defaultView, theme: 'dark' });
  const asked = { ...state.emptyState, settings: { region: 'x:y' } };
  assert.deepEqual(state.carriedOver(asked).settings, { region: 'x:y' });
});

test('a counter is switched off and on', () => {
  const off = state.counterToggled(ready, 'C');
  assert.deepEqual(off.view.hidden, ['C']);
  assert.deepEqual(state.counterToggled(off, 'C').view.hidden, []);
});

test('clouds belong to a counter and a group', () => {
  const points = /** @type {any} */ ({});
  const alone = { ...state.viewChanged(ready, { counter: 'C' }), points };
  assert.equal(state.viewChanged(alone, { range: [0, 0.5] }).points, points);
  assert.equal(state.viewChanged(alone, { counter: 'D' }).points, null);
  assert.equal(state.viewChanged(alone, { shown: 1 }).points, null);
});

test('a setting at its default is no setting', () => {
  assert.deepEqual(state.settingChosen({ ...ready, settings: { fit: 'x' } }, 'fit', null).settings, {});
});

test('no transition changes the state it is given', () => {
  const before = JSON.stringify(ready);
  state.regionChosen(ready, 'a:b', 1);
  state.counterToggled(ready, 'C');
  state.settingChosen(ready, 'fit', 'x');
  state.viewChanged(ready, { range: [0, 0.1] });
  assert.equal(JSON.stringify(ready), before);
});

test('listeners hear every state, and whether it was a step', () => {
  const store = state.createStore(state.emptyState);
  /** @type {any[]} */
  const heard = [];
  store.subscribe((now, step) => heard.push([now.remark, step]));
  store.set({ ...state.emptyState, remark: 'a' });
  store.set({ ...state.emptyState, remark: 'b' }, 'push');
  assert.deepEqual(heard, [['a', 'replace'], ['b', 'push']]);
  assert.equal(store.get().remark, 'b');
});

test('a counter that the group does not have is not shown alone, and the page says so', () => {
  const { view, remark } = state.viewChanged(ready, { counter: 'nope' });
  assert.equal(view.counter, null);
  assert.equal(remark, 'There is no counter nope here; all counters are shown.');
});

test('an early picture takes the screen, keeps what was open, and gives it back', () => {
  const first = /** @type {any} */ ({ summary: () => ({ ...summary, region: 'Loop:early' }) });
  const busy = state.openingBegan(ready, 'b.prv');
  const early = state.earlyPicture(busy, first, 0.05, { settings: { nugget: '0.1' }, view: defaultView });
  assert.deepEqual([early.status, early.picture, early.early, early.opened], ['busy', first, 0.05, null]);
  assert.deepEqual(early.settings, { nugget: '0.1' });
  for (const back of [state.openingStopped(early), state.failed(early, { task: 'open', title: '', failure: { message: 'no' } })]) {
    assert.deepEqual([back.picture, back.opened, back.settings, back.early, back.kept], [picture, ready.opened, {}, null, null]);
  }
});

test('a later picture of the same reading keeps what a person looks at', () => {
  const asked = { settings: {}, view: { ...defaultView, counter: 'E' } };
  const first = state.earlyPicture(state.openingBegan(ready, 'b.prv'), picture, 0.05, asked);
  assert.equal(first.view.counter, null, 'the counter is not in the part read so far');
  const zoomed = state.viewChanged(first, { range: [0.2, 0.4], shown: 1 });
  const second = state.earlyPicture(zoomed, picture, 0.1, asked);
  assert.deepEqual(second.view.range, [0.2, 0.4]);
  assert.equal(second.kept?.picture, picture);
  const view = state.viewOfFinal(second, asked.view);
  assert.deepEqual([view.range, view.shown, view.counter], [[0.2, 0.4], 1, 'E']);
  const final = state.openedAs(second, { source: { kind: 'files' }, opened: null, settings: {}, view });
  assert.deepEqual([final.early, final.kept], [null, null]);
});
