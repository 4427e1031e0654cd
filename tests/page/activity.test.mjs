// The activity lane: of a link that holds what threads do.

import assert from 'node:assert/strict';
import test from 'node:test';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { addressHas, byId, exported, open, openExample, rests, setFragment, shared, showPanel, site } from './browser.mjs';
import { violations } from './looks.mjs';

/** A quarter of the time in a call of all ranks, at the end. */
const ACTIVITY = {
  threads: 4, efficiency: 0.75, load_balance: 0.9375, communication: 0.8,
  parts: [
    { doing: 'computing', shares: [1, 1, 0.75, 0.25] },
    { doing: 'collective', shares: [0, 0, 0.25, 0.75] },
  ],
  lowest: { at: 0.875, computing: 0.25, call: 'MPI_Allreduce · 214 (a.c)' },
};

const traffic = (cells) => ({ mean: cells.reduce((sum, value) => sum + value) / cells.length, cells, half_widths: cells.map(() => 1.5) });

/** Twelve readers, every 10 ms. */
const BANDWIDTH = { readers: 12, nodes: 1, period_ns: 1e7, read: traffic([15, 30]), written: traffic([5, 10]), both: traffic([20, 40]) };

/** A level that a thread of each instance reads, and a counter of the socket. */
const GAUGES = [
  { name: 'Power (W)', code: 5000, is_rate: false, readers: 4, is_own: true, period_ns: 2e6, values: { ...traffic([310, 305]), half_widths: [] } },
  { name: 'UNC_C_LOOKUP', code: 5001, is_rate: true, readers: 2, is_own: false, period_ns: 1e7, values: traffic([4, 8]) },
];

/** The text after `s=` of a link with the activity of its groups, and what memory controllers do. */
function withActivity(s) {
  const bytes = Buffer.from(s, 'base64url');
  const body = JSON.parse(String(inflateRawSync(bytes.subarray(1))));
  for (const group of body.folding.groups) Object.assign(group, { activity: ACTIVITY, bandwidth: BANDWIDTH, gauges: GAUGES });
  return Buffer.concat([bytes.subarray(0, 1), deflateRawSync(JSON.stringify(body))]).toString('base64url');
}

test('what threads do is a lane over the code, with its efficiency and what they do at the cursor', async (t) => {
  const address = await site(t);
  const { page } = await open(t, address);
  await openExample(page);
  assert.ok(await byId(page, 'lane-activity').isHidden(), 'nothing is known of the example');
  const link = new URL(await shared(page));
  const s = withActivity(new URLSearchParams(link.hash.slice(1)).get('s'));

  const { page: other } = await open(t, address, { fragment: `#s=${s}` });
  await rests(other, 'ready');
  const lane = byId(other, 'lane-activity');
  assert.match(await lane.innerText(), /Activity\s+computing\s+MPI collective\s+share of 4 threads; the edge is the parallel efficiency/);
  assert.match(await other.locator('#facts').innerText(), /efficiency 75\.0/);
  const canvas = lane.locator('canvas');
  assert.match(await canvas.getAttribute('aria-label'), /Efficiency 75\.0.%: load balance 93\.8.% × communication 80\.0.%\. Lowest at .*: 25\.0.%, MPI_Allreduce · 214 \(a\.c\)\./);
  const [box, source] = [await canvas.boundingBox(), await byId(other, 'lane-source').locator('canvas').boundingBox()];
  assert.ok(box.height > 60 && box.y + box.height < source.y, 'it lies over the code');

  const { plot } = JSON.parse(await canvas.getAttribute('data-layout'));
  await other.mouse.move(box.x + plot.left + 0.9 * (plot.right - plot.left), box.y + box.height / 2);
  const tip = byId(other, 'tip');
  await tip.waitFor({ state: 'visible' });
  assert.match(await tip.innerText(), /Useful\s*25\.0.%\s*75\.0.% MPI collective/);
  assert.deepEqual(await violations(other), []);

  const rows = JSON.parse(await byId(other, 'phases-table').evaluate((table) => JSON.stringify([...table.tBodies].map((body) => [...body.rows[0].cells].map((cell) => [cell.dataset.kind, cell.dataset.value])))));
  const of = (kind, row) => row.filter(([of]) => of === kind);
  assert.ok(rows.every((row) => of('efficiency', row).length === 1 && of('per-instruction', row).length === 1), 'one ratio leaves room');
  assert.ok(rows.every((row) => Number(of('efficiency', row)[0][1]) <= 1));

  const memory = byId(other, 'lane-gauge');
  assert.match(await memory.innerText(), /Memory[^]*, mean\s+30\.0.GB\/s\s+written, mean\s+7\.5.GB\/s\s+12 memory controllers, read every 10\.0.ms by another process/);
  const below = await memory.locator('canvas').boundingBox();
  const curves = await byId(other, 'lane-performance').locator('canvas').boundingBox();
  assert.ok(below.height > 40 && below.y > curves.y + curves.height, 'it is the last lane');
  assert.match(await memory.locator('canvas').getAttribute('aria-label'), /Memory: read and written 30\.0.GB\/s on average/);
  await other.mouse.move(below.x + plot.left + 0.9 * (plot.right - plot.left), below.y + below.height / 2);
  await tip.waitFor({ state: 'visible' });
  assert.match(await tip.innerText(), /Memory\s*40\.0.GB\/s\s*± 1\.5 read and written/);

  const choice = byId(other, 'gauge');
  assert.deepEqual(await choice.locator('option').allTextContents(), ['read and written', 'Power', 'UNC_C_LOOKUP']);
  await choice.focus();
  await choice.selectOption('Power');
  await addressHas(other, /gauge=5000/);
  assert.match(await memory.innerText(), /Level[^]*, mean\s+307\.5.W\s+4 threads of the region, read every 2\.00.ms/);
  assert.match(await memory.locator('canvas').getAttribute('aria-label'), /Level: Power 307\.5.W on average/);
  const { strips: [strip] } = JSON.parse(await memory.locator('canvas').getAttribute('data-layout'));
  assert.ok(strip.unit === 'W' && strip.min > 200 && strip.max >= 310, 'its axis holds its values');
  assert.equal(await choice.evaluate((select) => select === document.activeElement), true, 'the focus stays');
  await setFragment(other, { gauge: '5001' });
  await rests(other, 'ready');
  assert.match(await memory.innerText(), /Socket[^]*, mean\s+6\.000.\/µs\s+the sum of 2 readers/);
  assert.deepEqual(await violations(other), []);
  await setFragment(other, { gauge: '77' });
  await rests(other, 'ready');
  assert.match(await memory.innerText(), /Memory/);
  assert.match(await other.locator('#remark').innerText(), /There is no gauge 77 here; the first is shown\./);

  // With one counter alone they leave.
  await setFragment(other, { counter: 'PAPI_TOT_INS' });
  await rests(other, 'ready');
  assert.ok(await lane.isHidden());
  assert.ok(await memory.isHidden());
});

