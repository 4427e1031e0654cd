// Measures the fold of 444.namd in Chromium, by the same wasm that the page loads; prints a table.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { give, inChromium, teach } from './chromium.mjs';

const folder = join(process.env.TRACEFOLD_SHARED ?? '../shared', 'corpus/paraver/namd');
const files = ['prv', 'pcf'].map((extension) => join(folder, `444.namd.${extension}`));
console.log('## Fold of 444.namd in Chromium\n');
if (!files.every(existsSync)) {
  console.log('Not measured: the trace is not here.');
  process.exit(0);
}

const best = await inChromium(async (page) => {
  await teach(page);
  await give(page, files);
  return page.evaluate(async () => {
    const worker = await engine();
    const times = { open: Infinity, splines: Infinity, decided: Infinity, refolded: Infinity };
    for (let run = 0; run < 5; run += 1) {
      const start = performance.now();
      await ask(worker, 'open', { files: window.files });
      const opened = performance.now();
      await ask(worker, 'fold', { settings: { fit: 'kriging' } });
      const folded = performance.now();
      await ask(worker, 'fold', { settings: {} });
      times.open = Math.min(times.open, opened - start);
      times.splines = Math.min(times.splines, folded - opened);
      const decided = performance.now();
      await ask(worker, 'fold', { settings: { routines: 'percent:5' } });
      times.decided = Math.min(times.decided, decided - folded);
      times.refolded = Math.min(times.refolded, performance.now() - decided);
    }
    return times;
  });
});
console.log('| step | time |\n| --- | ---: |');
console.log(`| open | ${best.open.toFixed(0)} ms |`);
console.log(`| fold with \`fit=kriging\`, all counters, all samples | ${best.splines.toFixed(0)} ms |`);
console.log(`| fold with \`fit=auto\` | ${best.decided.toFixed(0)} ms |`);
console.log(`| fold again with other \`routines\` | ${best.refolded.toFixed(0)} ms |`);
console.log('\nGoals: 400 ms, and 3 s for the decision.');
