// The source files that a person offers: by name, read when one is asked for.

/**
 * @typedef {Object} Offer
 * @property {string} path with the folders that it was dropped with, or its address
 * @property {() => Promise<Blob>} open
 */

export class Offered {
  /** @type {Map<string, Offer[]>} by file name in small letters */
  #byName = new Map();
  /** @type {Set<string>} */
  #paths = new Set();

  /** How often some were added. */
  changes = 0;

  /** How many there are. */
  get size() {
    return this.#paths.size;
  }

  /**
   * Keeps them beside those that are there; one of the same path takes the place of the one before.
   * @param {Offer[]} offers
   */
  add(offers) {
    this.changes += 1;
    for (const offer of offers) {
      const name = nameOf(offer.path).toLowerCase();
      const same = (this.#byName.get(name) ?? []).filter(({ path }) => path !== offer.path);
      this.#byName.set(name, [...same, offer]);
      this.#paths.add(offer.path);
    }
  }

  /**
   * Those that may be the file of a trace: its path may have folders of another computer, of which
   * the last ones decide. Best first; all of them fit equally well, so that more than one is a
   * choice for a person.
   * @param {string} file
   * @returns {Offer[]}
   */
  find(file) {
    const name = nameOf(file);
    const named = this.#byName.get(name.toLowerCase()) ?? [];
    const exact = named.filter(({ path }) => nameOf(path) === name);
    const offers = exact.length > 0 ? exact : named;
    const common = offers.map(({ path }) => commonEnd(path, file));
    const most = Math.max(...common);
    return offers.filter((_, i) => common[i] === most);
  }
}

/**
 * The last part of a path of any system.
 * @param {string} path
 */
export function nameOf(path) {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/**
 * How many parts of two paths are the same, from the end.
 * @param {string} a
 * @param {string} b
 */
function commonEnd(a, b) {
  const [ours, theirs] = [a, b].map((path) => path.split(/[/\\]/).filter((part) => part !== '' && part !== '.').reverse());
  const differs = ours.findIndex((part, i) => part !== theirs[i]);
  return differs < 0 ? ours.length : differs;
}
