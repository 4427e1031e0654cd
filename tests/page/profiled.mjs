// Profiles as TAU writes them, made up.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { byId, drop, nextFrame, open, site, temporaryFolder } from './browser.mjs';

/** A text profile of TAU of one thread, in microseconds: main, in it work with two sampled lines, and MPI_Wait. */
export function thread({ wait = 100, work = 900, calls = 10, extra = '' } = {}) {
  const hot = Math.round(work * 0.6);
  const rows = [
    ['main', 'TAU_DEFAULT', 1, 2, 0, work + wait],
    ['work', 'TAU_DEFAULT', calls, 0, work, work],
    ['MPI_Wait()', 'MPI', 4, 0, wait, wait],
    ['main => work', 'TAU_CALLPATH|TAU_DEFAULT', calls, 0, work, work],
    ['main => MPI_Wait()', 'TAU_CALLPATH|MPI', 4, 0, wait, wait],
    ['main => work => [CONTEXT] work', 'TAU_SAMPLE_CONTEXT|TAU_CALLPATH', 80, 0, 0, work],
    ['main => work => [CONTEXT] work => [SAMPLE] dot [{/src/dot.c} {7}]', 'TAU_SAMPLE|TAU_CALLPATH', 60, 0, hot, hot],
    ['main => work => [CONTEXT] work => [SAMPLE] axpy [{/src/axpy.c} {9}]', 'TAU_SAMPLE|TAU_CALLPATH', 20, 0, work - hot, work - hot],
  ];
  const lines = rows.map(([name, group, calls, subrs, excl, incl]) => `"${name}" ${calls} ${subrs} ${excl} ${incl} 0 GROUP="${group}"`);
  const all = [...lines, ...(extra ? [extra] : [])];
  return `${all.length} templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls # <metadata><attribute><name>Metric Name</name><value>TIME</value></attribute></metadata>\n${all.join('\n')}\n0 aggregates\n`;
}

/** Files of TAU in a folder: each thread by what it is like. */
export async function profileOf(t, threads) {
  const folder = await temporaryFolder(t);
  await Promise.all(threads.map((like, i) => writeFile(path.join(folder, `profile.${i}.0.0`), thread(like))));
  return threads.map((_, i) => path.join(folder, `profile.${i}.0.0`));
}

/** A page with these files of a profile on it. */
export async function dropped(t, files, options = {}) {
  const { page } = await open(t, await site(t), options);
  await drop(page, files);
  await shown(page);
  return page;
}

/** Waits until tree and pictures are there. */
export async function shown(page) {
  await byId(page, 'profile-tree').waitFor();
  await page.waitForSelector('[data-testid="profile-icicle"][data-layout]');
  await page.waitForFunction(() => document.querySelector('[data-testid="status"]')?.getAttribute('data-state') !== 'busy');
  await nextFrame(page);
}
