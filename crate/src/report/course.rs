//! The instances of a group over the run, in words: whether they drift, and by how much.

use serde::Serialize;

use super::counted;
use crate::folding::{Course, CourseStretch, Trend};
use crate::quantity::{NONE, OfInstance, duration, number, per_cent};

/// What stands round the picture of a [`Course`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct CourseSummary {
    /// What is shown of how many.
    pub title: String,
    /// Whether it drifts, and its trend.
    pub drift: String,
    pub trend: String,
    /// What is not shown, or not as points; empty if there is nothing of the kind.
    pub remarks: Vec<String>,
    /// What was folded of the kinds of [`Course::KINDS`]: words of a key, empty of none.
    pub key: Vec<String>,
    /// The same as a table: equal stretches of the run.
    pub heads: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Of the plot: nanoseconds from the begin of the trace.
    pub from_ns: f64,
    pub to_ns: f64,
}

/// Instances of fewer tell no drift.
const LEAST: u32 = 8;

/// What is told of `course`.
#[inline(never)]
pub fn course(course: &Course) -> CourseSummary {
    let of = OfInstance::of(course);
    let (used, left) = (course.used(), course.left_out());
    let title = format!(
        "{} of {}{}",
        of.name,
        counted(u64::from(used), "instance"),
        if left > 0 { format!(", {} left out", number(f64::from(left), 0)) } else { String::new() }
    );
    let (drift, trend) = words(course, &of, used);
    let head = format!("median {}", lower(&of.name));
    CourseSummary {
        title,
        drift,
        trend,
        remarks: remarks(course),
        key: key(course),
        heads: ["from", "to", "instances", "left out", &head].map(str::to_owned).to_vec(),
        rows: course.stretches.iter().map(|stretch| row(stretch, &of)).collect(),
        from_ns: course.from_ns,
        to_ns: course.to_ns,
    }
}

/// A name within a sentence: that of a counter keeps its capitals.
fn lower(name: &str) -> String {
    if name == "Duration" { "duration".to_owned() } else { name.to_owned() }
}

/// Whether the halves differ, and how the trend goes.
fn words(course: &Course, of: &OfInstance, used: u32) -> (String, String) {
    let none = |words: String| (words, String::new());
    let Some([least, middle, most]) = course.range else {
        return none("No instance that was folded has a value.".to_owned());
    };
    if used == 1 {
        return none(format!("One instance, of {}: there is no drift to tell.", of.text(middle)));
    }
    if least == most {
        return none(format!("No drift: all are {}.", of.text(middle)));
    }
    let Some(trend) = &course.trend else {
        return none(match used < LEAST {
            true => format!(
                "{}: too few to tell a drift, which takes {LEAST}.",
                counted(used.into(), "instance")
            ),
            false => "They start at too few moments to tell a drift.".to_owned(),
        });
    };
    (halves(trend, of), slope(course, trend, of))
}

/// By how much the later half of the instances differs from the earlier one.
fn halves(Trend { shift: [value, low, high], first, .. }: &Trend, of: &OfInstance) -> String {
    let way = if *value < 0.0 { of.less } else { of.more };
    let half_width = (high - value).max(value - low);
    let [share, half_width] = [*value, half_width].map(|part| part / first);
    let (what, within) = match share.is_finite() && half_width.is_finite() {
        true => (per_cent(share), per_cent(half_width)),
        false => {
            let [value, half] = of.together([value.abs(), (high - value).max(value - low)]);
            (format!("{value}{}", of.behind()), format!("{half}{}", of.behind()))
        }
    };
    let words = format!("{what} {way} in the second half, ±{within}");
    let is_drift = *low > 0.0 || *high < 0.0;
    if is_drift { format!("{words}.") } else { format!("No drift: {words}.") }
}

/// What the slope comes to over the run.
fn slope(course: &Course, trend: &Trend, of: &OfInstance) -> String {
    let run_ns = course.stretches.last().map_or(0.0, |last| last.to_ns)
        - course.stretches.first().map_or(0.0, |first| first.from_ns);
    let [value, low, high] = trend.slope.map(|slope| slope * run_ns);
    let is_trend = low > 0.0 || high < 0.0;
    let [shown, low, high] = of.together([value, low, high]);
    let sign = if value > 0.0 { "+" } else { "" };
    format!(
        "{}: {sign}{shown}{unit} over {} of the run, [{low}, {high}].",
        if is_trend { "Trend" } else { "No trend" },
        duration(run_ns),
        unit = of.behind()
    )
}

