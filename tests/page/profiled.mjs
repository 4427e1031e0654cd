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

/** A snapshot file of TAU of one thread: main, in it work and wait; each state by its name, with what main, work and wait
 * have had by then, in microseconds. */
export function snapshots(thread, states) {
  const names = ['main', 'work', 'wait', 'main =&gt; work', 'main =&gt; wait'];
  const events = names.map((name, id) => `<event id="${id}"><name>${name}</name><group>G</group></event>`).join('\n');
  const profiles = states.map(([name, own, work, wait]) => `<profile thread="${thread}"><name>${name}</name><timestamp>1</timestamp><interval_data metrics="0 ">
0 1 2 ${own} ${own + work + wait}
1 3 0 ${work} ${work}
2 1 0 ${wait} ${wait}
3 3 0 ${work} ${work}
4 1 0 ${wait} ${wait}
</interval_data></profile>`);
  return `<profile_xml>
<thread id="${thread}" node="${thread}" context="0" thread="0"><metadata/></thread>
<definitions thread="${thread}"><metric id="0"><name>TIME</name></metric>
${events}
</definitions>
${profiles.join('\n')}
</profile_xml>
`;
}

/** Matrices of these sizes are multiplied in so many ms, in each of the iterations. */
export const MULTIPLIED = { iterations: 5, sizes: [[128, 1], [256, 8], [512, 64]] };

/**
 * A trace of the program of Malony, Huck 2014, Fig. 2: iterations multiply matrices of three sizes; of each
 * multiplication `multiply` takes three quarters of the time and `add` one, a sample a millisecond.
 *
 * @param {{ probes: boolean, samples: boolean }} what is measured; without probes only `main` is one
 */
export function multiplied({ probes, samples }) {
  const { iterations, sizes } = MULTIPLIED;
  const regions = ['main', 'iteration', ...sizes.map(([size]) => `matrixMultiply(${size})`)];
  const routines = ['main', 'matrixMultiply', 'multiply', 'add'];
  const lines = [];
  const moment = (us, ...pairs) => lines.push(`2:1:1:1:1:${us * 1000}:${pairs.join(':')}`);
  const region = (us, value) => (probes || lines.length === 0) && moment(us, `60000019:${value}`);
  let us = 0;
  region(us, 1);
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    region(us, 2);
    for (const [at, [, ms]] of sizes.entries()) {
      region(us, 3 + at);
      for (let sample = 0; sample < ms; sample += 1) {
        if (samples) moment(us + 1000 * sample + 500, `30000000:${sample % 4 === 3 ? 4 : 3}:30000001:2:30000002:1`);
      }
      us += 1000 * ms;
      region(us, 0);
      us += 10;
    }
    region(us, 0);
  }
  moment(us, '60000019:0');
  const values = (names) => `VALUES\n0 End\n${names.map((name, i) => `${i + 1} ${name}`).join('\n')}\n\n`;
  const pcf = `EVENT_TYPE\n0 60000019 User function\n${values(regions)}EVENT_TYPE\n${[0, 1, 2].map((level) => `0 ${30000000 + level} Sampled functions ${level}`).join('\n')}\n${values(routines)}`;
  return { prv: `#Paraver (01/01/2026 at 00:00):${us * 1000}_ns:1(1):1:1(1:1),0\n${lines.join('\n')}\n`, pcf };
}
