import { initSync, ProfileSession } from '../wasm/profiler.js';
import { checkVersion, serve } from '../engine/serve.ts';

let session: ProfileSession;
let first: WebAssembly.Exports;

// The protocol is this table; the worker keeps one profile.
serve(self, {
  hello: ({ version, module }) => {
    checkVersion({ version });
    first = initSync({ module }) as unknown as WebAssembly.Exports;
    session = new ProfileSession();
    return version;
  },
  // A part that is loaded later: what it has fills places of the module's own table.
  add: ({ module }) => void new WebAssembly.Instance(module, { first: first as unknown as WebAssembly.ModuleImports }),
  open: ({ names, files, choice }, report) => session.open(names, [...files], choice, report),
  openBeside: ({ names, files, choice }, report) => session.openBeside(names, [...files], choice, report),
  takeBeside: ({ bytes }) => session.takeBeside(bytes),
  beside: ({ asked }) => session.beside(asked),
  nodeOfPair: ({ pair }) => session.nodeOfPair(pair),
  besideFiles: ({ measure }) => session.besideFiles(measure),
  take: ({ bytes }) => session.take(bytes),
  overview: ({ asked }) => session.overview(asked),
  overThreads: ({ asked }) => session.overThreads(asked),
  userEvents: ({ thread }) => session.userEvents(thread),
  costly: ({ cost }) => session.costly(cost),
  files: ({ format, measure, cost }) => session.files(format, measure, cost),
});