fn remarks(course: &Course) -> Vec<String> {
    let mut remarks = vec![];
    if course.unknown > 0 {
        let some = counted(course.unknown.into(), "instance");
        remarks.push(format!("{some} without a value: the counter is not read throughout."));
    }
    let [low, high] = course.axis;
    let beyond = course.values.iter().zip(&course.counts).zip(&course.kinds);
    let beyond = beyond.filter(|((value, _), _)| **value < low || **value > high);
    let beyond = beyond.map(|((_, count), _)| count).sum::<u32>();
    if beyond > 0 {
        let lie = if beyond == 1 { "lies" } else { "lie" };
        let some = counted(beyond.into(), "instance");
        remarks.push(format!("{some} beyond the axis {lie} on its edge."));
    }
    if course.thinned {
        let all = number(course.counts.iter().map(|count| f64::from(*count)).sum(), 0);
        let points = number(course.counts.len() as f64, 0);
        remarks.push(format!(
            "{all} instances as {points} points: those of nearly one place are one, the more the darker."
        ));
    }
    if course.joules.is_some() {
        let words =
            "Energy as it is read at the borders of each: registers are refreshed now and then.";
        remarks.push(words.to_owned());
    }
    if course.asked.starts_with("rate:") {
        remarks.push("Per time of the whole instance, waiting included.".to_owned());
    }
    if course.threads.len() > 1 {
        let threads = number(course.threads.len() as f64, 0);
        remarks
            .push(format!("Of {threads} threads, each instance by itself; line: median of all."));
    }
    remarks
}

fn key(course: &Course) -> Vec<String> {
    let words = ["folded", "left out by duration", "left out by samples", "other times"];
    let entry = |(count, words): (&u32, &str)| match count {
        0 => String::new(),
        count => format!("{} {words}", number(f64::from(*count), 0)),
    };
    course.of_kind.iter().zip(words).map(entry).collect()
}

fn row(stretch: &CourseStretch, of: &OfInstance) -> Vec<String> {
    let whole = |count: u32| number(f64::from(count), 0);
    vec![
        duration(stretch.from_ns),
        duration(stretch.to_ns),
        whole(stretch.used),
        whole(stretch.left),
        stretch.median.map_or_else(|| NONE.to_owned(), |median| of.text(median)),
    ]
}

/// A part of the run that is brushed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), tsify(missing_as_null))]
#[serde(rename_all = "camelCase")]
pub struct CourseRange {
    /// Whole nanoseconds from the begin of the trace, the first no later than the second: the settings
    /// `from` and `to`.
    pub ends_ns: [f64; 2],
    /// Instances that start in it; of joined points those whose first starts in it.
    pub instances: u32,
    pub words: String,
}

/// What starts between two times, in either order.
#[inline(never)]
pub fn course_range(course: &Course, ends_ns: [f64; 2]) -> CourseRange {
    let ends_ns = [ends_ns[0].min(ends_ns[1]), ends_ns[0].max(ends_ns[1])];
    let inside = course.starts_ns.iter().zip(&course.counts);
    let inside = inside.filter(|(start, _)| (ends_ns[0]..=ends_ns[1]).contains(*start));
    let instances = inside.map(|(_, count)| count).sum::<u32>();
    let [from, to] = ends_ns.map(duration);
    let words = format!("{} from {from} to {to}", counted(instances.into(), "instance"));
    CourseRange { ends_ns, instances, words }
}

