/** A bundled trace, as the landing page offers it. */
export interface Example {
  id: string;
  label: string;
  /** What is worth seeing in it. */
  shows: string;
  /** The first file is the trace. */
  files: string[];
}

/** The bundled traces, all made by the generator of the tests. One whose files are not in `static/` is
 * not offered. */
export const EXAMPLES: Example[] = [
  {
    id: 'example',
    label: 'A loop, sampled',
    shows: 'Phases, lines, arrays, rates.',
    files: ['example.prv.gz', 'example.pcf', 'example.row'],
  },
  {
    id: 'example-mpi',
    label: 'A run of MPI',
    shows: 'Nobody prepared it: iterations are found.',
    files: ['example-mpi.prv.gz', 'example-mpi.pcf', 'example-mpi.row'],
  },
  {
    id: 'example-many',
    label: 'Many counters',
    shows: 'A solver, 28 counters, ten phases.',
    files: ['example-many.prv.gz', 'example-many.pcf', 'example-many.row'],
  },
];

/** The text of the program that the generated example pretends to be. */
export const EXAMPLE_SOURCE = { trace: 'example.prv.gz', path: 'stream.c', file: 'example-stream.c' };
