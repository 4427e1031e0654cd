// Files that leave the page, and readings that are stopped.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { byId, drop, exported, message, open, openExample, rests, shared, showPanel, site, temporaryFolder } from './browser.mjs';
import { smallTrace } from './traces.mjs';

test('the picture is exported as PNG and as SVG, everything as JSON', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);

  const png = await exported(page, 'png', '.png');
  assert.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  assert.ok(width >= 600 && height >= 300, `${width} x ${height}`);

  const svg = (await exported(page, 'svg', '.svg')).toString();
  const { broken, texts } = await page.evaluate((svg) => {
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
    return {
      broken: parsed.querySelector('parsererror')?.textContent,
      texts: Array.from(parsed.querySelectorAll('text'), (text) => text.textContent),
    };
  }, svg);
  assert.equal(broken, undefined);
  for (const words of [/main loop/, /MIPS/, /generated/i, /Triad/]) {
    assert.ok(texts.some((text) => words.test(text)), `${words} among ${texts.join(' | ')}`);
  }

  const [folding] = [JSON.parse((await exported(page, 'json', '.json')).toString())].flat();
  assert.match(folding.region, /main loop/);
});

test('what is exported for other programs reads back, and is not offered for a link', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  const folder = await temporaryFolder(t);
  const gnuplot = (await exported(page, 'gnuplot', '.gnuplot.zip')).toString('latin1');
  // Files are stored as they are, and find each other by name.
  const [, data] = /curves = '([^']+)'/.exec(gnuplot);
  assert.ok(gnuplot.includes(`PK\x01\x02`) && gnuplot.split(data).length >= 4, `${data} is in the archive`);

  for (const format of ['paraver', 'extract']) {
    const file = path.join(folder, `${format}.zip`);
    await writeFile(file, await exported(page, format, `.${format}.zip`));
    const { page: other } = await open(t, await site(t));
    await drop(other, [file]);
    await rests(other, 'ready');
    assert.match(await other.locator('#file').innerText(), format === 'paraver' ? /folded\.prv/ : /instances\.extract/);
    if (format === 'extract') assert.match(await byId(other, 'region').inputValue(), /main_loop/, 'names of an .extract have no blanks');
  }

  const link = await shared(page);
  const { page: linked } = await open(t, await site(t), { fragment: new URL(link).hash });
  await rests(linked, 'ready');
  await linked.getByRole('button', { name: 'Export', exact: true }).click();
  assert.deepEqual(await linked.locator('#export-list').getByRole('button').allInnerTexts(), [
    'Picture as PNG', 'Picture as SVG', 'Figure for a paper…', 'Report as one page', 'Copy picture', 'Copy tables that are shown', 'Numbers as CSV, in one zip', 'Everything as JSON',
  ]);
});

test('Cancel stops the reading of a large trace, and loses nothing of what was open', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  const region = await byId(page, 'region').inputValue();

  const folder = await temporaryFolder(t);
  const { prv } = smallTrace();
  const [header, ...records] = prv.trimEnd().split('\n');
  const large = path.join(folder, 'large.prv');
  await writeFile(large, `${header}\n${`${records.join('\n')}\n`.repeat(25_000)}`);
  await drop(page, [large]);
  await byId(page, 'cancel').click();
  await rests(page, 'ready');
  assert.equal(await byId(page, 'region').inputValue(), region);
  assert.match(await page.locator('footer').innerText(), /Stopped at \d+\u202f%\./);
});

test('a line of 100 MB is refused without being read to its end', async (t) => {
  const file = path.join(await temporaryFolder(t), 'long.prv');
  await writeFile(file, `${smallTrace().prv.split('\n')[0]}\n2:1:1:1:1:${'1'.repeat(100_000_000)}\n`);
  const { page } = await open(t, await site(t));
  await drop(page, [file]);
  await rests(page, 'error');
  assert.equal(await message(page), 'long.prv could not be read. | Found a line of more than 16 MiB (line 2), expected lines of text, as tracers write them.');
});

test('very many references are one image in a saved picture', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  await byId(page, 'lane-address').locator('canvas[data-references]').waitFor();
  const svg = String(await exported(page, 'svg', '.svg'));
  assert.match(svg, /<image [^>]*href="data:image\/png;base64,/);
});

