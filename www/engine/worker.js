import { initSync, Session } from '../wasm/engine.js';
import { checkVersion, serve } from './serve.js';

/** @type {Session} */
let session;

// The protocol is this table; the worker remembers its trace and the last folding only.
serve(self, {
  hello: ({ version, module }) => {
    checkVersion({ version });
    initSync({ module });
    session = new Session();
    return version;
  },
  open: ({ files }, report) => session.open(files, report),
  openBytes: ({ names, buffers }, report) => session.openBytes(names, buffers, report),
  fold: ({ settings }) => session.fold(settings),
  regions: ({ settings }) => session.regions(settings),
  points: ({ group, counter }) => session.points(group, counter),
  exportFile: ({ format }) => session.exportFile(format),
});
