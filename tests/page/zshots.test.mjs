import path from 'node:path';
import test from 'node:test';
import { byId, drop, open, rests, runSeen, site } from './browser.mjs';
import { shot } from './looks.mjs';
const S = '/work/shared/corpus/otf2/';
test('shots', async (t) => {
  const address = await site(t);
  const { page } = await open(t, address);
  await page.setViewportSize({ width: 1280, height: 900 });
  await shot(page, 'landing');
  await page.setViewportSize({ width: 400, height: 1400 });
  await shot(page, 'landing400');
  await page.setViewportSize({ width: 900, height: 1000 });
  await shot(page, 'landing900');
  await page.setViewportSize({ width: 2560, height: 1200 });
  await shot(page, 'landing2560');
  for (const [name, kind] of [['eztrace-steps', 'run'], ['made/twin-contexts', ''], ['made/threads-and-levels', '']]) {
    const { page } = await open(t, address, { fragment: name.includes('twin') ? '#theme=dark' : '' });
    await page.setViewportSize({ width: 1280, height: 900 });
    await drop(page, [path.join(S, name)]);
    if (kind) await runSeen(page); else await rests(page, 'ready');
    await page.waitForTimeout(800);
    await shot(page, `o-${name.replace('/', '-')}`);
  }
});
