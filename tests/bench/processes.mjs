// Traces that are made for measuring, and what programs take.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';

// Chromium reads nothing by a relative path.
export const FOLDER = resolve('target/bench');

export function run(command, ...words) {
  const { status } = spawnSync(command, words, { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${status}`);
}

/** A generated trace of so many megabytes, made where there is none; its path without an ending. */
export function generated(megabytes) {
  const trace = `${FOLDER}/large-${megabytes}`;
  if (existsSync(`${trace}.prv`)) return trace;
  mkdirSync(FOLDER, { recursive: true });
  const words = ['big', '--size-mb', String(megabytes), '--out', FOLDER, '--name', 'unfinished'];
  run('cargo', 'run', '--locked', '--release', '-p', 'tracefold-generate', '--', ...words);
  for (const kind of ['pcf', 'row', 'truth.json', 'prv']) {
    renameSync(`${FOLDER}/unfinished.${kind}`, `${trace}.${kind}`);
  }
  return trace;
}

/** Peak of the resident memory of a process in bytes; 0 once it is gone. */
export function peakBytes(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return 1024 * Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Processor time of a process in seconds; 0 once it is gone. */
function processorSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/** Asks every 20 ms until it is told to stop. */
export function watch(look) {
  const timer = setInterval(look, 20);
  return () => {
    look();
    clearInterval(timer);
  };
}

/** What a command takes: `{ wall, processor, peak }`. */
export function measured(command, words) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    const took = { wall: 0, processor: 0, peak: 0 };
    const stop = watch(() => {
      took.peak = Math.max(took.peak, peakBytes(child.pid));
      took.processor = Math.max(took.processor, processorSeconds(child.pid));
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      took.wall = (performance.now() - start) / 1000;
      stop();
      if (code === 0) resolve(took);
      else reject(new Error(`${command} ${words.join(' ')}: ${code}`));
    });
  });
}
