// What the page asks the engine for while it goes on as usual: the decision of `fit=auto`, and the
// columns that a picture of some part needs.

import { CoursePicture, Picture, RunPicture } from '../wasm/painter.js';
import * as state from '../state.ts';
import { repetitionBy, runArrived, runOf, tabOf } from '../state.ts';
import { fold, foldingOf, restart } from './fold.ts';
import type { Request } from './ask.ts';
import type { App } from './open.ts';

/** One of each kind. */
export const requestsOf = (app: App): Request[] => [first(app), decision(app), run(app), regions(app), points(app), references(app), course(app)];

/** The first folding of a trace of which the run is seen first. */
function first(app: App): Request {
  return (now) => {
    const run = runOf(now);
    const isSeen = ['region', 'profile'].includes(tabOf(now)) || run?.raster || (run && tabOf(now) === 'efficiency');
    if (now.now.is !== 'looking' || !isSeen) return null;
    return { key: [now.now.open.from.source], unfolded: true, ask: () => fold(app, app.store.get(), 'replace'), arrived: (now) => now };
  };
}

function decision(app: App): Request {
  const { store } = app;
  return ({ now: { open }, settings }) => {
    if (!open?.picture || open.decision === 'decided') return null;
    const first = open.picture;
    return {
      key: [first],
      ask: () => foldingOf(app, settings),
      arrived(now, { bytes }) {
        const picture = new Picture(bytes);
        picture.takeReferences(first);
        return state.decided(now, first, picture);
      },
      async refused({ crashed }) {
        first.settle();
        const spline = state.decided(store.get(), first, null);
        store.set({ ...spline, remark: 'Spline and segments could not be compared; the spline is shown.' });
        if (!crashed) return;
        // Or it would crash again, and again.
        const { settings, view } = state.settingChosen(store.get(), 'fit', 'kriging');
        store.set(state.madeWith(store.get(), { settings, view }));
        await restart(app);
      },
    };
  };
}

/** The run at a glance, once somebody looks at it. */
function run(app: App): Request {
  const { engine, prepare, store } = app;
  return (state) => {
    const from = state.now.open?.from;
    const by = repetitionBy(state);
    if (!from?.trace || !['run', 'efficiency'].includes(tabOf(state)) || runOf(state)?.by === by) return null;
    return {
      key: [from.source, by],
      unfolded: true,
      ask: () => Promise.all([engine.call('glance', { settings: state.settings }), prepare('run')]),
      arrived: (now, [glance]) => runArrived(now, by, new RunPicture(glance)),
      refused({ message }) {
        store.set({ ...store.get(), remark: message });
        // Without it the region is what can be looked at.
        if (store.get().now.is === 'looking') return fold(app, store.get(), 'replace');
      },
    };
  };
}

/** The regions by the groups that are asked for. */
function regions({ engine }: App): Request {
  return ({ now: { open }, settings }) => {
    const group = settings.group ?? '';
    if (!open?.from.trace || open.from.regionsBy === group) return null;
    return {
      key: [open.from.source, open.from.regionsBy, group],
      unfolded: true,
      ask: () => engine.call('regions', { settings }),
      arrived: (now, regions) => state.regionsArrived(now, regions, group),
    };
  };
}

/** The samples of the counter shown alone. */
function points({ engine }: App): Request {
  return (now) => {
    const { counter } = now.view;
    const shown = state.shownOf(now);
    if (!shown || !state.traceOf(now) || counter === null || shown.points) return null;
    const group = shown.group.number;
    return {
      key: [shown.picture, group, counter],
      ask: () => engine.call('points', { group, counter }, { latest: true }),
      arrived: (now, points) => state.samplesArrived(now, { group, counter, points }),
    };
  };
}

/** What was sampled of the memory of the group on screen. */
function references({ engine }: App): Request {
  return (now) => {
    const shown = state.shownOf(now);
    if (!shown?.group.hasAddress || !state.traceOf(now) || shown.referenced.includes(shown.group.number)) return null;
    const { picture, group: { number: group } } = shown;
    return {
      key: [picture, group],
      ask: () => engine.call('references', { group }),
      arrived(now, columns) {
        picture.setReferences(group, columns);
        return state.referencesArrived(now, group);
      },
    };
  };
}

/** The instances of the group on screen over the run, once somebody looks at them. */
function course({ engine, prepare, store }: App): Request {
  return (now) => {
    const shown = state.shownOf(now);
    const asked = now.view.course;
    if (!shown || shown.early !== null || !state.traceOf(now) || asked === null || tabOf(now) !== 'region') return null;
    const { picture: of, group: { number: group } } = shown;
    const { course } = now;
    if (course?.of === of && course.group === group && course.asked === asked) return null;
    const told = (picture: CoursePicture | null, words: string) => ({ of, group, asked, picture, words });
    return {
      key: [of, group, asked],
      ask: () => Promise.all([engine.call('course', { settings: now.settings, group, asked }, { latest: true }), prepare('course')]),
      arrived: (now, [course]) => state.courseArrived(now, told(course ? new CoursePicture(course) : null, course ? '' : 'Nothing is known of these instances.')),
      refused: ({ message }) => store.set(state.courseArrived(store.get(), told(null, message))),
    };
  };
}
