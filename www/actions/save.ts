// What leaves the page: files and copies. Loaded when one is asked for.

import { fileName } from '../format.ts';
import { brushOf, runOf, shownOf, traceOf, type State } from '../state.ts';
import { zipOf } from './zip.ts';
import type { App } from './open.ts';

/** Formats that the engine writes. */
type Written = 'csv' | 'json' | 'gnuplot' | 'paraver' | 'extract';

export type Format = 'png' | 'svg' | 'html' | 'figure' | 'copy-png' | 'copy-table' | Written | 'run-svg' | 'run-csv' | 'run-semantic' | 'run-paraver';

type Files = { name: string, bytes: Uint8Array<ArrayBuffer> }[];

/** Saves or copies what is shown. */
export async function save(app: App, format: Format): Promise<unknown> {
  const { store } = app;
  const figures = async () => (await Promise.all([import('../share/figure.ts'), app.prepare('export')]))[0];
  switch (format) {
    case 'png': {
      const png = await (await figures()).pngOf(store.get());
      return png && download(nameFor(store.get(), '.png'), png, 'image/png');
    }
    case 'svg': return download(nameFor(store.get(), '.svg'), (await figures()).svgOf(store.get()), 'image/svg+xml');
    case 'html': return download(nameFor(store.get(), '.html'), (await figures()).reportOf(store.get()), 'text/html');
    case 'figure': return (await figures()).choose(store.get(), (format) => save(app, format));
    case 'copy-png': {
      const [{ copyPicture }] = await Promise.all([import('../share/copy.ts'), app.prepare('export')]);
      return tell(app, await copyPicture(store.get()));
    }
    case 'copy-table': return tell(app, await (await import('../share/copy.ts')).copyTable());
    case 'run-svg': return exportRunPicture(app);
    case 'run-csv': return exportRun(app, 'csv');
    case 'run-semantic': return exportRun(app, 'semantic');
    case 'run-paraver': return exportRun(app, 'paraver');
    default: return exportFiles(app, format);
  }
}

function tell({ store }: App, remark: string) {
  store.set({ ...store.get(), remark });
}

/** Hands bytes or text to the browser as a file. */
function download(name: string, content: BlobPart, type: string) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Name for a file made from what is shown. */
function nameFor(state: State, ending: string) {
  const summary = shownOf(state)?.summary;
  return fileName(summary?.trace.name ?? 'tracefold', summary?.region ?? '', ending);
}

/** Saves what is shown as files of a format, several in one archive: of the trace as the engine writes
 * them, of a link what is in it. */
async function exportFiles({ store, engine, prepare }: App, format: Written) {
  const picture = traceOf(store.get()) ? null : shownOf(store.get())?.picture;
  if (picture) await prepare('export');
  const files: Files = picture ? picture.exportFile(format) : await engine.call('exportFile', { format });
  if (files.length > 1) return download(nameFor(store.get(), `.${format}.zip`), zipOf(files), 'application/zip');
  for (const { name, bytes } of files) download(nameFor(store.get(), `.${name}`), bytes, 'application/json');
}

/** Saves files of a profile, several in one archive. */
export function saveProfile(files: Files, profile: string, format: string) {
  if (files.length > 1) return download(fileName(profile, '', `.profile.${format}.zip`), zipOf(files), 'application/zip');
  for (const { name, bytes } of files) download(fileName(profile, '', `.${name}`), bytes, 'application/octet-stream');
}

/** Saves what was found in the run, in one archive. */
async function exportRun({ store, engine }: App, format: 'csv' | 'semantic' | 'paraver') {
  const state = store.get();
  const files: Files = await engine.call('exportRun', { settings: state.settings, format });
  if (files.length === 0) throw { message: 'Nothing was found in the run that could be saved.' };
  const name = fileName(runOf(state)?.summary.name ?? 'tracefold', '', `.run.${format}.zip`);
  download(name, zipOf(files), 'application/zip');
}

/** Saves the picture of the run as it is shown, clusters and brush included. */
async function exportRunPicture({ store, engine, prepare }: App) {
  await prepare('export');
  const state = store.get();
  const run = runOf(state);
  if (!run) return;
  const { view: { window: [from, to], by, clusters, plane } } = state;
  const brush = brushOf(state, run);
  const [columns, rows] = run.picture.cells();
  const raster = await engine.call('raster', { window: { from, to, columns, rows, by, brush: brush ?? null } });
  const view = { from, to, by, marked: clusters, brush, durations: plane === 'duration' || !run.summary.hasWork, theme: 'light' as const };
  const svg = run.picture.svg(view, raster);
  download(fileName(run.summary.name, '', '.run.svg'), svg, 'image/svg+xml');
}
