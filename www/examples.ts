/** The bundled traces. One whose files are not in `static/` is not offered. The first file is the
 * trace. */
export const EXAMPLES: { id: string, label: string, note: string, files: string[] }[] = [
  {
    id: 'example',
    label: 'Open the example',
    note: 'The example is generated.',
    files: ['example.prv.gz', 'example.pcf', 'example.row'],
  },
  {
    id: 'example-mpi',
    label: 'A run of MPI',
    note: 'So is the run of MPI, which nobody prepared for folding: what repeats in it is found.',
    files: ['example-mpi.prv.gz', 'example-mpi.pcf', 'example-mpi.row'],
  },
  {
    id: 'example-perf',
    label: 'Open a real recording',
    note: 'A real recording: perf on a small program of ours on a shared virtual machine, 300 calls, CPU time and page faults read exactly where each call begins and ends.',
    files: ['example-perf.txt.gz'],
  },
];

/** The text of the program that the generated example pretends to be. */
export const EXAMPLE_SOURCE = { trace: 'example.prv.gz', path: 'stream.c', file: 'example-stream.c' };
