// The fragment and the state: each is a pure function of the other.

import assert from 'node:assert/strict';
import test from 'node:test';
import '../typescript.mjs';

const { fragmentFrom, shownFrom, viewPairs } = await import('../../../www/fragment.ts');
const { defaultView } = await import('../../../www/view.ts');

const nothing = { source: { kind: 'none' }, settings: {}, view: defaultView };

/** Checks one fragment against what it shows, in both directions. */
function check(fragment, change) {
  const shown = { ...nothing, ...change, view: { ...defaultView, ...change.view } };
  assert.deepEqual(shownFrom(fragment), shown);
  assert.equal(fragmentFrom(shown), fragment);
}

test('what is by default is left out', () => check('', {}));

test('settings are sorted, and names of regions stay readable', () => {
  check('nugget=0.0001&region=User+function:main', { settings: { region: 'User function:main', nugget: '0.0001' } });
});

test('every part of the view state has its name', () => {
  check('shown=2&view=table&counter=PAPI_TOT_INS&range=0.25_0.5&selection=0.3_0.4&hidden=A,B&theme=dark', {
    view: { shown: 2, view: 'table', counter: 'PAPI_TOT_INS', range: [0.25, 0.5], selection: [0.3, 0.4], hidden: ['A', 'B'], theme: 'dark' },
  });
});

test('addresses of a trace come first, as often as there are files', () => {
  check('profileURL=a.prv&profileURL=a.pcf&region=main', {
    source: { kind: 'url', addresses: ['a.prv', 'a.pcf'] },
    settings: { region: 'main' },
  });
});

test('source is named by addresses, each of its own or together, and a place in it by line and file', () => {
  check('sourceURL=src/&sourceURL=a.c&pane=12:a b.c'.replace(' ', '+'), { view: { sources: ['src/', 'a.c'], pane: '12:a b.c' } });
  assert.deepEqual(shownFrom('sourceURL=x/+y.c').view.sources, ['x/', 'y.c']);
  assert.deepEqual(viewPairs({ ...defaultView, sources: ['x/', 'y.c'] }), { sourceURL: 'x/ y.c' });
});

test('url is another name of profileURL', () => {
  assert.deepEqual(shownFrom('url=b.prv').source, { kind: 'url', addresses: ['b.prv'] });
});

test('a link carries its text, its settings and its view', () => {
  check('s=AQ-_&v=1&fit=kriging&view=table', { source: { kind: 'link', text: 'AQ-_' }, settings: { fit: 'kriging' }, view: { view: 'table' }, whole: true });
});

test('names with every sign that has a meaning in addresses survive', () => {
  for (const name of ['a&b=c', 'a+b', 'ü#%41', 'operator,<(int&)>', '100 %', '日本', '::x::']) {
    const shown = { ...nothing, settings: { region: name }, view: { ...defaultView, counter: name, hidden: [name, 'y'] } };
    assert.deepEqual(shownFrom(`#${fragmentFrom(shown)}`), shown);
  }
});

test('what is not understood of the view leaves the default', () => {
  for (const hostile of [
    'range=1_0', 'range=-1_2', 'range=0_1e9', 'range=NaN_1', 'range=', 'range=0.1', 'shown=0', 'shown=-1', 'shown=1e3',
    'shown=99999999999999', 'view=<script>', 'theme=javascript:1', 'hidden=%', 'hidden=,,', 'selection=a_b', 'counter=', 'pane=12', 'pane=:a.c', 'pane=x:a.c', 'sourceURL=',
  ]) {
    assert.deepEqual(shownFrom(hostile), { ...nothing, view: { ...defaultView, hidden: [] } }, hostile);
  }
});

test('a key that nobody knows is a setting, for the engine to refuse by name', () => {
  assert.deepEqual(shownFrom('flavour=red&__proto__=x').settings, Object.fromEntries([['flavour', 'red'], ['__proto__', 'x']]));
  assert.equal(/** @type {any} */ ({}).x, undefined);
});

test('an address of any length is read at once', () => {
  const shown = shownFrom(`${'a=b&'.repeat(1_000_000)}region=main`);
  assert.deepEqual(shown.settings, { a: 'b' });
});

test('halves of a character do not stop the page', () => {
  assert.equal(fragmentFrom({ ...nothing, settings: { region: 'a\ud800' } }), 'region=a%EF%BF%BD');
});

test('the inside of a link has the view as names and texts', () => {
  assert.deepEqual(viewPairs({ ...defaultView, range: [0, 0.5], theme: 'dark' }), { range: '0_0.5', theme: 'dark' });
});
