// A folding with call-stacks, made of that of the example: its four routines under `main`, the first
// under `Copy` too, each in its quarter of the time.

/** What calls each routine. */
export const CALLED_BY = { main: null, Copy: 'main', __memcpy_ssse3_back: 'Copy', Scale: 'main', Add: 'main', Triad: 'main' };

/** Where each routine runs. */
export const RUNS = { main: [0, 1], Copy: [0, 0.22], __memcpy_ssse3_back: [0, 0.22], Scale: [0.22, 0.425], Add: [0.425, 0.7], Triad: [0.7, 1] };

/**
 * @param {any} folding as it stands in `folding.json`
 * @param {{ alignment?: object }} [how]
 */
export function stacked(folding, { alignment } = {}) {
  const groups = folding.groups.map((group) => {
    const routines = [...new Set([...group.routines, ...Object.keys(CALLED_BY)])];
    const places = group.places.filter(({ samples }) => samples > 0);
    const kept = group.lines.place.map((place) => places.indexOf(group.places[place]));
    // The line that each routine is at, or calls from.
    const placeOf = (name) => {
      const own = places.findIndex(({ routine }) => routines[routine] === name);
      return own < 0 ? places.push({ routine: routines.indexOf(name), line: 100 + places.length, file: 'stream.c', samples: 0 }) - 1 : own;
    };
    const names = Object.keys(CALLED_BY);
    const contexts = names.map((name) => ({
      ...(CALLED_BY[name] && { parent: names.indexOf(CALLED_BY[name]) }),
      routine: routines.indexOf(name),
      samples: 0,
    }));
    const contextOf = (place) => Math.max(0, names.indexOf(routines[places[place].routine]));
    const level = (name) => (CALLED_BY[name] ? 1 + level(CALLED_BY[name]) : 0);
    const stretches = names.map((name, context) => ({ start: RUNS[name][0], end: RUNS[name][1], place: placeOf(name), samples: 9, level: level(name), context, short: false }));
    return {
      ...group,
      routines,
      places,
      contexts,
      alignment: { method: 'chain', coverage: 1, components: 1, depth: 4, ambiguous: 0, ...alignment },
      lines: { ...group.lines, place: kept, context: kept.map(contextOf) },
      stretches: stretches.sort((a, b) => a.start - b.start || a.level - b.level),
    };
  });
  return { ...folding, groups };
}
