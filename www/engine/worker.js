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
  open: ({ names, files, choice }, report) => session.open(names ?? files.map(nameOf), files, choice, report),
  openBytes: ({ names, buffers, choice }, report) => session.openBytes(names, buffers, choice, report),
  fold: ({ settings }) => session.fold(settings),
  regions: ({ settings }) => session.regions(settings),
  points: ({ group, counter }) => session.points(group, counter),
  exportFile: ({ format }) => session.exportFile(format),
});

/** With its folders, if a whole folder was chosen. @type {(file: File) => string} */
function nameOf(file) {
  return file.webkitRelativePath || file.name;
}
