// The source files that a person offers: by name, read when one is asked for.

import { bestNamed } from '../wasm/painter.js';

export interface Offer {
  /** With the folders that it was dropped with, or its address. */
  path: string;
  open: () => Promise<Blob>;
}

export class Offered {
  /** By file name in small letters, so that few paths are compared. */
  #byName: Map<string, Offer[]> = new Map();
  #paths: Set<string> = new Set();

  /** How often some were added. */
  changes = 0;

  /** How many there are. */
  get size() {
    return this.#paths.size;
  }

  /** Keeps them beside those that are there; one of the same path takes the place of the one before. */
  add(offers: Offer[]) {
    this.changes += 1;
    for (const offer of offers) {
      const name = nameOf(offer.path).toLowerCase();
      const same = (this.#byName.get(name) ?? []).filter(({ path }) => path !== offer.path);
      this.#byName.set(name, [...same, offer]);
      this.#paths.add(offer.path);
    }
  }

  /** Those that may be the file of a trace: more than one is a choice for a person. */
  find(file: string): Offer[] {
    const offers = this.#byName.get(nameOf(file).toLowerCase()) ?? [];
    return [...bestNamed(offers.map(({ path }) => path), file)].map((index) => offers[index]);
  }
}

/** The last part of a path of any system. */
function nameOf(path: string) {
  return path.split(/[/\\]/).at(-1) ?? path;
}