/// What is told of a point: when, what, whose, and why it was left out.
#[inline(never)]
pub fn instance_near(course: &Course, at: usize) -> Option<String> {
    let of = OfInstance::of(course);
    let (start, value) = (course.starts_ns.get(at)?, course.values.get(at)?);
    let count = *course.counts.get(at)?;
    let thread = course.threads.get(*course.threads_of.get(at)? as usize)?;
    let what = match count {
        1 => format!("{} at {}, thread {thread}", of.text(*value), duration(*start)),
        _ => format!(
            "{} of about {} at about {}",
            counted(count.into(), "instance"),
            of.text(*value),
            duration(*start)
        ),
    };
    let limits = course.limits_ns.map_or_else(String::new, |[shortest, longest]| {
        format!(", beyond {} to {}", duration(shortest), duration(longest))
    });
    let why = match course.kinds.get(at)? {
        0 => return Some(what),
        1 => format!("left out by duration{limits}"),
        2 => "left out: samples lie unlike those of the others".to_owned(),
        _ => "not folded: of other times than those chosen".to_owned(),
    };
    Some(format!("{what}; {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instances of 100 ms and more, one every 100 ms.
    fn example() -> Course {
        Course {
            asked: "duration".to_owned(),
            of_kind: vec![20, 2, 0, 0],
            range: Some([95e6, 105e6, 120e6]),
            axis: [90e6, 125e6],
            stretches: vec![
                CourseStretch {
                    to_ns: 1e9,
                    used: 10,
                    left: 2,
                    median: Some(100e6),
                    ..Default::default()
                },
                CourseStretch { from_ns: 1e9, to_ns: 2e9, used: 0, left: 0, median: None },
            ],
            trend: Some(Trend {
                slope: [0.01, 0.008, 0.012],
                shift: [14e6, 11e6, 16e6],
                first: 100e6,
                ..Trend::default()
            }),
            ..Course::default()
        }
    }

    fn plain(text: &str) -> String {
        text.replace('\u{202f}', " ").replace('\u{2212}', "-")
    }

    #[test]
    fn drift_and_trend_are_told_with_their_intervals() {
        let mut of = example();
        let told = course(&of);
        assert_eq!(told.title, "Duration of 20 instances, 2 left out");
        assert_eq!(plain(&told.drift), "14 % longer in the second half, ±3.0 %.");
        assert_eq!(plain(&told.trend), "Trend: +20.0 ms over 2 000 ms of the run, [16.0, 24.0].");
        of.trend = Some(Trend {
            slope: [-0.001, -0.002, 0.001],
            shift: [-3e5, -8e5, 2e5],
            ..of.trend.unwrap()
        });
        let told = course(&of);
        assert_eq!(plain(&told.drift), "No drift: 0.30 % shorter in the second half, ±0.50 %.");
        assert_eq!(
            plain(&told.trend),
            "No trend: -2.00 ms over 2 000 ms of the run, [-4.00, 2.00]."
        );
    }

    #[test]
    fn of_few_or_equal_instances_it_says_why_there_is_no_drift() {
        let of = |used, range| {
            let of_kind = vec![used, 0, 0, 0];
            course(&Course { of_kind, range, trend: None, ..example() }).drift
        };
        assert!(of(1, Some([95e6; 3])).starts_with("One instance, of 95.0"));
        assert_eq!(
            of(2, Some([95e6, 96e6, 97e6])),
            "2 instances: too few to tell a drift, which takes 8."
        );
        assert!(of(500, Some([95e6; 3])).starts_with("No drift: all are 95.0"));
        assert_eq!(of(0, None), "No instance that was folded has a value.");
        assert!(of(9, Some([1.0, 2.0, 3.0])).contains("too few moments"));
    }

    #[test]
    fn counters_are_compared_in_words_of_their_own() {
        let of = |asked: &str| course(&Course { asked: asked.to_owned(), ..example() });
        assert_eq!(plain(&of("total:PAPI_L2_TCM").drift), "14 % more in the second half, ±3.0 %.");
        assert!(of("rate:PAPI_L2_TCM").drift.contains("higher"));
        let from_nothing = Trend { first: 0.0, ..example().trend.unwrap() };
        let told = course(&Course { trend: Some(from_nothing), ..example() });
        assert_eq!(plain(&told.drift), "14.0 ms longer in the second half, ±3.0 ms.");
    }

    #[test]
    fn the_table_and_the_remarks_tell_what_the_picture_does() {
        let mut of = example();
        let rows = course(&of).rows.iter().map(|row| plain(&row.join(" | "))).collect::<Vec<_>>();
        assert_eq!(
            rows,
            ["0.00 ms | 1 000 ms | 10 | 2 | 100.0 ms", "1 000 ms | 2 000 ms | 0 | 0 | –"]
        );
        assert!(course(&of).remarks.is_empty());
        (of.unknown, of.thinned, of.threads) =
            (1, true, vec!["1.1.1".to_owned(), "1.2.1".to_owned()]);
        (of.values, of.counts, of.kinds) = (vec![100e6, 300e6], vec![12, 1], vec![0, 1]);
        let remarks = course(&of).remarks;
        assert_eq!(remarks.len(), 4);
        assert_eq!(remarks[0], "1 instance without a value: the counter is not read throughout.");
        assert_eq!(remarks[1], "1 instance beyond the axis lies on its edge.");
        assert!(remarks[2].starts_with("13 instances as 2 points"));
    }

    #[test]
    fn a_range_tells_what_starts_in_it_both_ends_included() {
        let of = Course { starts_ns: vec![1e9, 2e9, 3e9], counts: vec![1, 5, 1], ..example() };
        let told = course_range(&of, [2e9, 1e9]);
        assert_eq!((told.ends_ns, told.instances), ([1e9, 2e9], 6));
        assert_eq!(plain(&told.words), "6 instances from 1 000 ms to 2 000 ms");
        assert_eq!(course_range(&of, [1.5e9, 1.5e9]).instances, 0);
    }

    #[test]
    fn a_point_tells_when_whose_and_why_it_was_left_out() {
        let mut of = example();
        (of.starts_ns, of.threads_of) = (vec![5e9, 6e9], vec![0, 0]);
        (of.values, of.counts, of.kinds) = (vec![100e6, 300e6], vec![1, 1], vec![0, 1]);
        (of.threads, of.limits_ns) = (vec!["1.2.1".to_owned()], Some([90e6, 110e6]));
        let near = |of: &Course, at| instance_near(of, at).map(|words| plain(&words));
        assert_eq!(near(&of, 0).unwrap(), "100.0 ms at 5 000 ms, thread 1.2.1");
        assert!(
            near(&of, 1).unwrap().ends_with("; left out by duration, beyond 90.0 ms to 110.0 ms")
        );
        of.counts[0] = 12;
        assert!(near(&of, 0).unwrap().starts_with("12 instances of about 100.0 ms"));
        assert_eq!(near(&of, 2), None);
    }
}
