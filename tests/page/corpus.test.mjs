// Real traces, dropped as a person does: what is seen first of each, what one click folds, and that a link
// of that tells the same facts.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { byId, drop, open, rests, runSeen, shared, site } from './browser.mjs';
import { corpus, SHARED, withoutShared } from './traces.mjs';

/** Of each trace which study has its iterations, where no sampled region covers a fifth of its time so that
 * the run is seen first; and what is folded first. */
const TRACES = {
  'epoch/epoch_2proc': { study: 'epoch_2', region: /^Iteration, from / },
  'epoch/epoch_4proc': { study: 'epoch_4', region: /^Iteration, from / },
  'imagemagick/omp2': { study: 'imagemagick_omp2', region: /^Cluster 1, / },
  'lulesh-uncore/lulesh_7+1_with_uncores_sockets1+2.chop8': { study: 'lulesh_7+1', region: /^Iteration, from / },
  'lulesh-uncore/test1': { study: null, region: /^Cluster 1, / },
  'mandelbrot/mandel-omp_8_DYNAMIC,10': { region: /omp_fn\.0/ },
  'namd/444.namd': { region: /\S/ },
  'qsort-2004/qsort_beo3': { region: /^division/ },
};

/** What stands over a run of these iterations: count, milliseconds and per cent of the run. */
async function sentence(study) {
  const { iterations: [first] } = JSON.parse(await readFile(path.join(SHARED, `oracles/iterations/${study}.json`), 'utf8'));
  if (!first) return /^Nothing repeats:/;
  const { complete_median: count, median_ns: ns, share } = first;
  const words = count === 1 ? 'iteration of' : 'iterations of';
  return new RegExp(`^${count} ${words} ${(ns / 1e6).toFixed(1)}\\sms holds? ${(100 * share).toFixed(1)}\\s% of the run`);
}

const files = (name) => ['prv', 'prv.gz', 'pcf', 'row'].map((ending) => path.join(corpus, `${name}.${ending}`)).filter(existsSync);

for (const [name, { study, region }] of Object.entries(TRACES)) {
  test(`${name} answers`, { skip: withoutShared }, async (t) => {
    const address = await site(t);
    const { page } = await open(t, address);
    await drop(page, files(name).filter((file, _, all) => !(file.endsWith('.prv.gz') && all.some((other) => other.endsWith('.prv')))));
    if (study !== undefined) {
      await runSeen(page);
      assert.match(await byId(page, 'run-sentence').textContent(), study ? await sentence(study) : /^Nothing repeats:/);
      await byId(page, 'run-fold').click();
    }
    await rests(page, 'ready');
    assert.equal(await byId(page, 'tab-run').getAttribute('aria-pressed'), 'false');
    // Of a link there are no instances to be looked at.
    const facts = async (page) => (await page.locator('#facts').innerText()).replace('over the run\n', '');
    const ofTrace = await facts(page);
    assert.match(ofTrace, region);
    const { page: other } = await open(t, address, { fragment: new URL(await shared(page)).hash });
    await rests(other, 'ready');
    assert.equal(await facts(other), ofTrace);
  });
}
