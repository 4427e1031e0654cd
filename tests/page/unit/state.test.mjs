// The transitions of the state: what is kept when something else changes.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const state = await import('../../../www/state.ts');
const { defaultView } = await import('../../../www/view.ts');

const summary = { region: 'User function:main', shown: 2, groups: [1, 2].map((number) => ({ number, counters: [{ counter: 'C' }, { counter: 'D' }], models: [], objects: [], routines: [] })) };
const picture = /** @type {any} */ ({ summary: () => summary });
const trace = /** @type {any} */ ({ name: 'a.prv' });
const from = /** @type {any} */ ({ source: { kind: 'files' }, trace, regionsBy: '' });
const ready = state.opened(state.emptyState, from, picture, state.emptyState);
const group = (/** @type {import('../../../www/state.ts').State} */ of) => state.shownOf(of)?.group.number;

test('a folded picture is ready, and shows the most populated group', () => {
  assert.equal(ready.now.is, 'ready');
  assert.equal(group(ready), 2);
  assert.equal(group(state.viewChanged(ready, { shown: 1 })), 1);
  assert.equal(group(state.viewChanged(ready, { shown: 9 })), 2);
});

test('opening keeps what is open, and so does stopping it', () => {
  const busy = state.readingWentOn(state.openingBegan(ready, 'b.prv'), { done: 38, total: 100 });
  assert.equal(busy.now.is, 'reading');
  assert.equal(state.shownOf(busy)?.picture, picture);
  const stopped = state.openingStopped(busy);
  assert.equal(stopped.now.is, 'ready');
  assert.equal(state.shownOf(stopped)?.picture, picture);
  assert.equal(stopped.remark, 'Stopped at 38\u202f%.');
  assert.equal(state.openingStopped(state.openingBegan(state.emptyState, 'b.prv')).now.is, 'empty');
});

test('a fold that ends while another trace is read does not end the reading, and is there when that is given up', () => {
  const other = /** @type {any} */ ({ summary: () => summary });
  const folding = state.foldingBegan(state.settingChosen(ready, 'nugget', '0.1'));
  assert.equal(folding.now.is, 'folding');
  for (const busy of [state.openingBegan(folding, 'b.prv'), state.earlyPicture(state.openingBegan(folding, 'b.prv'), picture, 0.1, state.emptyState)]) {
    const folded = state.folded(busy, other);
    assert.equal(folded.now.is, 'reading');
    const back = state.openingStopped(folded);
    assert.deepEqual([back.now.is, state.shownOf(back)?.picture, back.settings], ['ready', other, { nugget: '0.1' }]);
  }
});

test('a trace of which nothing can be folded stays open, and says again why when nothing else goes on', () => {
  const problem = /** @type {any} */ ({ task: 'fold', title: 'why', failure: { message: 'no' } });
  const looking = state.openedUnfolded(state.openingBegan(state.emptyState, 'a.prv'), from, state.emptyState);
  assert.deepEqual([looking.now.is, state.traceOf(looking), state.shownOf(looking)], ['looking', trace, null]);
  assert.equal(state.openingStopped(state.openingBegan(looking, 'b.prv')).now.is, 'looking');
  const failed = state.failed(looking, problem);
  assert.deepEqual([failed.now.is, state.traceOf(failed), state.shownOf(failed)], ['failed', trace, null]);
  const stopped = state.openingStopped(state.openingBegan(failed, 'b.prv'));
  assert.deepEqual([stopped.now.is, stopped.now.is === 'failed' && stopped.now.problem], ['failed', problem]);
  assert.equal(state.folded(state.foldingBegan(failed), picture).now.is, 'ready');
});

test('after a failure the picture is there to go back to, with its own choices', () => {
  const asked = state.foldingBegan(state.settingChosen(ready, 'nugget', 'much'));
  const failed = state.failed(asked, { task: 'fold', title: '', failure: { message: 'no' } });
  assert.equal(failed.now.is, 'failed');
  assert.deepEqual(failed.settings, { nugget: 'much' });
  const back = state.backToPicture(failed);
  assert.equal(back.now.is, 'ready');
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
  const alone = state.samplesArrived(state.viewChanged(ready, { counter: 'C' }), { group: 2, counter: 'C', points });
  const after = (/** @type {object} */ change) => state.shownOf(state.viewChanged(alone, change))?.points;
  assert.equal(after({ range: [0, 0.5] }), points);
  assert.equal(after({ counter: 'D' }), null);
  assert.equal(after({ shown: 1 }), null);
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
  assert.deepEqual([early.now.is, state.shownOf(early)?.picture, state.shownOf(early)?.early, state.traceOf(early)], ['reading', first, 0.05, null]);
  assert.deepEqual(early.settings, { nugget: '0.1' });
  for (const back of [state.openingStopped(early), state.openingBegan(early, 'c.prv'), state.failed(early, { task: 'open', title: '', failure: { message: 'no' } })]) {
    assert.deepEqual([state.shownOf(back)?.picture, state.traceOf(back), back.settings, state.shownOf(back)?.early], [picture, trace, {}, null]);
  }
});

test('a later picture of the same reading keeps what a person looks at', () => {
  const asked = { settings: {}, view: { ...defaultView, counter: 'E' } };
  const first = state.earlyPicture(state.openingBegan(ready, 'b.prv'), picture, 0.05, asked);
  assert.equal(first.view.counter, null, 'the counter is not in the part read so far');
  const zoomed = state.viewChanged(first, { range: [0.2, 0.4], shown: 1 });
  const second = state.earlyPicture(zoomed, picture, 0.1, asked);
  assert.deepEqual(second.view.range, [0.2, 0.4]);
  const counters = [{ counter: 'E' }];
  const whole = /** @type {any} */ ({ summary: () => ({ ...summary, groups: summary.groups.map((group) => ({ ...group, counters })) }) });
  const final = state.opened(second, from, whole, asked);
  assert.deepEqual([final.view.range, final.view.shown, final.view.counter], [[0.2, 0.4], 1, 'E']);
  assert.deepEqual([state.shownOf(final)?.early, state.traceOf(final)], [null, trace]);
});
