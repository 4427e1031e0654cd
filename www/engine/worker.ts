import { initSync, Session } from '../wasm/engine.js';
import { checkVersion, serve } from './serve.ts';
import { readTogether } from './together.ts';
import type { Begun } from '../wasm/engine.js';

let session: Session;
/** Of the engine, and of its parts that are here. */
let modules: WebAssembly.Module[];
let first: WebAssembly.Exports;

// The protocol is this table; the worker remembers its trace and the last folding only.
serve(self, {
  hello: ({ version, module }) => {
    checkVersion({ version });
    first = initSync({ module }) as unknown as WebAssembly.Exports;
    modules = [module];
    session = new Session();
    return version;
  },
  // A part that is loaded later: what it has fills places of the engine's own table.
  add: ({ module }) => {
    new WebAssembly.Instance(module, { first });
    modules.push(module);
  },
  // Ranks of one run are put together by what reads other formats.
  parts: ({ names, files, ranks }) => [...new Set([...session.parts(namesOf(names, files), [...files]), ...(ranks ? ['formats'] : [])])],
  open: async ({ workers = 1, ...asked }, report) => {
    const begun = begin(asked, report);
    if (!('blocks' in begun)) return begun;
    if (workers < 2 || begun.blocks < 8) session.read();
    else await readTogether(session, modules, { workers, blocks: begun.blocks, asked });
    return session.finish();
  },
  // What another worker of the same trace asks for: every one knows labels and header by itself.
  follow: (asked) => {
    // Its early pictures would be for nobody.
    begin({ ...asked, earlyAboveBytes: Number.MAX_SAFE_INTEGER }, () => {});
    session.readHeader();
  },
  part: ({ index }) => session.readPart(index),
  digest: ({ names, files }, report) => session.digest(namesOf(names, files), [...files], report),
  see: () => session.see(),
  look: ({ settings }) => session.look(settings),
  glance: ({ settings }) => session.glance(settings),
  profile: ({ how }) => session.profile(how),
  wholeRun: () => session.wholeRun(),
  runUse: () => session.runUse(),
  raster: ({ window }) => session.raster(window),
  fold: ({ settings, models = [] }) => session.fold(settings, models),
  rates: ({ settings, counter, window }) => session.rates(settings, counter, window),
  foldClusters: ({ settings }) => session.foldClusters(settings),
  regions: ({ settings }) => session.regions(settings),
  points: ({ group, counter }) => session.points(group, counter),
  references: ({ group }) => session.references(group),
  instances: ({ group }) => session.instances(group),
  course: ({ settings, group, asked }) => session.course(settings, group, asked),
  exportRun: ({ settings, format }) => session.exportRun(settings, format),
  exportFile: ({ format }) => session.exportFile(format),
});

function begin({ names, files, choice, mostBytes, earlyAboveBytes, only = {}, ranks = false }: any, report: (progress: any) => void): Begun {
  return session.begin(namesOf(names, files), files, choice, { mostBytes, earlyAboveBytes, only, ranks }, report);
}

const namesOf = (names: string[] | undefined, files: File[]) => names ?? files.map(nameOf);

/** With its folders, if a whole folder was chosen. */
function nameOf(file: File): string {
  return file.webkitRelativePath || file.name;
}