test('of an iteration the rate is that of the ranks that compute, and that of all is named', async (t) => {
  const address = await site(t);
  const profile = new URL('example-mpi.prv.gz', address).href;
  const { page } = await open(t, address, { fragment: `#profileURL=${encodeURIComponent(profile)}&region=Iteration:1` });
  await rests(page, 'ready');
  const lane = byId(page, 'lane-performance');
  assert.match(await lane.innerText(), /MIPS\s+of computing ranks/);
  const [box, layout] = [await lane.locator('canvas').boundingBox(), JSON.parse(await lane.locator('canvas').getAttribute('data-layout'))];
  const { plot } = layout;
  // In the call of all before the third burst.
  await page.mouse.move(box.x + plot.left + 0.67 * (plot.right - plot.left), box.y + box.height / 3);
  const tip = byId(page, 'tip');
  await tip.waitFor({ state: 'visible' });
  const words = await tip.innerText();
  const [, own] = /Rate\s*([\d\s\u202f]+)MIPS/.exec(words) ?? [];
  const [, all] = /Of all\s*([\d\s\u202f]+)MIPS\s*with waiting/.exec(words) ?? [];
  const number = (text) => Number(String(text).replaceAll(/\D/g, ''));
  assert.ok(number(all) === 5600 && number(own) < 5000, words);
});

test('phases of an iteration have their efficiency and balance beside them, and nothing is cut at 400 px', async (t) => {
  const address = await site(t);
  const profile = new URL('example-mpi.prv.gz', address).href;
  const { page } = await open(t, address, { fragment: `#profileURL=${encodeURIComponent(profile)}&region=Iteration:1` });
  await rests(page, 'ready');
  const { phases } = JSON.parse(String(await exported(page, 'json', '.json')))[0].groups[0];
  await page.setViewportSize({ width: 400, height: 900 });
  await showPanel(page, 'phases');
  const table = byId(page, 'phases-table');
  const heads = await table.locator('thead button.by').allTextContents();
  const at = heads.indexOf('bal.');
  assert.equal(heads[at - 1], 'eff.');
  const cells = await table.locator('tbody tr:first-child').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map(({ dataset }) => Number(dataset.value))));
  assert.deepEqual(cells.map((row) => row[at]), phases.map(({ balance }) => balance));
  // The efficiency is that of 1,024 cells.
  assert.ok(cells.every((row) => row[at - 1] <= row[at] + 1 / 1024), `what is lost by balance is lost by efficiency too: ${cells.map((row) => row.slice(at - 1, at + 1))}`);
  const { within, width } = await table.evaluate((table) => ({ within: table.parentElement?.clientWidth, width: table.scrollWidth }));
  assert.ok(width <= within, `${width} px in ${within}`);
});