test('the picture and the tables that are shown are copied, and a clipboard that refuses is told', async (t) => {
  const { page } = await open(t, await site(t));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(page.url()).origin });
  await openExample(page);
  const copy = async (format) => {
    await page.locator('#export-button').click();
    await byId(page, `export-${format}`).click();
  };
  await copy('copy-png');
  await page.locator('#remark').getByText('The picture is on the clipboard.').waitFor();
  const types = await page.evaluate(async () => (await navigator.clipboard.read()).flatMap(({ types }) => types));
  assert.deepEqual(types, ['image/png']);

  await showPanel(page, 'phases');
  await copy('copy-table');
  await page.locator('#remark').getByText(/tables? (is|are) on the clipboard\./).waitFor();
  const [text, names] = await page.evaluate(async () => [
    await navigator.clipboard.readText(),
    [...document.querySelectorAll('#phases tbody tr')].map((row) => row.innerText.trim().split(/\s/)[0]).filter((number) => /^\d+$/.test(number)),
  ]);
  assert.ok(names.length > 1 && names.every((name) => text.includes(`\n${name}\t`)), `${names} in ${text}`);
  assert.ok(text.split('\n').filter((line) => line.split('\t').length > 2).length >= names.length, text);

  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); });
  await copy('copy-table');
  await page.locator('#remark').getByText('The browser refuses the clipboard to this page.').waitFor();
});

test('paper is white in every theme, and has the tables', async (t) => {
  const { page } = await open(t, await site(t), { fragment: '#theme=dark' });
  await openExample(page);
  const looks = () => page.evaluate(() => {
    const canvas = document.querySelector('#canvas-performance');
    const [red, green, blue] = canvas.getContext('2d').getImageData(2, 2, 1, 1).data;
    const isSeen = (selector) => document.querySelector(selector).getClientRects().length > 0;
    return {
      theme: document.documentElement.dataset.theme, ground: getComputedStyle(document.body).backgroundColor,
      isLight: red + green + blue > 600 || canvas.getContext('2d').getImageData(2, 2, 1, 1).data[3] === 0,
      tables: ['#phases table', '#code table', '#objects table'].filter(isSeen), header: isSeen('header'),
    };
  });
  assert.equal((await looks()).theme, 'dark');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  const paper = await looks();
  assert.deepEqual([paper.theme, paper.isLight, paper.header], ['light', true, false]);
  assert.ok(paper.tables.length >= 2, `${paper.tables}`);
  const [red] = paper.ground.match(/\d+/g).map(Number);
  assert.ok(red > 240, paper.ground);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  assert.equal((await looks()).theme, 'dark');
});

test('a figure for a paper has the width, the lanes and the greys that are chosen, in every theme', async (t) => {
  const { page } = await open(t, await site(t), { fragment: '#theme=dark' });
  await openExample(page);
  await page.locator('#export-button').click();
  await byId(page, 'export-figure').click();
  const dialog = byId(page, 'figure');
  await dialog.waitFor();
  await byId(page, 'figure-width').selectOption('85mm');
  await byId(page, 'figure-source').uncheck();
  await byId(page, 'figure-grey').check();
  assert.match(await byId(page, 'figure-command').innerText(), /--view width=85mm --view lanes=[a-z,]*performance[a-z,]* --view ink=grey$/);
  const arrives = page.waitForEvent('download');
  await byId(page, 'figure-save-svg').click();
  const svg = String(await readFile(await (await arrives).path()));
  assert.match(svg, /^<svg [^>]*width="85mm" height="[\d.]+mm" viewBox="0 0 321 /);
  assert.ok(!svg.includes('>Source<') && svg.includes('>Performance<'));
  const colours = [...svg.matchAll(/(?:fill|stroke)="#(..)(..)(..)"/g)];
  assert.ok(colours.length > 10 && colours.every(([, red, green, blue]) => red === green && green === blue));
  assert.match(svg, /<rect width="321" height="\d+" fill="#FFFFFF"\/>/);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('a report opens from disk with scripts off, and loads nothing', async (t) => {
  const { page } = await open(t, await site(t));
  await openExample(page);
  const file = path.join(await temporaryFolder(t), 'report.html');
  await writeFile(file, await exported(page, 'html', '.html'));
  const context = await page.context().browser().newContext({ javaScriptEnabled: false });
  t.after(() => context.close());
  const paper = await context.newPage();
  const asked = [];
  paper.on('request', (request) => asked.push(request.url()));
  await paper.goto(`file://${file}`);
  assert.deepEqual(asked.filter((address) => !address.startsWith('data:')), [`file://${file}`]);
  assert.deepEqual(await paper.locator('h2').allInnerTexts(), ['Facts', 'Doubts and notices', 'Phases', 'Routines', 'Lines', 'Data']);
  assert.equal(await paper.locator('figure svg').count() > 0, true);
  assert.match(await paper.locator('dl').innerText(), /Triad|main loop/);
});
